package stagewise

import (
	"context"
	"math"

	"tenfold/engines"
)

// walk is one path of least squares, from the start to where a rule stops it. Coefficients of scaled features are
// β = unit·q: with a fixed step unit is ε and q a whole number, else unit is 1.
type walk struct {
	track
	d    *design
	c    correlations
	size func(c, norm float64) float64 // ε of a step on a feature
	held *engines.Residual             // the held-out error; nil where there is none

	unit    float64
	nothing float64   // the |c| that counts as none
	b       []float64 // scratch for refresh
	rss     float64
	alarm   bool // drift was more than rounding should make it
}

// walk goes the path to its end.
func (w *walk) walk(ctx context.Context) error {
	if w.held != nil {
		w.initial = w.held.MSE()
		w.best = w.here(w.initial, w.rss)
	}
	w.report(engines.Coef{Feature: -1}, 0, 0, w.held != nil)
	if w.d.tss == 0 || len(w.d.column) == 0 {
		w.stop = w.exhausted()
	}
	if err := w.turns(ctx, w); err != nil {
		return err
	}
	if w.held == nil {
		w.best = w.here(0, w.rss)
	}
	return nil
}

func (w *walk) least() float64 { return w.nothing }

func (w *walk) exhausted() string { return stopMinC }

func (w *walk) stay() { w.report(engines.Coef{Feature: -1}, w.c.offset(), 0, false) }

// step moves one feature, or several times the same (jump.go).
func (w *walk) step(_ context.Context, found choice) {
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
		count = w.jump(found, eps)
	}
	delta := float64(sign * eps)
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

// bias is the intercept: ȳ − Σ μ·b, and s = −n·Σ μ·b because the residual sums to zero.
func (w *walk) bias(s float64) float64 { return w.d.mean + s/w.d.n }

func (w *walk) report(moved engines.Coef, s, eps float64, best bool) {
	if w.trace == nil {
		return
	}
	step := engines.Step{
		Iter: w.turn, TrainError: w.rss / w.d.n, Active: w.nonzero, Changed: moved, Bias: w.bias(s),
		Evaluations: w.evaluated, Best: best, Reset: w.refit && w.turn == 0,
	}
	if moved.Feature >= 0 {
		step.Parameter, step.ParameterValue = "epsilon", eps
	}
	w.trace(step)
}

// test follows the held-out error and tells whether it is the best so far.
func (w *walk) test(column int, h, s float64) bool {
	if w.held == nil {
		return false
	}
	w.held.Move(column, h, w.bias(s))
	return w.better(w.held.MSE, w.rss)
}

// refresh computes the state anew from the coefficients when the time has come, so that rounding cannot pile up.
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

// raw fills b: it turns counts of steps into coefficients of the data's own columns: b = γ·β.
func (w *walk) raw(b, q []float64) []float64 {
	for k, v := range q {
		b[k] = w.d.scales[k].gamma * float64(w.unit*v)
	}
	return b
}

// model rebuilds the best point of the path by replay.
func (w *walk) model(fitted engines.Fitted) engines.Model {
	q := make([]float64, len(w.q))
	w.path.replay(w.best.steps, func(k int, amount float64) { q[k] += amount })
	b := w.raw(make([]float64, len(q)), q)
	coefs := make([]engines.Coef, 0, w.best.entered)
	bias := w.d.mean
	for rank, in := range w.entries[:w.best.entered] {
		coefs = append(coefs, engines.Coef{Feature: int(w.d.column[in.k]), Value: b[in.k], Rank: rank, Score: in.c})
	}
	for k, v := range b {
		bias -= float64(v * w.d.scales[k].mu)
	}
	return engines.NewLinear(len(w.d.position), []float64{bias}, coefs, fitted)
}

// release drops what is large and not needed to tell how the walk went.
func (w *walk) release() { w.d, w.c, w.look, w.held = nil, nil, nil, nil }
