package experiments

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

// ReadBaseline returns an error if the file is not a baseline, and warns of data sets with which its results cannot be compared,
// before hours are spent.
func (j Job) ReadBaseline(path string) error {
	b, err := ReadBaseline(path, j.File.Defined)
	if b == nil || err != nil {
		return err
	}
	if len(j.Stages)+len(j.Todo) > 0 { // else the verdicts say so at once
		for _, why := range b.Outdated(j.PlannedLabels()) {
			j.Warn(fmt.Errorf("%s: data set %s; its results cannot be compared, whatever they come to: tenfold accept records them anew", path, why))
		}
	}
	return nil
}

// ReadBaseline returns the baseline in a file, which may have the metrics that the experiment file defines; nil if there is no such file.
// The error is that it is no baseline.
func ReadBaseline(path string, defined metric.Set) (*gate.Baseline, error) {
	b, err := gate.Read(path, defined.Described(nil))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, app.Invalid(err)
}

// BaselinePath returns the path of the baseline: the one that was asked for, or the one beside the experiment file.
func (j Job) BaselinePath(asked string) string {
	if asked != "" {
		return asked
	}
	return strings.TrimSuffix(j.File.Path, filepath.Ext(j.File.Path)) + app.BaselineSuffix
}

// PlannedLabels returns the labels of all fits, in the plan's order.
func (j Job) PlannedLabels() (labels []results.Label) {
	for u := range j.Units {
		labels = append(labels, u.Label)
	}
	return labels
}
