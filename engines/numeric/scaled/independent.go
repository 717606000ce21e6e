package scaled

import (
	"math"

	"tenfold/engines/numeric/dense"
)

// Independent holds columns that are linearly independent of each other and of the column of ones.
type Independent struct {
	Columns []int32
	Factor  dense.Triangle // Cholesky factor of the inner products of the columns, centred and scaled as in g
}

// Add adds column j of g, and reports true, unless it is a linear combination of those before and of ones. O(columns · rows).
func (u *Independent) Add(g *Matrix, j int) bool {
	rows, _ := g.X.Dims()
	column := make([]float64, rows) // m·G_j
	for i := range column {
		column[i] = -float64(g.RowWeight(i) * g.Mean[j] * g.Scale[j])
	}
	x := g.X.Col(j)
	for k, i := range x.Idx {
		column[i] += float64(g.RowWeight(int(i)) * x.At(k) * g.Scale[j])
	}
	row, rest := make([]float64, len(u.Columns)+1), g.Norm2[j]
	for k, other := range u.Columns {
		l, sum := u.Factor.Row(k), g.Scale[other]*g.X.Col(int(other)).Dot4(column)
		for q, v := range l[:k] {
			sum -= float64(v * row[q])
		}
		row[k] = sum / l[k]
		rest -= float64(row[k] * row[k])
	}
	if rest <= 1e-10*g.Norm2[j] {
		return false
	}
	row[len(u.Columns)] = math.Sqrt(rest)
	u.Factor, u.Columns = append(u.Factor, row...), append(u.Columns, int32(j))
	return true
}
