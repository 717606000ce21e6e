package stagewise

import (
	"context"
	"math"

	"tenfold/engines"
)

// walk is one path, from the start to where a rule stops it. Coefficients of scaled features are β = unit·q: with a
// fixed step unit is ε and q a whole number, else unit is 1.
type walk struct {
	e     Stagewise
	d     *design
	c     correlations
	look  lookup
	size  func(c, norm float64) float64 // ε of a step on a feature
	held  *engines.Residual             // the held-out error; nil where there is none
	trace engines.Trace
	refit bool // the path follows one on fewer rows, and replaces it

	unit      float64
	q         []float64
	b         []float64 // scratch for refresh
	rss       float64
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

	stop        string
	initial     float64 // held-out error at the start
	best        point   // the step that the model stands for
	drift       float64 // largest change of a correlation when the state was computed anew
	alarm       bool    // it was more than rounding should make it
	featureName func(j int) string
}

// point is a place on the path.
type point struct {
	turn, steps, entered int
	error, rss           float64
}

// walk takes turns until a rule ends it.
func (w *walk) walk(ctx context.Context) error {
	w.begin()
	if w.d.tss == 0 || len(w.d.column) == 0 {
		w.stop = stopMinC
	}
	least := w.threshold()
	for w.stop == "" {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if w.turn == w.e.MaxIter {
			w.stop = stopMaxIter
			break
		}
		found := w.look.choose(w.last)
		w.evaluated += int64(found.looked)
		if found.k < 0 || math.Abs(found.c) <= least {
			w.nothing()
			continue
		}
		w.step(found, least)
	}
	if w.held == nil {
		w.best = w.here(0)
	}
	return nil
}

// nothing ends the walk when all features were looked at; else the turn is skipped: it proves nothing about the others.
func (w *walk) nothing() {
	if w.e.Lookup == "full" {
		w.stop = stopMinC
		return
	}
	w.turn++
	w.skipped++
	w.report(engines.Coef{Feature: -1}, w.c.offset(), 0, false)
}

// step moves one feature, and w.stop tells whether the walk goes on.
func (w *walk) step(found choice, least float64) {
	norm := w.d.norm[found.k]
	sign := math.Copysign(1, found.c)
	eps := w.size(found.c, norm)
	looped := w.reverses(found.k, sign)
	if looped && !(2*math.Abs(found.c) > eps*norm) {
		w.stop = stopLoop // the state before this step is the better one
		return
	}
	count := 1
	if w.e.Jumps && !looped {
		count = w.jump(found, eps, least)
	}
	delta := sign * eps
	h := w.d.scales[found.k].gamma * delta
	s, c := w.c.offset(), found.c
	taken := 0
	for taken < count && w.stop == "" {
		taken++
		w.turn++
		w.rss += float64(float64(delta*delta)*norm) - float64(float64(2*delta)*c)
		c -= float64(delta * norm)
		s -= float64(h * w.d.total[found.k])
		w.count(found.k, delta/w.unit, math.Abs(found.c))
		best := w.test(int(w.d.column[found.k]), h, s)
		w.report(engines.Coef{Feature: int(w.d.column[found.k]), Value: h}, s, eps, best)
		w.stop = w.after(looped)
	}
	w.c.move(found.k, float64(taken)*h)
	w.last, w.lastSign = found.k, sign
	w.refresh(taken)
}

// count notes a step of the given amount in the path and the coefficients.
func (w *walk) count(k int, amount, c float64) {
	if !w.entered[k] {
		w.entered[k] = true
		w.entries = append(w.entries, entry{k: k, t: w.turn - 1, c: c})
	}
	before := w.q[k]
	w.q[k] += amount
	if before == 0 {
		w.nonzero++
	}
	if w.q[k] == 0 {
		w.nonzero--
	}
	w.path.add(k, amount)
}

// begin reports the start.
func (w *walk) begin() {
	if w.held != nil {
		w.initial = w.held.MSE()
		w.best = w.here(w.initial)
	}
	w.report(engines.Coef{Feature: -1}, 0, 0, w.held != nil)
}

func (w *walk) here(err float64) point {
	return point{turn: w.turn, steps: w.path.steps, entered: len(w.entries), error: err, rss: w.rss}
}

// bias is the intercept: ȳ − Σ μ·b, and s = −n·Σ μ·b because the residual sums to zero.
func (w *walk) bias(s float64) float64 { return w.d.mean + s/w.d.n }

func (w *walk) report(moved engines.Coef, s, eps float64, best bool) {
	if w.trace == nil {
		return
	}
	w.trace(engines.Step{
		Iter: w.turn, TrainError: w.rss / w.d.n, Active: w.nonzero, Changed: moved, Bias: w.bias(s),
		Epsilon: eps, Evaluations: w.evaluated, Best: best, Reset: w.refit && w.turn == 0,
	})
}

// test follows the held-out error (spec 4.8) and tells whether it is the best so far.
func (w *walk) test(column int, h, s float64) bool {
	if w.held == nil {
		return false
	}
	w.held.Move(column, h, w.bias(s))
	if w.turn%w.e.TestEvery != 0 {
		return false
	}
	mse := w.held.MSE()
	if mse >= w.best.error {
		return false
	}
	w.best = w.here(mse)
	return true
}

// refresh computes the state anew from the coefficients when the time has come, so that rounding cannot pile up
// (spec 4.12).
func (w *walk) refresh(taken int) {
	every := w.e.DriftEvery
	if every == 0 || w.path.steps/every == (w.path.steps-taken)/every {
		return
	}
	var drift float64
	w.rss, drift = w.c.restart(w.raw(w.b, w.q))
	w.drift = max(w.drift, drift)
	least := math.Inf(1)
	for _, norm := range w.d.norm {
		least = min(least, norm)
	}
	w.alarm = w.alarm || drift > 1e-6*w.e.Epsilon*least
}
