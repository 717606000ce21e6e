package execute

import (
	"math"
	"slices"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/io/results"
)

// maxPoints bounds a recorded path. Beyond it every second point is dropped and the stride doubles, so that what is kept
// depends on the steps alone.
const maxPoints = 2000

// recorder keeps points along the path of a fit. It computes the test error from the coefficients that each step reports,
// so that an engine needs no test rows for its test curve.
type recorder struct {
	test     *data.View
	residual *engines.Residual // nil until the first step, and if a test curve has no meaning
	begun    time.Time
	stride   int64
	kept     []results.Point
	last     results.Point
	best     results.Point // last point that the engine called its best
	hasBest  bool
}

func newRecorder(test *data.View) *recorder {
	return &recorder{test: test, begun: time.Now(), stride: 1}
}

// recordStep adds a step that the engine reports.
func (r *recorder) recordStep(s engines.Step) {
	if s.Reset || (s.Iter == 0 && s.Changed.Feature < 0) {
		r.restart(s.Bias)
	}
	switch {
	case r.residual == nil:
	case s.Whole:
		r.residual = nil
	case s.Changed.Feature >= 0 && s.Changed.Value != 0:
		r.residual.Move(s.Changed.Feature, s.Changed.Value, s.Bias)
		for _, c := range s.Also {
			r.residual.Move(c.Feature, c.Value, s.Bias)
		}
	}
	due := int64(s.Iter)%r.stride == 0
	p := results.Point{
		Step: int64(s.Iter), Nonzero: int32(s.Active), TrainError: s.TrainError, TestError: math.NaN(),
		Parameter: s.Parameter, ParameterValue: s.ParameterValue, Evaluations: s.Evaluations,
	}
	if r.residual != nil {
		p.TestError = r.residual.MSE()
	}
	if due || s.Best {
		p.Seconds = time.Since(r.begun).Seconds()
	}
	r.last = p
	if s.Best {
		r.best, r.hasBest = p, true
	}
	if due {
		r.kept = append(r.kept, p)
		if len(r.kept) > maxPoints {
			r.thinOut()
		}
	}
}

// restart drops the points of an earlier model.
func (r *recorder) restart(bias float64) {
	r.kept, r.stride, r.hasBest = nil, 1, false
	if r.residual != nil {
		r.residual.Reset(bias)
	} else if r.test.Targets() == 1 && r.test.TargetInfo(0).Type == data.Real {
		if defined, _ := r.test.Target(0); defined == nil {
			r.residual = engines.NewResidual(r.test, bias)
		}
	}
}

func (r *recorder) thinOut() {
	r.stride *= 2
	r.kept = slices.DeleteFunc(r.kept, func(p results.Point) bool { return p.Step%r.stride != 0 })
}

// recordedPath returns the recorded points with the last one and the best one (the step of the returned model) inserted
// in order.
func (r *recorder) recordedPath(best int) []results.Point {
	add := func(p results.Point) {
		index, found := slices.BinarySearchFunc(r.kept, p.Step, func(q results.Point, step int64) int { return int(q.Step - step) })
		if !found {
			r.kept = slices.Insert(r.kept, index, p)
		}
	}
	if len(r.kept) == 0 {
		return nil
	}
	if r.last.Seconds == 0 {
		r.last.Seconds = time.Since(r.begun).Seconds()
	}
	add(r.last)
	if r.hasBest && r.best.Step == int64(best) {
		add(r.best)
	}
	for i := range r.kept {
		r.kept[i].Best = r.kept[i].Step == int64(best)
	}
	return r.kept
}
