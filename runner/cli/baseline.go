package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/gate"
	"tenfold/runner/cli/app"
	"tenfold/runner/metric"
)

// readBaseline returns an error if the file is not a baseline, and warns of data sets with which its results cannot be compared,
// before hours are spent.
func (j job) readBaseline(path string) error {
	b, err := readBaseline(path)
	if b == nil || err != nil {
		return err
	}
	if len(j.Stages)+len(j.Todo) > 0 { // else the verdicts say so at once
		for _, why := range b.Outdated(j.planned()) {
			j.Warn(fmt.Errorf("%s: data set %s; its results cannot be compared, whatever they come to: tenfold accept records them anew", path, why))
		}
	}
	return nil
}

// readBaseline returns the baseline in a file; nil if there is no such file. The error is that it is no baseline.
func readBaseline(path string) (*gate.Baseline, error) {
	b, err := gate.Read(path, metric.Described(nil))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, app.Invalid(err)
}

// baselinePath returns the path of the baseline: the one that was asked for, or the one beside the experiment file.
func (j job) baselinePath(asked string) string {
	if asked != "" {
		return asked
	}
	return strings.TrimSuffix(j.File.Path, filepath.Ext(j.File.Path)) + app.BaselineSuffix
}

// planned returns the labels of all fits, in the plan's order.
func (j job) planned() (labels []results.Label) {
	for u := range j.Units {
		labels = append(labels, u.Label)
	}
	return labels
}
