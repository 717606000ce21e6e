package sparse

import (
	"context"
	"math"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/parallel"
)

// Rotated holds the rows of a matrix in rotated axes, at most as many as rows: an orthogonal rotation of the column space, of which
// only the axes spanned by the rows are kept. A model whose penalty is the sum of the squares of its weights is the same there, and
// every product is cheaper in proportion to the number of columns (Hastie & Tibshirani 2004, Efficient quadratic regularization for
// expression arrays, Biostatistics 5, section 2).
//
// With the pivoted Cholesky factor L of the rows' inner products, largest pivots first, X = L·Qᵀ up to rounding, and L is the
// rotated X.
type Rotated struct {
	X      *Matrix
	pivots []int32 // the rows whose axes come first, in that order
	factor dense.Triangle
}

const (
	turnsPay   = 2     // columns for each row from which a rotation is worth its inner products, which cost as much as rows/2 products with the matrix
	mostTurned = 1000  // maximum number of rows
	rounding   = 1e-14 // share of the largest squared length below which a remaining squared length is nothing but rounding
)

// Rotate rotates a matrix of numbers with at least twice as many columns as rows, at most mostTurned rows, and at least a quarter
// of its cells stored. It returns nil for any other. The error is the cause of ctx's end. O(rows² · columns) time and rows² memory,
// plus rows · columns if entries are missing.
func (m *Matrix) Rotate(ctx context.Context, workers int) (*Rotated, error) {
	rows := len(m.start)
	if m.val == nil || 4*m.entries < rows*m.cols || rows > mostTurned || m.cols < turnsPay*rows {
		return nil, nil
	}
	full, products := make([][]float64, rows), make([][]float64, rows)
	for i := range full {
		if full[i] = m.Row(i).Val; len(full[i]) < m.cols {
			full[i] = m.Row(i).Spread(make([]float64, m.cols))
		}
	}
	for first := 0; first < rows && ctx.Err() == nil; first += 32 {
		parallel.Each(workers, min(32, rows-first), func(k int) {
			row := make([]float64, rows)
			dense.DotEach(first+k+1, full[first+k], func(other int) []float64 { return full[other] }, func(other int, dot float64) { row[other] = dot })
			products[first+k] = row
		})
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	for i, row := range products {
		for k := range i {
			products[k][i] = row[k]
		}
	}
	return rotate(products), nil
}

// rotate constructs one axis for each pivot, which is the row with the largest length left after projection on the axes before,
// until only rounding is left. O(rows³ / 3).
func rotate(products [][]float64) *Rotated {
	n := len(products)
	left, taken, axes := make([]float64, n), make([]bool, n), make([][]float64, n) // axes: the coordinates of each row
	largest := 0.0
	for i := range left {
		left[i], axes[i] = products[i][i], make([]float64, 0, n)
		largest = max(largest, left[i])
	}
	r := &Rotated{}
	for range n {
		pivot := -1
		for i, v := range left {
			if !taken[i] && (pivot < 0 || v > left[pivot]) {
				pivot = i
			}
		}
		if pivot < 0 || !(left[pivot] > rounding*largest) {
			break
		}
		length, before := math.Sqrt(left[pivot]), axes[pivot]
		for i := range axes {
			coordinate := 0.0 // 0 for pivots on the axes of later ones
			switch {
			case i == pivot:
				coordinate = length
			case !taken[i]:
				coordinate = (products[pivot][i] - dense.Dot(before, axes[i])) / length
				left[i] -= float64(coordinate * coordinate)
			}
			axes[i] = append(axes[i], coordinate)
		}
		taken[pivot] = true
		r.pivots = append(r.pivots, int32(pivot))
	}
	wide := len(r.pivots)
	ptr, idx, val := make([]int, n+1), make([]int32, 0, n*wide), make([]float64, 0, n*wide)
	for i, row := range axes {
		for j, v := range row {
			idx, val = append(idx, int32(j)), append(val, v)
		}
		ptr[i+1] = len(val)
	}
	if wide == 0 {
		return nil
	}
	r.X = New(wide, ptr, idx, val)
	r.factor = dense.NewTriangle(wide)
	for k, pivot := range r.pivots {
		copy(r.factor.Row(k), axes[pivot])
	}
	return r
}

// Shares returns numbers a by row such that Xᵀ·a are the weights in the columns' own axes, given weights in the rotated axes. Both
// are interleaved: weights[k*blocks+b] belongs to block b. Shares that are nothing but rounding are 0, as for rows on which the
// weights do not depend. O(rows² · blocks).
func (r *Rotated) Shares(weights []float64, blocks int) []float64 {
	shares, one := make([]float64, len(r.X.start)*blocks), make([]float64, len(r.pivots))
	for b := range blocks {
		for k := range one {
			one[k] = weights[k*blocks+b]
		}
		r.factor.SolveUpper(one)
		largest := 0.0
		for _, v := range one {
			largest = max(largest, math.Abs(v))
		}
		for k, pivot := range r.pivots {
			if v := one[k]; math.Abs(v) > 1e-11*largest {
				shares[int(pivot)*blocks+b] = v
			}
		}
	}
	return shares
}
