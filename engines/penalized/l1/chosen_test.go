package l1_test

import (
	"math"
	"math/rand/v2"
	"tenfold/engines/losses/logits"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/penalized/dual"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/penalized/owlqn"
)

// By default inner folds choose the share, by the same minima whatever the engine: that of a fit which names it.
func TestChosenShare(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 7))
	var x [][]float64
	var y []float64
	for i := range 60 {
		row := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		x = append(x, row)
		y = append(y, float64(i%2))
		row[0] += 1.5 * float64(i%2)
	}
	v := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 2, y...)), nil)
	quasi, dual := owlqn.OWLQNKind.Defaults().(owlqn.OWLQN), dual.Kind.Defaults().(dual.Dual)
	quasi.Bias = dual.Bias
	chosen, err := quasi.Chosen(t.Context(), engines.Run{Train: v, Workers: 1})
	if err != nil || !(chosen.Ratio > 0 && chosen.Ratio < 1) {
		t.Fatal(chosen, err)
	}
	given := quasi
	given.Objective = chosen
	objective := func(e engines.Engine) float64 {
		m, err := e.Fit(t.Context(), engines.Run{Train: v, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		return m.(engines.Reporter).Fitted().Certificate.Objective
	}
	want := objective(given)
	for _, e := range []engines.Engine{quasi, dual} {
		if got := objective(e); !(math.Abs(got-want) <= 1e-5*want) {
			t.Errorf("%T: objective %v, want %v", e, got, want)
		}
	}
}

// A share of nothing selects nothing.
func TestRatioOfNothing(t *testing.T) {
	v := enginetest.View(enginetest.Dataset(enginetest.Matrix([]float64{1, 0}, []float64{1, 0}), enginetest.Class("y", 2, 0, 1)), nil)
	quasi, dual := owlqn.OWLQNKind.Defaults().(owlqn.OWLQN), dual.Kind.Defaults().(dual.Dual)
	quasi.Ratio, dual.Ratio = 1, 0.1
	for _, e := range []engines.Engine{l1.L1{Objective: l1.Objective{Ratio: 0.5, Bias: "free"}, Stopping: logits.Stopping{Tol: 1e-14, MaxIter: 100_000}}, quasi, dual} {
		m, err := e.Fit(t.Context(), engines.Run{Train: v, Workers: 1})
		if err != nil || len(m.Coefs()) > 0 {
			t.Errorf("%T: %v, %v", e, m, err)
		}
	}
}
