package dense

import (
	"math"
	"slices"

	"tenfold/engines/numeric/elementary"
)

// Cholesky holds the triangle R of a positive definite matrix, R'R, whose rows and columns come and go: of products of columns, which
// need not be read again. The zero value is that of no columns. Not safe for several goroutines.
type Cholesky struct {
	r         [][]float64 // by column, k+1 entries in column k
	cos, sine []float64   // scratch of Remove
}

// Len returns the number of columns.
func (f *Cholesky) Len() int { return len(f.r) }

// SolveTransposed solves R'l = v. O(s²).
func (f *Cholesky) SolveTransposed(v []float64) []float64 {
	l := slices.Clone(v)
	f.SolveTransposedFrom(l, v, 0)
	return l
}

// SolveTransposedFrom sets l to the solution of R'l = v where its entries before the first are known.
func (f *Cholesky) SolveTransposedFrom(l, v []float64, first int) {
	for k := first; k < len(f.r); k++ {
		col := f.r[k]
		l[k] = (v[k] - Dot(col[:k], l)) / col[k]
	}
}

// SolveUpper solves R·v = l, in place, two columns at a time. O(s²).
func (f *Cholesky) SolveUpper(l []float64) []float64 {
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

// Solve solves R'R·w = v.
func (f *Cholesky) Solve(v []float64) []float64 { return f.SolveUpper(f.SolveTransposed(v)) }

// Append appends a column: its products with the columns of R, as SolveTransposed returns them, and the square of what it has outside
// these, above 0.
func (f *Cholesky) Append(l []float64, outside float64) {
	f.r = append(f.r, append(l, math.Sqrt(outside)))
}

// Remove removes column k by Givens rotations (Golub & Van Loan, Matrix Computations, 4th ed., 6.5.2), column by column. O(s²).
func (f *Cholesky) Remove(k int) {
	f.r = slices.Delete(f.r, k, k+1)
	f.cos, f.sine = f.cos[:0], f.sine[:0]
	for q := k; q < len(f.r); q++ { // column q reaches down to row q+1
		col := f.r[q]
		above, cos := col[k:q+1], f.cos
		sine := f.sine[:len(cos)]
		for i, c := range cos {
			a, b, s := above[i], col[k+i+1], sine[i]
			above[i], col[k+i+1] = float64(c*a)+float64(s*b), float64(c*b)-float64(s*a)
		}
		a, b := col[q], col[q+1]
		norm := elementary.Hypot(a, b)
		c, s := a/norm, b/norm
		f.cos, f.sine = append(f.cos, c), append(f.sine, s)
		col[q] = float64(c*a) + float64(s*b)
		f.r[q] = col[:q+1]
	}
}
