package execute

import (
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// The test error follows steps that move several coefficients at once.
func TestRecordedErrorOfManyMoves(t *testing.T) {
	view := enginetest.View(enginetest.Dataset(enginetest.Matrix([]float64{1, 0, 2}, []float64{0, 3, 1}, []float64{1, 1, 0}), enginetest.Real("y", 4, -1, 2)), nil)
	r := newRecorder(view)
	r.recordStep(engines.Step{Bias: 1, Changed: engines.Coef{Feature: -1}})
	r.recordStep(engines.Step{Iter: 1, Bias: 0.5, Changed: engines.Coef{Feature: 2, Value: 1}, Also: []engines.Coef{{Feature: 0, Value: 2}, {Feature: 1, Value: -1}}})
	r.recordStep(engines.Step{Iter: 2, Bias: 0.25, Changed: engines.Coef{Feature: 0, Value: -0.5}, Also: []engines.Coef{{Feature: 2, Value: 0.5}}})
	want := []float64{ // of the models 1, then 0.5 + 2·a − b + c, then 0.25 + 1.5·a − b + 1.5·c
		(9 + 4 + 1) / 3.,
		(0.5*0.5 + 0.5*0.5 + 0.5*0.5) / 3,
		(0.75*0.75 + 0.25*0.25 + 1.25*1.25) / 3,
	}
	for k, p := range r.recordedPath(2) {
		if !(math.Abs(p.TestError-want[k]) <= 1e-12) {
			t.Errorf("step %d: test error %v, want %v", k, p.TestError, want[k])
		}
	}
}

// A long path is thinned to every second, fourth ... point; the last and the best one are there all the same, in order, and that alone is marked.
func TestRecordedPathIsThinned(t *testing.T) {
	view := enginetest.View(enginetest.Dataset(enginetest.Matrix([]float64{1}, []float64{2}), enginetest.Real("y", 4, -1)), nil)
	for _, c := range []struct{ steps, best, other, stride, points int }{
		{100, 50, 49, 1, 100}, {2000, 1999, 3, 1, 2000}, {2001, 1999, 1, 2, 1002}, {2001, 1998, 1, 2, 1001}, {5002, 777, 3001, 4, 1253}, {5002, 776, 776, 4, 1252}, {5002, -1, 3, 4, 1252},
	} {
		r := newRecorder(view)
		for k := range c.steps {
			r.recordStep(engines.Step{Iter: k, Changed: engines.Coef{Feature: -1}, Best: k == c.best || k == c.other && k < c.best})
		}
		path, best, before := r.recordedPath(c.best), 0, int64(-1)
		for _, p := range path {
			if p.Best {
				best++
			}
			if p.Step <= before || p.Step%int64(c.stride) != 0 && p.Step != int64(c.best) && p.Step != int64(c.steps-1) || p.Best != (p.Step == int64(c.best)) {
				t.Errorf("%+v: step %d after %d, best %v", c, p.Step, before, p.Best)
			}
			before = p.Step
		}
		if len(path) != c.points || before != int64(c.steps-1) || (best == 1) != (c.best >= 0) {
			t.Errorf("%+v: %d points up to %d, %d of them the best", c, len(path), before, best)
		}
	}
}
