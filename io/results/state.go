package results

import (
	"math"
	"slices"
)

// State tells on how many folds of a cell a metric has a value, and whether all are finite. It decides what a mean over folds is
// worth, and whether it may be compared.
type State string

const (
	Complete   State = "complete"   // a finite value on each fold
	Infinite   State = "infinite"   // a value on each fold, some infinite: so is the mean
	Incomplete State = "incomplete" // no value on some fold: the mean is over the others
	Absent     State = "missing"    // no value at all
)

// StateOf returns the state of the values of a metric on the folds of a cell, NaN where there is none.
func StateOf(values []float64) State {
	state := Complete
	if !slices.ContainsFunc(values, hasValue) {
		return Absent
	}
	for _, v := range values {
		switch {
		case math.IsNaN(v):
			return Incomplete
		case math.IsInf(v, 0):
			state = Infinite
		}
	}
	return state
}

func hasValue(x float64) bool { return !math.IsNaN(x) }

// Compete returns which of several cells may be compared in a metric, from their values on the same folds of one data set, NaN where
// there is none (a cell that did not end well has no values at all). If some are complete or infinite, these are; else those with a
// value, if all of them lack it on the same folds; else none.
func Compete(values [][]float64) []bool {
	out := make([]bool, len(values))
	whole := false
	for i, v := range values {
		s := StateOf(v)
		out[i] = s == Complete || s == Infinite
		whole = whole || out[i]
	}
	if whole {
		return out
	}
	first := -1
	for i, v := range values {
		switch {
		case StateOf(v) == Absent:
		case first < 0:
			first, out[i] = i, true
		case !slices.EqualFunc(v, values[first], func(a, b float64) bool { return hasValue(a) == hasValue(b) }):
			return make([]bool, len(values))
		default:
			out[i] = true
		}
	}
	return out
}

// BestOf returns the indices of those who compete with the best mean: none if fewer than two compete, if all are equal, or if all
// are infinite.
func BestOf(means []float64, compete []bool, higher bool) []int {
	var rivals []int
	for i, yes := range compete {
		if yes {
			rivals = append(rivals, i)
		}
	}
	if len(rivals) < 2 {
		return nil
	}
	best, alike := means[rivals[0]], true
	for _, i := range rivals[1:] {
		alike = alike && means[i] == best
		if m := means[i]; m != best && m > best == higher {
			best = m
		}
	}
	if alike || !Finite(best) {
		return nil
	}
	return slices.DeleteFunc(rivals, func(i int) bool { return means[i] != best })
}
