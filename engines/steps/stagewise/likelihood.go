package stagewise

import (
	"context"
	"tenfold/engines/steps/stagewise/lookup"
)

// likelihood is the log-likelihood L of the training rows at the present weights λ. Its values are partial derivatives
// c_k = γ_k·∂L/∂λ_k.
type likelihood interface {
	lookup.Affine
	gradientState() *gradient
	intercept() float64
	// update adds h to λ_k and returns the increase of L. After ctx is cancelled the state is invalid.
	update(ctx context.Context, k int, h float64) (increase float64)
	// Increase is what update would return, without the step.
	Increase(k int, h float64) float64
	// needsRecompute asks for a recompute before the regular one.
	needsRecompute() bool
	// recompute computes everything from the weights, and returns L and the largest change of a partial derivative.
	recompute(ctx context.Context, weights []float64) (logLikelihood, drift float64)
}
