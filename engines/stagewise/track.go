package stagewise

import "tenfold/engines"

// track is what every walk keeps, whatever it climbs: how far it is, which feature moved how often and when it entered,
// and the best point so far on held-out rows.
type track struct {
	e     Stagewise
	look  lookup
	trace engines.Trace
	refit bool // the path follows one on fewer rows, and replaces it

	q         []float64 // by position: the sum of the path's amounts
	path      path
	entries   []entry
	entered   []bool
	nonzero   int
	turn      int // turns taken, skipped ones included
	skipped   int
	evaluated int64

	last      int // feature of the previous step, −1 before the first
	lastSign  float64
	reversals int

	watched     bool // there are held-out rows
	stop        string
	initial     float64 // held-out error at the start
	best        point   // the step that the model stands for
	drift       float64 // largest change of a correlation when the state was computed anew
	featureName func(j int) string
}

func newTrack(e Stagewise, run engines.Run, features int) track {
	return track{
		e: e, trace: run.Trace, last: -1, q: make([]float64, features), entered: make([]bool, features),
		featureName: run.Train.Features().Name,
	}
}

func (t *track) tracked() *track { return t }

// better tells whether the held-out error is the best so far, where it is time to look at it, and keeps the point.
func (t *track) better(err func() float64, loss float64) bool {
	if t.turn%t.e.TestEvery != 0 {
		return false
	}
	v := err()
	if v >= t.best.error {
		return false
	}
	t.best = t.here(v, loss)
	return true
}

// point is a place on the path.
type point struct {
	turn, steps, entered int
	error                float64 // held out
	loss                 float64 // on the training rows
	bias                 float64 // of a likelihood; least squares has one for each b
}

func (t *track) here(err, loss float64) point {
	return point{turn: t.turn, steps: t.path.steps, entered: len(t.entries), error: err, loss: loss}
}

// count notes a step of the given amount in the path and the coefficients.
func (t *track) count(k int, amount, c float64) {
	if !t.entered[k] {
		t.entered[k] = true
		t.entries = append(t.entries, entry{k: k, t: t.turn - 1, c: c})
	}
	before := t.q[k]
	t.q[k] += amount
	if before == 0 {
		t.nonzero++
	}
	if t.q[k] == 0 {
		t.nonzero--
	}
	t.path.add(k, amount)
}
