package mdl

import (
	"context"

	"tenfold/engines"
	"tenfold/engines/coding/codes"
	"tenfold/engines/data"
)

// streamwiseSearch offers every column once, in order, and adds those whose net bits exceed the threshold.
func streamwiseSearch(ctx context.Context, s *selection) error {
	for _, j := range s.order {
		if s.stop = s.stopReason(); s.stop != "" {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s.evaluated++
		c := s.bestTasksOf(ctx, j)
		if !(c.saved > 0 && c.netBits() > s.netThreshold()) {
			continue
		}
		t := s.like.Evaluate(ctx, j, c.tasks)
		if c.saved = t.TotalSaved(); !(c.netBits() > s.netThreshold()) {
			continue
		}
		if err := s.addFeature(ctx, c, t); err != nil {
			return err
		}
	}
	s.stop = "end_of_stream"
	return nil
}

// columnTester is a likelihood of one task that can test a column.
type columnTester interface {
	PValue(ctx context.Context, j int32) float64
}

// alphaTest is one test of alpha-investing.
type alphaTest struct {
	column           int32
	alpha, p, wealth float64 // wealth after it
}

// alphaInvesting offers every column once, in order, and spends wealth W on tests (Zhou, Foster, Stine & Ungar 2006): the
// i-th is at the level α = W/(2i); a column that passes earns W₀ − α, one that fails costs α. No bits are paid.
func alphaInvesting(ctx context.Context, s *selection) error {
	return alphaInvest(ctx, s, func(alphaTest) {})
}

func alphaInvest(ctx context.Context, s *selection, each func(alphaTest)) error {
	test := s.like.(columnTester)
	wealth := s.engine.Wealth
	for i, j := range s.order {
		if s.stop = s.stopReason(); s.stop != "" {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s.evaluated++
		b := alphaTest{column: j, alpha: wealth / float64(2*(i+1)), p: test.PValue(ctx, j)}
		if b.p < b.alpha {
			tasks := []int32{0}
			t := s.like.Evaluate(ctx, j, tasks)
			if err := s.addFeature(ctx, candidate{column: j, tasks: tasks, saved: t.TotalSaved()}, t); err != nil {
				return err
			}
			wealth += s.engine.Wealth - b.alpha
		} else {
			wealth -= b.alpha
		}
		b.wealth = wealth
		each(b)
	}
	s.stop = "end_of_stream"
	return nil
}

// columnOrder returns the order of columns in a stream. c is for order interleaved.
func (e MDL) columnOrder(run engines.Run, c *codes.Classes) []int32 {
	if e.Order == orderInterleaved {
		return c.Interleave()
	}
	if e.Order != orderShuffled {
		return data.Numbers(run.Train.Columns())
	}
	order := run.Train.Features().ByName()
	run.Rand.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
	return order
}
