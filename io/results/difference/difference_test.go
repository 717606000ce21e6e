package difference

import (
	"math"
	"testing"

	"tenfold/io/results"
)

func TestDifference(t *testing.T) {
	row := func(scores ...results.Score) *results.Row {
		return &results.Row{Outcome: results.Outcome{Status: results.OK, Scores: scores}}
	}
	mse := func(x float64) results.Score { return results.Score{Metric: "test_mse", Point: -1, Value: x} }
	inf := math.Inf(1)
	for _, c := range []struct {
		name    string
		was, is *results.Row
		words   string
		apart   float64
	}{
		{"the same", row(mse(1)), row(mse(1)), "", 0},
		{"another number", row(mse(4)), row(mse(3)), "test_mse is 3, was 4", 0.25},
		{"no value now", row(mse(4)), row(), "test_mse is NULL, was 4", inf},
		{"a value now", row(mse(math.NaN())), row(mse(4)), "test_mse is 4, was NULL", inf},
		{"neither has one", row(mse(math.NaN())), row(), "", 0},
		{"times", row(results.Score{Metric: "seconds_fit", Point: -1, Value: 1}), row(results.Score{Metric: "seconds_fit", Point: -1, Value: 2}), "", 0},
	} {
		if words, apart := Between(c.was, c.is); words != c.words || apart != c.apart {
			t.Errorf("%s: %q, %v, want %q, %v", c.name, words, apart, c.words, c.apart)
		}
	}
}
