package lars

import (
	"math"
	"slices"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
)

// gramFactor is the triangle R of a Gram matrix, R'R = G_S'G_S, whose columns come and go. It never looks at a row of the data.
type gramFactor struct {
	r [][]float64 // by column, k+1 entries in column k
}

// solveTransposed solves R'l = v. O(s²).
func (f *gramFactor) solveTransposed(v []float64) []float64 {
	l := slices.Clone(v)
	f.underFrom(l, v, 0)
	return l
}

// underFrom computes under where the entries of l before the first are known.
func (f *gramFactor) underFrom(l, v []float64, first int) {
	for k := first; k < len(f.r); k++ {
		col := f.r[k]
		l[k] = (v[k] - dense.Dot(col[:k], l)) / col[k]
	}
}

// solveUpper solves R·v = l, in place, two columns at a time. O(s²).
func (f *gramFactor) solveUpper(l []float64) []float64 {
	k := len(f.r) - 1
	for ; k > 0; k -= 2 {
		last, before := f.r[k], f.r[k-1]
		l[k] /= last[k]
		l[k-1] -= float64(last[k-1] * l[k])
		l[k-1] /= before[k-1]
		a, b := l[k], l[k-1]
		above := l[:k-1]
		last, before = last[:len(above)], before[:len(above)]
		for i, v := range above {
			v -= float64(last[i] * a)
			above[i] = v - float64(before[i]*b)
		}
	}
	if k == 0 {
		l[0] /= f.r[0][0]
	}
	return l
}

// solve R'R·w = v.
func (f *gramFactor) solve(v []float64) []float64 { return f.solveUpper(f.solveTransposed(v)) }

// appendColumn appends a column: its products with those in the factor, as solveTransposed leaves them, and the square of what it has outside.
func (f *gramFactor) appendColumn(l []float64, outside float64) {
	f.r = append(f.r, append(l, math.Sqrt(outside)))
}

// removeColumn removes column k by Givens rotations (Golub & Van Loan, Matrix Computations, 4th ed., 6.5.2). O(s²).
func (f *gramFactor) removeColumn(k int) {
	f.r = slices.Delete(f.r, k, k+1)
	for i := k; i < len(f.r); i++ { // column i reaches down to row i+1
		a, b := f.r[i][i], f.r[i][i+1]
		norm := elementary.Hypot(a, b)
		c, s := a/norm, b/norm
		for _, col := range f.r[i:] {
			col[i], col[i+1] = float64(c*col[i])+float64(s*col[i+1]), float64(c*col[i+1])-float64(s*col[i])
		}
		f.r[i] = f.r[i][:i+1]
	}
}
