package mdl

import (
	"context"

	"tenfold/engines"
)

// streamwise offers every column once, in order, and keeps those that are worth their bits at their turn.
func streamwise(ctx context.Context, s *selection) error {
	for _, j := range s.order {
		if s.stop = s.full(); s.stop != "" {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s.evaluated++
		c := s.weigh(ctx, j)
		if !(c.saved > 0 && c.net() > s.threshold()) {
			continue
		}
		t := s.like.try(ctx, j, c.tasks)
		if c.saved = t.total(); !(c.net() > s.threshold()) {
			continue
		}
		if err := s.take(ctx, c, t); err != nil {
			return err
		}
	}
	s.stop = "end_of_stream"
	return nil
}

// tester is a likelihood that can test a column in its only task.
type tester interface {
	pvalue(ctx context.Context, j int32) float64
}

// bet is one test of alpha-investing.
type bet struct {
	column           int32
	alpha, p, wealth float64 // wealth after it
}

// alphaInvesting offers every column once, in order, and spends wealth W on tests (Zhou, Foster, Stine & Ungar 2006): the
// i-th is at the level α = W/(2i); a column that passes earns W₀ − α, one that fails costs α. No bits are paid.
func alphaInvesting(ctx context.Context, s *selection) error {
	return invest(ctx, s, func(bet) {})
}

func invest(ctx context.Context, s *selection, each func(bet)) error {
	test := s.like.(tester)
	wealth := s.engine.Wealth
	for i, j := range s.order {
		if s.stop = s.full(); s.stop != "" {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s.evaluated++
		b := bet{column: j, alpha: wealth / float64(2*(i+1)), p: test.pvalue(ctx, j)}
		if b.p < b.alpha {
			tasks := []int32{0}
			t := s.like.try(ctx, j, tasks)
			if err := s.take(ctx, candidate{column: j, tasks: tasks, saved: t.total()}, t); err != nil {
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

// orderOf columns in a stream.
func (e MDL) orderOf(run engines.Run, c *classes) []int32 {
	if e.Order == orderInterleaved {
		return c.interleave()
	}
	order := make([]int32, run.Train.Columns())
	for j := range order {
		order[j] = int32(j)
	}
	if e.Order == orderShuffled {
		run.Rand.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
	}
	return order
}
