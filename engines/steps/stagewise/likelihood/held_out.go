package likelihood

import (
	"context"

	"tenfold/engines/numeric/sparse"
)

// HeldOut is the log-likelihood of held-out rows, updated after each step.
type HeldOut struct {
	f             *Features
	bias          []float64 // of the training rows' likelihood
	x             *sparse.Matrix
	probabilities ClassProbabilities
	n             float64 // Σ m
	logLikelihood float64
}

// NewHeldOut returns the likelihood of the held-out rows x under l's weights; rows has their classes. It is invalid until it is recomputed.
func NewHeldOut(l *Conditional, x *sparse.Matrix, rows ClassProbabilities) *HeldOut {
	h := &HeldOut{f: &l.Features, bias: l.Intercepts, x: x, probabilities: rows}
	for i := range rows.Y {
		h.n += rows.weightOf(i)
	}
	return h
}

// Update adds by to the weight of feature k.
func (h *HeldOut) Update(ctx context.Context, k int, by float64) {
	h.logLikelihood += h.probabilities.update(ctx, h.x.Col(int(h.f.Column[k])), int(h.f.Class[k]), by, nil)
}

// Recompute computes the probabilities from the weights.
func (h *HeldOut) Recompute(ctx context.Context, weights []float64) {
	h.logLikelihood = h.probabilities.recompute(ctx, h.bias, func(to []float64) { h.f.addScores(to, h.probabilities.Classes, weights, h.x.Col) })
}

// Loss returns the mean negative log-likelihood of a row.
func (h *HeldOut) Loss() float64 { return -h.logLikelihood / h.n }
