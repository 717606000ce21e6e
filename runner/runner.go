// Package runner executes planned units of work: it fits, predicts, scores, and stores every outcome. It knows
// nothing of experiment files; packages plan and spec make the units.
package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/sourcegraph/conc/panics"
	"github.com/sourcegraph/conc/pool"

	"tenfold/engines"
	"tenfold/io/results"
)

// Unit is one cell on one fold: the unit of work, of storage and of resuming. Or it is a stage, which others build on: its
// outcome is an artefact.
type Unit struct {
	Label  results.Label
	Split  *Split // nil where Pool is not
	Engine engines.Engine
	Inner  engines.Inner
	At     []int   // sizes, rising, at which the fit hands out models, which are scored as points; none for most
	After  []*Unit // units that this one builds on: they end before it starts
	// Build makes the engine from the outcomes of After; nil when Engine is ready as it is.
	Build func(after Before) (engines.Engine, error)
	// Pool is what a stage does that sums up others, in place of a fit.
	Pool        func(ctx context.Context, after Before) (engines.Pooled, error)
	Limits      Limits
	Predictions bool              // keep the test rows' predictions
	Predicted   time.Duration     // of the fit; 0 when unknown
	Footprint   engines.Footprint // predicted memory of the fit, and of scoring its model, beyond the split's
	cache       int64             // of what would be useful where the split's arrays are on disk, what the fit may take
}

// Before is the outcomes that a unit builds on, by their places in After. They ended well, or there is an error, to be
// handed on.
type Before func(i int) (*results.Outcome, error)

// Limits of one unit; zero means none.
type Limits struct {
	Time   time.Duration
	Memory int64
}

// Options of a run. None of them may influence a result.
type Options struct {
	Jobs     int    // units at a time
	Memory   int64  // bytes; units wait rather than exceed it, by prediction, and what does not fit at all lies on disk
	Most     int64  // bytes; a unit that needs more cannot run; 0: not known
	Scratch  string // folder for what lies on disk; "": none does
	Retries  int    // further attempts at a unit that failed
	Observer Observer
	Origin   Origin
	// Sound is asked after each fit whether the data are still what was loaded; nil: they cannot change. Its error ends the run,
	// and the fit's outcome is not stored.
	Sound func() error
}

func (opt Options) sound() error {
	if opt.Sound == nil {
		return nil
	}
	return opt.Sound()
}

// Observer sees units begin and end; its methods are called from several goroutines. A unit that was abandoned ends
// without an outcome.
type Observer interface {
	Begin(u *Unit)
	End(u *Unit, o *results.Outcome)
}

// Store keeps outcomes; it is called from several goroutines.
type Store interface {
	Put(unit string, o *results.Outcome) error
	Get(unit string) (*results.Outcome, bool, error)
}

// Run executes the units and returns when all have ended; where one cannot fit into memory, none is begun (see Fits). A unit that
// fails, panics or overruns becomes an outcome and the rest go on; only the store's error, unsound data or ctx's end stops the run:
// units in flight are then abandoned without an outcome, and those stored stay.
func Run(ctx context.Context, units []*Unit, store Store, opt Options) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if err := opt.Fits(units); err != nil {
		return err
	}
	defer opt.collectEarly()()
	for _, u := range units {
		u.Split.expect()
	}
	todo := newSchedule(inOrder(units))
	helpers := 1 // goroutines of a fit: one that runs alone may use all workers
	if len(units) == 1 {
		helpers = max(1, opt.Jobs)
	}
	memory := newBudget(opt.Memory)
	workers := pool.New().WithMaxGoroutines(max(1, opt.Jobs))
	for u := todo.next(ctx); u != nil; u = todo.next(ctx) {
		release, err := memory.acquire(ctx, u.Split, u.own())
		if err != nil {
			break
		}
		workers.Go(func() {
			defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // memory of a file that another program cut short
			defer release()
			defer u.Split.close()
			defer todo.ended(u)
			if ctx.Err() != nil {
				return
			}
			if opt.Observer != nil {
				opt.Observer.Begin(u)
			}
			o := attempts(ctx, u, store, helpers, opt)
			if err := opt.sound(); err != nil {
				stop(err)
				o = nil
			} else if o.Status != results.OK && ctx.Err() != nil {
				o = nil // the run's end, and no fault of its own, ended it
			} else if err := opt.put(store, u.Label.Unit, o); err != nil {
				stop(err)
			}
			if opt.Observer != nil {
				opt.Observer.End(u, o)
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}

// put stores an outcome. Names in it may lie in memory of a mapped file; where another program cuts that file now, reading them
// faults, and the error is that of unsound data.
func (opt Options) put(store Store, unit string, o *results.Outcome) error {
	var err error
	if p := panics.Try(func() { err = store.Put(unit, o) }); p != nil {
		if err := opt.sound(); err != nil {
			return err
		}
		err = fmt.Errorf("panic: %v\n%s", p.Value, p.Stack)
	}
	if err != nil {
		return fmt.Errorf("storing a result: %w", err)
	}
	return nil
}

// inOrder groups units by split, so that prepared data can be dropped early: splits in order of their total predicted
// time, longest first, and longest first inside; the order of the plan where nothing is known. Stages come before all else:
// the data of other splits would have to be kept for the units that wait for them.
func inOrder(units []*Unit) []*Unit {
	total := map[*Split]time.Duration{}
	first := map[*Split]int{}
	for i, u := range units {
		total[u.Split] += u.Predicted
		if _, ok := first[u.Split]; !ok {
			first[u.Split] = i
		}
	}
	units = slices.Clone(units)
	slices.SortStableFunc(units, func(a, b *Unit) int {
		if stage := a.Label.Stage != ""; stage != (b.Label.Stage != "") {
			if stage {
				return -1
			}
			return 1
		}
		if a.Split != b.Split {
			return cmp.Or(cmp.Compare(total[b.Split], total[a.Split]), cmp.Compare(first[a.Split], first[b.Split]))
		}
		return cmp.Compare(b.Predicted, a.Predicted)
	})
	return units
}

func attempts(ctx context.Context, u *Unit, store Store, helpers int, opt Options) *results.Outcome {
	for try := 1; ; try++ {
		o := attempt(ctx, u, store, helpers, opt)
		o.Attempts = int32(try)
		if o.Status != results.Failed || try > opt.Retries || ctx.Err() != nil {
			return o
		}
	}
}

// attempt makes an outcome of whatever happens.
func attempt(ctx context.Context, u *Unit, store Store, helpers int, opt Options) *results.Outcome {
	o := &results.Outcome{Schema: results.Schema, Status: results.OK, Started: time.Now().UTC()}
	opt.Origin.stamp(o)
	var err error
	if p := panics.Try(func() { err = execute(ctx, u, store, helpers, o) }); p != nil {
		err = fmt.Errorf("panic: %v\n%s", p.Value, p.Stack)
		u.Split.abandon() // goroutines of the fit may go on for a while
	}
	switch {
	case err == nil:
	case errors.As(err, new(missing)), errors.As(err, new(tooLarge)):
		o.Status, o.Error = results.Skipped, err.Error()
	case errors.As(err, new(overrun)):
		o.Status, o.Error = results.Timeout, err.Error()
	default:
		o.Status, o.Error = results.Failed, err.Error()
	}
	return o
}
