package sparse

// Matrices that store all their cells, such as measurements: columns need no indices of their own, and kernels can process several
// of them at once. Sums have the same bits as by row.

// IsFull reports whether the matrix stores values, and every cell is one of them.
func (m *Matrix) IsFull() bool {
	return m.val != nil && m.entries > 0 && m.entries == len(m.start)*m.cols
}

// FullRows returns the rows from first up to last of a matrix with all its entries: the entries of row first + k are those of values
// from start[k] on. Both are shared with the matrix.
func (m *Matrix) FullRows(first, last int) (values []float64, start []int) {
	return m.val, m.start[first:last]
}

// Fills reports whether Filled stores all cells of a matrix: at least a quarter of them are entries, or three quarters if there are
// more than fillMost cells. It never does for ones, whose sums are exact.
func Fills(rows, columns, entries int, ones bool) bool {
	cells := rows * columns
	return !ones && entries > 0 && (4*entries >= 3*cells || 4*entries >= cells && cells <= fillMost)
}

// fillMost is the maximum number of cells that Filled stores if most of them may be zeros.
const fillMost = 1 << 26

// Filled returns the matrix with its zeros stored, unless these are too many (Fills): kernels for full matrices take half the time
// or less. Other matrices are returned as they are. O(cells), 12 bytes each.
func (m *Matrix) Filled() *Matrix {
	if m.IsFull() || !m.fills() {
		return m
	}
	rows := len(m.start)
	ptr, idx, val := make([]int, rows+1), m.Int32s(rows*m.cols), m.Float64s(rows*m.cols)
	for i := range rows {
		from, to := i*m.cols, (i+1)*m.cols
		for j := range m.cols {
			idx[from+j] = int32(j)
		}
		m.Row(i).AddTo(val[from:to], 1)
		ptr[i+1] = to
	}
	out := New(m.cols, ptr, idx, val)
	out.scratch = m.scratch
	return out
}

func (m *Matrix) fills() bool { return Fills(len(m.start), m.cols, m.entries, m.Binary()) }

// FilledOf returns m.Filled(), where m holds the rows of all at the given places. If both are filled, it shares the rows and the columns
// of all.
func (m *Matrix) FilledOf(all *Matrix, places []int32) *Matrix {
	if m.fills() && all.IsFull() {
		return all.Subsample(places)
	}
	return m.Filled()
}

// hasFullColumns reports whether every cell is stored, and columns are laid out.
func (m *Matrix) hasFullColumns() bool { return m.laidOut.Load() && m.cptr == nil }

// fullColumn returns the values of column j, by row.
func (m *Matrix) fullColumn(j int) []float64 {
	n := len(m.cidx)
	return m.cval[j*n : (j+1)*n : (j+1)*n]
}

// makeFullColumns allocates columns with all their entries.
func (m *Matrix) makeFullColumns() {
	m.cidx, m.cval = make([]int32, len(m.start)), make([]float64, m.entries)
	for i := range m.cidx {
		m.cidx[i] = int32(i)
	}
}

// transpose lays out the columns of a matrix with all its entries. It takes eight rows at a time, which fill a cache line of each
// column.
func (m *Matrix) transpose() {
	rows := len(m.start)
	m.makeFullColumns()
	row := func(i int) []float64 { return m.val[m.start[i]:][:m.cols] }
	i := 0
	for ; i+8 <= rows; i += 8 {
		a, b, c, d, e, f, g, h := row(i), row(i+1), row(i+2), row(i+3), row(i+4), row(i+5), row(i+6), row(i+7)
		b, c, d, e, f, g, h = b[:len(a)], c[:len(a)], d[:len(a)], e[:len(a)], f[:len(a)], g[:len(a)], h[:len(a)]
		offset := i
		for j, v := range a {
			to := m.cval[offset:][:8]
			to[0], to[1], to[2], to[3], to[4], to[5], to[6], to[7] = v, b[j], c[j], d[j], e[j], f[j], g[j], h[j]
			offset += rows
		}
	}
	for ; i < rows; i++ {
		offset := i
		for _, v := range row(i) {
			m.cval[offset] = v
			offset += rows
		}
	}
}

// Subsample returns the matrix of the given rows, rising, like Pick, for one of many subsamples of the same matrix. If every cell
// is stored, it shares the matrix's rows; its columns, once asked for, are gathered from those of the matrix, in a third of the
// time of laying them out, with their moments computed on the way.
func (m *Matrix) Subsample(rows []int32) *Matrix {
	if !m.IsFull() || m.scratch != nil {
		return m.Pick(rows)
	}
	start, end := make([]int, len(rows)), make([]int, len(rows))
	for k, i := range rows {
		start[k], end[k] = m.start[i], m.end[i]
	}
	out := m.sharedRows(start, end)
	out.parent, out.parentRows = m, rows
	return out
}

// gatherColumns lays out the columns of a subsample, from those of the matrix that it was taken from.
func (m *Matrix) gatherColumns() {
	m.parent.Col(0)
	m.makeFullColumns()
	ones, n := onesFor(len(m.parentRows)), float64(len(m.parentRows))
	m.moments = newMoments(m.cols)
	for j := 0; j < m.cols; j += 2 {
		k := min(j+1, m.cols-1)
		gather(m.fullColumn(j), m.parent.fullColumn(j), m.parentRows)
		gather(m.fullColumn(k), m.parent.fullColumn(k), m.parentRows)
		m.moments.add(j, k, ones, n, m.fullColumn(j), m.fullColumn(k))
	}
}

func gather(dst, from []float64, rows []int32) {
	dst = dst[:len(rows)]
	for k, i := range rows {
		dst[k] = from[i]
	}
}

func onesFor(n int) []float64 {
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	return ones
}

// moments holds, by column, the mean and the sums of squares about the mean and about 0.
type moments struct{ mean, centred, raw []float64 }

func newMoments(columns int) *moments {
	return &moments{make([]float64, columns), make([]float64, columns), make([]float64, columns)}
}

// FullMoments returns the mean of each column, and the sums of squares about it and about 0, with row weights that sum to n; nil
// weights are 1 each. It reports false unless every cell is stored, and columns are laid out or those of a subsample. The arrays are
// shared with the matrix. O(cells), or nothing in a subsample without weights, whose moments are known.
func (m *Matrix) FullMoments(weight []float64, n float64) (mean, centred, raw []float64, ok bool) {
	if m.parent != nil { // Col computes the moments of a subsample, which are then shared
		m.Col(0)
	}
	if !m.hasFullColumns() {
		return nil, nil, nil, false
	}
	known := m.moments
	switch {
	case weight != nil:
		known = fullMoments(m, weight, n)
	case known == nil:
		known = fullMoments(m, onesFor(len(m.start)), n)
	}
	return known.mean, known.centred, known.raw, true
}

// fullMoments computes the moments of columns that are laid out, with row weights that sum to n.
func fullMoments(x *Matrix, weight []float64, n float64) *moments {
	s := newMoments(x.cols)
	for j := 0; j < x.cols; j += 2 {
		k := min(j+1, x.cols-1)
		s.add(j, k, weight, n, x.fullColumn(j), x.fullColumn(k))
	}
	return s
}

// add computes the moments of columns j and k together, so that a processor works on their sums at the same time.
func (s *moments) add(j, k int, weight []float64, n float64, a, b []float64) {
	a, b = a[:len(weight)], b[:len(weight)]
	var sumA, sumB, rawA, rawB, centredA, centredB float64
	for i, m := range weight {
		sumA += float64(m * a[i])
		sumB += float64(m * b[i])
	}
	meanA, meanB := sumA/n, sumB/n
	for i, m := range weight {
		x, y := a[i], b[i]
		rawA += float64(m * float64(x*x))
		rawB += float64(m * float64(y*y))
		x, y = x-meanA, y-meanB
		centredA += float64(m * float64(x*x))
		centredB += float64(m * float64(y*y))
	}
	s.mean[j], s.mean[k], s.raw[j], s.raw[k], s.centred[j], s.centred[k] = meanA, meanB, rawA, rawB, centredA, centredB
}
