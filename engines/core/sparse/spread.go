package sparse

// Spread is the columns scaled, but not centred: X·D(γ), with a value for every entry of X. O(nnz).
func (g *Scaled) Spread() *Matrix {
	x := g.X
	rows, cols := x.Dims()
	ptr, idx, val := make([]int, 1, rows+1), make([]int32, 0, x.NNZ()), make([]float64, 0, x.NNZ())
	for i := range rows {
		row := x.Row(i)
		for k, j := range row.Idx {
			idx, val = append(idx, j), append(val, float64(row.At(k)*g.Scale[j]))
		}
		ptr = append(ptr, len(idx))
	}
	return New(cols, ptr, idx, val)
}
