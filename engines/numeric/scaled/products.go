package scaled

import "tenfold/engines/numeric/dense"

// Products of the columns of G with vectors of rows. Inner products are Σ m_i·a_i·b_i, with the multiplicities m of the rows: the
// one of G_j with v is G_j'w, w = m∘v, which is γ_j·(x_j'w − μ_j·Σw).

// Inner returns the inner product of two vectors of rows, summed in order.
func (g *Matrix) Inner(a, b []float64) float64 {
	if g.Weight == nil {
		return dense.DotInOrder(a, b)
	}
	s := 0.0
	for i, x := range a {
		s += float64(g.Weight[i] * float64(x*b[i]))
	}
	return s
}

// Weighted sets dst to m∘v, and returns its sum.
func (g *Matrix) Weighted(dst, v []float64) (sum float64) {
	for i, x := range v {
		dst[i] = float64(g.RowWeight(i) * x)
		sum += dst[i]
	}
	return sum
}

// Product returns G_j'w, given x_j'w and Σw.
func (g *Matrix) Product(j int, dot, sum float64) float64 {
	return float64(g.Scale[j] * (dot - float64(g.Mean[j]*sum)))
}

// DotColumn returns G_j'w, where w sums to sum. O(entries of the column).
func (g *Matrix) DotColumn(j int32, w []float64, sum float64) float64 {
	return g.Product(int(j), g.X.Col(int(j)).Dot4(w), sum)
}

// DotColumns sets dst[k] to DotColumn of columns[k]. O(entries of the columns).
func (g *Matrix) DotColumns(dst []float64, columns []int32, w []float64, sum float64) {
	g.X.DotColumns(dst, columns, w)
	for k, j := range columns {
		dst[k] = g.Product(int(j), dst[k], sum)
	}
}

// MulTVec sets dst = G'w, where w sums to sum, row by row: in the order of memory, with a dst that is mostly small beside the
// matrix. O(nnz + columns).
func (g *Matrix) MulTVec(dst, w []float64, sum float64) {
	g.X.MulTVec(dst, w)
	for j, dot := range dst {
		dst[j] = g.Product(j, dot, sum)
	}
}

// AddColumns adds Σ_k by[k]·G_k, over the columns, to dst. O(entries of the columns + rows).
func (g *Matrix) AddColumns(dst []float64, columns []int32, by []float64) {
	offset := 0.0
	for k, j := range columns {
		if a := g.Scale[j] * by[k]; a != 0 {
			g.X.Col(int(j)).AddTo(dst, a)
			offset += float64(a * g.Mean[j])
		}
	}
	for i := range dst {
		dst[i] -= offset
	}
}
