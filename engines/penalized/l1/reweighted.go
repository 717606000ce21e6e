package l1

import (
	"context"
	"slices"

	"tenfold/engines"
	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/proximal"
	"tenfold/engines/penalized/convex"
)

// reweight sets the L1 penalty of a weight to the goal's there. Each step of newton then lowers the loss plus the tangents of the penalties at the
// weights; a concave penalty lies below its tangent, so that the step lowers the objective with that penalty as well.
func reweight(c *proximal.Coordinate, g *logits.Goal, blocks int) {
	if g.Factor != nil && c.Weight != 0 && c.L1 > 0 {
		c.L1 = float64(g.L1 * g.Factor(c.Index/blocks, c.Weight))
	}
}

// Violation returns the largest violation of a condition of the goal, for which the point was solved, as a share of its L1 penalty; 0 where
// no point was.
func (n *Newton) Violation(goal logits.Goal) (worst float64) {
	if n.candidates == nil {
		return 0
	}
	for _, q := range n.candidates.unscreened {
		for b := range n.pt.Problem.Blocks {
			c := n.candidates.Coordinate(n.pt, q, b, goal.Penalty, 1)
			reweight(&c, &goal, n.pt.Problem.Blocks)
			worst = max(worst, c.Violation(c.Gradient))
		}
	}
	return worst / goal.L1
}

// checkStationarity sets outcome.Stop where no condition is violated by more than the goal allows, where next to nothing is left of the loss,
// where steps no longer lower the objective, or after MaxIter iterations.
func (s *proximalNewton) checkStationarity(ctx context.Context) error {
	stop := ""
	switch {
	case engines.Saturated(s.pt.Loss, s.pt.NullLoss):
		stop = convex.Infinite
	case s.Violation(s.goal) <= s.goal.Tol:
		stop = convex.Stationary
	case s.outcome.Iterations >= s.goal.MaxIter:
		stop = convex.MaxIter
	case s.steps.Stalled():
		stop = convex.Precision
	default:
		return nil
	}
	looked := slices.Clone(s.candidates.unscreened)
	if err := s.recomputeAll(ctx); err != nil {
		return err
	}
	if stop == convex.Infinite || stop == convex.MaxIter || !s.candidates.anyViolates(looked, s.pt, float64(s.goal.L1*(1+s.goal.Tol))) {
		s.outcome.Stop = stop
		return nil
	}
	s.join(looked)
	return nil
}

// join takes in the columns whose gradients reach the penalty, beside those of the given places, rising.
func (s *proximalNewton) join(places []int32) {
	reaches := s.candidates.reaches(s.goal.L1)
	s.candidates.keepWhere(s.pt, func(q int32, g []float64) bool {
		_, given := slices.BinarySearch(places, q)
		return given || reaches(q, g)
	})
	s.steps.Resume()
}
