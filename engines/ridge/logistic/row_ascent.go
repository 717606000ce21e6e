package logistic

import (
	"context"
	"math"
	"math/rand/v2"

	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/rowascent"
	"tenfold/engines/penalized/convex"
)

// rowAscent returns a solver of problems with more than two classes, an L2 penalty and no L1 penalty: it maximises the dual, a row at a
// time (package rowascent). Where that would take too long, since columns are close to dependent or the penalty is small, finish
// goes on from where it got. A pass is O(nnz · Blocks + rows · Blocks).
func rowAscent(rng *rand.Rand, finish logits.Solver) logits.Solver {
	return func(ctx context.Context, pt *logits.Point, goal logits.Goal) (logits.Outcome, error) {
		if err := pt.Ensure(ctx, goal.Workers); err != nil {
			return logits.Outcome{}, err
		}
		s := &rowAscentState{pt: pt, goal: goal, look: 1.2 * goal.Tol}
		s.outcome.Certificate = pt.CertifyWithin(goal.Penalty, math.Inf(1))
		if s.outcome.Relative() <= goal.Tol {
			s.outcome.Stop = convex.Gap
			return s.outcome, nil
		}
		s.ascent = rowascent.New(pt.Problem.RowsProblem(goal.L2), rng)
		if err := s.run(ctx); err != nil {
			return logits.Outcome{}, err
		}
		if s.outcome.Stop != "" {
			return s.outcome, nil
		}
		return s.finish(ctx, finish)
	}
}

// nullWeights returns those of the model without columns where all biases are free, for which rows do not matter: logarithms of the
// classes' weights, the first one's being 0. Zeros elsewhere. O(rows + Width).
func nullWeights(p *logits.Problem) []float64 {
	w := make([]float64, p.Width())
	if !p.AllBiasesFree() {
		return w
	}
	bias, weight := p.Biases(w), make([]float64, p.Classes)
	for i, y := range p.Y {
		weight[y] += p.Weight.Of(i)
	}
	for b := range bias {
		bias[b] = elementary.Log(weight[p.Class(b)] / weight[0])
	}
	return w
}

// rowAscentState is one run of rowAscent.
type rowAscentState struct {
	pt      *logits.Point
	goal    logits.Goal
	ascent  *rowascent.Ascent
	gaps    []float64 // relative, as each pass met them
	look    float64   // the gap of a pass from which the certificate is worth its time
	outcome logits.Outcome
}

// run passes over the rows until outcome.Stop is set, or the rest would take too many passes.
func (s *rowAscentState) run(ctx context.Context) error {
	value := s.outcome.Objective
	for {
		small := 0.05 * s.goal.Tol * max(1, value) / float64(s.pt.Problem.Rows())
		pass, err := s.ascent.Pass(ctx, small)
		if err != nil {
			return err
		}
		value = pass.Loss + s.ascent.Penalty()
		gap := pass.Gap / max(1, value)
		s.gaps = append(s.gaps, gap)
		s.outcome.Iterations++
		s.trace(pass.Loss)
		last := s.outcome.Iterations >= s.goal.MaxIter
		if gap <= s.look || last {
			if err := s.certify(ctx); err != nil {
				return err
			}
			s.look = gap / 2
		}
		switch {
		case (gap <= 2*s.look || last) && s.outcome.Relative() <= s.goal.Tol:
			s.outcome.Stop = convex.Gap
		case last:
			s.outcome.Stop = convex.MaxIter
			s.outcome.Notes = s.goal.Criterion().Notes(s.outcome)
		}
		if s.outcome.Stop != "" || s.isSlow() {
			return nil
		}
	}
}

const (
	slowAfter  = 30  // passes before speed is judged,
	slowWindow = 10  // by the last of them
	slowPasses = 300 // passes still to come that are too many
)

// isSlow reports whether, at the rate of the last slowWindow passes, the gap needs more than slowPasses to reach the tolerance, or has
// stopped falling.
func (s *rowAscentState) isSlow() bool {
	n := len(s.gaps)
	if n < slowAfter {
		return false
	}
	now, before := s.gaps[n-1], s.gaps[n-1-slowWindow]
	if !(now > 0 && now < before) {
		return true // rounding
	}
	return elementary.Log(now/s.goal.Tol)*slowWindow > slowPasses*elementary.Log(before/now)
}

// certify sets the point to the model of the shares, and the certificate to its objective and the dual value of these shares, or
// of the model's own probabilities, whichever is larger. Where biases are free, the sums of the shares have to be those of the
// labels, and each class's shares are scaled for that, which is to minimise a loss over biases. O((nnz + rows) · Blocks), and
// what free biases take twice.
func (s *rowAscentState) certify(ctx context.Context) error {
	pt, p := s.pt, s.pt.Problem
	copy(pt.Z, s.ascent.LogShares())
	clear(pt.W)
	if err := pt.UpdateFromMargins(ctx, s.goal.Workers); err != nil {
		return err
	}
	dual, scaled := p.Entropy(pt.R, 1), pt.G
	s.ascent.Weights(pt.W)
	for k, g := range scaled {
		if p.Free(k) { // but for rounding, 0
			dual -= math.Abs(float64(g * pt.W[k]))
			continue
		}
		pt.W[k] = -g / s.goal.L2
		dual -= float64(g*g) / (2 * s.goal.L2)
	}
	if err := pt.Update(ctx, s.goal.Workers); err != nil {
		return err
	}
	s.outcome.Certificate = pt.CertifyWithin(s.goal.Penalty, math.Inf(1))
	s.outcome.Dual = max(s.outcome.Dual, dual)
	return nil
}

// trace tells of a pass, with the loss that its rows had when they were met.
func (s *rowAscentState) trace(loss float64) {
	if s.goal.Trace == nil {
		return
	}
	s.ascent.Weights(s.pt.W)
	s.goal.Trace(s.outcome.Iterations, loss, s.pt.W)
}

// finish goes on with another solver.
func (s *rowAscentState) finish(ctx context.Context, solve logits.Solver) (logits.Outcome, error) {
	passes, goal := s.outcome.Iterations, s.goal
	s.ascent.Weights(s.pt.W)
	s.ascent = nil // its memory is free
	goal.MaxIter -= passes
	if s.goal.Trace != nil {
		goal.Trace = func(iter int, loss float64, w []float64) { s.goal.Trace(passes+iter, loss, w) }
	}
	out, err := solve(ctx, s.pt, goal)
	out.Iterations += passes
	out.AddFact("passes over rows", "%d, then quasi-Newton steps: rows alone got too slowly on", passes)
	return out, err
}
