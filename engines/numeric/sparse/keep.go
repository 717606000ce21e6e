package sparse

import "slices"

// Keep returns a copy with only the given columns, rising, which are renumbered from 0. O(nnz + columns of m), or less where rows are much
// longer than the list.
func (m *Matrix) Keep(columns []int32) *Matrix {
	if rows := len(m.start); rows > 0 && 8*len(columns) < m.entries/rows {
		return m.keepFew(columns)
	}
	to := slices.Repeat([]int32{-1}, m.cols)
	for k, j := range columns {
		to[j] = int32(k)
	}
	return m.Place(len(columns), to, to)
}

// keepFew does what Keep does, for rows with many more entries than columns are kept: it looks for each column where a row without gaps has it, and then
// by halving. O(rows · columns · log entries of a row), without the logarithm in rows without gaps.
func (m *Matrix) keepFew(columns []int32) *Matrix {
	ptr := make([]int, len(m.start)+1)
	idx := m.Int32s(min(len(m.start)*len(columns), m.entries))
	var val []float64
	if m.val != nil {
		val = m.Float64s(len(idx))
	}
	stored := 0
	for i, first := range m.start {
		ptr[i] = stored
		row := m.idx[first:m.end[i]]
		for k, j := range columns {
			q, found := int(j), int(j) < len(row) && row[j] == j
			if !found {
				if q, found = slices.BinarySearch(row, j); !found {
					continue
				}
			}
			if idx[stored] = int32(k); val != nil {
				val[stored] = m.val[first+q]
			}
			stored++
		}
	}
	ptr[len(m.start)] = stored
	if idx = idx[:stored]; val != nil {
		val = val[:stored]
	}
	out := New(len(columns), ptr, idx, val)
	out.scratch = m.scratch
	return out
}
