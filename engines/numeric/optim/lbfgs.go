package optim

import (
	"context"
	"math"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
)

// LBFGS minimises f from w, and leaves the best point in w: limited-memory BFGS with a strong Wolfe line search (Nocedal and
// Wright, Numerical Optimization (2006), algorithms 7.5, 3.5 and 3.6). f has to be bounded below.
//
// The error is the cause of ctx's end, or that the value or gradient at the start is not finite. Besides evaluations an iteration
// is O(memory · len(w)).
func LBFGS(ctx context.Context, f Func, w []float64, opt Options) (Result, error) {
	s := &wolfeSearch{f: f, w: w, grad: make([]float64, len(w)), from: make([]float64, len(w)), d: make([]float64, len(w))}
	gradFrom := make([]float64, len(w))
	past := newHistory(opt.Memory, opt.Curvature)
	past.solve = opt.Precondition
	s.value = s.evaluate()
	res := Result{Stop: opt.callEach(0, s.value)}
	for {
		res.Value, res.Gradient, res.Evaluations = s.value, maxNorm(s.grad), s.evaluations
		if over, err := opt.isOver(ctx, &res, opt.Tol, "tol"); over {
			return res, err
		}
		past.twoLoop(s.d, s.grad)
		first := 1.0
		if past.n == 0 && opt.Curvature == nil && opt.Precondition == nil {
			first = 1 / math.Max(1, math.Sqrt(dense.Dot(s.grad, s.grad)))
		}
		copy(gradFrom, s.grad)
		if !s.lineSearch(first) {
			copy(s.grad, gradFrom)
			if past.n == 0 {
				res.Stop = "precision"
			}
			past.reset() // the pairs may mislead: try steepest descent
			continue
		}
		past.pushPair(w, s.from, s.grad, gradFrom)
		res.Iterations++
		res.Stop = opt.callEach(res.Iterations, s.value)
	}
}

// The strong Wolfe conditions: the value falls by at least decrease (c1) times the linear prediction, and the absolute derivative
// along the line to at most flatten (c2) times that at its start.
const (
	decrease = 1e-4
	flatten  = 0.9
	longest  = 40 // evaluations in one line search
)

// wolfeSearch holds a point with its value and gradient, and the line from a point along d.
type wolfeSearch struct {
	f           Func
	w, grad     []float64
	value       float64
	from, d     []float64
	evaluations int
}

func (s *wolfeSearch) evaluate() float64 {
	s.evaluations++
	return s.f(s.grad, s.w)
}

// point is a point on the line: step length, value, and derivative along the line.
type point struct{ step, value, derivative float64 }

// evaluateAt moves to the point at this step along the line, and evaluates the function there.
func (s *wolfeSearch) evaluateAt(step float64) point {
	for i, d := range s.d {
		s.w[i] = s.from[i] + float64(step*d)
	}
	v := s.evaluate()
	return point{step, v, dense.Dot(s.grad, s.d)}
}

// lineSearch moves along d to a point that meets both Wolfe conditions, trying the given step first. It reports whether it found
// one; otherwise w is back at the start, and the gradient is undefined. low is always a point from which the line still falls, high
// one beyond the minimum.
func (s *wolfeSearch) lineSearch(step float64) bool {
	copy(s.from, s.w)
	start := point{0, s.value, dense.Dot(s.grad, s.d)}
	// Near the minimum, differences of values drown in rounding; derivatives do not.
	noise := float64(1e-12 * math.Abs(start.value))
	low, high := start, point{step: math.Inf(1)}
	for range longest {
		if !(start.derivative < 0) || !(high.step-low.step > 1e-16*low.step) {
			break
		}
		p := s.evaluateAt(step)
		enough := p.value <= start.value+float64(decrease*step*start.derivative)+noise
		switch {
		case math.IsNaN(p.value):
			copy(s.w, s.from)
			return false
		case enough && math.Abs(p.derivative) <= -flatten*start.derivative:
			s.value = p.value
			return true
		case enough && p.derivative < 0:
			low = p
		default:
			high = p
		}
		if math.IsInf(high.step, 1) {
			step *= 4
		} else {
			step = cubicMinimum(low, high)
		}
	}
	copy(s.w, s.from)
	return false
}

// cubicMinimum returns the minimiser of the cubic through two points, kept off both ends (Nocedal and Wright, equation 3.59).
func cubicMinimum(a, b point) float64 {
	width := b.step - a.step
	d1 := a.derivative + b.derivative - 3*(b.value-a.value)/width
	d2 := math.Sqrt(float64(d1*d1) - float64(a.derivative*b.derivative))
	step := b.step - width*(b.derivative+d2-d1)/(b.derivative-a.derivative+2*d2)
	if !elementary.IsFinite(step) {
		step = a.step + float64(width/2)
	}
	return math.Min(b.step-width/10, math.Max(a.step+width/10, step))
}
