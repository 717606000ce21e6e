package group

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/dense"

	"tenfold/engines"
)

// Newton steps lower the objective, with a sweep between two to its minimum, and what follows the steps stays true: v is
// what the gradient is by the scores that the coefficients give.
func TestNewtonStep(t *testing.T) {
	for _, c := range trials() {
		f := c.fitting(t, defaults)
		lambda := f.lambdaMax / 1000
		blocks := make([]int32, len(f.p.blocks))
		for g := range blocks {
			blocks[g] = int32(g)
		}
		d := newDescent(t.Context(), f.pt, lambda, blocks, make([]float64, len(f.pt.eta)))
		d.sweep(t.Context(), true)
		before := d.quadraticValue()
		for range 10 {
			d.newtonStep(t.Context())
			if now := d.quadraticValue(); now > before+1e-9 {
				t.Fatalf("%v: from %v to %v", c, before, now)
			} else {
				before = now
			}
			d.sweep(t.Context(), true) // which alone takes blocks to 0
		}
		before = d.quadraticValue()
		d.newtonStep(t.Context())
		if now := d.quadraticValue(); now > before+1e-9 {
			t.Errorf("%v: at the end from %v to %v", c, before, now)
		}
		n := d.newNewton()
		if len(n.blocks) == 0 {
			t.Fatalf("%v: no block has coefficients", c)
		}
		if _, gradient := n.gradient(d.smoothCoefficients(n)); !(math.Sqrt(dense.DotInOrder(gradient, gradient)) <= 1e-5*lambda) {
			t.Errorf("%v: the gradient is %v", c, gradient)
		}
		l, b, tasks := f.literal(), f.coefficients(), f.p.tasks
		for task := range tasks {
			change, h, sum, total := make([]float64, len(l.x)), make([]float64, len(l.x)), 0.0, 0.0
			for i, row := range l.x {
				for j, v := range row {
					change[i] += v * b[j][task]
				}
				h[i] = d.rowCurvature(i*tasks + task)
				sum += d.theta[i*tasks+task] - h[i]*change[i]
				total += h[i]
			}
			for i := range l.x {
				k := i*tasks + task
				want := d.theta[k] - h[i]*(change[i]+sum/total)
				if got := d.v[k] - h[i]*d.sum[task]/d.total[task]; !(math.Abs(got-want) <= 1e-9) {
					t.Fatalf("%v: row %d, task %d: gradient %v, want %v", c, i, task, got, want)
				}
			}
		}
	}
}

// Columns that nearly repeat each other take a few rounds.
func TestNearlyCollinear(t *testing.T) {
	const rows, cols = 200, 40
	rng := rand.New(rand.NewPCG(5, 5))
	x, y := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		common := []float64{rng.NormFloat64(), rng.NormFloat64()}
		score := rng.NormFloat64()
		for j := range cols {
			v := common[j%2] + 1e-3*rng.NormFloat64()
			x[i] = append(x[i], float64(1+j)*v)
			score += 1000 * (v - common[j%2]) * float64(j%3-1)
		}
		if score > 0 {
			y[i] = 1
		}
	}
	set := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 2, y...))
	class := make([]int, cols)
	for j := range class {
		class[j] = j / 20
	}
	set.Features = inClasses(set.Features, class)
	p := defaults
	p.Lambda = 0.01
	m, err := p.Fit(t.Context(), engines.Run{Train: enginetest.View(set, nil), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if f := m.(engines.Reporter).Fitted(); f.Stop != "gap" || f.Iterations > 30 {
		t.Errorf("stopped for %s after %d rounds, at %+v", f.Stop, f.Iterations, f.Certificate)
	}
}
