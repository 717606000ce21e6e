package stagewise

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/steps/stagewise/likelihood"
	"tenfold/engines/steps/stagewise/lookup"
)

// likelihoodPath is one path up a log-likelihood (Hooker & Weng 2004, section 8): weights are λ = γ·ε·q with whole numbers q.
type likelihoodPath struct {
	pathState
	likelihood likelihood.Likelihood
	heldOut    *likelihood.HeldOut // nil where there are no held-out rows
	newModel   func(bias float64, coefs []engines.Coef, fitted engines.Fitted) engines.Model

	n                    float64 // Σ m
	logLikelihood        float64 // L
	initialLogLikelihood float64 // L at λ = 0
	weights              []float64
	note                 string
}

// recomputeEvery is how many steps may pass between two computations of the state from the weights.
const recomputeEvery = 1000

func newLikelihoodPath(e Stagewise, run engines.Run, l likelihood.Likelihood) *likelihoodPath {
	g := l.GradientState()
	return &likelihoodPath{pathState: newPathState(e, run, len(g.Column)), likelihood: l, n: g.Design.N, weights: make([]float64, len(g.Column))}
}

// watchHeldOut holds out the rows of run.Watch.
func (p *likelihoodPath) watchHeldOut(run engines.Run, l *likelihood.Conditional, read func(*data.View) (likelihood.ClassProbabilities, error)) error {
	if run.Watch == nil {
		return nil
	}
	heldOut, err := read(run.Watch)
	if err != nil {
		return fmt.Errorf("held-out data: %w", err)
	}
	if len(heldOut.Y) == 0 {
		return fmt.Errorf("choose: %s: there is no held-out row to measure the log-likelihood on", p.e.Choose)
	}
	view, _ := run.Watch.Defined(0)
	p.heldOut, p.hasHeldOut = likelihood.NewHeldOut(l, l.Design.Apply(view.Matrix()), heldOut), true
	return nil
}

// initialize computes the state at λ = 0 and creates the lookup.
func (p *likelihoodPath) initialize(ctx context.Context, run engines.Run) error {
	p.logLikelihood, _ = p.likelihood.Recompute(ctx, p.weights)
	p.initialLogLikelihood = p.logLikelihood
	if p.heldOut != nil {
		p.heldOut.Recompute(ctx, p.weights)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return p.setLookup(run)
}

func (p *likelihoodPath) setLookup(run engines.Run) error {
	g, explicit := p.likelihood.GradientState(), p.e.Select == "explicit"
	search := &lookup.Increases{Likelihood: p.likelihood, Epsilon: p.e.Epsilon, Gamma: g.Gamma, Tolerance: p.tolerance}
	if p.e.Lookup == "full" && p.e.Scan == "blocked" {
		g.Blocks = lookup.NewBlocks(p.likelihood, g.TieRank, p.e.blockBits(len(g.TieRank)))
		g.SetBlockWidths()
		search.Blocks, p.lookup = g.Blocks, lookup.All{Blocks: g.Blocks}
		if explicit {
			p.lookup = search
		}
		return nil
	}
	score := p.likelihood.Value
	if explicit {
		score = search.SignedIncrease
	}
	byRank := make([]int32, len(g.TieRank))
	for k := range byRank {
		byRank[k] = int32(k)
	}
	slices.SortFunc(byRank, func(a, b int32) int { return int(g.TieRank[a] - g.TieRank[b]) })
	sample, err := p.e.sampler(g.Design, byRank, g.Column, run)
	p.lookup = lookup.Sampled(score, g.TieRank, sample, p.e.Carry)
	return err
}

// tolerance returns the partial derivative, or with select explicit the increase of L, that counts as zero.
func (p *likelihoodPath) tolerance() float64 {
	if p.e.Select == "explicit" {
		return p.e.MinIncrease + float64(1e-12*math.Abs(p.logLikelihood))
	}
	return max(p.e.MinGradient, 1e-12*max(1, math.Abs(p.initialLogLikelihood)))
}

// run follows the path to its end.
func (p *likelihoodPath) run(ctx context.Context) error {
	if p.heldOut != nil {
		p.initialError = p.heldOut.Loss()
		p.best = p.currentPoint(p.initialError)
	}
	p.traceStep(engines.Coef{Feature: -1}, p.heldOut != nil)
	if len(p.multiples) == 0 {
		p.stop = p.exhaustedReason()
	}
	if err := p.iterate(ctx, p); err != nil {
		return err
	}
	if p.heldOut == nil {
		p.best = p.currentPoint(0)
	}
	return nil
}

func (p *likelihoodPath) exhaustedReason() string {
	if p.e.Select == "explicit" {
		return stopNoIncrease
	}
	return stopGradient
}

func (p *likelihoodPath) traceSkipped() { p.traceStep(engines.Coef{Feature: -1}, false) }

// takeStep moves the weight found by ε.
func (p *likelihoodPath) takeStep(ctx context.Context, found lookup.Choice) {
	k, sign, g := found.Position, math.Copysign(1, found.Score), p.likelihood.GradientState()
	h := sign * (g.Gamma[k] * p.e.Epsilon)
	looped := p.countReversal(k, sign)
	if looped && !(p.likelihood.Increase(k, h) > 0) {
		p.stop = stopLoop // the state before this step is the better one
		return
	}
	p.iteration++
	p.logLikelihood += p.likelihood.Update(ctx, k, h)
	p.recordStep(k, sign, math.Abs(found.Score))
	p.last, p.lastSign = k, sign
	if p.heldOut != nil {
		p.heldOut.Update(ctx, k, h)
	}
	p.recomputeIfDue(ctx)
	best := p.heldOut != nil && ctx.Err() == nil && p.updateBest(p.heldOut.Loss, -p.logLikelihood)
	if best {
		p.best.bias = p.likelihood.Intercept()
	}
	p.traceStep(engines.Coef{Feature: int(g.Column[k]), Output: g.ClassOf(k), Value: h}, best)
	p.stop = p.stopAfterStep(looped)
}

// recomputeIfDue recomputes the state every drift_every steps, at least every 1000.
func (p *likelihoodPath) recomputeIfDue(ctx context.Context) {
	every := recomputeEvery
	if p.e.DriftEvery > 0 {
		every = min(every, p.e.DriftEvery)
	}
	if p.log.steps%every != 0 && !p.likelihood.NeedsRecompute() {
		return
	}
	bias, drift := p.likelihood.Intercept(), 0.0
	p.logLikelihood, drift = p.likelihood.Recompute(ctx, p.unscale(p.weights, p.multiples))
	p.drift = max(p.drift, drift)
	if p.heldOut != nil {
		p.heldOut.Recompute(ctx, p.weights)
	}
	if p.likelihood.Intercept() != bias {
		p.lastSign = 0 // a step back no longer leads to the state before
	}
}

// unscale fills weights with γ·ε·q, those of the data's own columns.
func (p *likelihoodPath) unscale(weights, q []float64) []float64 {
	for k, v := range q {
		weights[k] = p.likelihood.GradientState().Gamma[k] * float64(p.e.Epsilon*v)
	}
	return weights
}

func (p *likelihoodPath) currentPoint(err float64) point {
	here := p.pathState.currentPoint(err, -p.logLikelihood)
	here.bias = p.likelihood.Intercept()
	return here
}

// traceStep traces the state after a step. Each step is Whole: squared errors cannot be updated along a path of log-weights.
func (p *likelihoodPath) traceStep(moved engines.Coef, best bool) {
	if p.trace == nil {
		return
	}
	step := engines.Step{
		Iter: p.iteration, TrainError: -p.logLikelihood / p.n, Active: p.nonzero, Changed: moved, Bias: p.likelihood.Intercept(), Whole: true,
		Evaluations: p.evaluated, Best: best, Reset: p.isRefit && p.iteration == 0,
	}
	if moved.Feature >= 0 {
		step.Parameter, step.ParameterValue = "epsilon", p.e.Epsilon
	}
	p.trace(step)
}

// model returns that of the best point.
func (p *likelihoodPath) model(fitted engines.Fitted) engines.Model {
	weights, g := p.unscale(make([]float64, len(p.multiples)), p.multiplesAtBest()), p.likelihood.GradientState()
	coefs := make([]engines.Coef, 0, p.best.entered)
	for rank, in := range p.entered[:p.best.entered] {
		coefs = append(coefs, engines.Coef{Feature: int(g.Column[in.position]), Output: g.ClassOf(in.position), Value: weights[in.position], Rank: rank, Score: in.absC})
	}
	return p.newModel(p.best.bias, coefs, fitted)
}

func (p *likelihoodPath) release() {
	p.likelihood, p.heldOut, p.lookup, p.newModel = nil, nil, nil, nil
}
