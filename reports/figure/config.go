// Package figure draws the figures of a report: error paths of one fit and sweeps over a parameter. What a figure shows
// is a Chart, plain data; drawing it comes after.
package figure

import (
	"errors"

	"tenfold/engines/kind"
	"tenfold/reports/cells"
)

// Config is one figure of an experiment file.
type Config struct {
	Kind      string            `yaml:"kind,required" doc:"path: training and test error of one fit step by step; sweep: a metric against a parameter"`
	Title     string            `yaml:"title" json:",omitempty" doc:"heading of the figure"`
	Algorithm string            `yaml:"algorithm" json:",omitempty" ref:"algorithm" doc:"show this one only"`
	Dataset   string            `yaml:"dataset" json:",omitempty" ref:"dataset" doc:"show this one only; by default a figure for each"`
	Where     map[string]string `yaml:"where" json:",omitempty" doc:"dimension: value, as the filter of a table"`
	X         string            `yaml:"x" json:",omitempty" ref:"parameter" doc:"sweep: grid parameter along the axis"`
	Y         string            `yaml:"y" json:",omitempty" ref:"metric" doc:"sweep: metric (default: the first of the file)"`
	Lines     string            `yaml:"lines" json:",omitempty" ref:"parameter" doc:"sweep: grid parameter with a line for each value (default: every other parameter)"`
	Right     string            `yaml:"right" json:",omitempty" doc:"sweep: metrics on the right axis by commas, or none (default nonzero, and iterations where there is one line)"`
}

// Kinds of figures.
const (
	Path  = "path"
	Sweep = "sweep"
)

// Validate checks the figure by itself.
func (c Config) Validate() error {
	errs := []error{kind.OneOf("kind", c.Kind, Path, Sweep)}
	if c.Kind == Sweep && c.X == "" {
		errs = append(errs, kind.Errorf("kind", "a sweep needs x, the parameter along the axis"))
	}
	if c.Kind == Path {
		for _, f := range []struct{ name, value string }{{"x", c.X}, {"y", c.Y}, {"lines", c.Lines}, {"right", c.Right}} {
			if f.value != "" {
				errs = append(errs, kind.Errorf(f.name, "only a sweep has %s", f.name))
			}
		}
	}
	if c.Lines != "" && c.Lines == c.X {
		errs = append(errs, kind.Errorf("lines", "%s is along the axis already", c.X))
	}
	return errors.Join(errs...)
}

// EachMetric tells every metric that stands inside a text of the figure, with its field, for checking them.
func (c Config) EachMetric(yield func(field, name string)) {
	for _, name := range c.rightMetrics() {
		yield("right", name)
	}
}

// rightMetrics are the metrics that the file puts on the right axis.
func (c Config) rightMetrics() []string {
	if c.Right == "none" {
		return nil
	}
	return cells.Split(c.Right)
}

// where is all conditions on cells.
func (c Config) where() map[string]string {
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
