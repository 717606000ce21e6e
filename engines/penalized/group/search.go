package group

import (
	"cmp"
	"context"
	"math"
	"slices"

	"tenfold/engines/penalized/convex"
)

// search is one run.
type search struct {
	pt         *Point
	goal       convex.Goal
	out        convex.Outcome
	screened   []bool    // blocks proven to have no coefficients at this penalty
	buffer     []float64 // for second derivatives
	from, to   []float64 // coefficients before a round, and at its minimum
	past       iterates  // of its descent
	gapGoal    float64   // the gap to end at
	sweepShare float64   // share of the gap that a sweep must lower Q by to be followed by another
	stuck      int       // rounds since the last one that lowered the objective, each on other blocks
}

// Search goes from the point to the minimum for a penalty. A round
//
//  1. certifies the point with the norms of all blocks that have to be looked at (most are known to be small enough by how
//     far the residuals moved since), and leaves out blocks proven to have no coefficients (the gap-safe test of Ndiaye et al.,
//     "Gap safe screening rules for sparsity enforcing penalties", 2017),
//  2. works on the blocks with coefficients, and those that violate their conditions most, at most as many again,
//  3. minimises the objective to second order about the point over these (descent), goes there, or part of the way,
//     and again, until the gap of these blocks alone is a share of that of all.
func (pt *Point) Search(ctx context.Context, goal convex.Goal) (convex.Outcome, error) {
	s := &search{pt: pt, goal: goal, screened: make([]bool, len(pt.p.blocks)), buffer: make([]float64, len(pt.eta))}
	s.gapGoal, s.sweepShare = goal.Tol*pt.start, 3e-6
	s.out.Dual = math.Inf(-1)
	for {
		if err := s.checkConvergence(ctx); err != nil || s.out.Stop != "" {
			s.out.Notes = goal.Notes(s.out)
			return s.out, err
		}
		if err := s.minimizeOverBlocks(ctx, s.selectBlocks()); err != nil {
			return s.out, err
		}
	}
}

// checkConvergence computes the duality gap over all blocks, and ends the search where it is small enough.
func (s *search) checkConvergence(ctx context.Context) error {
	pt, p := s.pt, s.pt.p
	if len(p.free) > 0 {
		if err := pt.optimizeFree(ctx); err != nil {
			return err
		}
	}
	if err := pt.updateGradientNorms(ctx, s.goal.Lambda, s.screened); err != nil {
		return err
	}
	maxNorm := 0.0
	for g, v := range pt.gradientNorm {
		if !s.screened[g] {
			maxNorm = max(maxNorm, v)
		}
	}
	c, scale := pt.certify(s.goal.Lambda, maxNorm, s.out.Dual)
	s.out.Certificate = c
	s.out.Stop = s.goal.Stop(c, s.out.Iterations, s.stuck == 3)
	// The optimum is within this radius of s·θ, if the bound is the dual's value there.
	here := pt.p.loss.dual(scale, pt.theta)
	radius := math.Sqrt(2 * max(0, c.Objective-here) / p.loss.concavity())
	for g, v := range pt.gradientNorm {
		b := &p.blocks[g]
		if b.weight > 0 && !s.screened[g] && float64(scale*v)+float64(b.frob/b.weight*radius) < s.goal.Lambda && pt.norm[g] == 0 {
			s.screened[g] = true
		}
	}
	return nil
}

// minBlocks is how many blocks may be taken to work on at a time, at least.
const minBlocks = 16

// selectBlocks returns the working set: block numbers, rising.
func (s *search) selectBlocks() []int32 {
	var work, others []int32
	for g, v := range s.pt.gradientNorm {
		switch {
		case s.pt.p.blocks[g].weight == 0, s.pt.norm[g] > 0:
			work = append(work, int32(g))
		case v > s.goal.Lambda && !s.screened[g]:
			others = append(others, int32(g))
		}
	}
	slices.SortStableFunc(others, func(a, b int32) int { return cmp.Compare(s.pt.gradientNorm[b], s.pt.gradientNorm[a]) })
	work = append(work, others[:min(len(others), max(len(work), minBlocks))]...)
	slices.Sort(work)
	return work
}

const (
	innerGapShare = 0.3 // of the gap of all blocks: where work on some of them ends
	maxRounds     = 10  // of sweeps between two looks at the gap
)

// minimizeOverBlocks minimises over the blocks of the working set. Where the gap hardly falls, further rounds are more careful: it can be much larger than what
// the objective has left to fall by.
func (s *search) minimizeOverBlocks(ctx context.Context, blocks []int32) error {
	pt, lambda := s.pt, s.goal.Lambda
	goal := max(innerGapShare*s.out.Gap(), s.gapGoal/2)
	gap := s.out.Gap()
	for s.out.Iterations < s.goal.MaxIter {
		moved := s.quadraticStep(ctx, blocks, gap)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s.out.Iterations++
		s.out.Evaluated += int64(len(blocks))
		if s.goal.Trace != nil {
			s.goal.Trace(s.out.Iterations)
		}
		if !moved {
			s.stuck++
			return nil
		}
		s.stuck = 0
		maxNorm, sum, dst := 0.0, pt.residualSums(), make([]float64, columnsAtOnce*pt.p.tasks)
		for _, g := range blocks {
			if pt.p.blocks[g].weight > 0 {
				maxNorm = max(maxNorm, pt.blockGradientNorm(int(g), sum, dst))
			}
		}
		c, _ := pt.certify(lambda, maxNorm, math.Inf(-1))
		if c.Gap() > gap/2 {
			s.sweepShare /= 10
		}
		if gap = c.Gap(); gap <= goal {
			return nil
		}
	}
	return nil
}

// quadraticStep minimises the objective to second order over some blocks, and searches along the line to that minimum. It reports whether
// the objective decreased.
func (s *search) quadraticStep(ctx context.Context, blocks []int32, gap float64) bool {
	pt, lambda := s.pt, s.goal.Lambda
	d := newDescent(ctx, pt, lambda, blocks, s.buffer)
	s.from = d.coefficients(s.from[:0])
	before, old := d.quadraticValue(), pt.value+float64(lambda*d.penalty())
	d.run(ctx, gap*s.sweepShare, maxRounds, &s.past)
	promised := before - d.quadraticValue()
	s.to = d.coefficients(s.to[:0])
	noise := float64(1e-14 * math.Abs(old))
	for t := 1.0; t > 1e-6; t /= 2 {
		if t < 1 {
			next := make([]float64, len(s.to))
			for k, b := range s.from {
				next[k] = b + float64(t*(s.to[k]-b))
			}
			d.setCoefficients(next)
		}
		pt.recompute()
		now := pt.value + float64(lambda*d.penalty())
		if now <= old-float64(1e-3*t*promised)+noise {
			return promised > noise
		}
	}
	d.setCoefficients(s.from)
	pt.recompute()
	return false
}
