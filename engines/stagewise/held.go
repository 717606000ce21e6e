package stagewise

import (
	"context"

	"tenfold/engines/sparse"
)

// held is the log-likelihood of rows that the weights were not learned from, followed from step to step.
type held struct {
	f     *features
	bias  []float64 // of the training rows' likelihood
	x     *sparse.Matrix
	rows  outcomes
	n     float64 // Σ m
	level float64
}

func newHeld(l *conditional, x *sparse.Matrix, rows outcomes) *held {
	h := &held{f: &l.features, bias: l.bias, x: x, rows: rows}
	for i := range rows.y {
		h.n += rows.m(i)
	}
	return h
}

func (h *held) move(ctx context.Context, k int, by float64) {
	h.level += h.rows.move(ctx, h.x.Col(int(h.f.column[k])), int(h.f.class[k]), by, nil)
}

func (h *held) restart(ctx context.Context, weights []float64) {
	h.level = h.rows.restart(ctx, h.bias, func(to []float64) { h.f.addScores(to, h.rows.classes, weights, h.x.Col) })
}

// loss is the mean negative log-likelihood of a row.
func (h *held) loss() float64 { return -h.level / h.n }
