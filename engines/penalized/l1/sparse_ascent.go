package l1

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/rowascent"
	"tenfold/engines/penalized/convex"
)

const (
	manyClasses   = 16  // classes from which rows are ascended first
	recentreEvery = 5   // passes from one centre to the next, and
	pullFall      = 0.8 // what its pull is multiplied by, down to
	leastPull     = 1. / 50
	firstPull     = 1. / 16 // of the rows' mean squared length; the rest are shares of this
	mostPasses    = 2       // times max_iter
	slowFall      = 0.8     // of the gap, in half as many passes again: more is too little
)

// Solve minimises as the engine l1 does: by Minimize, but with many classes, where that is slow from afar, the dual is first ascended row by row
// inside the proximal point method (package rowascent; Rockafellar, "Monotone operators and the proximal point algorithm", 1976) until the
// certificate meets the goal, or passes promise no more. Problems with all entries, whose rows are long, and those whose weights are not zero are
// Newton's from the start. The order of the rows in a pass is the same in every fit. A pass is O(nnz · Blocks + rows · Blocks).
func (n *Newton) Solve(ctx context.Context, pt *logits.Point, goal logits.Goal) (logits.Outcome, error) {
	if goal.Factor == nil && hasFewColumns(pt.Problem) {
		out, err := solveFewColumns(ctx, pt, goal)
		if err != nil || out.Stop == convex.Gap || out.Stop == convex.MaxIter {
			return out, err
		}
		goal.MaxIter -= out.Iterations
		return n.Minimize(ctx, pt, goal)
	}
	if !startsByRows(pt, goal) {
		return n.Minimize(ctx, pt, goal)
	}
	if err := pt.Ensure(ctx, goal.Workers); err != nil {
		return logits.Outcome{}, err
	}
	if pt.Certify(goal.Penalty).Relative() <= goal.Tol {
		return n.Minimize(ctx, pt, goal)
	}
	s := &sparseAscentState{pt: pt, goal: goal}
	if err := s.run(ctx); err != nil || s.outcome.Stop != "" {
		return s.outcome, err
	}
	return s.finish(ctx, n)
}

// finish goes on with Newton steps, and goes back where that ends farther from the minimum than rows did.
func (s *sparseAscentState) finish(ctx context.Context, newton *Newton) (logits.Outcome, error) {
	pt, goal, passes := s.pt, s.goal, s.outcome.Iterations
	s.ascent = nil // its memory is free
	if trace := goal.Trace; trace != nil {
		goal.Trace = func(iter int, loss float64, w []float64) { trace(passes+iter, loss, w) }
	}
	rows := slices.Clone(pt.W)
	out, err := newton.Minimize(ctx, pt, goal)
	if err != nil {
		return out, err
	}
	if out.Stop != convex.Gap && s.outcome.Gap() < out.Gap() {
		copy(pt.W, rows)
		if err := pt.Update(ctx, goal.Workers); err != nil {
			return out, err
		}
		out.Certificate = s.outcome.Certificate
		out.Notes = goal.Criterion().Notes(out)
	}
	out.Iterations += passes
	out.AddFact("passes over rows", "%d, then Newton steps", passes)
	return out, nil
}

// startsByRows reports whether Solve begins with rows.
func startsByRows(pt *logits.Point, goal logits.Goal) bool {
	p := pt.Problem
	zero := !slices.ContainsFunc(pt.W[:p.Columns()*p.Blocks], func(w float64) bool { return w != 0 })
	return !p.X.IsFull() && !p.HasFactors() && p.Blocks >= manyClasses && goal.L2 == 0 && goal.Least == 0 && (p.Bias == logits.NoBias || p.AllBiasesFree()) && zero && logits.FitsRows(p.Rows(), p.Blocks)
}

// sparseAscentState is one run of Solve.
type sparseAscentState struct {
	pt      *logits.Point
	goal    logits.Goal
	ascent  *rowascent.Ascent
	outcome logits.Outcome
}

func (s *sparseAscentState) run(ctx context.Context) error {
	p := s.pt.Problem
	first := firstPull * meanLength(p)
	pull := first
	small := 0.05 * s.goal.Tol / float64(p.Rows())
	value := max(1, s.pt.Loss)
	s.ascent = rowascent.New(p.RowsProblem(pull), nil)
	s.ascent.Sparsen(s.goal.L1)
	before, look := math.Inf(1), 2*recentreEvery
	for s.outcome.Iterations < mostPasses*s.goal.MaxIter {
		pass, err := s.ascent.Pass(ctx, small*value)
		if err != nil {
			return err
		}
		s.outcome.Iterations++
		s.ascent.Weights(s.pt.W)
		if s.goal.Trace != nil {
			s.goal.Trace(s.outcome.Iterations, pass.Loss, s.pt.W)
		}
		if s.outcome.Iterations%recentreEvery != 0 {
			continue
		}
		if s.outcome.Iterations >= look {
			if err := s.certify(ctx); err != nil {
				return err
			}
			if s.outcome.Stop != "" || s.outcome.Relative() > slowFall*before {
				return nil
			}
			before, value = s.outcome.Relative(), max(1, s.outcome.Objective)
			look = s.outcome.Iterations + s.outcome.Iterations/2
		}
		pull = max(pullFall*pull, leastPull*first)
		s.ascent.Recentre(pull)
	}
	return s.certify(ctx)
}

// meanLength returns that of the rows, squared; 1 where all are empty. O(nnz).
func meanLength(p *logits.Problem) float64 {
	length := 0.0
	for i := range p.Rows() {
		row := p.X.Row(i)
		for k := range row.Idx {
			x := row.At(k)
			length += float64(x * x)
		}
	}
	if length == 0 {
		return 1
	}
	return length / float64(p.Rows())
}

// certify sets the point to the weights of the shares, and the certificate to its objective and the better of the dual values of
// shares and of its own probabilities, both moved towards the labels.
func (s *sparseAscentState) certify(ctx context.Context) error {
	pt := s.pt
	copy(pt.Z, s.ascent.LogShares())
	clear(pt.W)
	if err := pt.UpdateFromMargins(ctx, s.goal.Workers); err != nil {
		return err
	}
	dual := pt.Certify(s.goal.Penalty).Dual
	s.ascent.Weights(pt.W)
	if err := pt.Update(ctx, s.goal.Workers); err != nil {
		return err
	}
	s.outcome.Certificate = pt.Certify(s.goal.Penalty)
	s.outcome.Dual = max(s.outcome.Dual, dual)
	if s.outcome.Relative() <= s.goal.Tol {
		s.outcome.Stop = convex.Gap
	}
	return nil
}
