package sparse

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"tenfold/engines/numeric/elementary"
)

// Matrix is an immutable sparse matrix. Rows are stored; columns are laid out on first use and then kept. It is safe for several
// goroutines.
type Matrix struct {
	cols       int
	start, end []int     // row i is idx[start[i]:end[i]]: rows need not be contiguous
	ptr        []int     // where they are, both in one: row i is idx[ptr[i]:ptr[i+1]]; ptr[0] need not be 0. Else nil
	idx        []int32   // rising within a row
	val        []float64 // parallel to idx; nil if every value is one
	entries    int
	scratch    Scratch // allocates what is made from the matrix; nil for the program's own memory

	once sync.Once
	byCol
	laidOut    atomic.Bool // once is done
	parent     *Matrix     // in a subsample: the matrix it was taken from,
	parentRows []int32     // and which rows of it
	moments    *moments    // of a matrix with all its entries, once they are known; else nil

	gather   sync.Once
	gathered *Matrix // the rows made contiguous, of a matrix whose rows are not
}

// byCol holds the columns. If every column has all its entries, cptr is nil, and cidx holds the rows, shared by all columns.
type byCol struct {
	cptr []int
	cidx []int32
	cval []float64
}

// New wraps compressed rows, without copying: ptr has one entry more than there are rows, idx rises within each row, val is
// parallel to idx, or nil if every value is one. It trusts its arguments: readers use Builder or Check.
func New(cols int, ptr []int, idx []int32, val []float64) *Matrix {
	m := &Matrix{cols: cols, ptr: ptr, idx: idx, val: val}
	if n := len(ptr) - 1; n >= 0 {
		m.start, m.end, m.entries = ptr[:n:n], ptr[1:], ptr[n]-ptr[0]
	}
	return m
}

// Dims returns the number of rows and of columns.
func (m *Matrix) Dims() (rows, cols int) { return len(m.start), m.cols }

// NNZ returns the number of stored entries.
func (m *Matrix) NNZ() int { return m.entries }

// Binary reports whether every stored value is one (and therefore not stored).
func (m *Matrix) Binary() bool { return m.val == nil }

// Row returns row i, shared with the matrix.
func (m *Matrix) Row(i int) Vec { return vecOf(m.idx, m.val, m.start[i], m.end[i]) }

// Col returns column j, shared with the matrix. The first call, from any goroutine, lays out all columns: O(nnz + columns).
func (m *Matrix) Col(j int) Vec {
	m.once.Do(m.layOutColumns)
	if m.cptr == nil {
		n := len(m.cidx)
		return Vec{Idx: m.cidx[:n:n], Val: m.fullColumn(j)}
	}
	return vecOf(m.cidx, m.cval, m.cptr[j], m.cptr[j+1])
}

func vecOf(idx []int32, val []float64, a, b int) Vec {
	if val == nil {
		return Vec{Idx: idx[a:b:b]}
	}
	return Vec{Idx: idx[a:b:b], Val: val[a:b:b]}
}

// Rows returns the storage by row: three arrays, to be read only. It is for kernels that pass over the whole matrix. If the matrix
// shares rows with a larger one, the arrays are a copy, made once; Spans never copies.
func (m *Matrix) Rows() (ptr []int, idx []int32, val []float64) {
	if m.ptr != nil {
		return m.ptr, m.idx, m.val
	}
	m.gather.Do(func() { m.gathered = m.copiedRows(m.start, m.end) })
	return m.gathered.ptr, m.gathered.idx, m.gathered.val
}

// Spans returns the storage by row: row i is idx[start[i]:end[i]], with the values at the same places.
func (m *Matrix) Spans() (start, end []int, idx []int32, val []float64) {
	return m.start, m.end, m.idx, m.val
}

// Range returns the rows from a up to b, sharing storage.
func (m *Matrix) Range(a, b int) *Matrix {
	if m.ptr == nil {
		return m.sharedRows(m.start[a:b:b], m.end[a:b:b])
	}
	out := New(m.cols, m.ptr[a:b+1:b+1], m.idx, m.val)
	out.scratch = m.scratch
	return out
}

const (
	copyMost = 64 << 20 // bytes above which picked rows may be shared instead of copied next to each other
	longRow  = 512      // average row length from which rows are shared, since locality no longer matters
)

// Pick returns the given rows, in that order. A run of consecutive rows is shared, and so are many rows in rising order that are at
// least half of the entries between the first and the last, at 16 bytes a row, and long rows with most of their entries; others are
// copied.
func (m *Matrix) Pick(rows []int32) *Matrix { return m.pickRows(rows, copyMost) }

func (m *Matrix) pickRows(rows []int32, copyMost int) *Matrix {
	if run, ok := consecutive(rows); ok {
		return m.Range(run, run+len(rows))
	}
	start, end, entries := make([]int, len(rows)), make([]int, len(rows)), 0
	for k, i := range rows {
		start[k], end[k] = m.start[i], m.end[i]
		entries += end[k] - start[k]
	}
	last := len(rows) - 1
	long := entries >= len(rows)*max(longRow, m.cols/2)
	if long || entries*m.entryBytes() > copyMost && slices.IsSorted(rows) && 2*entries >= end[last]-start[0] {
		return m.sharedRows(start, end)
	}
	return m.copiedRows(start, end)
}

// entryBytes returns the size of an entry in bytes.
func (m *Matrix) entryBytes() int {
	if m.val == nil {
		return 4
	}
	return 12
}

// sharedRows returns a matrix of the rows idx[start[k]:end[k]], without copying.
func (m *Matrix) sharedRows(start, end []int) *Matrix {
	out := &Matrix{cols: m.cols, start: start, end: end, idx: m.idx, val: m.val, scratch: m.scratch}
	for i, a := range start {
		out.entries += end[i] - a
	}
	return out
}

// copiedRows returns a matrix with a contiguous copy of the rows idx[start[k]:end[k]].
func (m *Matrix) copiedRows(start, end []int) *Matrix {
	ptr := make([]int, len(start)+1)
	for i, a := range start {
		ptr[i+1] = ptr[i] + end[i] - a
	}
	n := ptr[len(start)]
	idx := m.Int32s(n)
	var val []float64
	if m.val != nil {
		val = m.Float64s(n)
	}
	for i, a := range start {
		copy(idx[ptr[i]:], m.idx[a:end[i]])
		if val != nil {
			copy(val[ptr[i]:], m.val[a:end[i]])
		}
	}
	out := New(m.cols, ptr, idx, val)
	out.scratch = m.scratch
	return out
}

func consecutive(rows []int32) (first int, ok bool) {
	for k, i := range rows {
		if i != rows[0]+int32(k) {
			return 0, false
		}
	}
	if len(rows) == 0 {
		return 0, true
	}
	return int(rows[0]), true
}

// Occurring returns the columns that have an entry in any of the given rows, rising. O(entries of the rows + columns).
func (m *Matrix) Occurring(rows []int32) []int32 {
	seen, n := make([]bool, m.cols), 0
	for _, i := range rows {
		for _, j := range m.idx[m.start[i]:m.end[i]] {
			if !seen[j] {
				seen[j] = true
				n++
			}
		}
	}
	columns := make([]int32, 0, n)
	for j, yes := range seen {
		if yes {
			columns = append(columns, int32(j))
		}
	}
	return columns
}

// Place returns a copy of so many columns. An entry of column j stands in column to[j], one without a value (NaN) in column missing[j];
// -1 leaves it out. Of several entries of a row in one column the first stays. O(nnz), with a sort of rows whose order changes.
func (m *Matrix) Place(columns int, to, missing []int32) *Matrix {
	place := func(q int) int32 {
		if m.val != nil && m.val[q] != m.val[q] {
			return missing[m.idx[q]]
		}
		return to[m.idx[q]]
	}
	ptr := make([]int, len(m.start)+1)
	for i, a := range m.start {
		n := 0
		for q := a; q < m.end[i]; q++ {
			if place(q) >= 0 {
				n++
			}
		}
		ptr[i+1] = ptr[i] + n
	}
	idx := m.Int32s(ptr[len(m.start)])
	var val []float64
	if m.val != nil {
		val = m.Float64s(len(idx))
	}
	next := 0
	for i, a := range m.start {
		ptr[i] = next
		last, rises := int32(-1), true
		for q := a; q < m.end[i]; q++ {
			k := place(q)
			if k < 0 {
				continue
			}
			rises, last = rises && k > last, k
			if idx[next] = k; val != nil {
				val[next] = m.val[q]
			}
			next++
		}
		if !rises {
			row := vecOf(idx, val, ptr[i], next)
			row.sort()
			next = ptr[i] + row.compact()
		}
	}
	ptr[len(m.start)] = next
	if idx = idx[:next]; val != nil {
		val = val[:next]
	}
	out := New(columns, ptr, idx, val)
	out.scratch = m.scratch
	return out
}

// VisitWithZeros visits the entries of row i and, as zeros, those of the given columns that it does not store. columns must rise,
// and visits are in order of column. O(entries of the row + columns).
func (m *Matrix) VisitWithZeros(i int, columns []int32, visit func(j int32, v float64)) {
	row := m.Row(i)
	for q, j := range row.Idx {
		for ; len(columns) > 0 && columns[0] <= j; columns = columns[1:] {
			if columns[0] < j {
				visit(columns[0], 0)
			}
		}
		visit(j, row.At(q))
	}
	for _, j := range columns {
		visit(j, 0)
	}
}

// Valued returns the matrix with every value replaced by f of its column and value; f is called row by row. The result shares the
// rest.
func (m *Matrix) Valued(f func(j int32, v float64) float64) *Matrix {
	val := m.Float64s(len(m.idx))
	for i, a := range m.start {
		for q := a; q < m.end[i]; q++ {
			v := 1.0
			if m.val != nil {
				v = m.val[q]
			}
			val[q] = f(m.idx[q], v)
		}
	}
	return &Matrix{cols: m.cols, ptr: m.ptr, start: m.start, end: m.end, idx: m.idx, val: val, entries: m.entries, scratch: m.scratch}
}

// layOutColumns lays out the columns by a counting sort, so that the entries of a column rise by row.
func (m *Matrix) layOutColumns() {
	m.layOut(window)
	m.laidOut.Store(true)
}

func (m *Matrix) layOut(window int) {
	switch {
	case m.parent != nil:
		m.gatherColumns()
		return
	case m.IsFull() && m.scratch == nil:
		m.transpose()
		return
	}
	m.cptr = make([]int, m.cols+1)
	for i, a := range m.start {
		for _, j := range m.idx[a:m.end[i]] {
			m.cptr[j+1]++
		}
	}
	for j := 0; j < m.cols; j++ {
		m.cptr[j+1] += m.cptr[j]
	}
	m.cidx = m.Int32s(m.entries)
	if m.val != nil {
		m.cval = m.Float64s(m.entries)
	}
	for _, band := range columnBands(m.scratch, m.cptr, m.entryBytes(), window) {
		if uint64(m.entries) <= math.MaxUint32 {
			scatterColumns[uint32](m, band[0], band[1]) // half the memory of the random accesses: twice as fast
		} else {
			scatterColumns[uint64](m, band[0], band[1])
		}
	}
}

// scatterColumns appends every entry of the columns from first up to last to its column.
func scatterColumns[N uint32 | uint64](m *Matrix, first, last int32) {
	next := make([]N, last-first)
	for j := range next {
		next[j] = N(m.cptr[int(first)+j])
	}
	whole := len(next) == m.cols
	for i, from := range m.start {
		row := m.idx[from:m.end[i]]
		if !whole {
			a, _ := slices.BinarySearch(row, first)
			b, _ := slices.BinarySearch(row, last)
			from, row = from+a, row[a:b]
		}
		for q, j := range row {
			k := next[j-first]
			next[j-first] = k + 1
			m.cidx[k] = int32(i)
			if m.cval != nil {
				m.cval[k] = m.val[from+q]
			}
		}
	}
}

// Check verifies the invariants that New trusts: indices in range and rising, finite values. The error names the row.
func (m *Matrix) Check() error { return m.check(elementary.IsFinite) }

// CheckWithGaps verifies what Check does, of a matrix in which values may be missing, NaN.
func (m *Matrix) CheckWithGaps() error {
	return m.check(func(v float64) bool { return !math.IsInf(v, 0) })
}

func (m *Matrix) check(accepts func(v float64) bool) error {
	switch {
	case m.start == nil && m.ptr == nil:
		return fmt.Errorf("no row pointers, expected one more than there are rows")
	case m.val != nil && len(m.val) != len(m.idx):
		return fmt.Errorf("%d values for %d column indices", len(m.val), len(m.idx))
	}
	for i, a := range m.start {
		b := m.end[i]
		if a > b || a < 0 || b > len(m.idx) {
			return fmt.Errorf("row %d: it starts at entry %d and ends at %d of %d", i, a, b, len(m.idx))
		}
		last := int32(-1)
		for q := a; q < b; q++ {
			j := m.idx[q]
			switch {
			case j < 0 || int(j) >= m.cols:
				return fmt.Errorf("row %d: column index %d outside 0..%d", i, j, m.cols-1)
			case j == last:
				return fmt.Errorf("row %d: column index %d is repeated", i, j)
			case j < last:
				return fmt.Errorf("row %d: column index %d after %d: indices must rise", i, j, last)
			case m.val != nil && !accepts(m.val[q]):
				return fmt.Errorf("row %d, column %d: value %v, expected a finite number", i, j, m.val[q])
			}
			last = j
		}
	}
	return nil
}
