package logistic

import (
	"math"
	"reflect"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/loglin"
	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/sparse"
)

// classed is a view of rows of two classes.
func classed(x *sparse.Matrix, y ...float64) *data.View {
	return enginetest.View(enginetest.Dataset(x, enginetest.Class("y", 2, y...)), nil)
}

// Large enough for several workers: rows and columns are shared in thousands.
func TestWorkersChangeNothing(t *testing.T) {
	rows := 13_000
	if parallel.RaceDetector {
		rows = 1500
	}
	for _, classes := range []int{2, 3} {
		p := loglin.Drawn(t, 6, rows, 40, classes, logits.FreeBias, classes == 2)
		goal := logits.Goal{Penalty: logits.Penalty{L2: 1}, Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 1000}, Workers: 1}
		a, outA := loglin.Solved(t, ridge, p, goal)
		goal.Workers = 3
		b, outB := loglin.Solved(t, ridge, p, goal)
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
	p, err := logits.Read(train, logits.NoBias)
	if err != nil {
		t.Fatal(err)
	}
	const want = 49_833.11000
	_, out := loglin.Solved(t, solveTwoClasses, p, logits.Goal{Penalty: logits.Penalty{L2: 1}, Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 500}, Workers: 1})
	if out.Stop != "gap" || !(math.Abs(out.Objective-want) <= 1e-6*want) {
		t.Errorf("%+v, want %v", out, want)
	}
}
