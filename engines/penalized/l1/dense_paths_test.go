package l1

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/losses/logits"
)

// oddTable draws a table with all its cells for two classes: wide or tall, with columns alike, equal, constant, far from zero or of odd units,
// weights or none, and classes that columns separate, or of which one has a single row.
func oddTable(t *testing.T, rng *rand.Rand) *logits.Problem {
	rows, columns := 12+rng.IntN(250), 2+rng.IntN(120)
	kind, noise := rng.IntN(6), []float64{0, 1, 5}[rng.IntN(3)]
	x, y := make([][]float64, rows), make([]int32, rows)
	for i := range x {
		common, score := rng.NormFloat64(), float64(noise*rng.NormFloat64())
		x[i] = make([]float64, columns)
		for j := range x[i] {
			v := rng.NormFloat64()
			if score += float64(v) / float64(j+1); kind > 0 {
				v += common
			}
			switch {
			case kind == 2 && j%3 == 2:
				v = x[i][j-1]
			case kind == 3 && j%4 == 1:
				v = 1
			case kind == 4 && j%2 == 1:
				v += 1e4
			case kind == 5:
				v *= math.Pow(10, float64(j%7-3))
			}
			x[i][j] = v
		}
		if score > 0 {
			y[i] = 1
		}
	}
	if rng.IntN(5) == 0 { // one row of a class
		clear(y)
		y[rng.IntN(rows)] = 1
	}
	var weight []float64
	if rng.IntN(3) == 0 {
		for range rows {
			weight = append(weight, float64(1+rng.IntN(3)))
		}
	}
	p, err := logits.New(enginetest.Matrix(x...), y, weight, 2, []logits.Bias{logits.NoBias, logits.FreeBias, logits.FreeBias, logits.PenalizedBias}[rng.IntN(4)])
	if err != nil {
		t.Fatal(err)
	}
	if p, err = p.Centered(t.Context(), rng.IntN(2) == 0); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPathsOfOddTables: down paths of 300 odd tables, each penalty is solved to its gap, which a certificate computed anew from the weights alone
// confirms; for any number of workers weights are the same.
func TestPathsOfOddTables(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(49, 3))
	for k := range 300 {
		p := oddTable(t, rng)
		ridge := []float64{0, 0, 0.5}[rng.IntN(3)]
		least := []float64{0.3, 0.05, 0.005}[rng.IntN(3)]
		pt, lambdaMax, err := p.NullPoint(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		other, _, _ := p.NullPoint(t.Context(), 3)
		newton, three := new(Newton), new(Newton)
		const steps = 12
		for step := range steps {
			goal := logits.Goal{
				Penalty:  logits.Penalty{L1: lambdaMax * math.Pow(least, float64(step)/(steps-1)), L2: ridge},
				Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 1000}, Workers: 1,
			}
			if step < steps-1 {
				goal.Least = lambdaMax * least
			}
			name := fmt.Sprintf("table %d, %d × %d, bias %s, step %d, penalty %v", k, p.Rows(), p.Columns(), p.Bias, step, goal.Penalty)
			out, err := newton.Minimize(t.Context(), pt, goal)
			if err != nil {
				t.Fatal(err)
			}
			if out.Stop != "gap" || !(out.Relative() <= goal.Tol) {
				t.Errorf("%s: ends by %s after %d steps with a gap of %v", name, out.Stop, out.Iterations, out.Relative())
			}
			anew := p.NewPoint(slices.Clone(pt.W))
			if err := anew.Update(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			if c := anew.Certify(goal.Penalty); !(c.Relative() <= 1.5*goal.Tol) {
				t.Errorf("%s: anew, the gap is %v", name, c.Relative())
			}
			goal.Workers = 3
			if _, err := three.Minimize(t.Context(), other, goal); err != nil || !slices.Equal(pt.W, other.W) {
				t.Errorf("%s: other weights with three workers, %v", name, err)
			}
		}
	}
}
