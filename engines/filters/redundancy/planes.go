package redundancy

import (
	"context"
	"math/bits"
	"slices"

	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/sparse"
)

// Columns with many entries are stored as bit planes, one for each level above 0: bit i%64 of word i/64 is set where row i has the level.
// Rows in which a column has a level, and another column or the class another one, are then counted 64 at a time.

// planeShare is the share of the rows, its inverse, from which entries make planes rather than lists.
const planeShare = 8

// wordsOf returns the number of words of a plane.
func wordsOf(rows int) int { return (rows + 63) / 64 }

// plane returns the k-th of planes that have so many words each.
func plane(planes []uint64, k, words int) []uint64 {
	return planes[k*words : (k+1)*words : (k+1)*words]
}

// eachBit calls do for the rows of a plane, rising.
func eachBit(plane []uint64, do func(i int)) {
	for w, set := range plane {
		for ; set != 0; set &= set - 1 {
			do(w<<6 | bits.TrailingZeros64(set))
		}
	}
}

func countBits(plane []uint64) (n int32) {
	for _, set := range plane {
		n += int32(bits.OnesCount64(set))
	}
	return n
}

// planesOf returns the planes of the levels above 0 of a column in lists.
func planesOf(x leveled, rows int) []uint64 {
	words := wordsOf(rows)
	planes := make([]uint64, int(x.most)*words)
	for k, i := range x.rows {
		planes[(int(x.levelOf(k))-1)*words+int(i>>6)] |= 1 << (i & 63)
	}
	return planes
}

// packed returns a column in planes where its lists have many entries.
func (c leveled) packed(rows int) leveled {
	if len(c.rows)*planeShare < rows {
		return c
	}
	return newPlanes(planesOf(c, rows), rows)
}

// newPlanes returns a column of planes of the levels above 0.
func newPlanes(planes []uint64, rows int) leveled {
	words := wordsOf(rows)
	c := leveled{planes: planes, most: int32(len(planes) / words), size: []int32{int32(rows)}}
	for l := range int(c.most) {
		n := countBits(plane(planes, l, words))
		c.size[0] -= n
		c.size = append(c.size, n)
	}
	return c
}

// complement returns the rows that none of some planes has.
func complement(planes []uint64, rows int) []uint64 {
	words := wordsOf(rows)
	out := make([]uint64, words)
	for k, set := range planes {
		out[k%words] |= set
	}
	for w := range out {
		out[w] = ^out[w]
	}
	if rest := rows & 63; rest > 0 {
		out[words-1] &= 1<<rest - 1
	}
	return out
}

// mostPairs is how many pairs of planes are counted rather than rows one at a time.
const mostPairs = 128

// countCells sets cells[l·parts + p] to the number of rows that a column of planes has at level l in part p of a division.
// O(entries), or O(levels · parts · rows / 64) where that is less.
func countCells(cells []int32, x leveled, d *division) {
	parts := len(d.size)
	clear(cells[:parts])
	words := wordsOf(len(d.part))
	for l := 1; l <= int(x.most); l++ {
		counts, p := cells[l*parts:(l+1)*parts], plane(x.planes, l-1, words)
		if parts > 1 && (d.planes == nil || int(x.most)*(parts-1) > mostPairs) {
			clear(counts)
			for w, set := range p {
				part := d.part[w<<6:]
				for ; set != 0; set &= set - 1 {
					counts[part[bits.TrailingZeros64(set)]]++
				}
			}
		} else {
			counts[0] = x.size[l] - countCommon(counts[1:], p, d.planes)
		}
		for q, n := range counts {
			cells[q] -= n
		}
	}
	for q, n := range d.size {
		cells[q] += n
	}
}

// countCommon sets counts to the numbers of bits that a plane has in common with each of several others, and returns their sum.
func countCommon(counts []int32, p, others []uint64) (sum int32) {
	words := len(p)
	for ; len(counts) >= 4; counts, others = counts[4:], others[4*words:] {
		a, b, c, d := others[:words], others[words:2*words], others[2*words:3*words], others[3*words:4*words]
		var i, j, k, l int
		for w, set := range p {
			i += bits.OnesCount64(set & a[w])
			j += bits.OnesCount64(set & b[w])
			k += bits.OnesCount64(set & c[w])
			l += bits.OnesCount64(set & d[w])
		}
		counts[0], counts[1], counts[2], counts[3] = int32(i), int32(j), int32(k), int32(l)
		sum += int32(i + j + k + l)
	}
	for q := range counts {
		n, a := 0, others[q*words:(q+1)*words]
		for w, set := range p {
			n += bits.OnesCount64(set & a[w])
		}
		counts[q] = int32(n)
		sum += int32(n)
	}
	return sum
}

// joinPlanes returns the planes of the parts above 0 that levels and classes make together, number level·classes + class; the planes
// given are those of the levels above 0, and of all classes.
func joinPlanes(levels, classes []uint64, rows int) []uint64 {
	words := wordsOf(rows)
	out := make([]uint64, 0, (len(levels)+words)*(len(classes)/words))
	for _, from := range [][]uint64{complement(levels, rows), levels} {
		for l := 0; l < len(from); l += words {
			for k, y := range classes {
				out = append(out, y&from[l+k%words])
			}
		}
	}
	return out[words:]
}

// listed returns a column in lists.
func (c leveled) listed(rows int) leveled {
	level := make([]int32, rows)
	for l := range int(c.most) {
		eachBit(plane(c.planes, l, wordsOf(rows)), func(i int) { level[i] = int32(l) + 1 })
	}
	out := leveled{most: c.most}
	for i, l := range level {
		if l > 0 {
			out.rows, out.level = append(out.rows, int32(i)), append(out.level, l)
		}
	}
	if c.most == 1 {
		out.level = nil
	}
	return out
}

// Tables of whole numbers from 0 up to smallCodes are read into planes without a look at the order of the values.
const (
	smallCodes = 16
	widestBand = 1 << 14 // columns that are read together: the bits of 64 rows stay in the second level of the cache
)

// readSmall sets the columns whose values are whole numbers below smallCodes, if so many different ones are accepted, and reports which it
// has set. O(nnz + columns · rows / 64).
func readSmall(ctx context.Context, workers int, x *sparse.Matrix, out []leveled, accepts func(values int) bool) (done []bool) {
	rows, columns := x.Dims()
	width := min(widestBand, (columns+max(1, workers)-1)/max(1, workers))
	done = make([]bool, columns)
	parallel.Each(workers, (columns+width-1)/width, func(k int) {
		first, last := k*width, min(columns, (k+1)*width)
		b := band{rows: rows, words: wordsOf(rows), first: first, width: last - first, top: -1, bits: make([]uint64, smallCodes*(last-first)), other: make([]bool, last-first)}
		if !b.read(ctx, x) {
			return
		}
		for j := range b.width {
			if !b.other[j] {
				out[b.first+j], done[b.first+j] = b.column(j, accepts)
			}
		}
	})
	return done
}

// band is columns next to each other: plane c of column j has the rows where its value is c.
type band struct {
	rows, words  int
	first, width int // columns
	top          int // the largest value
	planes       [smallCodes][]uint64
	bits         []uint64 // of 64 rows, by value and column
	other        []bool   // by column: some value is none of the small ones
}

// read reads the columns, and reports whether one of them has small values only. It ends with ctx.
func (b *band) read(ctx context.Context, x *sparse.Matrix) bool {
	_, columns := x.Dims()
	for w := range b.words {
		if ctx.Err() != nil {
			return false
		}
		seen := uint(1)
		for i := w << 6; i < min(b.rows, (w+1)<<6); i++ {
			row := x.Row(i)
			if b.width < columns {
				row = row.Range(row.PlaceFrom(int32(b.first)), row.PlaceFrom(int32(b.first+b.width)))
			}
			seen |= b.readRow(row, 1<<(i&63))
		}
		for b.top < bits.Len(seen)-1 {
			b.top++
			b.planes[b.top] = make([]uint64, b.width*b.words)
		}
		for c := range bits.Len(seen) {
			of64, planes := b.bits[c*b.width:][:b.width], b.planes[c]
			for j, set := range of64 {
				planes[j*b.words+w] = set
				of64[j] = 0
			}
		}
		if w == 0 && !slices.Contains(b.other, false) {
			return false
		}
	}
	return true
}

// readRow sets a bit of 64 rows for each of some entries of a row, and returns a bit for each value.
func (b *band) readRow(row sparse.Vec, bit uint64) (seen uint) {
	first, width, all := uint32(b.first), uint32(b.width), b.bits
	if row.Val == nil {
		for _, j := range row.Idx {
			all[width+uint32(j)-first] |= bit
		}
		return 1 << 1
	}
	value := row.Val[:len(row.Idx)]
	for k, j := range row.Idx {
		v := value[k]
		c, place := uint32(int32(v)), uint32(j)-first
		if c >= smallCodes || float64(c) != v {
			b.other[place] = true
			continue
		}
		all[c*width+place] |= bit
		seen |= 1 << (c & 15)
	}
	return seen
}

// column returns column j, and reports whether so many values are accepted. Level 0 is the commonest value, the lowest of several.
func (b *band) column(j int, accepts func(values int) bool) (c leveled, ok bool) {
	var size [smallCodes]int32
	values, zero := 0, 0
	size[0] = int32(b.rows)
	for v := 1; v <= b.top; v++ {
		size[v] = countBits(plane(b.planes[v], j, b.words))
		size[0] -= size[v]
	}
	for v, n := range size {
		if n > 0 {
			values++
		}
		if n > size[zero] {
			zero = v
		}
	}
	if !accepts(values) {
		return leveled{}, false
	}
	c = leveled{most: int32(values - 1), size: append(make([]int32, 0, values), size[zero]), planes: make([]uint64, 0, (values-1)*b.words)}
	for v, n := range size {
		if n > 0 && v != zero {
			p := plane(b.planes[v], j, b.words)
			if v == 0 { // where nothing is stored as well
				p = b.zeros(j)
			}
			c.size, c.planes = append(c.size, n), append(c.planes, p...)
		}
	}
	if (b.rows-int(size[zero]))*planeShare < b.rows {
		c = c.listed(b.rows)
	}
	return c, true
}

// zeros returns the rows where column j is 0.
func (b *band) zeros(j int) []uint64 {
	var above []uint64
	for v := 1; v <= b.top; v++ {
		above = append(above, plane(b.planes[v], j, b.words)...)
	}
	return complement(above, b.rows)
}
