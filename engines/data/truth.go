package data

import "fmt"

// True is one true coefficient of generated data.
type True struct {
	Feature int32 // column
	Target  int32
	Value   float64
}

func checkTruth(truth []True, cols, targets int) error {
	for k, c := range truth {
		if c.Feature < 0 || int(c.Feature) >= cols || c.Target < 0 || int(c.Target) >= targets {
			return fmt.Errorf("true coefficient %d: column %d, target %d, expected 0..%d and 0..%d", k, c.Feature, c.Target, cols-1, targets-1)
		}
	}
	return nil
}

// Truth returns the true coefficients, nil if they are not known. A column j of the data set that the recipe dropped has the (negative)
// number ^j. Coefficients of responses that the fold leaves out are omitted.
func (v *View) Truth() []True {
	p := v.from
	if p.Set.Truth == nil {
		return nil
	}
	column, target := p.placesInPrepared()
	truth := []True{}
	for _, c := range p.Set.Truth {
		t, j := target[c.Target], column[c.Feature]
		if j < 0 {
			j = ^c.Feature
		}
		if t >= 0 {
			truth = append(truth, True{Feature: j, Target: t, Value: c.Value})
		}
	}
	return truth
}

// truthOf restricts the truth to some of all columns, which it numbers anew.
func truthOf(truth []True, columns []int32, all int) []True {
	if truth == nil {
		return nil
	}
	to, out := PlacesOf(columns, all), []True{}
	for _, c := range truth {
		if c.Feature = to[c.Feature]; c.Feature >= 0 {
			out = append(out, c)
		}
	}
	return out
}
