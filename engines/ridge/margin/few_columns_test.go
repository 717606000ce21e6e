package margin

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/enginetest"
)

// oddTable returns a table of few columns, all cells stored: equal, constant or far columns, weights, a rare sign, signs that columns separate.
func oddTable(rng *rand.Rand) Problem {
	rows, columns, kind := 40+rng.IntN(400), 1+rng.IntN(20), rng.IntN(5)
	p := Problem{Loss: Hinge, Bias: Bias(rng.IntN(3)), C2: []float64{0.01, 1, 100}[rng.IntN(3)]}
	x := make([][]float64, rows)
	for i := range x {
		x[i] = make([]float64, columns)
		score := []float64{0, -2}[rng.IntN(2)]
		for j := range x[i] {
			x[i][j] = rng.NormFloat64()
			score += float64(x[i][j] * float64(j%3-1))
			switch {
			case kind == 1 && j > 0 && j%3 == 0:
				x[i][j] = x[i][j-1]
			case kind == 2 && j%4 == 0:
				x[i][j] = 7
			case kind == 3:
				x[i][j] += 50
			}
		}
		if kind != 4 {
			score += rng.NormFloat64()
		}
		p.Sign = append(p.Sign, 1)
		if score < 0 {
			p.Sign[i] = -1
		}
	}
	p.Sign[0], p.Sign[1] = 1, -1
	if rng.IntN(2) == 0 {
		for range x {
			p.Weight = append(p.Weight, 0.25+rng.Float64())
		}
	}
	p.X = enginetest.Matrix(x...).Filled()
	return p
}

// TestHingeOfFewColumns: on odd tables the solver ends at the goal's gap, which is proved, in few iterations, and at the same weights for
// any number of workers. Passes alone end at the same objective.
func TestHingeOfFewColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 1))
	compared, most := 0, 0
	for k := range 60 {
		p := oddTable(rng)
		name := fmt.Sprintf("table %d: %d rows, bias %d, C2 %v", k, len(p.Sign), p.Bias, p.C2)
		if !p.hasFewColumns() {
			t.Fatalf("%s: it has many columns", name)
		}
		goal := Goal{Tol: 1e-6, MaxIter: 20_000}
		out := solved(t, p, goal)
		if out.Stop != "gap" || !(out.Relative() <= goal.Tol) {
			t.Errorf("%s: ends by %s with a gap of %v", name, out.Stop, out.Relative())
		}
		most = max(most, out.Iterations())
		if got := objectiveOf(&p, out.W); !(got <= out.Objective*(1+1e-9)) {
			t.Errorf("%s: objective %v, of the weights %v", name, out.Objective, got)
		}
		goal.Workers = 3
		if other := solved(t, p, goal); !slices.Equal(out.W, other.W) {
			t.Errorf("%s: other weights with three workers", name)
		}
		s, err := NewSolver(p)
		if err != nil {
			t.Fatal(err)
		}
		passes := s.begin()
		s.descend(t.Context(), Goal{Tol: 1e-6, MaxIter: 3000, Rand: rand.New(rand.NewPCG(1, 1))}, 1e-6, 3000, &passes)
		if passes.Stop != "gap" {
			continue
		}
		compared++
		if !(out.Objective <= passes.Objective*(1+2e-6)) {
			t.Errorf("%s: objective %v, by passes %v", name, out.Objective, passes.Objective)
		}
	}
	t.Log(compared, "compared;", most, "iterations at most")
	if compared < 15 {
		t.Errorf("passes alone ended for %d of 60", compared)
	}
}
