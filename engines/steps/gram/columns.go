package gram

import (
	"bytes"
	"context"
	"hash/maphash"
	"slices"

	"tenfold/engines/numeric/sparse"
)

// Columns holds a matrix by column in little memory, for one reader that needs few columns at a time. In data of ones a column is
// stored as the gaps between its rows, seven bits to a byte: a third of what Matrix.Col lays out, and no slower to build. Other
// matrices use their own layout. Not safe for several goroutines.
type Columns struct {
	x     *sparse.Matrix
	start []uint32 // column j is code[start[j]:start[j+1]]; nil if x has values
	code  []byte
	len   []int32
	row   []int32 // the column decoded last
	seed  maphash.Seed
}

// NewColumns reads the matrix twice, O(nnz + columns). The error is the cause of ctx's end, polled every stride rows.
func NewColumns(ctx context.Context, x *sparse.Matrix) (*Columns, error) {
	c := &Columns{x: x, seed: maphash.MakeSeed()}
	const longest = 5 // bytes of a difference
	if !x.Binary() || x.NNZ() > 1<<32/longest {
		return c, nil
	}
	_, cols := x.Dims()
	c.start, c.len = make([]uint32, cols+1), make([]int32, cols)
	places := make([]place, cols)
	c.measureColumns(ctx, places)
	for j := range places {
		c.start[j+1] = c.start[j] + places[j].next
		c.len[j] = int32(places[j].entries)
		places[j] = place{next: c.start[j]}
	}
	c.code = x.Bytes(int(c.start[cols]))
	for _, band := range sparse.ColumnBands(x, c.start, 1) {
		c.writeColumns(ctx, places, band[0], band[1])
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return c, nil
}

// stride is the number of rows between two polls of a context.
const stride = 1 << 14

// place is the progress of a column: the row after its last one, where its next byte goes, and the number of its entries.
type place struct{ after, next, entries uint32 }

// measureColumns counts the bytes and entries of every column.
func (c *Columns) measureColumns(ctx context.Context, places []place) {
	start, end, idx, _ := c.x.Spans()
	for i := range uint32(len(start)) {
		if i%stride == 0 && ctx.Err() != nil {
			return
		}
		for _, j := range idx[start[i]:end[i]] {
			p := &places[j]
			p.entries++
			p.next++
			for d := i - p.after; d >= 1<<7; d >>= 7 {
				p.next++
			}
			p.after = i + 1
		}
	}
}

// writeColumns appends, to every column from first up to last, the number of rows skipped before each of its rows.
func (c *Columns) writeColumns(ctx context.Context, places []place, first, last int32) {
	start, end, idx, _ := c.x.Spans()
	code := c.code
	whole := int(last-first) == len(places)
	for i := range uint32(len(start)) {
		if i%stride == 0 && ctx.Err() != nil {
			return
		}
		for _, j := range idx[start[i]:end[i]] {
			if !whole && (j < first || j >= last) {
				continue
			}
			p := &places[j]
			d, q := i-p.after, p.next
			for ; d >= 1<<7; d >>= 7 {
				code[q] = byte(d) | 1<<7
				q++
			}
			code[q] = byte(d)
			p.after, p.next = i+1, q+1
		}
	}
}

// Len returns the number of entries of column j.
func (c *Columns) Len(j int) int {
	if c.start == nil {
		return c.x.Col(j).Len()
	}
	return int(c.len[j])
}

// Col returns column j, valid until the next call. O(its entries).
func (c *Columns) Col(j int) sparse.Vec {
	if c.start == nil {
		return c.x.Col(j)
	}
	c.row = c.row[:0]
	row, d, shift := uint32(0), uint32(0), uint(0)
	for _, b := range c.code[c.start[j]:c.start[j+1]] {
		d |= uint32(b&(1<<7-1)) << shift
		if shift += 7; b < 1<<7 {
			row += d
			c.row = append(c.row, int32(row))
			row, d, shift = row+1, 0, 0
		}
	}
	return sparse.Vec{Idx: c.row}
}

// Hash returns a hash of column j: equal columns have equal hashes, within one process.
func (c *Columns) Hash(j int) uint64 {
	if c.start != nil {
		return maphash.Bytes(c.seed, c.code[c.start[j]:c.start[j+1]])
	}
	var h maphash.Hash
	h.SetSeed(c.seed)
	col := c.x.Col(j)
	for q, i := range col.Idx {
		maphash.WriteComparable(&h, i)
		maphash.WriteComparable(&h, col.At(q))
	}
	return h.Sum64()
}

// Equal reports whether columns j and k are equal, entry by entry.
func (c *Columns) Equal(j, k int) bool {
	if c.start == nil {
		a, b := c.x.Col(j), c.x.Col(k)
		return slices.Equal(a.Idx, b.Idx) && slices.Equal(a.Val, b.Val)
	}
	return bytes.Equal(c.code[c.start[j]:c.start[j+1]], c.code[c.start[k]:c.start[k+1]])
}
