// Package execute executes planned units of work: it fits, predicts, scores, and stores every outcome. It knows nothing of
// experiment files; package plan makes the units.
package execute

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/conc/panics"
	"github.com/sourcegraph/conc/pool"

	"tenfold/engines"
	"tenfold/engines/registry"
	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/runner/metric"
	"tenfold/runner/score"
)

// Unit is one cell on one fold: the unit of work, of storage and of resuming. It may instead be a stage that others build
// on: its outcome is then an artefact.
type Unit struct {
	Label   results.Label
	Split   *Split // nil for stages that have a Pool
	Engine  engines.Engine
	Inner   engines.Inner
	Defined metric.Set // metrics that the experiment file defines
	At      []int      // sizes, rising, at which the fit returns models, which are scored as points
	After   []*Unit    // units that this one builds on; they end before it starts
	// Build makes the engine from the outcomes of After; nil if Engine is ready as it is.
	Build func(after Before) (engines.Engine, error)
	// Pool is the work of a stage that sums up others, in place of a fit.
	Pool func(ctx context.Context, after Before) (engines.Pooled, error)
	// Imported returns predictions for the test rows that were made elsewhere, in place of a fit; nil if the engine fits.
	Imported    func(score.Request) (*score.Imported, error)
	Limits      Limits
	Predictions bool              // keep the test rows' predictions
	Predicted   time.Duration     // of the fit; 0 when unknown
	InnerFits   int               // fits inside the fit, the largest possible number
	Footprint   engines.Footprint // predicted memory of the fit, and of scoring its model, beyond the split's
	cache       int64             // bytes that the fit may use of Footprint.Useful if the split's arrays are on disk
	progress    atomic.Pointer[string]
}

// Progress returns the last message of the running fit on how far it has come; "" if it reports nothing or is not running.
func (u *Unit) Progress() string {
	if text := u.progress.Load(); text != nil {
		return *text
	}
	return ""
}

// Before returns the outcome of After[i], or an error if that did not end well.
type Before func(i int) (*results.Outcome, error)

// Limits holds the limits of one unit; zero means none.
type Limits struct {
	Time   time.Duration
	Memory int64
}

// Options holds the options of a run. None of them may change a result.
type Options struct {
	Jobs        int    // units at a time
	Memory      int64  // bytes; units wait rather than exceed it, by prediction, and what exceeds it alone goes to disk
	MemoryLimit int64  // bytes; a unit that needs more cannot run; 0: unknown
	Scratch     string // folder for arrays on disk; "": none
	Retries     int    // further attempts at a unit that failed
	Deadline    Deadline
	Observer    Observer
	Origin      Origin
	Inner       InnerStore // keeps the results of works inside fits; nil: none are kept
	// Revisions are those of the types of engines and of the options of what wraps them, and RevisionsOfAll those of what wraps without
	// options: results of works inside fits depend on those of the engine inside.
	Revisions      registry.Revisions
	RevisionsOfAll string
	// CheckData is called after each fit and returns an error if the data changed since they were loaded; nil: they cannot
	// change. Its error ends the run, and the fit's outcome is not stored.
	CheckData func() error
}

// Deadline ends the starting of units; the zero value never does.
type Deadline struct {
	Time  time.Time
	After time.Duration // since the start of the run
}

// passed returns an error if the deadline has passed.
func (d Deadline) passed() error {
	if d.Time.IsZero() || time.Now().Before(d.Time) {
		return nil
	}
	return deadlineError{d.After}
}

// deadlineError is the error of a unit that had not started when the deadline of its run passed.
type deadlineError struct{ after time.Duration }

func (e deadlineError) Error() string {
	return fmt.Sprintf("not run: the deadline of the run, %s after its start, had passed; the next run goes on", e.after)
}

func (opt Options) checkData() error {
	if opt.CheckData == nil {
		return nil
	}
	return opt.CheckData()
}

// Observer is told when units begin and end; its methods are called from several goroutines. A unit that was abandoned
// ends without an outcome.
type Observer interface {
	Begin(u *Unit)
	End(u *Unit, o *results.Outcome)
}

// Store keeps outcomes. Its methods are called from several goroutines.
type Store interface {
	Put(unit string, o *results.Outcome) error
	Get(unit string) (*results.Outcome, bool, error)
}

// Run executes the units and returns when all have ended; if one needs too much memory, none is started (see CheckMemory). A unit
// that fails, panics or exceeds its time becomes an outcome and the others go on. If the system failed, by a full disk, say, its
// outcome is not stored, and Run returns an error in the end. Only an error of the store, changed data or the end of ctx stops the
// run: units in flight are then abandoned without an outcome, and stored outcomes stay.
func Run(ctx context.Context, units []*Unit, store Store, opt Options) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if err := opt.CheckMemory(units); err != nil {
		return err
	}
	defer opt.collectEarly()()
	for _, u := range units {
		u.Split.addUnit()
	}
	todo := newSchedule(scheduleOrder(units))
	helpers := 1 // goroutines per fit: one that runs alone may use all workers
	if len(units) == 1 {
		helpers = max(1, opt.Jobs)
	}
	memory, logs := newBudget(opt.Memory), newInnerLogs(opt, units)
	var lost lostUnits
	workers := pool.New().WithMaxGoroutines(max(1, opt.Jobs))
	for u := todo.next(ctx); u != nil; u = todo.next(ctx) {
		release, err := memory.acquire(ctx, u.Split, u.ownBytes())
		if err != nil {
			break
		}
		workers.Go(func() {
			defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a mapped file that another program truncated
			defer release()
			defer u.Split.removeUnit()
			defer logs.removeUnit(u)
			defer todo.markEnded(u)
			if ctx.Err() != nil {
				return
			}
			if opt.Observer != nil {
				opt.Observer.Begin(u)
			}
			o, fault := runWithRetries(ctx, u, store, logs, helpers, opt)
			if err := opt.checkData(); err != nil {
				stop(err)
				o = nil
			} else if o.Status != results.OK && ctx.Err() != nil {
				o = nil // cancelled by the end of the run
			} else if !lost.add(u, o, fault) {
				if err := opt.storeOutcome(store, u.Label.Unit, o); err != nil {
					stop(err)
				}
			}
			if opt.Observer != nil {
				opt.Observer.End(u, o)
			}
		})
	}
	workers.Wait()
	return errors.Join(context.Cause(ctx), lost.err())
}

// storeOutcome stores an outcome. Its names may point into a mapped file: if another program truncates that file, reading
// them faults, and the error is that of changed data.
func (opt Options) storeOutcome(store Store, unit string, o *results.Outcome) error {
	var err error
	if p := panics.Try(func() { err = store.Put(unit, o) }); p != nil {
		if err := opt.checkData(); err != nil {
			return err
		}
		err = panicError(p)
	}
	if err != nil {
		return fmt.Errorf("storing a result: %w", err)
	}
	return nil
}

// scheduleOrder groups units by split, so that prepared data can be dropped early: splits by falling total predicted
// time, units of a split likewise, in plan order if nothing is known. Stages come first: else the data of other splits
// would have to be kept for the units that wait for them.
func scheduleOrder(units []*Unit) []*Unit {
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

func runWithRetries(ctx context.Context, u *Unit, store Store, logs *innerLogs, helpers int, opt Options) (o *results.Outcome, fault error) {
	for try := 1; ; try++ {
		o, fault = runOnce(ctx, u, store, logs, helpers, opt)
		o.Attempts = int32(try)
		if o.Status != results.Failed || try > opt.Retries || ctx.Err() != nil {
			return o, fault
		}
	}
}

// predictionError returns the error of a model that is a program and failed to predict, whether it ended this goroutine or one it
// waited for; nil for any other panic.
func predictionError(panicked any) error {
	for {
		switch p := panicked.(type) {
		case engines.PredictionError:
			return p.Err
		case *panics.Recovered:
			panicked = p.Value
		default:
			return nil
		}
	}
}

// panicError returns a panic as an error, with its stack.
func panicError(p *panics.Recovered) error {
	return append(sanitize.NewLines(fmt.Sprintf("panic: %v", p.Value)), sanitize.NewLines(strings.Split(string(p.Stack), "\n")...)...)
}

// runOnce makes an outcome of whatever happens, panics included. fault is its error if the system is to blame.
func runOnce(ctx context.Context, u *Unit, store Store, logs *innerLogs, helpers int, opt Options) (o *results.Outcome, fault error) {
	o = &results.Outcome{Schema: results.Schema, Status: results.OK, Started: time.Now().UTC()}
	opt.Origin.stampOutcome(o)
	var err error
	if err = opt.Deadline.passed(); err != nil {
		o.Status, o.Error = results.Skipped, err.Error()
		return o, nil
	}
	if p := panics.Try(func() { err = executeUnit(ctx, u, store, logs, helpers, o) }); p != nil && predictionError(p.Value) != nil {
		err = predictionError(p.Value)
	} else if p != nil {
		if err = panicError(p); IsMemoryFault(p.Value) {
			err = engines.Disturbance{Err: ErrMemoryFault, System: true}
		}
		u.Split.abandon() // goroutines of the fit may go on for a while
	}
	switch {
	case err == nil:
	case errors.As(err, new(dependencyError)), errors.As(err, new(memoryLimitError)):
		o.Status, o.Error = results.Skipped, err.Error()
	case errors.As(err, new(timeLimitError)):
		o.Status, o.Error = results.Timeout, err.Error()
	default:
		o.Status, o.Error = results.Failed, err.Error()
	}
	if isFault(err) {
		fault = err
	}
	return o, fault
}
