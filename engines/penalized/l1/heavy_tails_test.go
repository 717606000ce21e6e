package l1_test

import (
	"math"
	"math/rand/v2"
	"tenfold/engines/losses/logits"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/penalized/owlqn"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// TestHeavyTails: on squares and cubes of Cauchy variables, whose largest entries exceed the others by orders of magnitude, Newton's steps
// end as low as quasi-Newton ones, and end: at the gap, or where rounding allows no more.
func TestHeavyTails(t *testing.T) {
	const rows, columns, draws = 27, 6, 20
	for power := 2; power <= 3; power++ {
		for seed := range uint64(draws) {
			rng := rand.New(rand.NewPCG(seed, uint64(power)))
			x, y := make([][]float64, rows), make([]float64, rows)
			for i := range x {
				x[i] = make([]float64, columns)
				for j := range x[i] {
					v := rng.NormFloat64() / rng.NormFloat64()
					x[i][j] = 1
					for range power {
						x[i][j] *= v
					}
				}
				if math.Atan(x[i][0])-math.Atan(x[i][1])+rng.NormFloat64()/2 > 0 {
					y[i] = 1
				}
			}
			view := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 2, y...)), nil)
			for _, pen := range []logits.Penalty{{L1: 0.5, L2: 0.5}, {L1: 1}, {L1: 0.01}} {
				objective := l1.Objective{C1: pen.L1, C2: pen.L2, Bias: string(logits.FreeBias)}
				first, quasi := l1.L1Kind.Defaults().(l1.L1), owlqn.OWLQNKind.Defaults().(owlqn.OWLQN)
				first.Objective, quasi.Objective = objective, objective
				first.MaxIter = 100_000
				fitted := func(e engines.Engine) engines.Fitted {
					m, err := e.Fit(t.Context(), engines.Run{Train: view, Workers: 1, Rand: rand.New(rand.NewPCG(1, 1))})
					if err != nil {
						t.Fatal(err)
					}
					return m.(engines.Reporter).Fitted()
				}
				f := fitted(first)
				got, want := f.Certificate.Objective, fitted(quasi).Certificate.Objective
				if !(got <= want+1e-5*max(1, want)) || f.Iterations > 5000 {
					t.Errorf("power %d, draw %d, penalty %v: objective %v after %d steps (stop: %s), %v by quasi-Newton steps", power, seed, pen, got, f.Iterations, f.Stop, want)
				}
			}
		}
	}
}
