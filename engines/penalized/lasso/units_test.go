package lasso

import (
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// TestLargeUnits: where the penalty is far below what rounding makes of gradients, a fit ends by precision after few passes.
func TestLargeUnits(t *testing.T) {
	t.Parallel()
	for _, unit := range []float64{1e6, 1e9, 1e30} {
		rng := rand.New(rand.NewPCG(1, 47))
		x, y := make([][]float64, 42), make([]float64, 42)
		for i := range x {
			for j := range 6 {
				x[i] = append(x[i], unit*rng.NormFloat64())
				y[i] += 100 * float64(j) * x[i][j]
			}
			y[i] += 100 * unit * rng.NormFloat64()
		}
		view := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), nil)
		for _, kind := range []engines.Kind{LassoKind, ElasticNetKind} {
			e := kind.Defaults()
			switch v := e.(type) {
			case Lasso:
				v.Lambda = 1
				e = v
			case ElasticNet:
				v.Lambda = 1
				e = v
			}
			m, err := e.Fit(t.Context(), engines.Run{Train: view, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if f := m.(engines.Reporter).Fitted(); f.Iterations > 10_000 || f.Stop == "max_iter" {
				t.Errorf("%s of columns in %g: %d passes, stop %s", kind.Name, unit, f.Iterations, f.Stop)
			}
		}
	}
}
