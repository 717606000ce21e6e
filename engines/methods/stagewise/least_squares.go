package stagewise

import (
	"context"
	"math"

	"tenfold/engines"
)

// leastSquaresPath is one path of least squares, from the start to where a rule stops it. Coefficients of scaled features are
// β = unit·q: with a fixed step unit is ε and q a whole number, else unit is 1.
type leastSquaresPath struct {
	pathState
	d            *design
	correlations correlations
	stepSize     func(c, norm float64) float64 // ε of a step on a feature
	heldOut      *engines.Residual             // the held-out error; nil where there is none

	unit         float64
	tol          float64   // the |c| that counts as none
	coefficients []float64 // scratch for refresh
	rss          float64
	drifted      bool // drift was more than rounding should make it
}

// run follows the path to its end.
func (w *leastSquaresPath) run(ctx context.Context) error {
	if w.heldOut != nil {
		w.initialError = w.heldOut.MSE()
		w.best = w.currentPoint(w.initialError, w.rss)
	}
	w.report(engines.Coef{Feature: -1}, 0, 0, w.heldOut != nil)
	if w.d.tss == 0 || len(w.d.column) == 0 {
		w.stop = w.stopReason()
	}
	if err := w.iterate(ctx, w); err != nil {
		return err
	}
	if w.heldOut == nil {
		w.best = w.currentPoint(0, w.rss)
	}
	return nil
}

func (w *leastSquaresPath) tolerance() float64 { return w.tol }

func (w *leastSquaresPath) stopReason() string { return stopMinC }

func (w *leastSquaresPath) reportSkipped() {
	w.report(engines.Coef{Feature: -1}, w.correlations.offset(), 0, false)
}

// takeStep moves one feature, or several times the same (jumps.go).
func (w *leastSquaresPath) takeStep(_ context.Context, found choice) {
	norm := w.d.norm[found.k]
	sign := math.Copysign(1, found.c)
	eps := w.stepSize(found.c, norm)
	looped := w.isReversal(found.k, sign)
	if looped && !(2*math.Abs(found.c) > eps*norm) {
		w.stop = stopLoop // the state before this step is the better one
		return
	}
	count := 1
	if w.e.Jumps && !looped {
		count = w.stepsOnSameFeature(found, eps)
	}
	delta := float64(sign * eps)
	h := w.d.scales[found.k].gamma * delta
	s, c := w.correlations.offset(), found.c
	taken := 0
	for taken < count && w.stop == "" {
		taken++
		w.iteration++
		w.rss += float64(float64(delta*delta)*norm) - float64(float64(2*delta)*c)
		c -= float64(delta * norm)
		s -= float64(h * w.d.total[found.k])
		w.recordStep(found.k, delta/w.unit, math.Abs(found.c))
		best := w.testHeldOut(int(w.d.column[found.k]), h, s)
		w.report(engines.Coef{Feature: int(w.d.column[found.k]), Value: h}, s, eps, best)
		w.stop = w.stopAfterStep(looped)
	}
	w.correlations.update(found.k, float64(taken)*h)
	w.last, w.lastSign = found.k, sign
	w.recomputeIfDue(taken)
}

// interceptAt is the intercept: ȳ − Σ μ·b, and s = −n·Σ μ·b because the residual sums to zero.
func (w *leastSquaresPath) interceptAt(s float64) float64 { return w.d.mean + s/w.d.n }

func (w *leastSquaresPath) report(moved engines.Coef, s, eps float64, best bool) {
	if w.trace == nil {
		return
	}
	step := engines.Step{
		Iter: w.iteration, TrainError: w.rss / w.d.n, Active: w.nonzero, Changed: moved, Bias: w.interceptAt(s),
		Evaluations: w.evaluated, Best: best, Reset: w.isRefit && w.iteration == 0,
	}
	if moved.Feature >= 0 {
		step.Parameter, step.ParameterValue = "epsilon", eps
	}
	w.trace(step)
}

// testHeldOut follows the held-out error and tells whether it is the best so far.
func (w *leastSquaresPath) testHeldOut(column int, h, s float64) bool {
	if w.heldOut == nil {
		return false
	}
	w.heldOut.Move(column, h, w.interceptAt(s))
	return w.updateBest(w.heldOut.MSE, w.rss)
}

// recomputeIfDue computes the state anew from the coefficients when the time has come, so that rounding cannot pile up.
func (w *leastSquaresPath) recomputeIfDue(taken int) {
	every := w.e.DriftEvery
	if every == 0 || w.path.steps/every == (w.path.steps-taken)/every {
		return
	}
	var drift float64
	w.rss, drift = w.correlations.recompute(w.unscale(w.coefficients, w.stepCounts))
	w.drift = max(w.drift, drift)
	least := math.Inf(1)
	for _, norm := range w.d.norm {
		least = min(least, norm)
	}
	w.drifted = w.drifted || drift > 1e-6*w.e.Epsilon*least
}

// unscale fills b: it turns counts of steps into coefficients of the data's own columns: b = γ·β.
func (w *leastSquaresPath) unscale(b, q []float64) []float64 {
	for k, v := range q {
		b[k] = w.d.scales[k].gamma * float64(w.unit*v)
	}
	return b
}

// model rebuilds the best point of the path by replay.
func (w *leastSquaresPath) model(fitted engines.Fitted) engines.Model {
	q := make([]float64, len(w.stepCounts))
	w.path.replay(w.best.steps, func(k int, amount float64) { q[k] += amount })
	b := w.unscale(make([]float64, len(q)), q)
	coefs := make([]engines.Coef, 0, w.best.entered)
	bias := w.d.mean
	for rank, in := range w.entered[:w.best.entered] {
		coefs = append(coefs, engines.Coef{Feature: int(w.d.column[in.k]), Value: b[in.k], Rank: rank, Score: in.c})
	}
	for k, v := range b {
		bias -= float64(v * w.d.scales[k].mu)
	}
	return engines.NewLinear(len(w.d.position), []float64{bias}, coefs, fitted)
}

// release frees everything in the size of the data; facts and notes stay valid.
func (w *leastSquaresPath) release() { w.d, w.correlations, w.lookup, w.heldOut = nil, nil, nil, nil }
