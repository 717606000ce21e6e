package lars

import "tenfold/engines/core/sparse"

// design is G, the columns centred and scaled, without storing them. Inner products are Σ m_i·a_i·b_i, with the
// multiplicities m of the rows.
type design struct{ *sparse.Scaled }

// addCombination adds Σ weight_k·G_k to dst. O(entries of the columns + rows).
func (g design) addCombination(dst []float64, columns []int32, weight []float64) {
	shift := 0.0
	for k, j := range columns {
		a := weight[k] * g.Scale[j]
		g.X.Col(int(j)).AddTo(dst, a)
		shift += float64(a * g.Mean[j])
	}
	for i := range dst {
		dst[i] -= shift
	}
}

// applyWeights sets dst to m∘v, and sums it.
func (g design) applyWeights(dst, v []float64) (weighed []float64, sum float64) {
	for i, x := range v {
		dst[i] = float64(g.RowWeight(i) * x)
		sum += dst[i]
	}
	return dst, sum
}

// innerProduct is G_j'v, of a vector after applyWeights.
func (g design) innerProduct(j int32, weighed []float64, sum float64) float64 {
	return g.Scale[j] * (g.X.Col(int(j)).Dot4(weighed) - float64(g.Mean[j]*sum))
}

// dot is a'b.
func (g design) dot(a, b []float64) float64 {
	s := 0.0
	for i, x := range a {
		s += float64(g.RowWeight(i) * float64(x*b[i]))
	}
	return s
}

// innerProducts sets dst = G'v, of a vector after applyWeights, row by row: they are read in the order in which they lie in memory,
// and dst is mostly small beside them. O(nnz + columns).
func (g design) innerProducts(dst, weighed []float64, sum float64) {
	g.X.MulTVec(dst, weighed)
	for j, v := range dst {
		dst[j] = g.Scale[j] * (v - float64(g.Mean[j]*sum))
	}
}
