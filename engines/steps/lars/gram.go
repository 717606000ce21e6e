package lars

import (
	"context"

	"tenfold/engines/numeric/dense"
)

// Where rows exceed columns and all entries are stored, the path follows from the Gram matrix G'G: a step costs O(columns · support)
// instead of passes over the rows. Columns are centred and scaled before they are multiplied, since a difference of sums would lose the
// digits of those far from zero. Near-dependent columns need the digits that the products have lost: the path goes on with the columns
// themselves from the first one that enters the support.

// gramColumns is the maximum number of columns: with more, a path of few steps costs less than the matrix, and whether there is one must not
// depend on where the path ends.
const gramColumns = 512

// hasGram reports whether the path of a matrix with all its entries follows from the Gram matrix.
func hasGram(rows, columns int) bool { return columns <= rows && columns <= gramColumns }

// useGram computes the Gram matrix.
func (w *larsPath) useGram(ctx context.Context, workers int) {
	rows, columns := w.g.X.Dims()
	gram := dense.NewTriangle(columns)
	dense.AddGram(ctx, workers, gram, rows, func(i int, room []float64) []float64 {
		x, mean, scale := w.g.X.Row(i).Val, w.g.Mean[:len(room)], w.g.Scale[:len(room)]
		for j, v := range x[:len(room)] {
			room[j] = (v - mean[j]) * scale[j]
		}
		return room
	}, w.g.Weight)
	w.gram, w.y, w.scaled = gram.Square(), append([]float64(nil), w.r...), make([]float64, columns)
}

// leaveGram goes on with the columns.
func (w *larsPath) leaveGram() {
	w.computeCorrelations()
	w.gram, w.y, w.scaled, w.stale = nil, nil, nil, true
}

// updateResidual computes r, and nothing where steps keep it up. O(nnz).
func (w *larsPath) updateResidual() {
	if w.gram == nil {
		return
	}
	offset := 0.0
	for j, b := range w.beta {
		w.scaled[j] = w.g.Scale[j] * b
		offset += float64(w.scaled[j] * w.g.Mean[j])
	}
	w.g.X.DotRows(w.r, 0, w.scaled)
	for i, fitted := range w.r {
		w.r[i] = w.y[i] - (fitted - offset)
	}
}

// fallByGram sets fall = G'G·w.
func (w *larsPath) fallByGram() {
	clear(w.fall)
	k := 0
	for ; k+4 <= len(w.support); k += 4 {
		j := w.support[k:][:4]
		dense.AddCombination(w.fall, w.gram[j[0]], w.gram[j[1]], w.gram[j[2]], w.gram[j[3]], (*[4]float64)(w.weight[k:]))
	}
	for ; k < len(w.support); k++ {
		dense.AddTo(w.fall, w.gram[w.support[k]], w.weight[k])
	}
}
