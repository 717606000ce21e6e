package l1

import (
	"math"
	"tenfold/engines/enginetest/loglin"
	"tenfold/engines/losses/logits"
	"testing"

	"tenfold/engines/enginetest"
)

// Where nearly all rows are of one class, a step goes far beyond the minimum of its model, which is 2 off for p = ½. Margins stay those of
// the weights.
func TestExtend(t *testing.T) {
	const rows = 4000
	x, y := make([][]float64, rows), make([]int32, rows)
	for i := range x {
		x[i] = []float64{1}
	}
	y[17] = 1
	p, err := logits.New(enginetest.Matrix(x...), y, nil, 2, logits.NoBias)
	if err != nil {
		t.Fatal(err)
	}
	pt := p.NewPoint(make([]float64, 1))
	var objectives []float64
	out, err := ProximalNewton(t.Context(), pt, logits.Goal{Penalty: logits.Penalty{L1: 0.1}, Stopping: logits.Stopping{Tol: 1e-9, MaxIter: 1}, Workers: 1, Trace: func(_ int, loss float64, w []float64) {
		objectives = append(objectives, loss+0.1*math.Abs(w[0]))
	}})
	if err != nil || out.Iterations != 1 || len(objectives) != 1 {
		t.Fatal(out, err)
	}
	if pt.W[0] > -3.9 || pt.W[0] < -8.5 { // the minimum is at −8.2
		t.Errorf("the weight is %v after one step", pt.W[0])
	}
	loglin.Near(t, "margin", pt.Z[5], pt.W[0], 1e-12)
}

// What is known of the problems' minima (docs/benchmarks.md), to a millionth.
func TestReferenceOptima(t *testing.T) {
	if testing.Short() {
		t.Skip("minutes")
	}
	stop := logits.Stopping{Tol: 1e-6, MaxIter: 500}
	t.Run("C, L1", func(t *testing.T) {
		train, _ := enginetest.BenchmarkSigns(t, "C")
		p, err := logits.Read(train, logits.NoBias)
		meets(t, p, err, ProximalNewton, logits.Goal{Penalty: logits.Penalty{L1: 20}, Stopping: stop, Workers: 1}, 101_174.859)
	})
	// The first class of B10 against the rest: liblinear -s 6 -c 1 -e 1e-6 ends at 15,134.7661.
	t.Run("B10, L1", func(t *testing.T) {
		train, _ := enginetest.BenchmarkClasses(t, "B10", 86)
		p, err := logits.Read(train.OneVsRest(0), logits.NoBias)
		meets(t, p, err, ProximalNewton, logits.Goal{Penalty: logits.Penalty{L1: 1}, Stopping: stop, Workers: 1}, 15_134.76605)
	})
}

func meets(t *testing.T, p *logits.Problem, err error, solve logits.Solver, goal logits.Goal, want float64) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	out, err := solve(t.Context(), p.NewPoint(make([]float64, p.Width())), goal)
	if err != nil || out.Stop != "gap" || !(math.Abs(out.Objective-want) <= 1e-6*want) {
		t.Errorf("%+v, error %v, want %v", out, err, want)
	}
}
