package stagewise

import (
	"context"

	"tenfold/engines/numeric/sparse"
)

// heldOutLikelihood is the log-likelihood of held-out rows, updated after each step.
type heldOutLikelihood struct {
	f             *features
	bias          []float64 // of the training rows' likelihood
	x             *sparse.Matrix
	probabilities classProbabilities
	n             float64 // Σ m
	logLikelihood float64
}

func newHeldOutLikelihood(l *conditionalLikelihood, x *sparse.Matrix, rows classProbabilities) *heldOutLikelihood {
	h := &heldOutLikelihood{f: &l.features, bias: l.intercepts, x: x, probabilities: rows}
	for i := range rows.y {
		h.n += rows.weightOf(i)
	}
	return h
}

func (h *heldOutLikelihood) update(ctx context.Context, k int, by float64) {
	h.logLikelihood += h.probabilities.update(ctx, h.x.Col(int(h.f.column[k])), int(h.f.class[k]), by, nil)
}

func (h *heldOutLikelihood) recompute(ctx context.Context, weights []float64) {
	h.logLikelihood = h.probabilities.recompute(ctx, h.bias, func(to []float64) { h.f.addScores(to, h.probabilities.classes, weights, h.x.Col) })
}

// loss is the mean negative log-likelihood of a row.
func (h *heldOutLikelihood) loss() float64 { return -h.logLikelihood / h.n }
