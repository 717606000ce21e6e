package logistic

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/loglin"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/penalized/l1"
)

// drawn returns a random problem whose labels follow a few of the columns.
func drawn(t *testing.T, seed uint64, rows, columns, classes int, bias l1.Bias, binary bool) *l1.Problem {
	t.Helper()
	x, y, weight := loglin.Rows(seed, rows, columns, classes, binary)
	p, err := l1.New(x, y, weight, classes, bias)
	if err != nil {
		t.Fatal(err)
	}
	return p
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

// classed is a view of rows of two classes.
func classed(x *sparse.Matrix, y ...float64) *data.View {
	return enginetest.View(enginetest.Dataset(x, enginetest.Class("y", 2, y...)), nil)
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

// Large enough for several workers: rows and columns are shared in thousands.
func TestWorkersChangeNothing(t *testing.T) {
	rows := 13_000
	if parallel.RaceDetector {
		rows = 1500
	}
	for _, classes := range []int{2, 3} {
		p := drawn(t, 6, rows, 40, classes, l1.FreeBias, classes == 2)
		goal := l1.Goal{Penalty: l1.Penalty{L2: 1}, Stopping: l1.Stopping{Tol: 1e-6, MaxIter: 1000}, Workers: 1}
		a, outA := solved(t, ridge, p, goal)
		goal.Workers = 3
		b, outB := solved(t, ridge, p, goal)
		if !reflect.DeepEqual(a.W, b.W) || !reflect.DeepEqual(outA, outB) {
			t.Errorf("%d classes: one worker ends with %+v, three with %+v", classes, outA, outB)
		}
	}
}

// The minimum of problem C with an L2 penalty (docs/benchmarks.md), to a millionth.
func TestReferenceOptimum(t *testing.T) {
	if testing.Short() {
		t.Skip("minutes")
	}
	train, _ := enginetest.BenchmarkSigns(t, "C")
	p, err := l1.Read(train, l1.NoBias)
	if err != nil {
		t.Fatal(err)
	}
	const want = 49_833.11000
	_, out := solved(t, solveTwoClasses, p, l1.Goal{Penalty: l1.Penalty{L2: 1}, Stopping: l1.Stopping{Tol: 1e-6, MaxIter: 500}, Workers: 1})
	if out.Stop != "gap" || !(math.Abs(out.Objective-want) <= 1e-6*want) {
		t.Errorf("%+v, want %v", out, want)
	}
}
