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
			b.val = make([]float64, len(b.idx), cap(b.idx)+1)
			for q := range b.val {
				b.val[q] = 1
			}
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
