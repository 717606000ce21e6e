package loglin

import (
	"context"
	"math"
	"slices"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/losses/logits"
)

// Strict returns how far a solver goes at most.
func Strict() logits.Stopping { return logits.Stopping{Tol: 1e-14, MaxIter: 100_000} }

// Solved returns where a solver ends from weights of 0.
func Solved(t testing.TB, solve logits.Solver, p *logits.Problem, goal logits.Goal) (*logits.Point, logits.Outcome) {
	t.Helper()
	pt := p.NewPoint(make([]float64, p.Width()))
	out, err := solve(context.Background(), pt, goal)
	if err != nil {
		t.Fatal(err)
	}
	return pt, out
}

// View returns a view of a problem's rows.
func View(p *logits.Problem) *data.View {
	y := make([]float64, len(p.Y))
	for i, c := range p.Y {
		y[i] = float64(c)
	}
	return enginetest.View(enginetest.Dataset(p.X, enginetest.Class("y", p.Classes, y...)), nil)
}

// Near reports numbers that differ by more than tol, as a share of max(1, |want|).
func Near(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if d := math.Abs(got - want); !(d <= tol*max(1, math.Abs(want))) {
		t.Errorf("%s: got %.17g, want %.17g", what, got, want)
	}
}

// Probabilities returns those of the labels of row i, from all margins.
func Probabilities(p *logits.Problem, z []float64, i int) []float64 {
	row := z[i*p.Blocks : (i+1)*p.Blocks]
	if p.Blocks == 1 {
		row = []float64{0, row[0]}
	}
	sum := 0.0
	q := make([]float64, len(row))
	for b, s := range row {
		q[b] = math.Exp(s - slices.Max(row))
		sum += q[b]
	}
	for b := range q {
		q[b] /= sum
	}
	return q
}
