package stagewise

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
)

// likelihood is the log-likelihood L of the training rows at the present weights λ. Its values are partial derivatives
// c_k = γ_k·∂L/∂λ_k.
type likelihood interface {
	correlated
	gradientState() *gradient
	intercept() float64
	// update adds h to λ_k and returns the increase of L. After ctx is cancelled the state is invalid.
	update(ctx context.Context, k int, h float64) (rise float64)
	// increase is what update would return, without the step.
	increase(k int, h float64) (rise float64)
	// needsRecompute asks for a recompute before the regular one.
	needsRecompute() bool
	// recompute computes everything from the weights, and returns L and the largest change of a partial derivative.
	recompute(ctx context.Context, weights []float64) (level, drift float64)
}

// likelihoodPath is one path up a log-likelihood (Hooker & Weng 2004, section 8): weights are λ = γ·ε·q with whole numbers q.
type likelihoodPath struct {
	pathState
	likelihood likelihood
	heldOut    *heldOutLikelihood // nil where there are no held-out rows
	newModel   func(bias float64, coefs []engines.Coef, fitted engines.Fitted) engines.Model

	n                    float64 // Σ m
	logLikelihood        float64 // L
	initialLogLikelihood float64 // L at λ = 0
	weights              []float64
	note                 string
}

// restartEvery is how many steps may pass between computing the state anew.
const restartEvery = 1000

func newLikelihoodPath(e Stagewise, run engines.Run, l likelihood) *likelihoodPath {
	s := l.gradientState()
	return &likelihoodPath{pathState: newPathState(e, run, len(s.column)), likelihood: l, n: s.d.n, weights: make([]float64, len(s.column))}
}

// watchHeldOut follows the log-likelihood of run.Watch, where there is one.
func (w *likelihoodPath) watchHeldOut(run engines.Run, l *conditionalLikelihood, centre centring, rows func(*data.View) (classProbabilities, error)) error {
	if run.Watch == nil {
		return nil
	}
	known, err := rows(run.Watch)
	if err != nil {
		return fmt.Errorf("held-out data: %w", err)
	}
	if len(known.y) == 0 {
		return fmt.Errorf("choose: %s: there is no held-out row to measure the log-likelihood on", w.e.Choose)
	}
	view, _ := run.Watch.Defined(0)
	w.heldOut, w.hasHeldOut = newHeldOutLikelihood(l, centre.apply(view.Matrix()), known), true
	return nil
}

// initialize computes the state at λ = 0 and creates the lookup.
func (w *likelihoodPath) initialize(ctx context.Context, run engines.Run) error {
	w.logLikelihood, _ = w.likelihood.recompute(ctx, w.weights)
	w.initialLogLikelihood = w.logLikelihood
	if w.heldOut != nil {
		w.heldOut.recompute(ctx, w.weights)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return w.setLookup(run)
}

func (w *likelihoodPath) setLookup(run engines.Run) error {
	s := w.likelihood.gradientState()
	explicit := &increaseSearch{l: w.likelihood, epsilon: w.e.Epsilon, gamma: s.gamma, tolerance: w.tolerance}
	score := w.likelihood.value
	if w.e.Select == "explicit" {
		score = explicit.signedIncrease
	}
	if w.e.Lookup == "full" && w.e.Scan == "blocked" {
		s.blocks = newBlocks(w.likelihood, s.index, w.e.blockBits(len(s.index)))
		s.setBlockWidths()
		explicit.blocks = s.blocks
		w.lookup = allFeatures{s.blocks}
		if w.e.Select == "explicit" {
			w.lookup = explicit
		}
		return nil
	}
	all := make([]int32, len(s.index))
	for k := range all {
		all[k] = int32(k)
	}
	slices.SortFunc(all, func(a, b int32) int { return int(s.index[a] - s.index[b]) })
	next, err := w.e.sampler(s.d, all, run)
	w.lookup = newSampledFeatures(score, s.index, next, w.e.Carry)
	return err
}

// tolerance is the partial derivative, or with select explicit the increase of L, that counts as zero.
func (w *likelihoodPath) tolerance() float64 {
	if w.e.Select == "explicit" {
		return w.e.MinIncrease + float64(1e-12*math.Abs(w.logLikelihood))
	}
	return max(w.e.MinGradient, 1e-12*max(1, math.Abs(w.initialLogLikelihood)))
}

// run follows the path to its end.
func (w *likelihoodPath) run(ctx context.Context) error {
	if w.heldOut != nil {
		w.initialError = w.heldOut.loss()
		w.best = w.currentPoint(w.initialError)
	}
	w.report(engines.Coef{Feature: -1}, w.heldOut != nil)
	if len(w.stepCounts) == 0 {
		w.stop = w.stopReason()
	}
	if err := w.iterate(ctx, w); err != nil {
		return err
	}
	if w.heldOut == nil {
		w.best = w.currentPoint(0)
	}
	return nil
}

func (w *likelihoodPath) stopReason() string {
	if w.e.Select == "explicit" {
		return stopNoIncrease
	}
	return stopGradient
}

func (w *likelihoodPath) reportSkipped() { w.report(engines.Coef{Feature: -1}, false) }

// takeStep moves the weight found by ε.
func (w *likelihoodPath) takeStep(ctx context.Context, found choice) {
	k, sign, s := found.k, math.Copysign(1, found.c), w.likelihood.gradientState()
	h := sign * (s.gamma[k] * w.e.Epsilon)
	looped := w.isReversal(k, sign)
	if looped && !(w.likelihood.increase(k, h) > 0) {
		w.stop = stopLoop // the state before this step is the better one
		return
	}
	w.iteration++
	w.logLikelihood += w.likelihood.update(ctx, k, h)
	w.recordStep(k, sign, math.Abs(found.c))
	w.last, w.lastSign = k, sign
	if w.heldOut != nil {
		w.heldOut.update(ctx, k, h)
	}
	w.recomputeIfDue(ctx)
	best := w.heldOut != nil && ctx.Err() == nil && w.updateBest(w.heldOut.loss, -w.logLikelihood)
	if best {
		w.best.bias = w.likelihood.intercept()
	}
	w.report(engines.Coef{Feature: int(s.column[k]), Output: s.classOf(k), Value: h}, best)
	w.stop = w.stopAfterStep(looped)
}

// recomputeIfDue recomputes the state every drift_every steps, at least every 1000.
func (w *likelihoodPath) recomputeIfDue(ctx context.Context) {
	every := restartEvery
	if w.e.DriftEvery > 0 {
		every = min(every, w.e.DriftEvery)
	}
	if w.path.steps%every != 0 && !w.likelihood.needsRecompute() {
		return
	}
	bias, drift := w.likelihood.intercept(), 0.0
	w.logLikelihood, drift = w.likelihood.recompute(ctx, w.unscale(w.weights, w.stepCounts))
	w.drift = max(w.drift, drift)
	if w.heldOut != nil {
		w.heldOut.recompute(ctx, w.weights)
	}
	if w.likelihood.intercept() != bias {
		w.lastSign = 0 // a step back no longer leads to the state before
	}
}

// unscale fills weights: counts of steps become weights of unscaled columns.
func (w *likelihoodPath) unscale(weights, q []float64) []float64 {
	for k, v := range q {
		weights[k] = w.likelihood.gradientState().gamma[k] * float64(w.e.Epsilon*v)
	}
	return weights
}

func (w *likelihoodPath) currentPoint(err float64) point {
	p := w.pathState.currentPoint(err, -w.logLikelihood)
	p.bias = w.likelihood.intercept()
	return p
}
