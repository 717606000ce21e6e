package l1

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/enginetest/loglin"
	"tenfold/engines/losses/logits"
)

// TestFewColumns: on odd tables of two classes the solver of few columns ends at the goal's gap with the objective of steps on a working
// set, at the same weights for any number of workers.
func TestFewColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	compared := 0
	for k := range 400 {
		x, y, weight, classes := loglin.OddRows(rng)
		bias := []logits.Bias{logits.NoBias, logits.FreeBias, logits.PenalizedBias}[rng.IntN(3)]
		pen := logits.Penalty{L1: []float64{0.1, 1, 20}[rng.IntN(3)], L2: []float64{0, 0, 1}[rng.IntN(3)]}
		if classes > 2 {
			continue
		}
		p, err := logits.New(x, y, weight, classes, bias)
		if err != nil {
			t.Fatal(err)
		}
		if p, err = p.Centered(t.Context(), rng.IntN(2) == 0); err != nil {
			t.Fatal(err)
		}
		if !hasFewColumns(p) {
			continue
		}
		compared++
		name := fmt.Sprintf("problem %d: %d rows, %d columns, bias %s, penalty %v", k, p.Rows(), p.Columns(), bias, pen)
		goal := logits.Goal{Penalty: pen, Stopping: logits.Stopping{Tol: 1e-7, MaxIter: 1000}, Workers: 1}
		pt, other, plain := p.NewPoint(make([]float64, p.Width())), p.NewPoint(make([]float64, p.Width())), p.NewPoint(make([]float64, p.Width()))
		out, err := solveFewColumns(t.Context(), pt, goal)
		if err != nil {
			t.Fatal(err)
		}
		if out.Stop != "gap" || !(out.Relative() <= goal.Tol) || out.Iterations > 60 {
			t.Errorf("%s: ends by %s after %d iterations with a gap of %v", name, out.Stop, out.Iterations, out.Relative())
		}
		want, err := new(Newton).Minimize(t.Context(), plain, goal)
		if err != nil {
			t.Fatal(err)
		}
		if !(out.Objective <= want.Objective+2*goal.Tol*max(1, want.Objective)) {
			t.Errorf("%s: objective %.12g, on a working set %.12g", name, out.Objective, want.Objective)
		}
		goal.Workers = 3
		if _, err := solveFewColumns(t.Context(), other, goal); err != nil || !slices.Equal(pt.W, other.W) {
			t.Errorf("%s: three workers: %v, other weights", name, err)
		}
	}
	if t.Log(compared, "compared"); compared < 40 {
		t.Errorf("%d problems have few columns", compared)
	}
}
