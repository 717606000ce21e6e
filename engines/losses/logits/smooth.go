package logits

import (
	"context"
	"math"

	"tenfold/engines/numeric/optim"
)

// SmoothObjective returns the objective without its L1 part, as a function of w; the point follows.
func (pt *Point) SmoothObjective(ctx context.Context, l2 float64, workers int) optim.Func {
	p := pt.Problem
	return func(grad, w []float64) float64 {
		p.Margins(ctx, pt.Z, w, workers)
		pt.Loss = p.Residuals(ctx, pt.R, pt.Z, workers)
		p.Gradient(ctx, pt.G, pt.R, workers)
		if ctx.Err() != nil {
			return math.NaN()
		}
		return pt.Penalized(grad, w, l2)
	}
}

// Penalized returns the loss at the point of weights w with the L2 part, and sets grad to the gradient of both.
func (pt *Point) Penalized(grad, w []float64, l2 float64) float64 {
	value := pt.Loss
	copy(grad, pt.G)
	for k, x := range w {
		if l2 > 0 && !pt.Problem.Free(k) {
			penalty := float64(l2 * pt.Problem.Factor(k))
			value += float64(0.5 * penalty * x * x)
			grad[k] += float64(penalty * x)
		}
	}
	return value
}

// CurvatureBounds returns the most that the smooth part's second derivatives can be: a quarter of Σ m_i x_ij², which is reach², plus C2.
func (p *Problem) CurvatureBounds(reach []float64, c2 float64) []float64 {
	out, total := make([]float64, p.Width()), p.Total()
	for k := range out {
		out[k] = total / 4
		if j := k / p.Blocks; j < len(reach) {
			out[k] = float64(reach[j] * reach[j])
		}
		if !p.Free(k) {
			out[k] += float64(c2 * p.Factor(k))
		}
		if out[k] == 0 { // a column without entries
			out[k] = 1
		}
	}
	return out
}
