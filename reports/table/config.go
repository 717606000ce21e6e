// Package table makes comparison tables: cells of an experiment arranged by rows and columns, with a text template for
// what stands in a slot, the best marked, tests against a baseline, and published values beside ours.
package table

import (
	"errors"
	"fmt"
	"slices"

	"tenfold/engines/kind"
	"tenfold/reports/cells"
)

// Config is one table of an experiment file. Rows and columns are dimensions: algorithm (with its grid point), dataset
// (with its own), engine, metric, or a grid parameter; several are separated by commas.
type Config struct {
	Title    string            `yaml:"title" json:",omitempty" doc:"heading of the table"`
	Rows     string            `yaml:"rows" json:",omitempty" doc:"dimensions of the rows: algorithm, dataset, engine, metric, or a grid parameter; several by commas (default algorithm)"`
	Columns  string            `yaml:"columns" json:",omitempty" doc:"dimensions of the columns (default metric)"`
	By       string            `yaml:"by" json:",omitempty" doc:"a table for each value of these dimensions (default dataset, unless rows or columns have it)"`
	Cells    string            `yaml:"cells" json:",omitempty" doc:"what stands in a slot: {METRIC}, {METRIC.se}, .min, .max, .n; {value} is the metric of the row or column"`
	Metric   string            `yaml:"metric" json:",omitempty" doc:"metrics shown, by commas (default: the file's, and selected)"`
	Filter   map[string]string `yaml:"filter" json:",omitempty" doc:"dimension: value; alternatives by commas, * and ? match"`
	Baseline string            `yaml:"baseline" json:",omitempty" ref:"label" doc:"label of the row or column that the others are tested against"`
	Test     string            `yaml:"test" json:",omitempty" doc:"paired-t, nadeau-bengio (default for several folds), bootstrap (default for one fold), none"`
	Alpha    float64           `yaml:"alpha" json:",omitempty" doc:"level of the test, between 0 and 1 (default 0.05)"`
}

// Names of the tests.
const (
	PairedT      = "paired-t"
	NadeauBengio = "nadeau-bengio"
	Bootstrap    = "bootstrap"
	None         = "none"
)

// Validate checks the table by itself.
func (c Config) Validate() error {
	errs := []error{kind.OneOf("test", c.Test, "", PairedT, NadeauBengio, Bootstrap, None)}
	if c.Alpha != 0 && !(c.Alpha > 0 && c.Alpha < 1) {
		errs = append(errs, kind.Errorf("alpha", "%v, expected a number between 0 and 1", c.Alpha))
	}
	if c.Test != "" && c.Test != None && c.Baseline == "" {
		errs = append(errs, kind.Errorf("test", "%s needs a baseline to compare with", c.Test))
	}
	if _, err := parse(c.Cells); err != nil {
		errs = append(errs, err)
	}
	seen := map[string]string{}
	for _, axis := range []struct{ name, dims string }{{"rows", c.Rows}, {"columns", c.Columns}, {"by", c.By}} {
		for _, d := range cells.Split(axis.dims) {
			if seen[d] != "" {
				errs = append(errs, kind.Errorf(axis.name, "%s is already among %s", d, seen[d]))
			}
			seen[d] = axis.name
		}
	}
	return errors.Join(errs...)
}

// ValidateFolds refuses a test that this many folds cannot support.
func (c Config) ValidateFolds(folds int) error {
	switch {
	case folds < 2 && (c.Test == PairedT || c.Test == NadeauBengio):
		return kind.Errorf("test", "%s needs several folds and there is one; bootstrap resamples its rows", c.Test)
	case folds > 1 && c.Test == Bootstrap:
		return kind.Errorf("test", "bootstrap resamples the rows of one fold and there are %d; use nadeau-bengio", folds)
	}
	return nil
}

// EachMetric tells every metric that the table names, with its field, for checking them.
func (c Config) EachMetric(yield func(field, name string)) {
	for _, name := range cells.Split(c.Metric) {
		yield("metric", name)
	}
	t, _ := parse(c.Cells) // Validate tells of what does not parse
	for _, p := range t.parts {
		if p.metric != "" && p.metric != "value" {
			yield("cells", p.metric)
		}
	}
}

// layout is a Config with its defaults filled in.
type layout struct {
	Config
	rowDims, columnDims, byDims []string
	metrics                     []string
	text                        template
	named                       bool // the file says what stands in a slot
}

func (c Config) layout(metrics []string) (layout, error) {
	l := layout{Config: c, rowDims: cells.Split(c.Rows), columnDims: cells.Split(c.Columns), byDims: cells.Split(c.By), metrics: cells.Split(c.Metric)}
	if len(l.metrics) == 0 {
		l.metrics = slices.Clone(metrics)
		if !slices.Contains(l.metrics, "selected") {
			l.metrics = append(l.metrics, "selected")
		}
	}
	if len(l.rowDims) == 0 {
		l.rowDims = []string{"algorithm"}
		if slices.Contains(l.columnDims, "algorithm") {
			l.rowDims = []string{"dataset"}
		}
	}
	if len(l.columnDims) == 0 {
		l.columnDims = []string{"metric"}
		if slices.Contains(l.rowDims, "metric") {
			l.columnDims = []string{"algorithm"}
		}
	}
	if len(l.byDims) == 0 && !l.onAxis("dataset") {
		l.byDims = []string{"dataset"}
	}
	if l.Alpha == 0 {
		l.Alpha = 0.05
	}
	text := c.Cells
	l.named = text != ""
	switch {
	case text != "":
	case l.onAxis("metric"):
		text = "{value} ± {value.se}"
	default:
		text = fmt.Sprintf("{%s} ± {%[1]s.se}", l.metrics[0])
		if l.metrics[0] != "selected" && slices.Contains(l.metrics, "selected") {
			text += " ({selected})"
		}
	}
	var err error
	if l.text, err = parse(text); err != nil {
		return l, err
	}
	for _, p := range l.text.parts {
		if p.metric == "value" && !l.onAxis("metric") {
			return l, kind.Errorf("cells", "{value} needs metric among the rows or columns")
		}
	}
	return l, l.Validate()
}

func (l *layout) onAxis(dim string) bool {
	return slices.Contains(l.rowDims, dim) || slices.Contains(l.columnDims, dim)
}
