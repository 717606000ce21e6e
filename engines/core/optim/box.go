package optim

import (
	"context"
	"math"
)

// Boxed minimises f(w) over |w_k| ≤ bound[k], which may be +Inf, and leaves the best point in w: the projected quasi-Newton
// method of OWLQN, with walls for kinks (two-metric projection: Bertsekas, "Projected Newton methods for optimization
// problems with simple constraints", 1982). Weights at a wall end there exactly.
//
// Results are as those of OWLQN; Result.Gradient is the largest component of the gradient that does not point into a wall.
func Boxed(ctx context.Context, f Func, bound, w []float64, opt Options) (Result, error) {
	b := box(bound)
	b.project(w) // the start may be beyond a wall
	return newDescent(f, b, w).minimise(ctx, opt)
}

// box is the geometry of walls at ±box[k].
type box []float64

func (box) penalty([]float64) float64 { return 0 }

func (b box) slope(dst, w, grad []float64) {
	for k, g := range grad {
		if dst[k] = g; w[k] >= b[k] && g < 0 || w[k] <= -b[k] && g > 0 {
			dst[k] = 0
		}
	}
}

// align leaves weights where they are that a wall holds.
func (b box) align(d, w, slope []float64) {
	for k, g := range slope {
		if g == 0 {
			d[k] = 0
		}
	}
}

func (b box) project(w []float64) {
	for k, x := range w {
		w[k] = math.Max(-b[k], math.Min(b[k], x))
	}
}
