package aso

import (
	"context"
	"math"

	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/scaled"
)

// design is the training rows, their columns centred and scaled, in coordinates in which predictors have the norm and inner
// products that they have by column.
type design interface {
	size() int
	scores(dst, u []float64)                     // of all rows
	slopes(dst, by []float64)                    // by coordinates, for slopes by scores
	raw(u []float64) (w []float64, bias float64) // on the data's scale
}

// mostReduced is how many rows are reduced at most: it takes as many squared numbers.
const mostReduced = 4000

func newDesign(ctx context.Context, v *data.View, standardize bool) (design, error) {
	scale := "none"
	if standardize {
		scale = "sd"
	}
	g, err := scaled.StandardizeFar(ctx, v.Matrix(), v.Weights(), scale)
	if err != nil {
		return nil, err
	}
	if v.Len() < v.Columns() && v.Len() <= mostReduced {
		return reduce(ctx, g)
	}
	return columns{g}, nil
}

// columns are coordinates: one each.
type columns struct{ *scaled.Matrix }

func (c columns) size() int { return len(c.Scale) }

func (c columns) scores(dst, u []float64) {
	w, bias := c.onRows(u)
	c.X.MulVec(dst, w)
	for i := range dst {
		dst[i] += bias
	}
}

func (c columns) slopes(dst, by []float64) {
	sum := dense.Sum(by)
	c.MulTVec(dst, by, sum)
}

// onRows returns the predictor on the scale of X, which raw is on that of the data.
func (c columns) onRows(u []float64) (w []float64, bias float64) {
	w = make([]float64, len(u))
	for j, v := range u {
		w[j] = c.Scale[j] * v
		bias -= float64(w[j] * c.Mean[j])
	}
	return w, bias
}

func (c columns) raw(u []float64) (w []float64, bias float64) {
	w, bias = c.onRows(u)
	for j, shift := range c.Shift {
		bias -= float64(w[j] * shift)
	}
	return w, bias
}

// reduced are coordinates in the space that the rows span: all predictors and Θ lie in it, since nothing outside lowers a loss.
// The rows' inner products are L·L' (Cholesky's factor with pivots), so that row i is the i-th of L in these coordinates, and
// as the pivots' rows are L_p·Q, with Q of orthonormal rows, a predictor u is Q'u by column, with Q = L_p⁻¹·X̃_p.
type reduced struct {
	columns
	l      [][]float64 // by row
	pivots []int32
}

// reduce takes O(rows · entries + rows³).
func reduce(ctx context.Context, g *scaled.Matrix) (*reduced, error) {
	n, cols := g.X.Dims()
	r := &reduced{columns: columns{g}, l: make([][]float64, n)}
	left, z := make([]float64, n), make([]float64, cols) // left is what the pivots do not explain of each row's square
	for i := range n {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		r.row(i, z)
		left[i] = dense.DotInOrder(z, z)
		r.l[i] = make([]float64, 0, n)
	}
	most := 0.0
	for _, v := range left {
		most = max(most, v)
	}
	for range n {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		pivot := 0
		for i, v := range left {
			if v > left[pivot]*(1+1e-9) {
				pivot = i
			}
		}
		if !(left[pivot] > 1e-10*most) {
			break
		}
		r.row(pivot, z)
		raw, bias := r.onRows(z)
		root, k := math.Sqrt(left[pivot]), len(r.pivots)
		for i := range n {
			product := g.X.Row(i).Dot(raw) + bias
			value := (product - dense.DotInOrder(r.l[pivot][:k], r.l[i][:k])) / root
			switch {
			case i == pivot:
				value = root
			case left[i] == 0: // a pivot before
				value = 0
			}
			r.l[i] = append(r.l[i], value)
			if left[i] = max(0, left[i]-float64(value*value)); i == pivot {
				left[i] = 0
			}
		}
		r.pivots = append(r.pivots, int32(pivot))
	}
	return r, nil
}

// row fills z with row i, centred and scaled, by column.
func (r *reduced) row(i int, z []float64) {
	for j := range z {
		z[j] = -r.Scale[j] * r.Mean[j]
	}
	row := r.X.Row(i)
	for k, j := range row.Idx {
		z[j] += float64(r.Scale[j] * row.At(k))
	}
}

func (r *reduced) size() int { return len(r.pivots) }

func (r *reduced) scores(dst, u []float64) {
	for i, row := range r.l {
		dst[i] = dense.DotInOrder(row, u)
	}
}

func (r *reduced) slopes(dst, by []float64) {
	clear(dst)
	for i, row := range r.l {
		for k, v := range row {
			dst[k] += float64(by[i] * v)
		}
	}
}

// raw solves L_p'·a = u; the predictor is Σ a·x̃ over the pivots. O(pivots² + entries of their rows + columns).
func (r *reduced) raw(u []float64) (w []float64, bias float64) {
	a := append([]float64(nil), u...)
	for k := len(a) - 1; k >= 0; k-- {
		row := r.l[r.pivots[k]]
		a[k] /= row[k]
		for q, v := range row[:k] {
			a[q] -= float64(v * a[k])
		}
	}
	sum, total := make([]float64, len(r.Scale)), 0.0
	for k, pivot := range r.pivots {
		r.X.Row(int(pivot)).AddTo(sum, a[k])
		total += a[k]
	}
	for j, x := range sum {
		sum[j] = r.Product(j, x, total)
	}
	return r.columns.raw(sum)
}
