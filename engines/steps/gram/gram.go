// Package gram holds columns of the Gram matrix XᵀMX of a sparse matrix as they are asked for, within a limit of memory (gram.go,
// where to begin), and the columns of X in little memory (columns.go). Data of ones are summed from rows packed into words
// (packed.go). What the columns are good for is left to the caller.
package gram

import (
	"math"
	"math/bits"
	"slices"

	"tenfold/engines/numeric/sparse"
)

// Matrix computes columns of XᵀMX on demand, and caches them up to a limit in bytes; the least recently used are evicted. An evicted
// column is recomputed bit for bit the same. Not safe for several goroutines.
type Matrix struct {
	x      *sparse.Matrix
	cols   *Columns
	weight []float64 // the diagonal of M; nil means ones
	number []int32   // the number of column k in results, −1 to leave it out
	group  uint      // log₂ of the size of a group of Short
	limit  int64

	// One column is summed in sum or count, both of which are zero between calls; mark has a bit for each entry.
	sum    []float64 // by number
	count  []uint16  // by number, for columns of few enough ones: small, since access to it is random
	rows   *packed   // for count
	mark   []uint64
	draft  Column
	header int    // position in the draft of its last group, −1 before the first
	sink   uint64 // keeps prefetching reads from being optimised away

	kept           []*keptColumn // by column, nil if it is not kept
	newest, oldest *keptColumn   // ends of the list by time of use
	bytes          int64
	built          int
	entries        int64
}

// Column is one column of XᵀMX: each of its entries is in one of two places.
//
// Short holds values that are whole numbers from 0 to 255, as nearly all are in data of ones, in two bytes each. Numbers are split
// into groups of 1<<Group (at most 256). A group with entries is stored as its number, the count of its entries, and for each of
// them the place in the group (high byte) and the value (low byte).
type Column struct {
	Short []uint16
	Group uint
	Idx   []int32 // the other entries
	Val   []float64
	len   int
}

// Len returns the number of entries.
func (c *Column) Len() int { return c.len }

// Each calls f for every entry.
func (c *Column) Each(f func(number int, value float64)) {
	for short := c.Short; len(short) > 0; {
		from, entries := int(short[0])<<c.Group, short[2:2+short[1]]
		short = short[2+len(entries):]
		for _, e := range entries {
			f(from+int(e>>8), float64(e&255))
		}
	}
	for q, k := range c.Idx {
		f(int(k), c.Val[q])
	}
}

func (c *Column) byteSize() int64 { return 2*int64(len(c.Short)) + 12*int64(len(c.Idx)) + 128 }

// New prepares to compute columns of XᵀMX. weight is M's diagonal, nil for ones. number maps columns to 0..size-1 in results;
// −1 leaves a column out. Groups have 1<<group numbers, at most 256. Kept columns take at most limit bytes. O(columns + size)
// memory besides, and three bytes an entry in data of ones.
func New(cols *Columns, weight []float64, number []int32, size int, group uint, limit int64) *Matrix {
	x := cols.x
	_, p := x.Dims()
	g := &Matrix{x: x, cols: cols, weight: weight, number: number, group: min(group, 8), limit: limit, header: -1, kept: make([]*keptColumn, p)}
	g.mark = make([]uint64, (size+63)/64)
	if x.Binary() && weight == nil && uint64(x.NNZ()) <= math.MaxUint32 {
		g.count, g.rows = make([]uint16, size), packColumns(x, number, size)
	}
	return g
}

// Built returns how many columns were computed, and how many entries they had in total.
func (g *Matrix) Built() (columns int, entries int64) { return g.built, g.entries }

// Column returns column j of XᵀMX, valid until the next call. O(its entries) if it is kept; else O(the sum of the lengths of the
// rows in which column j has an entry).
func (g *Matrix) Column(j int) *Column {
	if c := g.kept[j]; c != nil {
		g.unlink(c)
		g.linkNewest(c)
		return &c.Column
	}
	g.buildColumn(j)
	g.built++
	g.entries += int64(g.draft.Len())
	return g.keepDraft(j)
}

// buildColumn sums column j and moves the sums to the draft.
func (g *Matrix) buildColumn(j int) {
	counts := g.count != nil && g.cols.Len(j) <= math.MaxUint16
	if !counts && g.sum == nil {
		g.sum = make([]float64, len(g.mark)*64)
	}
	switch {
	case counts:
		g.countRows(g.cols.Col(j).Idx)
	case g.count != nil:
		g.countLong(g.cols.Col(j).Idx)
	default:
		g.sumRows(g.cols.Col(j))
	}
	g.draft = Column{Short: g.draft.Short[:0], Group: g.group, Idx: g.draft.Idx[:0], Val: g.draft.Val[:0]}
	for w, set := range g.mark {
		if set == 0 {
			continue
		}
		g.mark[w] = 0
		for ; set != 0; set &= set - 1 {
			k := w<<6 | bits.TrailingZeros64(set)
			if counts {
				g.putCount(k, g.count[k])
				g.count[k] = 0
			} else {
				g.putSum(k, g.sum[k])
				g.sum[k] = 0
			}
		}
	}
	g.header = -1
}

// putCount adds an entry to the draft, as putSum does; numbers rise from call to call.
func (g *Matrix) putCount(k int, n uint16) {
	if n > 255 || k>>g.group > math.MaxUint16 {
		g.putWide(k, float64(n))
		return
	}
	g.putShort(k, n)
}

func (g *Matrix) putSum(k int, x float64) {
	v := uint16(max(0, min(x, 255)))
	if float64(v) != x || k>>g.group > math.MaxUint16 {
		g.putWide(k, x)
		return
	}
	g.putShort(k, v)
}

func (g *Matrix) putWide(k int, x float64) {
	c := &g.draft
	c.Idx, c.Val, c.len = append(c.Idx, int32(k)), append(c.Val, x), c.len+1
}

func (g *Matrix) putShort(k int, v uint16) {
	c, group := &g.draft, uint16(k>>g.group)
	if g.header < 0 || c.Short[g.header] != group {
		g.header = len(c.Short)
		c.Short = append(c.Short, group, 0)
	}
	c.Short[g.header+1]++
	c.Short = append(c.Short, uint16(k&(1<<g.group-1))<<8|v)
	c.len++
}

// ahead is the number of rows that are prefetched together.
const ahead = 16

// countRows adds up rows of ones. The rows of a column are far apart in memory, so waiting for them would be most of the work: one
// word of each cache line of the next rows is read first, all at once, before any of them is needed.
func (g *Matrix) countRows(rows []int32) {
	start, word, width := g.rows.start, g.rows.word, g.rows.bits
	count, mark, low := g.count, g.mark, uint64(1)<<width-1
	for len(rows) > 0 {
		some := rows[:min(ahead, len(rows))]
		rows = rows[len(some):]
		read := uint64(0)
		for _, i := range some {
			for q := start[i]; q < start[i+1]; q += 64 / 8 { // a cache line
				read ^= word[q]
			}
		}
		g.sink = read
		for _, i := range some {
			for _, w := range word[start[i]:start[i+1]] {
				for ; w != 0; w >>= width {
					k := w&low - 1
					count[k]++
					mark[k>>6] |= 1 << (k & 63)
				}
			}
		}
	}
}

// countLong counts as many rows at a time as cannot overflow a count, and accumulates the counts in sum.
func (g *Matrix) countLong(rows []int32) {
	for some := range slices.Chunk(rows, math.MaxUint16) {
		g.countRows(some)
		for k, n := range g.count {
			g.sum[k] += float64(n)
		}
		clear(g.count)
	}
}

func (g *Matrix) sumRows(col sparse.Vec) {
	for q, i := range col.Idx {
		xj := col.At(q)
		if g.weight != nil {
			xj *= g.weight[i]
		}
		row := g.x.Row(int(i))
		for r, c := range row.Idx {
			if k := g.number[c]; k >= 0 {
				g.sum[k] += float64(xj * row.At(r))
				g.mark[k>>6] |= 1 << (k & 63)
			}
		}
	}
}
