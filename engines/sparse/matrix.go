package sparse

import (
	"fmt"
	"math"
	"sync"
)

// Matrix is an immutable sparse matrix. Rows are stored; columns are laid out on first use and then kept.
// It is safe for several goroutines.
type Matrix struct {
	cols int
	ptr  []int     // row i is idx[ptr[i]:ptr[i+1]]; ptr[0] need not be 0: a matrix can be a range of rows of another
	idx  []int32   // rising within a row
	val  []float64 // parallel to idx; nil when every value is one

	once sync.Once
	byCol
}

type byCol struct {
	cptr []int
	cidx []int32
	cval []float64
}

// New wraps compressed rows, without copying: ptr has one entry more than there are rows, idx rises within each row,
// val is parallel to idx, or nil when every value is one. It trusts its arguments: readers use Builder or Check.
func New(cols int, ptr []int, idx []int32, val []float64) *Matrix {
	return &Matrix{cols: cols, ptr: ptr, idx: idx, val: val}
}

// Dims is the number of rows and of columns.
func (m *Matrix) Dims() (rows, cols int) { return len(m.ptr) - 1, m.cols }

// NNZ is the number of stored entries.
func (m *Matrix) NNZ() int { return m.ptr[len(m.ptr)-1] - m.ptr[0] }

// Binary is true when every stored value is one (and therefore not stored).
func (m *Matrix) Binary() bool { return m.val == nil }

// Row i, shared with the matrix.
func (m *Matrix) Row(i int) Vec { return slice(m.idx, m.val, m.ptr[i], m.ptr[i+1]) }

// Col j, shared with the matrix. The first call of any goroutine lays all columns out: O(nnz + columns).
func (m *Matrix) Col(j int) Vec {
	m.once.Do(m.transpose)
	return slice(m.cidx, m.cval, m.cptr[j], m.cptr[j+1])
}

func slice(idx []int32, val []float64, a, b int) Vec {
	if val == nil {
		return Vec{Idx: idx[a:b:b]}
	}
	return Vec{Idx: idx[a:b:b], Val: val[a:b:b]}
}

// Rows is the storage by row: three arrays to read, never to change. For kernels that pass over the whole matrix.
func (m *Matrix) Rows() (ptr []int, idx []int32, val []float64) { return m.ptr, m.idx, m.val }

// Range is the rows from a up to b, sharing storage.
func (m *Matrix) Range(a, b int) *Matrix { return New(m.cols, m.ptr[a:b+1:b+1], m.idx, m.val) }

// Pick copies the given rows, in that order. A run of consecutive rows is shared instead of copied.
func (m *Matrix) Pick(rows []int32) *Matrix {
	if run, ok := consecutive(rows); ok {
		return m.Range(run, run+len(rows))
	}
	n := 0
	for _, i := range rows {
		n += m.ptr[i+1] - m.ptr[i]
	}
	ptr, idx := make([]int, 1, len(rows)+1), make([]int32, 0, n)
	var val []float64
	if m.val != nil {
		val = make([]float64, 0, n)
	}
	for _, i := range rows {
		a, b := m.ptr[i], m.ptr[i+1]
		idx = append(idx, m.idx[a:b]...)
		if val != nil {
			val = append(val, m.val[a:b]...)
		}
		ptr = append(ptr, len(idx))
	}
	return New(m.cols, ptr, idx, val)
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

// Keep copies the matrix with only the given columns, renumbered in the given (rising) order.
func (m *Matrix) Keep(columns []int32) *Matrix {
	to := make([]int32, m.cols)
	for j := range to {
		to[j] = -1
	}
	for k, j := range columns {
		to[j] = int32(k)
	}
	n := 0
	a, b := m.ptr[0], m.ptr[len(m.ptr)-1]
	for _, j := range m.idx[a:b] {
		if to[j] >= 0 {
			n++
		}
	}
	ptr, idx := make([]int, 1, len(m.ptr)), make([]int32, 0, n)
	var val []float64
	if m.val != nil {
		val = make([]float64, 0, n)
	}
	for i := 0; i+1 < len(m.ptr); i++ {
		for q := m.ptr[i]; q < m.ptr[i+1]; q++ {
			if k := to[m.idx[q]]; k >= 0 {
				idx = append(idx, k)
				if val != nil {
					val = append(val, m.val[q])
				}
			}
		}
		ptr = append(ptr, len(idx))
	}
	return New(len(columns), ptr, idx, val)
}

// transpose lays the columns out by counting, so entries of a column rise by row.
func (m *Matrix) transpose() {
	a, b := m.ptr[0], m.ptr[len(m.ptr)-1]
	m.cptr = make([]int, m.cols+1)
	for _, j := range m.idx[a:b] {
		m.cptr[j+1]++
	}
	for j := 0; j < m.cols; j++ {
		m.cptr[j+1] += m.cptr[j]
	}
	m.cidx = make([]int32, b-a)
	if m.val != nil {
		m.cval = make([]float64, b-a)
	}
	if uint64(b-a) <= math.MaxUint32 {
		scatter[uint32](m) // half the memory to go through at random: twice as fast
	} else {
		scatter[uint64](m)
	}
}

// scatter writes every entry at the end of its column so far.
func scatter[N uint32 | uint64](m *Matrix) {
	next := make([]N, m.cols)
	for j := range next {
		next[j] = N(m.cptr[j])
	}
	for i := 0; i+1 < len(m.ptr); i++ {
		from := m.ptr[i]
		for q, j := range m.idx[from:m.ptr[i+1]] {
			k := next[j]
			next[j] = k + 1
			m.cidx[k] = int32(i)
			if m.cval != nil {
				m.cval[k] = m.val[from+q]
			}
		}
	}
}

// MulVec sets dst = X·w; dst has one entry a row, w one a column.
func (m *Matrix) MulVec(dst, w []float64) {
	for i := range dst {
		dst[i] = m.Row(i).Dot(w)
	}
}

// MulTVec sets dst = Xᵀ·r; dst has one entry a column, r one a row. Each sum runs in order of row.
func (m *Matrix) MulTVec(dst, r []float64) {
	clear(dst)
	m.addRows(dst, 0, r)
}

// Check verifies the invariants that New trusts: indices in range and rising, finite values. The error names the row.
func (m *Matrix) Check() error {
	switch {
	case len(m.ptr) == 0:
		return fmt.Errorf("no row pointers, expected one more than there are rows")
	case m.val != nil && len(m.val) != len(m.idx):
		return fmt.Errorf("%d values for %d column indices", len(m.val), len(m.idx))
	}
	for i := 0; i+1 < len(m.ptr); i++ {
		if m.ptr[i] > m.ptr[i+1] || m.ptr[i] < 0 || m.ptr[i+1] > len(m.idx) {
			return fmt.Errorf("row %d: it starts at entry %d and ends at %d of %d", i, m.ptr[i], m.ptr[i+1], len(m.idx))
		}
		last := int32(-1)
		for q := m.ptr[i]; q < m.ptr[i+1]; q++ {
			j := m.idx[q]
			switch {
			case j < 0 || int(j) >= m.cols:
				return fmt.Errorf("row %d: column index %d outside 0..%d", i, j, m.cols-1)
			case j == last:
				return fmt.Errorf("row %d: column index %d is repeated", i, j)
			case j < last:
				return fmt.Errorf("row %d: column index %d after %d: indices must rise", i, j, last)
			case m.val != nil && !finite(m.val[q]):
				return fmt.Errorf("row %d, column %d: value %v, expected a finite number", i, j, m.val[q])
			}
			last = j
		}
	}
	return nil
}

func finite(x float64) bool { return x-x == 0 }
