package stability

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/penalized/hazards"
)

// The model of stable columns of a survival target is Cox's, with a baseline hazard, and that without columns where none is stable.
func TestSurvival(t *testing.T) {
	t.Parallel()
	for _, effect := range []float64{2, 0} {
		rng := rand.New(rand.NewPCG(4, 4))
		var x [][]float64
		var times []float64
		for range 80 {
			row := make([]float64, 10)
			for j := range row {
				row[j] = rng.NormFloat64()
			}
			x, times = append(x, row), append(times, rng.ExpFloat64()*math.Exp(-effect*row[3]))
		}
		view := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Survival("t", times...)), nil)
		cox := hazards.CoxKind.Defaults().(hazards.Cox)
		cox.Steps, cox.Ratio = 20, 0.3
		options := Wrapper.Kind.Defaults().(Options)
		options.Q, options.Threshold, options.Draws = 1, 0.95, 20
		m, err := Wrapper.Wrap(cox, options).Fit(t.Context(), engines.Run{Train: view, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if m.(engines.Reporter).Fitted().Baseline == nil {
			t.Error("no baseline hazard")
		}
		switch coefs := m.Coefs(); {
		case effect == 0 && len(coefs) > 0:
			t.Errorf("%d columns of noise are stable", len(coefs))
		case effect > 0 && (len(coefs) != 1 || coefs[0].Feature != 3 || !(math.Abs(coefs[0].Value-effect) <= 0.6)):
			t.Errorf("coefficients %+v, expected one near %v of column 3", coefs, effect)
		}
	}
}
