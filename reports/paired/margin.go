package paired

import (
	"errors"
	"math"

	"tenfold/engines/param"
	"tenfold/io/results"
)

// Margin is a difference that is considered negligible: a share of the reference's value, or in units of the metric.
type Margin struct {
	Relative *float64 `yaml:"relative,omitempty" json:",omitempty" doc:"share of the reference's value, such as 0.02"`
	Absolute *float64 `yaml:"absolute,omitempty" json:",omitempty" doc:"in units of the metric"`
}

// Given reports whether there is a margin at all.
func (m Margin) Given() bool { return m.Relative != nil || m.Absolute != nil }

// Of returns the margin in units of the metric; 0 if none is given.
func (m Margin) Of(reference float64) float64 {
	switch {
	case m.Relative != nil:
		return math.Abs(*m.Relative * reference)
	case m.Absolute != nil:
		return *m.Absolute
	}
	return 0
}

// Validate checks the margin; field is its key, for messages.
func (m Margin) Validate(field string) error {
	var errs []error
	for _, v := range []struct {
		name  string
		value *float64
	}{{"relative", m.Relative}, {"absolute", m.Absolute}} {
		if v.value != nil && !(*v.value >= 0 && results.Finite(*v.value)) {
			errs = append(errs, param.Errorf(field+"."+v.name, "%v, expected a number of at least 0", *v.value))
		}
	}
	if m.Relative != nil && m.Absolute != nil {
		errs = append(errs, param.Errorf(field, "give relative or absolute, not both"))
	}
	return errors.Join(errs...)
}
