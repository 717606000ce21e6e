package source

import (
	"fmt"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/param"
)

// countType is the word for a target of counts.
const countType = "count"

// Counted holds the option of a target of counts.
type Counted struct {
	Exposure string `yaml:"exposure" doc:"of a target of type count: the column of exposures, numbers above 0, such as years, area or persons, for which a row counts; by default 1 each"`
}

// validateCounts checks that exposures are named only for counts, which have no levels and cannot be filled in.
func (r Response) validateCounts() error {
	switch {
	case r.Type != countType && r.Exposure != "":
		return param.Errorf("target.exposure", "%q is of a target of counts: say type: count, or leave it out", r.Exposure)
	case r.Type != countType:
		return nil
	case r.Positive != "":
		return param.Errorf("target.positive", "a level is positive only where type is class; here it is count")
	case r.Missing == "mean":
		return param.Errorf("target.missing", "a count that is not known has no mean, which is no whole number: use drop-rows")
	}
	return nil
}

// CheckCount returns an error if a number is no count.
func CheckCount(x float64) error {
	if x < 0 || x != math.Floor(x) {
		return fmt.Errorf("found %v, expected a count: a whole number of 0 or more; type: real takes any number", x)
	}
	return nil
}

// CheckExposure returns an error if a number is no exposure.
func CheckExposure(x float64) error {
	if !(x > 0) || math.IsInf(x, 0) {
		return fmt.Errorf("found %v, expected an exposure: a number above 0; a row without one counts nothing, and is to be left out", x)
	}
	return nil
}

// CheckCounts returns an error if all counts of a target of the data are 0, so that nothing can be learned from it.
func CheckCounts(d *data.Dataset) error {
	for k := range d.Targets {
		t := &d.Targets[k]
		if t.Type == data.Count && !slices.ContainsFunc(t.Values, func(y float64) bool { return y > 0 }) {
			return fmt.Errorf("target %s: all counts are 0, so that nothing can be learned about them", t.Name)
		}
	}
	return nil
}
