package sparse

import (
	"cmp"
	"fmt"
	"slices"

	"tenfold/engines/numeric/elementary"
)

// Builder collects rows of a matrix whose width is not known yet. The zero value is ready. Values are not stored as long as all are
// one.
type Builder struct {
	ptr  []int
	idx  []int32 // of the rows that are not in a store
	val  []float64
	cols int

	store  Store
	stored int // entries in the store
}

// Store takes over entries from a builder, row after row: in practice, a file.
type Store interface {
	// Append adds entries at the end; val nil means all ones. It keeps neither slice.
	Append(idx []int32, val []float64) error
	// Arrays returns all entries, with val nil if every value is one. It is called last.
	Arrays() (idx []int32, val []float64, err error)
}

// SpillTo moves the entries in memory to a store, where Spill and Build will put all later ones as well.
func (b *Builder) SpillTo(store Store) error {
	b.store = store
	return b.Spill()
}

// Spill moves the entries in memory to the store, if there is one. The row pointers stay in memory, at 8 bytes a row.
func (b *Builder) Spill() error {
	if b.store == nil || len(b.idx) == 0 {
		return nil
	}
	if err := b.store.Append(b.idx, b.val); err != nil {
		return err
	}
	b.stored += len(b.idx)
	b.idx, b.val = b.idx[:0], b.val[:0] // val stays nil if it was
	return nil
}

// Held returns the number of entries in memory.
func (b *Builder) Held() int { return len(b.idx) }

// Add appends one row. It keeps neither slice; val nil means all ones. Indices may be in any order; a negative or repeated index,
// or an infinite value, is an error. Zeros are dropped. NaN stands for a missing value, which preparation fills in. O(len log len),
// linear if sorted.
func (b *Builder) Add(idx []int32, val []float64) error {
	if b.ptr == nil {
		b.ptr = []int{0}
	}
	start := len(b.idx)
	for k, j := range idx {
		v := 1.0
		if val != nil {
			v = val[k]
		}
		switch {
		case j < 0:
			return b.undoRow(start, fmt.Errorf("negative column index %d", j))
		case !elementary.IsFinite(v) && v == v:
			return b.undoRow(start, fmt.Errorf("column %d: value %v, expected a finite number", j, v))
		case v == 0:
			b.cols = max(b.cols, int(j)+1)
			continue
		}
		if v != 1 && b.val == nil {
			b.storeOnes()
		}
		b.idx = append(b.idx, j)
		if b.val != nil {
			b.val = append(b.val, v)
		}
		b.cols = max(b.cols, int(j)+1)
	}
	vecOf(b.idx, b.val, start, len(b.idx)).sort()
	for q := start + 1; q < len(b.idx); q++ {
		if b.idx[q] == b.idx[q-1] {
			return b.undoRow(start, fmt.Errorf("column index %d is repeated", b.idx[q]))
		}
	}
	b.ptr = append(b.ptr, b.NNZ())
	return nil
}

// Grow makes room for this many further rows and entries, so that adding them does not reallocate.
func (b *Builder) Grow(rows, entries int) {
	if b.ptr == nil {
		b.ptr = make([]int, 1, rows+1)
	}
	b.ptr, b.idx = slices.Grow(b.ptr, rows), slices.Grow(b.idx, entries)
	if b.val != nil {
		b.val = slices.Grow(b.val, entries)
	}
}

// NNZ returns the number of entries so far, in memory and in the store.
func (b *Builder) NNZ() int { return b.stored + len(b.idx) }

// Append adds the rows of another builder, which has no store. O(its entries).
func (b *Builder) Append(next *Builder) {
	if b.ptr == nil {
		b.ptr = []int{0}
	}
	if b.val == nil && next.val != nil {
		b.storeOnes()
	}
	if b.val != nil {
		b.val = append(b.val, next.val...)
		for len(b.val) < len(b.idx)+len(next.idx) {
			b.val = append(b.val, 1)
		}
	}
	before := b.NNZ()
	b.idx = append(b.idx, next.idx...)
	for _, end := range next.ptr[min(1, len(next.ptr)):] {
		b.ptr = append(b.ptr, before+end)
	}
	b.cols = max(b.cols, next.cols)
}

// storeOnes stores the ones that have been implicit so far.
func (b *Builder) storeOnes() {
	b.val = make([]float64, len(b.idx), cap(b.idx)+1)
	for q := range b.val {
		b.val[q] = 1
	}
}

func (b *Builder) undoRow(start int, err error) error {
	b.idx = b.idx[:start]
	if b.val != nil {
		b.val = b.val[:start]
	}
	return err
}

// sort puts the entries in order of their indices; equal ones stay in order.
func (v Vec) sort() {
	if slices.IsSorted(v.Idx) {
		return
	}
	if v.Val == nil {
		slices.Sort(v.Idx)
		return
	}
	falling := func(q, before int32) int {
		if q < before {
			return 0
		}
		return -1
	}
	if slices.IsSortedFunc(v.Idx, falling) { // none is there twice
		slices.Reverse(v.Idx)
		slices.Reverse(v.Val)
		return
	}
	order := make([]int32, len(v.Idx)) // a row has fewer entries than there are column indices, or repeats one
	for k := range order {
		order[k] = int32(k)
	}
	slices.SortStableFunc(order, func(p, q int32) int { return cmp.Compare(v.Idx[p], v.Idx[q]) })
	idx, val := slices.Clone(v.Idx), slices.Clone(v.Val)
	for k, p := range order {
		v.Idx[k], v.Val[k] = idx[p], val[p]
	}
}

// compact moves the first entry of each index to the front of the sorted vector, and returns their number.
func (v Vec) compact() (n int) {
	for k, j := range v.Idx {
		if n > 0 && v.Idx[n-1] == j {
			continue
		}
		if v.Idx[n] = j; v.Val != nil {
			v.Val[n] = v.Val[k]
		}
		n++
	}
	return n
}

// Build returns the matrix of the rows added, with at least cols columns, from memory or the store. The builder must not be used
// afterwards. The error is the store's.
func (b *Builder) Build(cols int) (*Matrix, error) {
	if b.store == nil {
		return b.Matrix(cols), nil
	}
	err := b.Spill()
	if err == nil {
		b.idx, b.val, err = b.store.Arrays()
	}
	if err != nil {
		return nil, err
	}
	return b.Matrix(cols), nil
}

// Matrix returns the matrix of the rows added to a builder without a store, with at least cols columns. The builder must not be
// used afterwards.
func (b *Builder) Matrix(cols int) *Matrix {
	if b.ptr == nil {
		b.ptr = []int{0}
	}
	return New(max(cols, b.cols), b.ptr, b.idx, b.val)
}
