// Package figure makes the figures of a report from cells: error paths of one fit, sweeps over a parameter, error against size, mean
// ranks over data sets, stability and overlap of selections, survival by risk, rates of two classes at every threshold. Package drawing
// draws them.
//
// How a figure is made: Build (kinds.go) selects cells, and the kind makes a drawing.Chart of them: path.go, sweep.go, frontier.go,
// critical.go, selections.go, stabilitypath.go, validation.go, survival.go, rates.go, probabilities.go (twoclass.go reads their rows). datasets.go averages over data sets.
package figure

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines/param"
	"tenfold/reports/cells"
	"tenfold/reports/drawing"
	"tenfold/reports/paired"
)

// Config is one figure of an experiment file.
type Config struct {
	Kind      string            `yaml:"kind" read:"required"`
	Title     string            `yaml:"title" json:",omitempty" doc:"heading in the figure itself (default: none, since captions are in the text around it)"`
	Format    Formats           `yaml:"format" json:",omitempty" doc:"files: svg, png, pdf, csv (the numbers shown), one or a list (default svg and png); there always is an SVG, which the report shows"`
	Width     float64           `yaml:"width" json:",omitempty" doc:"in millimetres, as it is to be printed (default 162.56; what needs more is wider)"`
	Height    float64           `yaml:"height" json:",omitempty" doc:"path, sweep, frontier, stability-path, validation-curve, kaplan-meier, calibration, roc, pr: in millimetres (default: follows from the width)"`
	Algorithm string            `yaml:"algorithm" json:",omitempty" ref:"algorithm" doc:"show this one only"`
	Dataset   string            `yaml:"dataset" json:",omitempty" ref:"dataset" doc:"show this one only; by default a figure for each, or one with all where the kind compares data sets"`
	Where     map[string]string `yaml:"where" read:"commas" json:",omitempty" doc:"dimension: value, as the filter of a table"`
	X         string            `yaml:"x" json:",omitempty" ref:"axis" doc:"sweep: grid parameter along the axis, or point, the size along a path; validation-curve: tuned parameter (default: that with most values); frontier: metric along the axis (default selected), or point"`
	Y         string            `yaml:"y" json:",omitempty" ref:"metric" doc:"metric, sweep, frontier, critical-difference: metric; confusion, heatmap, importance: that by which a cell is the best (default: the first of the file)"`
	Lines     string            `yaml:"lines" json:",omitempty" ref:"parameter" doc:"sweep: grid parameter, or task, with a line for each value (default: every other parameter)"`
	Right     string            `yaml:"right" read:"commas" json:",omitempty" doc:"metrics on the right axis, as a list or with commas; path: nonzero (default: no such axis)"`
	Groups    int               `yaml:"groups" json:",omitempty" doc:"kaplan-meier, calibration: groups of test rows, 2 to 10 (default 3 by risk, 5 by predicted survival, up to 10 by probability)"`
	At        float64           `yaml:"at" json:",omitempty" doc:"calibration of survival: the time (default: the median time of the events among test rows)"`
	Curve     string            `yaml:"curve" json:",omitempty" doc:"roc, pr: average, of the curves of folds at the same place on the axis (default), or pooled, of the test rows of all folds together"`
	Bins      string            `yaml:"bins" json:",omitempty" doc:"calibration of classes: quantile, groups of equally many rows (default), or uniform, of equally wide ranges of probability"`
	Panels    string            `yaml:"panels" json:",omitempty" doc:"metric, sweep, frontier: dataset, small figures beside each other in one, a panel for each data set (default: a figure for each)"`
	Over      string            `yaml:"over" json:",omitempty" doc:"sweep, frontier: dataset, one figure of the means over the data sets on which all algorithms have results"`
	Alpha     float64           `yaml:"alpha" json:",omitempty" doc:"critical-difference: level of the tests, between 0 and 1 (default 0.05)"`
}

// Formats lists the formats of a figure's files.
type Formats []string

// OneOrMore lets a file give a single format instead of a list.
func (Formats) OneOrMore() {}

// Validate checks the figure by itself.
func (c Config) Validate() error {
	k, err := findKind(c.Kind)
	if err != nil {
		return err
	}
	var errs []error
	for _, f := range []struct {
		name string
		set  bool
	}{{"x", c.X != ""}, {"y", c.Y != ""}, {"lines", c.Lines != ""}, {"right", c.Right != ""}, {"groups", c.Groups != 0}, {"at", c.At != 0}, {"alpha", c.Alpha != 0}, {"height", c.Height != 0}, {"curve", c.Curve != ""}, {"bins", c.Bins != ""}, {"panels", c.Panels != ""}, {"over", c.Over != ""}} {
		if f.set && !slices.Contains(k.fields, f.name) {
			errs = append(errs, param.Errorf(f.name, "only a %s has %s", kindsWithField(f.name), f.name))
		}
	}
	if k.check != nil {
		errs = append(errs, k.check(c))
	}
	for i, f := range c.Format {
		field := "format"
		if len(c.Format) > 1 {
			field = fmt.Sprintf("format.%d", i)
		}
		errs = append(errs, param.OneOf(field, f, drawing.SVG, drawing.PNG, drawing.PDF, drawing.CSV))
	}
	errs = append(errs, checkMillimetres("width", c.Width), checkMillimetres("height", c.Height),
		param.OneOf("panels", c.Panels, "", datasetDim), param.OneOf("over", c.Over, "", datasetDim),
		param.Require("over", c.Over == "" || c.Panels == "", "a mean over data sets has no panels"),
		param.Require("over", c.Over == "" || c.Dataset == "", "a mean over data sets is not of one of them"),
		param.Require("right", c.Panels == "" || c.Right == "", "panels have no room for an axis on the right"),
		param.Require("height", c.Panels == "" || c.Height == 0, "that of panels follows from the width"))
	if c.Lines != "" && c.Lines == c.X {
		errs = append(errs, param.Errorf("lines", "%s is along the axis already", c.X))
	}
	if c.Alpha != 0 && !(c.Alpha > 0 && c.Alpha < 1) {
		errs = append(errs, param.Errorf("alpha", "%v, expected a number between 0 and 1", c.Alpha))
	}
	return errors.Join(errs...)
}

// checkMillimetres checks a length in millimetres; 0 stands for none.
func checkMillimetres(field string, v float64) error {
	const least, most = 30, 1000
	if v != 0 && !(v >= least && v <= most) {
		return param.Errorf(field, "%v, expected millimetres between %d and %d", v, least, most)
	}
	return nil
}

// EachMetric yields every metric named inside a text of the figure, with its field, for checking them.
func (c Config) EachMetric(yield func(field, name string)) {
	for _, name := range c.rightMetrics() {
		yield("right", name)
	}
}

// rightMetrics returns the metrics of the right axis.
func (c Config) rightMetrics() []string {
	if c.Right == "none" {
		return nil
	}
	return cells.Split(c.Right)
}

// sizeMetric returns the metric along the x axis of a frontier.
func (c Config) sizeMetric() string {
	if c.X == "" {
		return "selected"
	}
	return c.X
}

// mainMetric returns the metric that is shown: y of the file, or the first metric of the experiment.
func (c Config) mainMetric(in Input) (string, error) {
	switch {
	case c.Y != "":
		return c.Y, nil
	case len(in.Metrics) > 0:
		return in.Metrics[0], nil
	}
	return "", fmt.Errorf("the %s names no metric, and neither does the file", c.Kind)
}

// significance returns alpha, or its default.
func (c Config) significance() float64 { return cmp.Or(c.Alpha, paired.Level) }

// conditions returns the conditions on cells, from all keys together.
func (c Config) conditions() map[string]string {
	out := map[string]string{}
	for k, v := range c.Where {
		out[k] = v
	}
	if c.Algorithm != "" {
		out["algorithm"] = c.Algorithm
	}
	if c.Dataset != "" {
		out["dataset"] = c.Dataset
	}
	return out
}
