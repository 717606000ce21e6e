package optim

import (
	"context"
	"math"
)

// OWLQN minimises F(w) = f(w) + Σ_k l1[k]·|w_k| from w, and leaves the best point in w: orthant-wise limited-memory
// quasi-Newton (Andrew and Gao, "Scalable training of L1-regularized log-linear models", 2007). f is convex and bounded below
// together with the L1 term. Where l1[k] is 0, w_k is like any variable of L-BFGS: neither aligned nor projected.
//
// Two things differ from the paper. Its proof of convergence has a gap (Gong and Ye 2015): after two steps that gain next to
// nothing, the next one is straight down. And near the optimum, where differences of F drown in rounding, a step may raise
// F by a rounding error.
//
// Result.Gradient is the largest component of the pseudo-gradient. Result.Stop is "gradient" where that is at most
// Tol·max(1, ‖w‖), "max_iter", "line-search" where no step lowers F even without the memory (or for long only rounding moved
// it), or a word of Options.Each. Errors are those of LBFGS. Besides evaluations an iteration is O(memory · len(w)).
func OWLQN(ctx context.Context, f Func, l1, w []float64, opt Options) (Result, error) {
	return newDescent(f, &orthants{l1: l1, sign: make([]float64, len(w))}, w).minimise(ctx, opt)
}

// orthants is the geometry of an L1 term: smooth where no weight changes its sign.
type orthants struct {
	l1   []float64
	sign []float64 // of the orthant that a line stays in; 0 for weights that stay 0
}

// penalty is Σ l1·|w|.
func (o *orthants) penalty(w []float64) float64 {
	s := 0.0
	for k, x := range w {
		s += float64(o.l1[k] * math.Abs(x))
	}
	return s
}

// slope is the pseudo-gradient of F: minus the direction of steepest descent. At w_k = 0 F has a slope to either side, and
// the weight moves only where one of them leads down.
func (o *orthants) slope(dst, w, grad []float64) {
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

// align drops what leads up, and takes the orthant that the line stays in: that of w, and where w_k = 0 the one that steepest
// descent enters.
func (o *orthants) align(d, w, slope []float64) {
	for k, c := range o.l1 {
		if c == 0 {
			continue
		}
		if float64(d[k]*slope[k]) >= 0 {
			d[k] = 0
		}
		switch {
		case w[k] > 0 || w[k] == 0 && slope[k] < 0:
			o.sign[k] = 1
		case w[k] < 0 || slope[k] > 0:
			o.sign[k] = -1
		default:
			o.sign[k] = 0
		}
	}
}

// project sets weights that left the orthant to exactly 0.
func (o *orthants) project(w []float64) {
	for k, c := range o.l1 {
		if c != 0 && !(float64(w[k]*o.sign[k]) > 0) {
			w[k] = 0
		}
	}
}

// geometry is what the minimised function has beside its smooth part: a term with kinks, or walls. slope is minus the
// direction of steepest descent, align adapts a quasi-Newton direction to it and project a point on the line.
type geometry interface {
	penalty(w []float64) float64
	slope(dst, w, grad []float64)
	align(d, w, slope []float64)
	project(w []float64)
}

// descent is a point, and the projected line from it.
type descent struct {
	geometry
	f              Func
	w, grad, slope []float64 // grad is of the smooth part alone
	value          float64   // of all
	from, gradFrom []float64
	d              []float64
	evaluations    int
}

func newDescent(f Func, g geometry, w []float64) *descent {
	n := len(w)
	s := &descent{geometry: g, f: f, w: w}
	for _, v := range []*[]float64{&s.grad, &s.slope, &s.from, &s.gradFrom, &s.d} {
		*v = make([]float64, n)
	}
	return s
}

func (s *descent) evaluate() float64 {
	s.evaluations++
	return s.f(s.grad, s.w) + s.penalty(s.w)
}

const (
	small    = 1e-12 // progress, as a share of the value, that is next to nothing
	rounding = 1e-15 // what may be rounding
	patience = 50    // iterations in a row that may move the value by rounding alone
)

func (s *descent) minimise(ctx context.Context, opt Options) (Result, error) {
	past := newHistory(opt.Memory, opt.Curvature)
	s.value = s.evaluate()
	res := Result{Stop: opt.callEach(0, s.value)}
	poor, still, lowest := 0, 0, s.value
	for {
		s.geometry.slope(s.slope, s.w, s.grad)
		res.Value, res.Gradient, res.Evaluations = s.value, maxNorm(s.slope), s.evaluations
		if over, err := opt.isOver(ctx, &res, opt.Tol*math.Max(1, math.Sqrt(dotProduct(s.w, s.w))), "gradient"); over {
			return res, err
		}
		if still == patience {
			res.Stop = "line-search"
			return res, nil
		}
		before := s.value
		if !s.lineSearch(s.setDirection(past)) {
			if past.n == 0 {
				res.Stop = "line-search"
			}
			past.reset() // it may mislead: once more, without
			continue
		}
		past.pushPair(s.w, s.from, s.grad, s.gradFrom)
		if poor++; before-s.value > small*math.Abs(s.value) {
			poor = 0
		}
		if poor == 2 { // not again before there was progress: rounding may be all that is left
			past.reset()
		}
		if still++; s.value < lowest-float64(rounding*math.Abs(lowest)) {
			still, lowest = 0, s.value
		}
		res.Iterations++
		res.Stop = opt.callEach(res.Iterations, s.value)
	}
}

// setDirection sets the direction, and returns the first step to try along it: where nothing is known of the curvature, one
// of length 1.
func (s *descent) setDirection(past *history) (step float64) {
	past.twoLoop(s.d, s.slope)
	s.align(s.d, s.w, s.slope)
	if past.n > 0 || past.inverse != nil {
		if dotProduct(s.d, s.slope) < 0 {
			return 1
		}
		for k, g := range s.slope {
			s.d[k] = -g
		}
	}
	return 1 / math.Sqrt(dotProduct(s.slope, s.slope))
}

// lineSearch moves along the projected direction, halving the step until the value falls by at least a share of what the
// pseudo-gradient promises for the way really gone. It reports whether it found such a point; otherwise everything is as
// before.
func (s *descent) lineSearch(step float64) bool {
	copy(s.from, s.w)
	copy(s.gradFrom, s.grad)
	noise := float64(rounding * math.Abs(s.value))
	for range longest {
		for k, d := range s.d {
			s.w[k] = s.from[k] + float64(step*d)
		}
		s.project(s.w)
		step /= 2
		promise := 0.0
		for k, g := range s.slope {
			promise += float64(g * (s.w[k] - s.from[k]))
		}
		if !(promise < 0) {
			continue
		}
		value := s.evaluate()
		if math.IsNaN(value) {
			break
		}
		if value <= s.value+float64(decrease*promise)+noise {
			s.value = value
			return true
		}
	}
	copy(s.w, s.from)
	copy(s.grad, s.gradFrom)
	return false
}
