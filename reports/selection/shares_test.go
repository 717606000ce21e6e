package selection

import (
	"math"
	"testing"

	"tenfold/io/results"
)

// Importances are coefficients with 0 on folds that do not select the feature, the largest size of several outputs, or scores where there
// are no coefficients.
func TestImportances(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	one := func(feature, output string, coefficient, score float64) results.Selected {
		return results.Selected{Feature: feature, Output: output, Coefficient: coefficient, Score: score}
	}
	for _, c := range []struct {
		name, what string
		folds      [][]results.Selected
		want       []Importance
	}{
		{"coefficients", "coefficient", [][]results.Selected{{one("a", "", 1, 9), one("b", "", -4, 9)}, {one("a", "", -2, nan)}}, []Importance{{"b", []float64{-4, 0}, -2}, {"a", []float64{1, -2}, -0.5}}},
		{"outputs", "largest |coefficient| of the outputs", [][]results.Selected{{one("a", "x", 1, nan), one("a", "y", -3, nan)}}, []Importance{{"a", []float64{3}, 3}}},
		{"scores", "importance", [][]results.Selected{{one("b", "", nan, 2), one("a", "", nan, 2)}}, []Importance{{"a", []float64{2}, 2}, {"b", []float64{2}, 2}}},
		{"neither", "", [][]results.Selected{{one("b", "", nan, nan)}}, nil},
	} {
		all, what := Importances(c.folds)
		if what != c.what || len(all) != len(c.want) {
			t.Errorf("%s: %q, %v", c.name, what, all)
			continue
		}
		for k, f := range all {
			w := c.want[k]
			same := f.Name == w.Name && f.Mean == w.Mean && len(f.Values) == len(w.Values)
			for i := range f.Values {
				same = same && f.Values[i] == w.Values[i]
			}
			if !same {
				t.Errorf("%s: %v, want %v", c.name, f, w)
			}
		}
	}
}
