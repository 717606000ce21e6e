package optim

import (
	"context"
	"math"

	"tenfold/engines/numeric/dense"
)

// OWLQN minimises F(w) = f(w) + Σ_k l1[k]·|w_k| from w, and leaves the best point in w: orthant-wise limited-memory quasi-Newton
// (Andrew and Gao, "Scalable training of L1-regularized log-linear models", 2007). f is convex and bounded below together with the
// L1 term. If l1[k] is 0, w_k is like any variable of L-BFGS: neither aligned nor projected.
//
// Two things differ from the paper. Its proof of convergence has a gap (Gong and Ye 2015): after two steps with next to no
// decrease, the next one is of steepest descent. And near the optimum, where differences of F drown in rounding, a step may raise F
// by a rounding error.
//
// Result.Gradient is the largest component of the pseudo-gradient. Result.Stop is "gradient" if that is at most Tol·max(1, ‖w‖),
// "max_iter", "line-search" if no step lowers F even without the memory (or only rounding moved it for many iterations), or a text
// of Options.Each. Errors are those of LBFGS. Besides evaluations an iteration is O(memory · len(w)).
func OWLQN(ctx context.Context, f Func, l1, w []float64, opt Options) (Result, error) {
	return newProjected(f, &orthants{l1: l1, sign: make([]float64, len(w))}, w).minimise(ctx, opt)
}

// orthants is the geometry of an L1 term, which is smooth where no weight changes its sign.
type orthants struct {
	l1   []float64
	sign []float64 // of the orthant that the line stays in; 0 for weights that stay 0
}

// penalty returns Σ l1·|w|.
func (o *orthants) penalty(w []float64) float64 {
	s := 0.0
	for k, x := range w {
		s += float64(o.l1[k] * math.Abs(x))
	}
	return s
}

// pseudoGradient sets dst to minus the direction of steepest descent of F. At w_k = 0 F has two one-sided derivatives, and the
// component is nonzero only if one of them descends.
func (o *orthants) pseudoGradient(dst, w, grad []float64) {
	for k, g := range grad {
		c, x := o.l1[k], w[k]
		switch {
		case x > 0:
			dst[k] = g + c
		case x < 0:
			dst[k] = g - c
		case g < -c:
			dst[k] = g + c
		case g > c:
			dst[k] = g - c
		default:
			dst[k] = 0
		}
	}
}

// alignDirection sets to 0 the components of d that do not descend, and chooses the orthant that the line stays in: that of w, and
// where w_k = 0 the one that steepest descent enters.
func (o *orthants) alignDirection(d, w, pseudo []float64) {
	for k, c := range o.l1 {
		if c == 0 {
			continue
		}
		if float64(d[k]*pseudo[k]) >= 0 {
			d[k] = 0
		}
		switch {
		case w[k] > 0 || w[k] == 0 && pseudo[k] < 0:
			o.sign[k] = 1
		case w[k] < 0 || pseudo[k] > 0:
			o.sign[k] = -1
		default:
			o.sign[k] = 0
		}
	}
}

// projectPoint sets weights that left the orthant to exactly 0.
func (o *orthants) projectPoint(w []float64) {
	for k, c := range o.l1 {
		if c != 0 && !(float64(w[k]*o.sign[k]) > 0) {
			w[k] = 0
		}
	}
}

// geometry is the nonsmooth part of a minimisation: an L1 term, or bounds. pseudoGradient computes minus the direction of steepest
// descent from the gradient of the smooth part; alignDirection aligns a quasi-Newton direction with it, and projectPoint projects a
// point on the line.
type geometry interface {
	penalty(w []float64) float64
	pseudoGradient(dst, w, grad []float64)
	alignDirection(d, w, pseudo []float64)
	projectPoint(w []float64)
}

// projected is a minimisation along projected lines: the current point w, and the line from a point along d.
type projected struct {
	geometry
	f               Func
	w, grad, pseudo []float64 // grad is the gradient of the smooth part alone, pseudo the pseudo-gradient of F
	value           float64   // F(w)
	from, gradFrom  []float64 // the start of the line
	d               []float64
	evaluations     int
}

func newProjected(f Func, g geometry, w []float64) *projected {
	n := len(w)
	s := &projected{geometry: g, f: f, w: w}
	for _, v := range []*[]float64{&s.grad, &s.pseudo, &s.from, &s.gradFrom, &s.d} {
		*v = make([]float64, n)
	}
	return s
}

func (s *projected) evaluate() float64 {
	s.evaluations++
	return s.f(s.grad, s.w) + s.penalty(s.w)
}

const (
	small    = 1e-12 // decrease, as a share of the value, that counts as none
	rounding = 1e-15 // change, as a share of the value, that may be rounding
	patience = 50    // iterations in a row that may change the value by rounding alone
)

func (s *projected) minimise(ctx context.Context, opt Options) (Result, error) {
	past := newHistory(opt.Memory, opt.Curvature)
	s.value = s.evaluate()
	res := Result{Stop: opt.callEach(0, s.value)}
	poor, stalled, lowest := 0, 0, s.value
	for {
		s.pseudoGradient(s.pseudo, s.w, s.grad)
		res.Value, res.Gradient, res.Evaluations = s.value, maxNorm(s.pseudo), s.evaluations
		if over, err := opt.isOver(ctx, &res, opt.Tol*math.Max(1, math.Sqrt(dense.Dot(s.w, s.w))), "gradient"); over {
			return res, err
		}
		if stalled == patience {
			res.Stop = "line-search"
			return res, nil
		}
		before := s.value
		if !s.lineSearch(s.setDirection(past)) {
			if past.n == 0 {
				res.Stop = "line-search"
			}
			past.reset() // the pairs may mislead: try steepest descent
			continue
		}
		past.pushPair(s.w, s.from, s.grad, s.gradFrom)
		if poor++; before-s.value > small*math.Abs(s.value) {
			poor = 0
		}
		if poor == 2 { // not again before there is progress: rounding may be all that is left
			past.reset()
		}
		if stalled++; s.value < lowest-float64(rounding*math.Abs(lowest)) {
			stalled, lowest = 0, s.value
		}
		res.Iterations++
		res.Stop = opt.callEach(res.Iterations, s.value)
	}
}

// setDirection sets the direction, and returns the first step to try along it: of length 1 if nothing is known of the curvature.
func (s *projected) setDirection(past *history) (step float64) {
	past.twoLoop(s.d, s.pseudo)
	s.alignDirection(s.d, s.w, s.pseudo)
	if past.n > 0 || past.inverse != nil {
		if dense.Dot(s.d, s.pseudo) < 0 {
			return 1
		}
		for k, g := range s.pseudo {
			s.d[k] = -g
		}
	}
	return 1 / math.Sqrt(dense.Dot(s.pseudo, s.pseudo))
}

// lineSearch moves along the projected direction, halving the step until the value falls by at least a share of the decrease that
// the pseudo-gradient predicts for the projected step. It reports whether it found such a point; otherwise it restores point and
// gradient.
func (s *projected) lineSearch(step float64) bool {
	copy(s.from, s.w)
	copy(s.gradFrom, s.grad)
	noise := float64(rounding * math.Abs(s.value))
	for range longest {
		for k, d := range s.d {
			s.w[k] = s.from[k] + float64(step*d)
		}
		s.projectPoint(s.w)
		step /= 2
		predicted := 0.0
		for k, g := range s.pseudo {
			predicted += float64(g * (s.w[k] - s.from[k]))
		}
		if !(predicted < 0) {
			continue
		}
		value := s.evaluate()
		if math.IsNaN(value) {
			break
		}
		if value <= s.value+float64(decrease*predicted)+noise {
			s.value = value
			return true
		}
	}
	copy(s.w, s.from)
	copy(s.grad, s.gradFrom)
	return false
}
