package growing

import (
	"slices"

	"tenfold/engines/numeric/elementary"
)

// Triangle is a least squares problem in its triangular form: minimise ‖R·β − e‖² + rss. A column is removed by Givens rotations
// (Golub & Van Loan, Matrix Computations, 4th ed., 6.5.2), which never read the rows of the data.
type Triangle struct {
	Columns []int32
	r       [][]float64 // by column, k+1 entries in column k
	e       []float64
	RSS     float64
}

// Triangle returns a copy of the problem of one response on its columns.
func (g *LeastSquares) Triangle(task int) *Triangle {
	u := g.Responses[task]
	tri := &Triangle{Columns: slices.Clone(u.Basis.columns), e: slices.Clone(u.along), RSS: u.RSS}
	for _, col := range u.Basis.r {
		tri.r = append(tri.r, slices.Clone(col))
	}
	return tri
}

// RSSIncrease returns by how much the residual sum of squares rises without column k: β_k²/[(RᵀR)⁻¹]_kk, where the denominator is the
// square of row k of R⁻¹. O(s²).
func (t *Triangle) RSSIncrease(k int) float64 {
	// Row k of R⁻¹ solves vᵀR = e_kᵀ, and β_k = v·e.
	s := len(t.Columns)
	v := make([]float64, s)
	beta, square := 0.0, 0.0
	for c := k; c < s; c++ {
		x := 0.0
		if c == k {
			x = 1
		}
		for i := k; i < c; i++ {
			x -= float64(v[i] * t.r[c][i])
		}
		v[c] = x / t.r[c][c]
		beta += float64(v[c] * t.e[c])
		square += float64(v[c] * v[c])
	}
	return beta * beta / square
}

// Remove takes out column k. O(s²).
func (t *Triangle) Remove(k int) {
	t.Columns, t.r = slices.Delete(t.Columns, k, k+1), slices.Delete(t.r, k, k+1)
	last := len(t.Columns)
	for i := k; i < last; i++ { // column i reaches down to row i+1
		a, b := t.r[i][i], t.r[i][i+1]
		norm := elementary.Hypot(a, b)
		c, s := a/norm, b/norm
		for q := i; q < last; q++ {
			t.r[q][i], t.r[q][i+1] = float64(c*t.r[q][i])+float64(s*t.r[q][i+1]), float64(c*t.r[q][i+1])-float64(s*t.r[q][i])
		}
		t.e[i], t.e[i+1] = float64(c*t.e[i])+float64(s*t.e[i+1]), float64(c*t.e[i+1])-float64(s*t.e[i])
		t.r[i] = t.r[i][:i+1]
	}
	t.RSS += float64(t.e[last] * t.e[last])
	t.e = t.e[:last]
}
