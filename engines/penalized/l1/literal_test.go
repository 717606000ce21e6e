package l1

import (
	"context"
	"math"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/loglin"
)

// sketch is a problem as the definition has it.
type sketch struct{ loglin.Sketch }

func newSketch(x [][]float64, y []int32, m []float64, classes int, bias Bias) sketch {
	return sketch{loglin.Sketch{X: x, Y: y, M: m, Classes: classes, Bias: string(bias)}}
}

func (s sketch) problem(t testing.TB) *Problem {
	t.Helper()
	p, err := New(enginetest.Matrix(s.X...), s.Y, s.M, s.Classes, Bias(s.Bias))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (s sketch) toll(p *Problem, pen Penalty, w []float64) float64 {
	return s.Penalty(p, pen.L1, pen.L2, w)
}

func (s sketch) minimum(t testing.TB, p *Problem, pen Penalty) (value float64, w []float64) {
	t.Helper()
	return s.Minimum(t, p, pen.L1, pen.L2)
}

func draw(seed uint64, rows, columns, classes int, bias Bias, weights bool) sketch {
	return sketch{loglin.Draw(seed, rows, columns, classes, string(bias), weights)}
}

// drawn returns a random problem whose labels follow a few of the columns.
func drawn(t *testing.T, seed uint64, rows, columns, classes int, bias Bias, binary bool) *Problem {
	t.Helper()
	x, y, weight := loglin.Rows(seed, rows, columns, classes, binary)
	p, err := New(x, y, weight, classes, bias)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// bound is the certificate's dual value, literally.
func (s sketch) bound(p *Problem, pen Penalty, pt *Point) float64 {
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

func solved(t *testing.T, solve Solver, p *Problem, goal Goal) (*Point, Outcome) {
	t.Helper()
	pt := p.NewPoint(make([]float64, p.Width()))
	out, err := solve(context.Background(), pt, goal)
	if err != nil {
		t.Fatal(err)
	}
	return pt, out
}

// classed is a view of a problem's rows.
func classed(p *Problem) *data.View {
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
