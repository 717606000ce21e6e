package lars

import (
	"math"
	"slices"

	"tenfold/engines/elementary"
)

// factor is the triangle R of a Gram matrix, R'R = G_S'G_S, whose columns come and go. It never looks at a row of the data.
type factor struct {
	r [][]float64 // by column, k+1 entries in column k
}

// under solves R'l = v. O(s²).
func (f *factor) under(v []float64) []float64 {
	l := slices.Clone(v)
	for k, col := range f.r {
		for i := range k {
			l[k] -= float64(col[i] * l[i])
		}
		l[k] /= col[k]
	}
	return l
}

// over solves R·v = l, in place. O(s²).
func (f *factor) over(l []float64) []float64 {
	for k := len(f.r) - 1; k >= 0; k-- {
		col := f.r[k]
		l[k] /= col[k]
		for i := range k {
			l[i] -= float64(col[i] * l[k])
		}
	}
	return l
}

// solve R'R·w = v.
func (f *factor) solve(v []float64) []float64 { return f.over(f.under(v)) }

// push a column: its products with those in the factor, as under has solved them, and the square of what it has outside.
func (f *factor) push(l []float64, outside float64) {
	f.r = append(f.r, append(l, math.Sqrt(outside)))
}

// remove column k by Givens rotations (Golub & Van Loan, Matrix Computations, 4th ed., 6.5.2). O(s²).
func (f *factor) remove(k int) {
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
