package optim

import (
	"context"
	"math"
)

// Boxed minimises f(w) over |w_k| ≤ bound[k], which may be +Inf, and leaves the best point in w: the projected quasi-Newton method
// of OWLQN, with bounds in place of kinks (two-metric projection: Bertsekas, "Projected Newton methods for optimization problems
// with simple constraints", 1982). Weights at a bound are exactly there.
//
// Results are those of OWLQN, except that Result.Gradient is the largest component of the gradient that does not point out of the
// box.
func Boxed(ctx context.Context, f Func, bound, w []float64, opt Options) (Result, error) {
	b := box(bound)
	b.projectPoint(w) // the start may be outside
	return newProjected(f, b, w).minimise(ctx, opt)
}

// box is the geometry of the bounds ±box[k].
type box []float64

func (box) penalty([]float64) float64 { return 0 }

// pseudoGradient returns the gradient without the components that point out of the box.
func (b box) pseudoGradient(dst, w, grad []float64) {
	for k, g := range grad {
		if dst[k] = g; w[k] >= b[k] && g < 0 || w[k] <= -b[k] && g > 0 {
			dst[k] = 0
		}
	}
}

// alignDirection sets to 0 the components of weights that are held at a bound.
func (b box) alignDirection(d, w, pseudo []float64) {
	for k, g := range pseudo {
		if g == 0 {
			d[k] = 0
		}
	}
}

// projectPoint clips weights to the box.
func (b box) projectPoint(w []float64) {
	for k, x := range w {
		w[k] = math.Max(-b[k], math.Min(b[k], x))
	}
}
