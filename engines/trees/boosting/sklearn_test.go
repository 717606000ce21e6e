package boosting

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// Predictions are those of scikit-learn's HistGradientBoosting (testdata/boosted.py), which has its derivatives in single precision.
func TestSklearn(t *testing.T) {
	text, err := os.ReadFile("testdata/sklearn.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Rows         int
		Numbers, Two []float64
		Three        [][]float64
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	x, y := make([][]float64, 600), make([]float64, 600)
	state := uint64(1)
	draw := func(n uint64) int {
		state = state*6364136223846793005 + 1442695040888963407
		return int((state >> 33) % n)
	}
	for i := range x {
		x[i] = make([]float64, 6)
		for j := range x[i] {
			x[i][j] = float64(draw(50))
		}
		y[i] = x[i][0] - x[i][1] + float64(int(x[i][2]*x[i][3])%17+draw(9))
	}
	above := func(cuts ...float64) (levels []float64) {
		for _, v := range y {
			l := 0.0
			for _, c := range cuts {
				if v >= c {
					l++
				}
			}
			levels = append(levels, l)
		}
		return levels
	}
	predict := func(target data.Target, change func(e *Boosted)) []float64 {
		e := with(func(e *Boosted) { e.Trees, e.Shrinkage = 30, 0.2 })
		change(&e)
		v := view(x, target)
		m, err := e.Fit(t.Context(), runOn(v))
		if err != nil {
			t.Fatal(err)
		}
		out := make([]float64, len(x)*m.Outputs())
		m.Predict(out, v.Inputs())
		return out
	}
	near := func(what string, got, want float64) {
		if !(math.Abs(got-want) <= 1e-4*max(1, math.Abs(want))) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	numbers := predict(enginetest.Real("y", y...), func(e *Boosted) { e.MinWeight = 20 })
	two := predict(enginetest.Class("y", 2, above(12.5)...), func(e *Boosted) { e.MaxDepth, e.MinWeight, e.C2 = 3, 1e-3, 2 })
	three := predict(enginetest.Class("y", 3, above(0, 20)...), func(e *Boosted) { e.MaxDepth, e.MinWeight = 2, 1e-3 })
	for i := range want.Rows {
		near("number", numbers[i], want.Numbers[i])
		near("log odds", two[2*i+1]-two[2*i], want.Two[i])
		for k, p := range want.Three[i] {
			near("probability", math.Exp(three[3*i+k]), p)
		}
	}
}
