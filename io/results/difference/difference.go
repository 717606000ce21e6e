// Package difference tells whether two outcomes of the same fit are the same.
package difference

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tenfold/io/results"
)

// Agree is the relative difference allowed between numbers of the same fit: engines give the same bits on every processor, but
// methods, which are programs of the user, may round differently.
const Agree = 1e-9

// Between describes how two outcomes of the same unit differ, "" if they do not. apart is the largest difference of their
// numbers, relative to the larger one; infinite if they differ in other than numbers. It compares what every row of results.parquet
// has and, if both rows carry them, the selected features; timings and provenance do not count.
func Between(was, is *results.Row) (words string, apart float64) {
	say := func(what string, a, b any) {
		words = cmp.Or(words, fmt.Sprintf("%s is %v, was %v", what, b, a))
	}
	for _, c := range []struct {
		what    string
		was, is any
	}{
		{"status", was.Status, is.Status},
		{"training rows", was.RowsTrain, is.RowsTrain},
		{"test rows", was.RowsTest, is.RowsTest},
		{"columns", was.Columns, is.Columns},
		{"selected features", was.Features, is.Features},
		{"the set of selected features", was.SelectedSum, is.SelectedSum},
		{"non-zero coefficients", was.Nonzero, is.Nonzero},
	} {
		if c.was != c.is {
			say(c.what, c.was, c.is)
			apart = math.Inf(1)
		}
	}
	if was.Status != results.OK || is.Status != results.OK {
		return words, apart
	}
	for _, name := range overallMetrics(was, is) {
		a, had := was.Metric(name)
		b, has := is.Metric(name)
		switch {
		case had != has: // the value is NULL if a metric does not apply
			say(name, orText(a, had), orText(b, has))
			apart = math.Inf(1)
		case had && a != b:
			say(name, a, b)
			apart = math.Max(apart, relativeError(a, b))
		}
	}
	if a, b := was.Outcome.Selected, is.Outcome.Selected; len(a) == len(b) {
		for i := range a {
			if a[i].Feature != b[i].Feature || a[i].Output != b[i].Output {
				say(fmt.Sprintf("feature %d", i+1), a[i].Feature, b[i].Feature)
				apart = math.Inf(1)
			} else if x, y := a[i].Coefficient, b[i].Coefficient; x != y && (x == x || y == y) {
				say("coefficient of "+a[i].Feature, x, y)
				apart = math.Max(apart, relativeError(x, y))
			}
		}
	}
	return words, apart
}

// overallMetrics returns the metrics, without timings, that some outcome has for the fold as a whole, in order of appearance.
func overallMetrics(outcomes ...*results.Row) []string {
	var names []string
	for _, o := range outcomes {
		for i := range o.Scores {
			if s := &o.Scores[i]; s.Output == "" && s.Point < 0 && !results.IsTiming(s.Metric) && !slices.Contains(names, s.Metric) {
				names = append(names, s.Metric)
			}
		}
	}
	return names
}

func orText(x float64, exists bool) any {
	if !exists {
		return "NULL"
	}
	return x
}

// small is the size below which numbers are compared absolutely: values that should be 0 are rounding errors.
const small = 1e-3

func relativeError(a, b float64) float64 {
	return math.Abs(a-b) / math.Max(small, math.Max(math.Abs(a), math.Abs(b)))
}
