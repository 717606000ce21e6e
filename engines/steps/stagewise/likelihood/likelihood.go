// Package likelihood holds the log-likelihoods that forward stagewise ascent increases (Hooker & Weng 2004, section 8): their partial
// derivatives, kept exact as one weight after the other moves. Expfam is the exponential family over rows, Logistic two classes,
// Conditional any number of them; gradient.go holds the derivatives of all, class_probabilities.go and tilt.go the probabilities of
// rows, held_out.go those of rows held out, pairs.go the pairs of a column and a class.
//
// It decides on no step. Begin with Likelihood.
package likelihood

import (
	"context"

	"tenfold/engines/steps/stagewise/lookup"
)

// Likelihood is the log-likelihood L of the training rows at the present weights λ. Its values are partial derivatives
// c_k = γ_k·∂L/∂λ_k.
type Likelihood interface {
	lookup.Affine
	// GradientState returns the partial derivatives.
	GradientState() *Gradient
	// Intercept returns the present intercept; 0 if there is none.
	Intercept() float64
	// Update adds h to λ_k and returns the increase of L. After ctx is cancelled the state is invalid.
	Update(ctx context.Context, k int, h float64) (increase float64)
	// Increase is what Update would return, without the step.
	Increase(k int, h float64) float64
	// NeedsRecompute asks for a recompute before the regular one.
	NeedsRecompute() bool
	// Recompute computes everything from the weights, and returns L and the largest change of a partial derivative.
	Recompute(ctx context.Context, weights []float64) (logLikelihood, drift float64)
}
