package sparse

import "context"

// Selection holds some columns of a matrix, laid out by column; the others cost nothing.
type Selection struct {
	ptr []int
	idx []int32
	val []float64

	full    bool    // every column has all its entries: idx and val are those of the whole matrix,
	columns []int32 // and these columns are selected
}

// Select lays out the given columns, rising, from the strips of a matrix: two passes over it, and 4 or 12 bytes an entry selected.
// If half the columns or more of a full matrix are selected, the matrix's own are shared. The error is the cause of ctx's end,
// polled every stride rows.
func Select(ctx context.Context, strips []Strip, columns []int32) (*Selection, error) {
	m := strips[0].m
	if m.IsFull() && m.scratch == nil && 2*len(columns) >= m.cols {
		return &Selection{full: true, idx: m.Col(0).Idx, val: m.cval, columns: columns}, context.Cause(ctx)
	}
	place := make([]int32, m.cols) // the place of each column in the selection, from 1; else 0
	for k, j := range columns {
		place[j] = int32(k + 1)
	}
	s := &Selection{ptr: make([]int, len(columns)+2)}
	next := s.ptr[1:] // next[k] will be where the next entry of column k goes
	Together(strips, func(p *Strip) {
		p.eachRow(ctx, func(i int) {
			for _, j := range m.idx[p.start[i]:p.end[i]] {
				if k := place[j]; k > 0 {
					next[k]++
				}
			}
		})
	})
	for k := range columns {
		next[k+1] += next[k]
	}
	s.idx = m.Int32s(next[len(columns)])
	if m.val != nil {
		s.val = m.Float64s(len(s.idx))
	}
	for _, band := range ColumnBands(m, next, m.entryBytes()) {
		Together(strips, func(p *Strip) {
			p.eachRow(ctx, func(i int) { s.scatterRow(p, i, place, next, band[0], band[1]) })
		})
	}
	s.ptr = s.ptr[:len(columns)+1] // by now next[k] is the end of column k
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return s, nil
}

// scatterRow appends the strip's entries of row i, in the columns from first up to last, to their columns.
func (s *Selection) scatterRow(p *Strip, i int, place []int32, next []int, first, last int32) {
	from := p.start[i]
	for q, j := range p.m.idx[from:p.end[i]] {
		k := place[j]
		if k <= first || k > last {
			continue
		}
		slot := next[k-1]
		next[k-1] = slot + 1
		s.idx[slot] = int32(i)
		if s.val != nil {
			s.val[slot] = p.m.val[from+q]
		}
	}
}

// stride is the number of rows between two polls of a context.
const stride = 1 << 14

// eachRow calls do for every row, until ctx ends.
func (s *Strip) eachRow(ctx context.Context, do func(i int)) {
	for i := range s.start {
		if i%stride == 0 && ctx.Err() != nil {
			return
		}
		do(i)
	}
}

// Len returns the number of columns.
func (s *Selection) Len() int {
	if s.full {
		return len(s.columns)
	}
	return len(s.ptr) - 1
}

// Col returns the k-th selected column, shared with the selection.
func (s *Selection) Col(k int) Vec {
	if s.full {
		rows, column := len(s.idx), int(s.columns[k])
		return Vec{Idx: s.idx, Val: s.val[column*rows:][:rows:rows]}
	}
	return vecOf(s.idx, s.val, s.ptr[k], s.ptr[k+1])
}
