package l1_test

import (
	"math/rand/v2"
	"tenfold/engines/losses/logits"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/dual"
	"tenfold/engines/penalized/l1"
)

// Columns far from zero and without a free bias cannot be centred: the weights themselves keep the sum of the means where it is to be, so
// that none of them can get to zero alone. One value that is zero is no other problem.
func TestFarFromZeroWithoutBias(t *testing.T) {
	t.Parallel()
	const rows, columns = 700, 200
	rng := rand.New(rand.NewPCG(21, 1))
	x, y := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		score := 3 * rng.NormFloat64()
		for j := range columns {
			v := rng.NormFloat64()
			if j < 6 {
				score += v
			}
			x[i] = append(x[i], 480+v*float64(1+j%40))
		}
		if score > 0 {
			y[i] = 1
		}
	}
	x[rows/2][columns/2] = 0
	view := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 2, y...)), nil)
	for name, e := range map[string]engines.Engine{
		"l1": l1.L1{Objective: l1.Objective{C1: 1, Bias: string(logits.NoBias)}, Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 200}}, "l1-dual": dual.Kind.Defaults(),
	} {
		m, err := e.Fit(t.Context(), engines.Run{Train: view, Workers: 1, Rand: rand.New(rand.NewPCG(1, 1))})
		if err != nil {
			t.Fatal(err)
		}
		f := m.(engines.Reporter).Fitted()
		if f.Stop != convex.Gap || f.Iterations > 20 {
			t.Errorf("%s: %s after %d iterations, %.3g of it above the minimum at most", name, f.Stop, f.Iterations, f.Certificate.Relative())
		}
	}
}
