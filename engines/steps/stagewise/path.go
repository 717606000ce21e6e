package stagewise

import (
	"tenfold/engines"
	"tenfold/engines/steps/stagewise/lookup"
)

// pathState is what the paths of all families share: the iteration, each feature's steps and entry, and the best point so far
// on held-out rows. Features are numbered by position (design.go).
type pathState struct {
	e       Stagewise
	lookup  lookup.Lookup
	trace   engines.Trace
	isRefit bool // the path refits, on all rows, one that was followed on fewer rows

	multiples  []float64 // q by position, the sum of its steps' amounts: the coefficient is γ·unit·q, unit = ε for fixed steps
	log        stepLog
	entered    []firstStep // in order of entry
	hasEntered []bool      // by position
	nonzero    int         // q ≠ 0
	iteration  int         // iterations done, skipped ones included
	skipped    int         // iterations without a step
	evaluated  int64       // features looked at, summed over iterations

	last      int // position of the previous step, −1 before the first
	lastSign  float64
	reversals int // steps in a row that each undid the one before

	hasHeldOut   bool
	stop         string  // why the path ended, "" while it goes on
	initialError float64 // held-out error at the start
	best         point   // the point whose model is returned
	drift        float64 // largest change of a c when the state was recomputed
	featureName  func(j int) string
}

func newPathState(e Stagewise, run engines.Run, features int) pathState {
	return pathState{
		e: e, trace: run.Trace, last: -1, multiples: make([]float64, features), hasEntered: make([]bool, features),
		featureName: run.Train.Features().Name,
	}
}

func (p *pathState) state() *pathState { return p }

// updateBest keeps the point if its held-out error is the lowest so far, and reports whether it is. It computes the error only
// every test_every iterations.
func (p *pathState) updateBest(err func() float64, loss float64) bool {
	if p.iteration%p.e.TestEvery != 0 {
		return false
	}
	v := err()
	if v >= p.best.error {
		return false
	}
	p.best = p.currentPoint(v, loss)
	return true
}

// point is a place on the path.
type point struct {
	iteration, steps, entered int
	error                     float64 // on held-out rows
	loss                      float64 // on the training rows: RSS, or the negative log-likelihood
	bias                      float64 // of likelihoods; least squares computes it from the coefficients
}

func (p *pathState) currentPoint(err, loss float64) point {
	return point{iteration: p.iteration, steps: p.log.steps, entered: len(p.entered), error: err, loss: loss}
}

// recordStep adds amount to q at position k, whose |c| was absC.
func (p *pathState) recordStep(k int, amount, absC float64) {
	if !p.hasEntered[k] {
		p.hasEntered[k] = true
		p.entered = append(p.entered, firstStep{position: k, absC: absC})
	}
	before := p.multiples[k]
	p.multiples[k] += amount
	if before == 0 {
		p.nonzero++
	}
	if p.multiples[k] == 0 {
		p.nonzero--
	}
	p.log.append(k, amount)
}

// multiplesAtBest rebuilds q of the best point by replay.
func (p *pathState) multiplesAtBest() []float64 {
	q := make([]float64, len(p.multiples))
	p.log.replay(p.best.steps, func(k int, amount float64) { q[k] += amount })
	return q
}

// stepLog is the steps of a path, run-length encoded, so that replay can rebuild any point of it.
type stepLog struct {
	runs  []equalSteps
	steps int
}

// equalSteps is count equal steps on the feature at position k. The amount of a fixed step is ±1, so that its coefficient is a
// whole multiple of ε without rounding.
type equalSteps struct {
	amount float64
	k      int32
	count  int32
}

func (l *stepLog) append(k int, amount float64) {
	l.steps++
	if n := len(l.runs); n > 0 {
		if last := &l.runs[n-1]; last.k == int32(k) && last.amount == amount {
			last.count++
			return
		}
	}
	l.runs = append(l.runs, equalSteps{amount: amount, k: int32(k), count: 1})
}

// replay calls f for the first steps of the path, in order.
func (l *stepLog) replay(steps int, f func(k int, amount float64)) {
	for _, r := range l.runs {
		for range r.count {
			if steps == 0 {
				return
			}
			steps--
			f(int(r.k), r.amount)
		}
	}
}

// firstStep is the step with which a feature entered.
type firstStep struct {
	position int
	absC     float64 // |c| before it
}

// Reasons why a path ends, in the order in which they are tested.
const (
	stopMaxIter    = "max_iter"     // before the iteration
	stopMinC       = "min_c"        // least squares: no |c| is above the tolerance
	stopGradient   = "min_gradient" // likelihoods: no partial derivative is
	stopNoIncrease = "no_increase"  // select explicit: no increase is
	stopLoop       = "loop"         // the step undoes the one before: from here the path repeats
	stopPatience   = "patience"     // after the step
	stopMaxEntered = "max_entered"  // after the step
)

// countReversal counts the step if it is the exact reverse of the one before, and reports whether a rule ends the path for it.
// With a fixed step and all features looked at, the path would return to the state before and repeat for ever, so that the
// first reversal ends it. Otherwise loop_run reversals in a row do.
func (p *pathState) countReversal(k int, sign float64) bool {
	if k == p.last && sign == -p.lastSign {
		p.reversals++
	} else {
		p.reversals = 0
	}
	if p.e.Loop && p.e.Step == "fixed" && p.e.Lookup == "full" {
		return p.reversals > 0
	}
	return p.e.LoopRun > 0 && p.reversals >= p.e.LoopRun
}

// stopAfterStep tests the rules that follow a step.
func (p *pathState) stopAfterStep(looped bool) string {
	switch {
	case looped:
		return stopLoop
	case p.e.Patience > 0 && p.iteration%p.e.TestEvery == 0 && p.iteration-p.best.iteration >= p.e.Patience:
		return stopPatience
	case p.e.MaxEntered > 0 && len(p.entered) >= p.e.MaxEntered:
		return stopMaxEntered
	}
	return ""
}
