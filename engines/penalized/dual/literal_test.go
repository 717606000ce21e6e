package dual

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/loglin"
	"tenfold/engines/penalized/l1"
)

// sketch is a problem as the definition has it.
type sketch struct{ loglin.Sketch }

func (s sketch) problem(t testing.TB) *l1.Problem {
	t.Helper()
	p, err := l1.New(enginetest.Matrix(s.X...), s.Y, s.M, s.Classes, l1.Bias(s.Bias))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (s sketch) toll(p *l1.Problem, pen l1.Penalty, w []float64) float64 {
	return s.Penalty(p, pen.L1, pen.L2, w)
}

func (s sketch) minimum(t testing.TB, p *l1.Problem, pen l1.Penalty) (value float64, w []float64) {
	t.Helper()
	return s.Minimum(t, p, pen.L1, pen.L2)
}

func draw(seed uint64, rows, columns, classes int, bias l1.Bias, weights bool) sketch {
	return sketch{loglin.Draw(seed, rows, columns, classes, string(bias), weights)}
}

// drawn is a random problem whose labels follow a few of the columns.
func drawn(t *testing.T, seed uint64, rows, columns, classes int, bias l1.Bias, binary bool) *l1.Problem {
	t.Helper()
	x, y, weight := loglin.Rows(seed, rows, columns, classes, binary)
	p, err := l1.New(x, y, weight, classes, bias)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// bound is the certificate's dual value, literally.
func (s sketch) bound(p *l1.Problem, pen l1.Penalty, pt *l1.Point) float64 {
	_, g := s.Loss(pt.W)
	maxGradient := 0.0
	for k, v := range g {
		if !p.Free(k) {
			maxGradient = max(maxGradient, math.Abs(v))
		}
	}
	value := s.Dual(p, pen.L1, pen.L2, pt.W, min(1, pen.L1/maxGradient))
	if pen.L2 > 0 {
		value = max(value, s.Dual(p, pen.L1, pen.L2, pt.W, 1))
	}
	return value
}

func solved(t *testing.T, solve l1.Solver, p *l1.Problem, goal l1.Goal) (*l1.Point, l1.Outcome) {
	t.Helper()
	pt := p.NewPoint(make([]float64, p.Width()))
	out, err := solve(context.Background(), pt, goal)
	if err != nil {
		t.Fatal(err)
	}
	return pt, out
}

// classed is a view of a problem's rows.
func classed(p *l1.Problem) *data.View {
	y := make([]float64, len(p.Y))
	for i, c := range p.Y {
		y[i] = float64(c)
	}
	return enginetest.View(enginetest.Dataset(p.X, enginetest.Class("y", p.Classes, y...)), nil)
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if d := math.Abs(got - want); !(d <= tol*max(1, math.Abs(want))) {
		t.Errorf("%s: got %.17g, want %.17g", what, got, want)
	}
}

// probabilities of the labels of row i, from all margins.
func probabilities(p *l1.Problem, z []float64, i int) []float64 {
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

// strict is as far as a solver can go.
var strict = l1.Stopping{Tol: 1e-14, MaxIter: 100_000}

func weightsFor(p *l1.Problem, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 2))
	w := make([]float64, p.Width())
	for k := range w {
		w[k] = rng.NormFloat64() / 2
	}
	return w
}
