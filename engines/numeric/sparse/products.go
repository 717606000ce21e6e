package sparse

// MulVec sets dst = X·w; dst has one entry a row, w one a column.
func (m *Matrix) MulVec(dst, w []float64) {
	for i := range dst {
		dst[i] = m.Row(i).Dot(w)
	}
}

// MulTVec sets dst = Xᵀ·r; dst has one entry a column, r one a row. Each sum runs in order of row.
func (m *Matrix) MulTVec(dst, r []float64) {
	clear(dst)
	m.AddRows(dst, 0, r)
}

// DotRows sets dst[k] = x_i·w for the rows i = first + k. Ones are added up in four alternating sums, which a processor computes in
// parallel.
func (m *Matrix) DotRows(dst []float64, first int, w []float64) {
	if m.val != nil {
		for k := range dst {
			dst[k] = m.Row(first + k).Dot(w)
		}
		return
	}
	start, end, idx := m.start[first:], m.end[first:], m.idx
	for k := range dst {
		var a, b, c, d float64
		row := idx[start[k]:end[k]]
		for ; len(row) >= 4; row = row[4:] {
			a += w[row[0]]
			b += w[row[1]]
			c += w[row[2]]
			d += w[row[3]]
		}
		for _, j := range row {
			a += w[j]
		}
		dst[k] = (a + b) + (c + d)
	}
}

// AddRows adds e[k]·x_i to dst for the rows i = first + k, in order of row. Ones are taken four at a time, which halves the loop
// overhead.
func (m *Matrix) AddRows(dst []float64, first int, e []float64) {
	if m.val != nil {
		for k, v := range e {
			m.Row(first+k).AddTo(dst, v)
		}
		return
	}
	start, end, idx := m.start[first:], m.end[first:], m.idx
	for k, v := range e {
		row := idx[start[k]:end[k]]
		for ; len(row) >= 4; row = row[4:] {
			dst[row[0]] += v
			dst[row[1]] += v
			dst[row[2]] += v
			dst[row[3]] += v
		}
		for _, j := range row {
			dst[j] += v
		}
	}
}
