package stagewise

import "tenfold/engines"

// pathState is what paths of all families share: how far it is, which feature moved how often and when it entered,
// and the best point so far on held-out rows.
type pathState struct {
	e       Stagewise
	lookup  lookup
	trace   engines.Trace
	isRefit bool // the path follows one on fewer rows, and replaces it

	stepCounts []float64 // by position: the sum of the path's amounts
	path       stepLog
	entered    []firstStep
	hasEntered []bool
	nonzero    int
	iteration  int // turns taken, skipped ones included
	skipped    int
	evaluated  int64

	last      int // feature of the previous step, −1 before the first
	lastSign  float64
	reversals int

	hasHeldOut   bool // there are held-out rows
	stop         string
	initialError float64 // held-out error at the start
	best         point   // the step that the model stands for
	drift        float64 // largest change of a correlation when the state was computed anew
	featureName  func(j int) string
}

func newPathState(e Stagewise, run engines.Run, features int) pathState {
	return pathState{
		e: e, trace: run.Trace, last: -1, stepCounts: make([]float64, features), hasEntered: make([]bool, features),
		featureName: run.Train.Features().Name,
	}
}

func (t *pathState) state() *pathState { return t }

// updateBest tells whether the held-out error is the best so far, where it is time to look at it, and keeps the point.
func (t *pathState) updateBest(err func() float64, loss float64) bool {
	if t.iteration%t.e.TestEvery != 0 {
		return false
	}
	v := err()
	if v >= t.best.error {
		return false
	}
	t.best = t.currentPoint(v, loss)
	return true
}

// point is a place on the path.
type point struct {
	turn, steps, entered int
	error                float64 // held out
	loss                 float64 // on the training rows
	bias                 float64 // of a likelihood; least squares has one for each b
}

func (t *pathState) currentPoint(err, loss float64) point {
	return point{turn: t.iteration, steps: t.path.steps, entered: len(t.entered), error: err, loss: loss}
}

// recordStep notes a step of the given amount in the path and the coefficients.
func (t *pathState) recordStep(k int, amount, c float64) {
	if !t.hasEntered[k] {
		t.hasEntered[k] = true
		t.entered = append(t.entered, firstStep{k: k, t: t.iteration - 1, c: c})
	}
	before := t.stepCounts[k]
	t.stepCounts[k] += amount
	if before == 0 {
		t.nonzero++
	}
	if t.stepCounts[k] == 0 {
		t.nonzero--
	}
	t.path.append(k, amount)
}
