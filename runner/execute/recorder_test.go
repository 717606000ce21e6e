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
