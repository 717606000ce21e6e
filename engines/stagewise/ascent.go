package stagewise

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
)

// likelihood is the log-likelihood L of the training rows at the present weights λ. As a surface it is the slopes
// c_k = γ_k·∂L/∂λ_k.
type likelihood interface {
	surface
	gradient() *slopes
	intercept() float64
	// move adds h to λ_k and returns by how much L rose. Where ctx ends, the state means nothing.
	move(ctx context.Context, k int, h float64) (rise float64)
	// gain is what move would return.
	gain(k int, h float64) (rise float64)
	// stale asks for a restart before its time.
	stale() bool
	// restart computes everything anew from the weights, and returns L and the largest change of a slope.
	restart(ctx context.Context, weights []float64) (level, drift float64)
}

// ascent is one path up a log-likelihood (Hooker & Weng 2004, section 8): weights are λ = γ·ε·q with whole numbers q.
type ascent struct {
	track
	l      likelihood
	held   *held // nil where there are no held-out rows
	finish func(bias float64, coefs []engines.Coef, fitted engines.Fitted) engines.Model

	n       float64 // Σ m
	level   float64 // L
	start   float64 // L at λ = 0
	weights []float64
	warning string
}

// restartEvery is how many steps may pass between computing the state anew.
const restartEvery = 1000

func newAscent(e Stagewise, run engines.Run, l likelihood) *ascent {
	s := l.gradient()
	return &ascent{track: newTrack(e, run, len(s.column)), l: l, n: s.d.n, weights: make([]float64, len(s.column))}
}

// hold watches run.Watch, where there is one.
func (w *ascent) hold(run engines.Run, l *conditional, centre centring, rows func(*data.View) (outcomes, error)) error {
	if run.Watch == nil {
		return nil
	}
	known, err := rows(run.Watch)
	if err != nil {
		return fmt.Errorf("held-out data: %w", err)
	}
	if len(known.y) == 0 {
		return fmt.Errorf("choose: %s: there is no held-out row to measure the log-likelihood on", w.e.Choose)
	}
	view, _ := run.Watch.Defined(0)
	w.held, w.watched = newHeld(l, centre.apply(view.Matrix()), known), true
	return nil
}

// begin computes the state at λ = 0 and sets up the look-up.
func (w *ascent) begin(ctx context.Context, run engines.Run) error {
	w.level, _ = w.l.restart(ctx, w.weights)
	w.start = w.level
	if w.held != nil {
		w.held.restart(ctx, w.weights)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return w.setLookup(run)
}

func (w *ascent) setLookup(run engines.Run) error {
	s := w.l.gradient()
	explicit := &trials{l: w.l, epsilon: w.e.Epsilon, gamma: s.gamma, nothing: w.least}
	score := w.l.at
	if w.e.Select == "explicit" {
		score = explicit.score
	}
	if w.e.Lookup == "full" && w.e.Scan == "blocked" {
		s.blocks = newBlocks(w.l, s.index, w.e.blockBits(len(s.index)))
		s.widen()
		explicit.blocks = s.blocks
		w.look = everything{s.blocks}
		if w.e.Select == "explicit" {
			w.look = explicit
		}
		return nil
	}
	all := make([]int32, len(s.index))
	for k := range all {
		all[k] = int32(k)
	}
	slices.SortFunc(all, func(a, b int32) int { return int(s.index[a] - s.index[b]) })
	next, err := w.e.next(s.d, all, run)
	w.look = newSome(score, s.index, next, w.e.Carry)
	return err
}

// least is the slope, or the rise of L, that counts as nothing.
func (w *ascent) least() float64 {
	if w.e.Select == "explicit" {
		return w.e.MinIncrease + float64(1e-12*math.Abs(w.level))
	}
	return max(w.e.MinGradient, 1e-12*max(1, math.Abs(w.start)))
}

// walk goes the path to its end.
func (w *ascent) walk(ctx context.Context) error {
	if w.held != nil {
		w.initial = w.held.loss()
		w.best = w.here(w.initial)
	}
	w.report(engines.Coef{Feature: -1}, w.held != nil)
	if len(w.q) == 0 {
		w.stop = w.exhausted()
	}
	if err := w.turns(ctx, w); err != nil {
		return err
	}
	if w.held == nil {
		w.best = w.here(0)
	}
	return nil
}

func (w *ascent) exhausted() string {
	if w.e.Select == "explicit" {
		return stopNoIncrease
	}
	return stopGradient
}

func (w *ascent) stay() { w.report(engines.Coef{Feature: -1}, false) }

// step moves one weight.
func (w *ascent) step(ctx context.Context, found choice) {
	k, sign, s := found.k, math.Copysign(1, found.c), w.l.gradient()
	h := sign * (s.gamma[k] * w.e.Epsilon)
	looped := w.reverses(k, sign)
	if looped && !(w.l.gain(k, h) > 0) {
		w.stop = stopLoop // the state before this step is the better one
		return
	}
	w.turn++
	w.level += w.l.move(ctx, k, h)
	w.count(k, sign, math.Abs(found.c))
	w.last, w.lastSign = k, sign
	if w.held != nil {
		w.held.move(ctx, k, h)
	}
	w.refresh(ctx)
	best := w.held != nil && ctx.Err() == nil && w.better(w.held.loss, -w.level)
	if best {
		w.best.bias = w.l.intercept()
	}
	w.report(engines.Coef{Feature: int(s.column[k]), Output: s.classOf(k), Value: h}, best)
	w.stop = w.after(looped)
}

// refresh computes the state anew when it is time.
func (w *ascent) refresh(ctx context.Context) {
	every := restartEvery
	if w.e.DriftEvery > 0 {
		every = min(every, w.e.DriftEvery)
	}
	if w.path.steps%every != 0 && !w.l.stale() {
		return
	}
	bias, drift := w.l.intercept(), 0.0
	w.level, drift = w.l.restart(ctx, w.lambda(w.weights, w.q))
	w.drift = max(w.drift, drift)
	if w.held != nil {
		w.held.restart(ctx, w.weights)
	}
	if w.l.intercept() != bias {
		w.lastSign = 0 // a step back no longer leads to the state before
	}
}

// lambda fills weights: it turns counts of steps into weights of the data's own columns.
func (w *ascent) lambda(weights, q []float64) []float64 {
	for k, v := range q {
		weights[k] = w.l.gradient().gamma[k] * float64(w.e.Epsilon*v)
	}
	return weights
}

func (w *ascent) here(err float64) point {
	p := w.track.here(err, -w.level)
	p.bias = w.l.intercept()
	return p
}
