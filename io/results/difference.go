package results

import (
	"cmp"
	"fmt"
	"math"
)

// Difference says in words where two outcomes of the same unit of work part, "" where they do not, and how far their
// numbers are apart at most, relative to the larger: infinitely where it is not about numbers. It looks at what every row of results.parquet has and, where both
// carry them, at the selected features; timings and provenance do not count.
func Difference(was, is *Row) (words string, apart float64) {
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
	if was.Status != OK || is.Status != OK {
		return words, apart
	}
	for i := range was.Scores {
		s := &was.Scores[i]
		if !s.overall() || isTiming(s.Metric) {
			continue
		}
		now, ok := is.Metric(s.Metric)
		if _, had := was.Metric(s.Metric); had != ok {
			say(s.Metric, s.Value, now)
			apart = math.Inf(1)
		}
		if now != s.Value && ok {
			say(s.Metric, s.Value, now)
			apart = math.Max(apart, relative(s.Value, now))
		}
	}
	if a, b := was.Outcome.Selected, is.Outcome.Selected; len(a) == len(b) {
		for i := range a {
			if a[i].Feature != b[i].Feature || a[i].Output != b[i].Output {
				say(fmt.Sprintf("feature %d", i+1), a[i].Feature, b[i].Feature)
				apart = math.Inf(1)
			} else if x, y := a[i].Coefficient, b[i].Coefficient; x != y {
				say("coefficient of "+a[i].Feature, x, y)
				apart = math.Max(apart, relative(x, y))
			}
		}
	}
	return words, apart
}

func relative(a, b float64) float64 { return math.Abs(a-b) / math.Max(math.Abs(a), math.Abs(b)) }
