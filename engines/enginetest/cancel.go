package enginetest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"tenfold/engines"
)

// What a fit may do at most, counted so that no clock is asked.
const (
	pollsAfter     = 64      // looks at its context after the first that told of the cancellation
	stepsAfter     = 1       // steps that it tells of after that
	entriesPerPoll = 1 << 15 // stored entries of its training rows, for each look of a whole fit
)

var errCancelled = errors.New("the caller's reason")

// polled is a context that counts how often it is asked whether it has ended, and ends with errCancelled as it is asked for the
// limit-th time; limit 0 is never.
type polled struct {
	context.Context
	cancel context.CancelCauseFunc
	limit  int64
	polls  atomic.Int64
	late   atomic.Int64 // those that told of the end
}

func newPolled(limit int64) *polled {
	ctx, cancel := context.WithCancelCause(context.Background())
	return &polled{Context: ctx, cancel: cancel, limit: limit}
}

func (c *polled) count() {
	if c.polls.Add(1) == c.limit {
		c.cancel(errCancelled)
	}
	if c.Context.Err() != nil {
		c.late.Add(1)
	}
}

// Err counts that it is asked, as Done does: these are the two ways to ask.
func (c *polled) Err() error            { c.count(); return c.Context.Err() }
func (c *polled) Done() <-chan struct{} { c.count(); return c.Context.Done() }

// fitPolled fits until the limit-th look at the context. It checks that the fit ends there with the cause, soon enough; polls is
// less than limit where the fit ended by itself before.
func fitPolled(e engines.Engine, p problem, workers int, limit int64) (m engines.Model, polls, steps int64, err error) {
	ctx := newPolled(limit)
	defer ctx.cancel(nil)
	lateSteps := 0
	m, err = e.Fit(ctx, p.run(workers, func(engines.Step) {
		if steps++; ctx.Context.Err() != nil {
			lateSteps++
		}
	}))
	polls = ctx.polls.Load()
	switch {
	case limit == 0 || polls < limit:
		return m, polls, steps, err
	case !errors.Is(err, errCancelled):
		return nil, polls, steps, fmt.Errorf("cancelled at look %d of %d workers: got error %v, expected the cause of the cancellation", limit, workers, err)
	case ctx.late.Load() > 1+pollsAfter || lateSteps > stepsAfter:
		return nil, polls, steps, fmt.Errorf("cancelled at look %d of %d workers, it looked %d times more and went %d steps", limit, workers, ctx.late.Load()-1, lateSteps)
	}
	return nil, polls, steps, nil
}

// cancelled cancels a fit at its first look at the context, at its last, and at up to a few dozen between them, with 1 worker and with 3
// by turns: it must return the cause, and look no more than pollsAfter times and tell of no more than stepsAfter steps
// before it does.
func cancelled(e engines.Engine, p problem) error {
	_, all, _, err := fitPolled(e, p, 1, 0)
	if err != nil {
		return err
	}
	if all == 0 {
		return errors.New("the fit does not look at its context")
	}
	for limit, workers := int64(1), 1; ; workers = 4 - workers {
		_, polls, _, err := fitPolled(e, p, workers, limit)
		if err != nil {
			return err
		}
		if workers == 1 && polls < limit {
			return fmt.Errorf("a fit looked at its context %d times, and then %d times", all, polls)
		}
		if limit == all {
			return nil
		}
		if limit < 100 {
			limit = min(all, limit+1+limit/8)
		} else { // of long fits each limit costs a share of one
			limit = min(all, 2*limit)
		}
	}
}

// asking fits many rows, and many columns: there is a look at the context for every entriesPerPoll entries, and for every step.
// Models that use no column may read none. How looks are spread over the fit is not measured.
func asking(e engines.Engine, _ problem) error {
	for _, size := range [][2]int{{8000, 50}, {120, 3500}} {
		p := problemOf(e.Needs(), size[0], size[1])
		least := int64(p.train.Matrix().NNZ())/entriesPerPoll + 1
		m, polls, steps, err := fitPolled(e, p, 1, least)
		switch {
		case err != nil:
			return fmt.Errorf("%d × %d: %w", size[0], size[1], err)
		case polls < least && len(engines.Uses(m, size[1])) > 0 || steps > polls:
			return fmt.Errorf("%d × %d: %d looks at the context and %d steps, expected at least %d looks", size[0], size[1], polls, steps, least)
		}
	}
	return nil
}
