package sparse

import (
	"cmp"
	"fmt"
	"slices"
)

// Builder collects rows of unknown width. The zero value is ready. Values stay unstored as long as all are one.
type Builder struct {
	ptr  []int
	idx  []int32
	val  []float64
	cols int
}

// Add appends one row. It keeps neither slice; val nil means all ones. Indices may come in any order; a negative or
// repeated index or a value that is neither finite nor NaN is an error. Zeros are dropped. NaN stands for a missing
// value, which a data.Recipe fills in. O(len log len), linear when sorted.
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
			return b.undo(start, fmt.Errorf("negative column index %d", j))
		case !finite(v) && v == v:
			return b.undo(start, fmt.Errorf("column %d: value %v, expected a finite number", j, v))
		case v == 0:
			b.cols = max(b.cols, int(j)+1)
			continue
		}
		if v != 1 && b.val == nil {
			b.values()
		}
		b.idx = append(b.idx, j)
		if b.val != nil {
			b.val = append(b.val, v)
		}
		b.cols = max(b.cols, int(j)+1)
	}
	b.sortFrom(start)
	for q := start + 1; q < len(b.idx); q++ {
		if b.idx[q] == b.idx[q-1] {
			return b.undo(start, fmt.Errorf("column index %d is repeated", b.idx[q]))
		}
	}
	b.ptr = append(b.ptr, len(b.idx))
	return nil
}

// Grow makes room for so many further rows and entries, so that adding them copies nothing.
func (b *Builder) Grow(rows, entries int) {
	if b.ptr == nil {
		b.ptr = make([]int, 1, rows+1)
	}
	b.ptr, b.idx = slices.Grow(b.ptr, rows), slices.Grow(b.idx, entries)
	if b.val != nil {
		b.val = slices.Grow(b.val, entries)
	}
}

// NNZ is the number of entries so far.
func (b *Builder) NNZ() int { return len(b.idx) }

// Append adds the rows of another builder. O(its entries).
func (b *Builder) Append(next *Builder) {
	if b.ptr == nil {
		b.ptr = []int{0}
	}
	if b.val == nil && next.val != nil {
		b.values()
	}
	if b.val != nil {
		b.val = append(b.val, next.val...)
		for len(b.val) < len(b.idx)+len(next.idx) {
			b.val = append(b.val, 1)
		}
	}
	before := len(b.idx)
	b.idx = append(b.idx, next.idx...)
	for _, end := range next.ptr[min(1, len(next.ptr)):] {
		b.ptr = append(b.ptr, before+end)
	}
	b.cols = max(b.cols, next.cols)
}

// values stores the ones that were not stored so far.
func (b *Builder) values() {
	b.val = make([]float64, len(b.idx), cap(b.idx)+1)
	for q := range b.val {
		b.val[q] = 1
	}
}

func (b *Builder) undo(start int, err error) error {
	b.idx = b.idx[:start]
	if b.val != nil {
		b.val = b.val[:start]
	}
	return err
}

func (b *Builder) sortFrom(start int) {
	row := b.idx[start:]
	if slices.IsSorted(row) {
		return
	}
	if b.val == nil {
		slices.Sort(row)
		return
	}
	order := make([]int, len(row))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(p, q int) int { return cmp.Compare(row[p], row[q]) })
	idx, val := slices.Clone(row), slices.Clone(b.val[start:])
	for k, p := range order {
		row[k], b.val[start+k] = idx[p], val[p]
	}
}

// Matrix of what was added, with at least cols columns. The builder must not be used afterwards.
func (b *Builder) Matrix(cols int) *Matrix {
	if b.ptr == nil {
		b.ptr = []int{0}
	}
	return New(max(cols, b.cols), b.ptr, b.idx, b.val)
}
