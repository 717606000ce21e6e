package stagewise

import (
	"context"
	"math"

	"tenfold/engines"
	"tenfold/engines/steps/stagewise/design"
	"tenfold/engines/steps/stagewise/lookup"
)

// leastSquaresPath is one path of least squares, from b = 0 to where a rule stops it. Coefficients of scaled features are
// β = unit·q: with a fixed step unit is ε and q a whole number, otherwise unit is 1.
type leastSquaresPath struct {
	pathState
	d            *design.Design
	correlations correlations
	stepSize     func(c, norm float64) float64 // ε of a step on a feature
	heldOut      *engines.Residual             // of the held-out rows; nil if there are none

	unit         float64
	tol          float64   // the largest |c| that counts as zero
	coefficients []float64 // scratch of recomputeIfDue
	rss          float64
	subtracted   float64 // Σ mean·b of the columns centred in memory
	drifted      bool    // drift exceeded 1e-6·ε·g
}

// run follows the path to its end.
func (p *leastSquaresPath) run(ctx context.Context) error {
	if p.heldOut != nil {
		p.initialError = p.heldOut.MSE()
		p.best = p.currentPoint(p.initialError, p.rss)
	}
	p.traceStep(engines.Coef{Feature: -1}, 0, 0, p.heldOut != nil)
	if p.d.TSS == 0 || len(p.d.Column) == 0 {
		p.stop = p.exhaustedReason()
	}
	if err := p.iterate(ctx, p); err != nil {
		return err
	}
	if p.heldOut == nil {
		p.best = p.currentPoint(0, p.rss)
	}
	return nil
}

func (p *leastSquaresPath) tolerance() float64 { return p.tol }

func (p *leastSquaresPath) exhaustedReason() string { return stopMinC }

func (p *leastSquaresPath) traceSkipped() {
	p.traceStep(engines.Coef{Feature: -1}, p.correlations.Offset(), 0, false)
}

// takeStep moves the feature found by one step, or by as many as provably fall on it in a row (jumps.go).
func (p *leastSquaresPath) takeStep(_ context.Context, found lookup.Choice) {
	norm := p.d.Norm[found.Position]
	sign := math.Copysign(1, found.Score)
	eps := p.stepSize(found.Score, norm)
	looped := p.countReversal(found.Position, sign)
	if looped && !(2*math.Abs(found.Score) > eps*norm) {
		p.stop = stopLoop // the state before this step is the better one
		return
	}
	count := 1
	if p.e.Jumps && !looped {
		count = p.stepsOnSameFeature(found, eps)
	}
	delta := float64(sign * eps)
	h := p.d.Scales[found.Position].Gamma * delta
	g, c := p.correlations.Offset(), found.Score
	taken := 0
	for taken < count && p.stop == "" {
		taken++
		p.iteration++
		p.rss += float64(float64(delta*delta)*norm) - float64(float64(2*delta)*c)
		c -= float64(delta * norm)
		g -= float64(h * p.d.Total[found.Position])
		p.subtracted += float64(h * p.d.MeanOf(p.d.Column[found.Position]))
		p.recordStep(found.Position, delta/p.unit, math.Abs(found.Score))
		best := p.testHeldOut(int(p.d.Column[found.Position]), h, g)
		p.traceStep(engines.Coef{Feature: int(p.d.Column[found.Position]), Value: h}, g, eps, best)
		p.stop = p.stopAfterStep(looped)
	}
	p.correlations.update(found.Position, float64(taken)*h)
	p.last, p.lastSign = found.Position, sign
	p.recomputeIfDue(taken)
}

// interceptAt returns the intercept ȳ − Σ μ·b = ȳ + s/n: s = Σ m·u = −n·Σ μ·b, since ỹ sums to zero; less what centring in memory
// subtracts.
func (p *leastSquaresPath) interceptAt(s float64) float64 { return p.d.Mean + s/p.d.N - p.subtracted }

func (p *leastSquaresPath) traceStep(moved engines.Coef, s, eps float64, best bool) {
	if p.trace == nil {
		return
	}
	step := engines.Step{
		Iter: p.iteration, TrainError: p.rss / p.d.N, Active: p.nonzero, Changed: moved, Bias: p.interceptAt(s),
		Evaluations: p.evaluated, Best: best, Reset: p.isRefit && p.iteration == 0,
	}
	if moved.Feature >= 0 {
		step.Parameter, step.ParameterValue = "epsilon", eps
	}
	p.trace(step)
}

// testHeldOut updates the held-out residual, and reports whether its error is the lowest so far.
func (p *leastSquaresPath) testHeldOut(column int, h, s float64) bool {
	if p.heldOut == nil {
		return false
	}
	p.heldOut.Move(column, h, p.interceptAt(s))
	return p.updateBest(p.heldOut.MSE, p.rss)
}

// recomputeIfDue recomputes the state from the coefficients every drift_every steps, so that rounding errors do not accumulate.
func (p *leastSquaresPath) recomputeIfDue(taken int) {
	every := p.e.DriftEvery
	if every == 0 || p.log.steps/every == (p.log.steps-taken)/every {
		return
	}
	var drift float64
	p.rss, drift = p.correlations.recompute(p.unscale(p.coefficients, p.multiples))
	p.drift = max(p.drift, drift)
	smallest := math.Inf(1)
	for _, norm := range p.d.Norm {
		smallest = min(smallest, norm)
	}
	p.drifted = p.drifted || drift > 1e-6*p.e.Epsilon*smallest
}

// unscale fills b with the raw coefficients γ·unit·q, those of the data's own columns.
func (p *leastSquaresPath) unscale(b, q []float64) []float64 {
	for k, v := range q {
		b[k] = p.d.Scales[k].Gamma * float64(p.unit*v)
	}
	return b
}

// model returns that of the best point.
func (p *leastSquaresPath) model(fitted engines.Fitted) engines.Model {
	b := p.unscale(make([]float64, len(p.multiples)), p.multiplesAtBest())
	coefs := make([]engines.Coef, 0, p.best.entered)
	bias := []float64{p.d.Mean}
	for rank, in := range p.entered[:p.best.entered] {
		coefs = append(coefs, engines.Coef{Feature: int(p.d.Column[in.position]), Value: b[in.position], Rank: rank, Score: in.absC})
	}
	for k, v := range b {
		bias[0] -= float64(v * p.d.Scales[k].Mu)
	}
	return engines.NewLinear(len(p.d.Position), p.d.Intercepts(bias, coefs), coefs, fitted)
}

func (p *leastSquaresPath) release() { p.d, p.correlations, p.lookup, p.heldOut = nil, nil, nil, nil }
