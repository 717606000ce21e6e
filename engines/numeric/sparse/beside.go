package sparse

// Beside returns the matrix with further columns appended after its own. The rows of each may be in any order. The result is binary
// if the matrix and all the columns are. O(entries of both).
func (m *Matrix) Beside(columns []Vec) *Matrix {
	rows := len(m.start)
	ptr, binary := make([]int, rows+1), m.Binary()
	for i, a := range m.start {
		ptr[i+1] = m.end[i] - a
	}
	for _, c := range columns {
		binary = binary && c.Val == nil
		for _, i := range c.Idx {
			ptr[i+1]++
		}
	}
	for i := range rows {
		ptr[i+1] += ptr[i]
	}
	idx := m.Int32s(ptr[rows])
	var val []float64
	if !binary {
		val = m.Float64s(ptr[rows])
	}
	next := make([]int, rows) // place of the next entry, by row
	put := func(i int, j int32, v float64) {
		if idx[next[i]] = j; val != nil {
			val[next[i]] = v
		}
		next[i]++
	}
	for i := range rows {
		next[i] = ptr[i]
		row := m.Row(i)
		for q, j := range row.Idx {
			put(i, j, row.At(q))
		}
	}
	for k, c := range columns {
		for q, i := range c.Idx {
			put(int(i), int32(m.cols+k), c.At(q))
		}
	}
	out := New(m.cols+len(columns), ptr, idx, val)
	out.scratch = m.scratch
	return out
}
