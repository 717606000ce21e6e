package hazards

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/penalized/targets"
)

// A ridge on more columns than rows goes through rows, with products of rows kept or not, and is certified as one through columns is:
// with both ways of ties, weights and factors.
func TestCoxRidgeThroughRows(t *testing.T) {
	t.Parallel()
	for _, density := range []float64{1, 0.05} { // at 0.05 products go through the columns
		for _, ties := range []string{efron, breslow} {
			x, times, events := drawn(3, 50, 200)
			rng := rand.New(rand.NewPCG(8, 8))
			weights, factor := make([]float64, len(times)), make([]float64, 200)
			for i, row := range x {
				weights[i] = float64(1 + i%2)
				for j := range row {
					if rng.Float64() > density {
						row[j] = 0
					}
				}
			}
			for j := range factor {
				factor[j] = 0.5 + rng.Float64()
			}
			d := enginetest.Dataset(enginetest.Matrix(x...), data.Target{Name: "t", Type: data.Survival, Values: times, Events: events})
			d.Weight = weights
			for _, l2 := range []float64{0.1, 10, 1e4} {
				e := Cox{Penalty: byL1, Gamma: defaultGamma, Ties: ties, Alpha: 1, Lambda2: l2, Standardize: density == 1, Tol: 1e-11, MaxIter: 100}
				view := enginetest.Treated(d, data.Treatment{Factor: factor})
				p, err := newPartialLikelihood(t.Context(), view, 0, ties == efron, e.columnScale(), e.Tol, e.MaxIter, 1)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := p.Solve(t.Context(), targets.Penalty{L2: l2}, 0); err != nil {
					t.Fatal(err)
				}
				if p.rows == nil || (p.rows.k != nil) != (density == 1) {
					t.Fatalf("density %v: not as expected through rows", density)
				}
				m := mustFit(t, e, view)
				if f := m.(engines.Reporter).Fitted(); f.Stop != "gap" || !(f.Certificate.Relative() <= 1e-10) || f.Iterations > 20 {
					t.Error(fmt.Sprint(density, ties, l2, ": "), f.Stop, f.Iterations, f.Certificate)
				}
			}
		}
	}
}

// Where next to nothing is penalised and columns tell all events apart, hazards go apart as far as numbers reach, and objectives stay
// numbers.
func TestCoxRidgeOfAlmostNothing(t *testing.T) {
	t.Parallel()
	x, times, events := drawn(11, 60, 300)
	for _, l2 := range []float64{1e-3, 1e-9, 1e-30} {
		f := mustFit(t, Cox{Penalty: byL1, Gamma: defaultGamma, Ties: efron, Alpha: 1, Lambda2: l2, Standardize: true, Tol: 1e-6, MaxIter: 1000}, survivalView(x, times, events, nil)).(engines.Reporter).Fitted()
		if c := f.Certificate; !(c.Objective >= 0) || math.IsInf(c.Objective, 0) || c.Dual > c.Objective+1e-9 {
			t.Errorf("lambda2 %v: %s, %+v", l2, f.Stop, c)
		}
	}
}
