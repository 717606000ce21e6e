package dual

import (
	"context"
	"math"

	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/penalized/convex"
)

// augmentedLagrangian solves the dual on a smooth function, exactly in the limit: the dual augmented Lagrangian, which is the proximal
// point method on the weights. An outer round from the weights w⁰ minimises, over the simplices,
//
//	Σ_i m_i Σ_y α_iy log α_iy + 1/(2η) Σ_k S(w⁰_k + η u_k, ηC)²,  S(z, t) = sign(z) (|z| − t)₊ (soft),
//
// by steps on pairs of labels, each to its exact optimum, and then takes w_k = S(w⁰_k + η u_k, ηC). With an L2 term of
// strength C2, the first round from 0 with η = 1/C2 is the whole problem: it goes on until it is solved as far as asked.
type augmentedLagrangian struct {
	p            *logits.Problem
	eta          float64
	threshold    float64   // ηC
	columnScale  float64   // root of the largest mean square of a column
	alpha        []float64 // rows × Classes
	outerWeights []float64 // w⁰
	z            []float64 // w⁰ + ηu, laid out as weights
	dir          direction
	passes       int
}

const (
	// An inner problem is solved until no step moves a weight by more than this share of the last change of one.
	innerShare = 0.02
	// Where an inner problem takes more passes than manyPasses, η is halved for the next; where it takes fewer than fewPasses, doubled.
	// After innerPasses it is given up, and posed again with a smaller η.
	fewPasses, manyPasses, innerPasses = 2, 6, 12
	// finest is a step that is no more than rounding.
	finest = 1e-15
)

// proximalDual returns a solver, from the weights of the point and equal shares of the labels (at 0, the logarithm has no slope).
// The first η is as given, in units of the reciprocal of the largest mean square of a column. O(nnz · Classes) a pass.
func proximalDual(eta float64) logits.Solver {
	return func(ctx context.Context, pt *logits.Point, goal logits.Goal) (logits.Outcome, error) {
		d := &augmentedLagrangian{columnScale: columnScale(pt.Problem), alpha: make([]float64, pt.Problem.Rows()*pt.Problem.Classes)}
		for k := range d.alpha {
			d.alpha[k] = 1 / float64(pt.Problem.Classes)
		}
		d.eta = eta / (d.columnScale * d.columnScale)
		if goal.L2 > 0 {
			d.eta = 1 / goal.L2
		}
		var out logits.Outcome
		if err := d.runOuterRounds(ctx, pt, goal, &out); err != nil {
			return logits.Outcome{}, err
		}
		out.Notes = goal.Criterion().Notes(out)
		u := make([]float64, pt.Problem.Width())
		dualGradient(pt.Problem, ctx, u, d.alpha, goal.Workers)
		pt.Scores = scaleVector(u, 1/goal.L1)
		out.AddFact("pair steps", "%d passes in %d rounds, η %.3g in the end", d.passes, out.Iterations, d.eta)
		return out, context.Cause(ctx)
	}
}

// columnScale returns the root of the largest mean square of a column, that of ones included. O(nnz).
func columnScale(p *logits.Problem) float64 {
	most := 0.0
	if p.Bias != logits.NoBias {
		most = p.Total()
	}
	for _, r := range p.Reach() {
		most = max(most, 4*r*r)
	}
	if most == 0 {
		return 1
	}
	return math.Sqrt(most / p.Total())
}

// runOuterRounds goes through the rounds; where columns can be proven to have no weight, the rest of them without those.
func (d *augmentedLagrangian) runOuterRounds(ctx context.Context, pt *logits.Point, goal logits.Goal, out *logits.Outcome) error {
	d.p, d.z = pt.Problem, make([]float64, pt.Problem.Width())
	d.outerWeights = make([]float64, pt.Problem.Width())
	if goal.L2 == 0 {
		copy(d.outerWeights, pt.W)
	}
	reach := pt.Problem.Reach()
	out.Stop = convex.MaxIter
	least := math.Inf(1) // objective that a round came to
	for tol := innerShare; out.Iterations < goal.MaxIter; {
		d.threshold = d.eta * goal.L1
		passes, solved, err := d.solveInner(ctx, tol, goal.Workers)
		if err != nil {
			return err
		}
		change := d.updateWeights(pt.W)
		if err := pt.Update(ctx, goal.Workers); err != nil {
			return err
		}
		out.Iterations++
		if goal.Trace != nil {
			goal.Trace(out.Iterations, pt.Loss, pt.W)
		}
		out.Certificate = pt.Certify(goal.Penalty)
		switch stop := goal.Criterion().Stop(out.Certificate, out.Iterations, solved && tol <= finest); stop {
		case convex.Gap, convex.Precision:
			out.Stop = stop
			return nil
		}
		switch {
		case goal.L2 > 0: // it is all one problem
			if solved {
				tol *= innerShare
			}
		case !solved, out.Objective > 1.01*least: // a proximal step lowers it, when it is solved far enough for its length
			d.eta /= 2
		default:
			least = min(least, out.Objective)
			tol = max(tol*innerShare, finest, innerShare*min(1, change/(d.eta*d.columnScale)))
			if copy(d.outerWeights, pt.W); passes > manyPasses {
				d.eta /= 2
			} else if passes < fewPasses {
				d.eta *= 2
			}
		}
		if keep := pt.Screen(goal.Penalty, reach); 2*len(keep) < pt.Problem.Columns() {
			return d.continueOnColumns(ctx, pt, keep, goal, out)
		}
	}
	return nil
}

// updateWeights sets w to those of the dual point, and returns the largest change from w⁰.
func (d *augmentedLagrangian) updateWeights(w []float64) (change float64) {
	for k, z := range d.z {
		w[k] = elementary.SoftThreshold(z, d.threshold)
		change = max(change, math.Abs(w[k]-d.outerWeights[k]))
	}
	return change
}

// solveInner solves the inner problem until no step is above tol.
func (d *augmentedLagrangian) solveInner(ctx context.Context, tol float64, workers int) (passes int, solved bool, err error) {
	d.recompute(ctx, workers)
	for ; passes < innerPasses && !solved; passes++ {
		largest := 0.0
		for i := range d.p.Rows() {
			if i%256 == 0 && ctx.Err() != nil {
				return passes, false, context.Cause(ctx)
			}
			largest = max(largest, d.updateRow(i))
		}
		solved = largest <= tol
	}
	d.passes += passes
	d.recompute(ctx, workers)
	return passes, solved, nil
}

// recompute computes z anew from α, free of the rounding of many steps.
func (d *augmentedLagrangian) recompute(ctx context.Context, workers int) {
	dualGradient(d.p, ctx, d.z, d.alpha, workers)
	for k, u := range d.z {
		d.z[k] = d.outerWeights[k] + float64(d.eta*u)
	}
}

// updateRow pairs every label of a row with the one that is heaviest by then, and returns the largest step. (Two light labels
// could lose what they have to rounding; from a share of 0 there is no way back.)
func (d *augmentedLagrangian) updateRow(i int) (largest float64) {
	a := d.alpha[i*d.p.Classes : (i+1)*d.p.Classes]
	heavy := 0
	for y, v := range a {
		if v > a[heavy] {
			heavy = y
		}
	}
	for y := range a {
		if y == heavy {
			continue
		}
		d.dir.setBetween(d.p, i, y, heavy)
		to, from := d.optimalShares(a[y], a[heavy], d.p.Weight.Of(i))
		step := to - a[y]
		a[y], a[heavy] = to, from
		d.dir.addTo(d.z, d.eta*step)
		largest = max(largest, math.Abs(step))
		if to > from {
			heavy = y
		}
	}
	return largest
}

// optimalShares returns the best of two labels' shares a and b of mass s = a + b along the direction. In t, the logarithm of their
// odds, the optimality condition is
//
//	f(t) = t + Σ_k S(z_k + η δ by_k, ηC) by_k / m = 0,  δ = s/(1 + e⁻ᵗ) − a,
//
// where f has a derivative of at least one: the root lies between t and t − f(t). Newton's steps that leave what is known to hold it are
// halved.
func (d *augmentedLagrangian) optimalShares(a, b, m float64) (to, from float64) {
	s, t := a+b, elementary.Log(a/b)
	low, high := math.Inf(-1), math.Inf(1)
	to, from = a, b
	for range 100 {
		f, derivative := d.penaltyDerivative(to-a, m)
		f += t
		if f > 0 {
			low, high = max(low, t-f), t
		} else {
			low, high = t, min(high, t-f)
		}
		next := t - f/(1+float64(derivative*to*from/s))
		if !(next > low && next < high) {
			next = low + float64((high-low)/2)
		}
		const odds = 700 // beyond, the smaller share is lost
		next = min(odds, max(-odds, next))
		done := math.Abs(next-t) <= 1e-15*(1+math.Abs(t))
		t = next
		e := elementary.Exp(-math.Abs(t))
		to, from = s/(1+e), s*(e/(1+e))
		if t < 0 {
			to, from = from, to
		}
		if done {
			break
		}
	}
	return to, from
}

// penaltyDerivative returns the derivative of the penalty's part along the direction, where an amount has moved, and the second one.
func (d *augmentedLagrangian) penaltyDerivative(amount, m float64) (f, derivative float64) {
	amount *= d.eta
	for q, k := range d.dir.weights {
		by := d.dir.by[q]
		if w := elementary.SoftThreshold(d.z[k]+float64(amount*by), d.threshold); w != 0 {
			f += float64(w * by)
			derivative += float64(by * by)
		}
	}
	return f / m, d.eta * derivative / m
}

// continueOnColumns goes on with some of the columns, and certifies the outcome with all.
func (d *augmentedLagrangian) continueOnColumns(ctx context.Context, pt *logits.Point, keep []int32, goal logits.Goal, out *logits.Outcome) error {
	p := pt.Problem
	inner := p.Restrict(keep).NewPoint(p.Gather(d.outerWeights, keep))
	clear(pt.W)
	part := goal
	if goal.Trace != nil {
		part.Trace = func(iter int, loss float64, w []float64) {
			p.Scatter(pt.W, w, keep)
			goal.Trace(iter, loss, pt.W)
		}
	}
	for {
		if err := d.runOuterRounds(ctx, inner, part, out); err != nil {
			return err
		}
		p.Scatter(pt.W, inner.W, keep)
		if err := pt.Update(ctx, goal.Workers); err != nil {
			return err
		}
		out.Certificate = pt.Certify(goal.Penalty)
		if goal.Criterion().Met(out.Certificate) || out.Stop != convex.Gap {
			return nil
		}
		part.Tol /= 4
	}
}
