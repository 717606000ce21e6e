package boosting

import (
	"context"

	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/sparse"
)

// binned is the columns of the training rows, cut into bins by those that are fitted, and laid out in blocks whose histograms fit into
// the nearest cache.
type binned struct {
	x      *sparse.Matrix
	cuts   []cuts
	gaps   []gaps // by column
	blocks []*block
	spots  []spot // by column
}

// gaps tells which rows lack the value of a column.
type gaps uint8

const (
	noGaps      gaps = iota
	someGaps         // some row does
	tellingGaps      // some fitted row does, and another has a value
)

// spot of a column in the blocks.
type spot struct{ block, slot int32 }

// Widths of blocks.
const (
	denseWidth = 16                    // columns of a dense block: a row's codes are a quarter of a cache line
	sparseBins = denseWidth * mostBins // bins of a sparse block, more where rows have few entries
	fewEntries = 8                     // entries of a row in a sparse block from which on further blocks are worth their pointers
	denseFrom  = 4                     // dense columns have more than a share of 1/denseFrom of their rows stored
)

// block of columns, rising, dense or sparse. A sparse column's histogram has a bin for each of its bins, of which that of 0 stays empty:
// it has the rows that are in none of the others.
type block struct {
	column []int32
	cuts   []cuts // by slot
	gaps   []gaps
	first  []int32
	bins   int

	code []uint8 // of dense columns, denseWidth a row

	zero  []int32  // bin of 0 in its column, of sparse ones
	start []int    // by row: where its entries begin
	entry []uint32 // bins of the block
}

func (b *block) isDense() bool { return b.code != nil }

// newBinned cuts and lays out a matrix. O(entries · log bins).
func newBinned(ctx context.Context, x *sparse.Matrix, fitted []int32, bins, workers int) (*binned, error) {
	rows, columns := x.Dims()
	all := &binned{x: x, cuts: make([]cuts, columns), gaps: make([]gaps, columns), spots: make([]spot, columns)}
	counters := make([]*valueCounter, max(1, workers))
	if columns > 0 {
		x.Col(0) // columns are laid out
	}
	const stretch = 8
	w := parallel.NewWatch(ctx)
	parallel.Numbered(workers, (columns+stretch-1)/stretch, func(worker, k int) {
		if counters[worker] == nil {
			counters[worker] = newValueCounter(rows, fitted)
		}
		for j := k * stretch; j < min(columns, (k+1)*stretch) && !w.Ended(); j++ {
			all.cuts[j], all.gaps[j] = counters[worker].cut(x.Col(j), bins)
		}
	})
	if w.Ended() {
		return nil, context.Cause(ctx)
	}
	all.divide(rows)
	parallel.Each(workers, len(all.blocks), func(k int) {
		if b := all.blocks[k]; w.Ended() {
			return
		} else if b.zero == nil {
			b.layOutDense(x)
		} else {
			b.layOutSparse(x)
		}
	})
	return all, context.Cause(ctx)
}

// divide divides the columns that vary into blocks.
func (all *binned) divide(rows int) {
	var dense, sparse *block
	entries := 0
	for j, c := range all.cuts {
		n := all.x.Col(j).Len()
		switch {
		case len(c) == 0 && all.gaps[j] != tellingGaps:
			all.spots[j] = spot{-1, -1}
			continue
		case denseFrom*n > rows:
			if dense == nil || len(dense.column) == denseWidth {
				dense = &block{}
				all.blocks = append(all.blocks, dense)
			}
			all.put(dense, j, mostBins)
		default:
			bins := len(c) + 1
			if all.gaps[j] != noGaps {
				bins++
			}
			if sparse == nil || sparse.bins+bins > sparseBins && entries > fewEntries*rows {
				sparse, entries = &block{}, 0
				all.blocks = append(all.blocks, sparse)
			}
			entries += n
			sparse.zero = append(sparse.zero, int32(c.binOf(0)))
			all.put(sparse, j, bins)
		}
	}
	for k, b := range all.blocks {
		for slot, j := range b.column {
			all.spots[j] = spot{int32(k), int32(slot)}
		}
	}
}

func (all *binned) put(b *block, j, bins int) {
	b.column, b.cuts, b.gaps, b.first = append(b.column, int32(j)), append(b.cuts, all.cuts[j]), append(b.gaps, all.gaps[j]), append(b.first, int32(b.bins))
	b.bins += bins
}

func (b *block) layOutDense(x *sparse.Matrix) {
	rows, _ := x.Dims()
	b.code = make([]uint8, rows*denseWidth)
	for slot, j := range b.column {
		bins := b.cuts[slot].table()
		if zero := uint8(bins.binOf(0)); zero > 0 {
			for i := range rows {
				b.code[i*denseWidth+slot] = zero
			}
		}
		col := x.Col(int(j))
		for k, i := range col.Idx {
			if v := col.At(k); v == v {
				b.code[int(i)*denseWidth+slot] = uint8(bins.binOf(v))
			} else {
				b.code[int(i)*denseWidth+slot] = uint8(b.cuts[slot].missing())
			}
		}
	}
}

func (b *block) layOutSparse(x *sparse.Matrix) {
	rows, _ := x.Dims()
	b.start = make([]int, rows+1)
	each := func(visit func(row int32, bin int32)) {
		for slot, j := range b.column {
			col, bins := x.Col(int(j)), b.cuts[slot].table()
			for k, i := range col.Idx {
				if v := col.At(k); v != v {
					visit(i, b.first[slot]+int32(b.cuts[slot].missing()))
				} else if bin := int32(bins.binOf(v)); bin != b.zero[slot] {
					visit(i, b.first[slot]+bin)
				}
			}
		}
	}
	each(func(row, _ int32) { b.start[row+1]++ })
	for i := range rows {
		b.start[i+1] += b.start[i]
	}
	b.entry = make([]uint32, b.start[rows])
	next := append([]int(nil), b.start[:rows]...)
	each(func(row, bin int32) {
		b.entry[next[row]] = uint32(bin)
		next[row]++
	})
}

// partition puts those of some rows, which rise, that go left before the others, each in their order, and returns how many they are and how
// many lack the value. room has the capacity of rows, mark is as long as there are rows, and false.
func (all *binned) partition(rows []int32, s *split, room []int32, mark []bool) (left, missing int) {
	location := all.spots[s.column]
	b := all.blocks[location.block]
	put := func(i int32, goesLeft bool) {
		if goesLeft {
			rows[left] = i
			left++
		} else {
			room = append(room, i)
		}
	}
	switch {
	case b.isDense() && all.gaps[s.column] == noGaps:
		code := b.code[location.slot:]
		for _, i := range rows {
			put(i, int32(code[int(i)*denseWidth]) <= s.reach)
		}
	case b.isDense():
		code, lacks := b.code[location.slot:], uint8(all.cuts[s.column].missing())
		for _, i := range rows {
			bin := code[int(i)*denseWidth]
			if bin == lacks {
				missing++
			}
			put(i, int32(bin) <= s.reach || bin == lacks && !s.missing.Right)
		}
	default:
		zeroLeft := b.zero[location.slot] <= s.reach
		col := all.x.Col(int(s.column))
		lacks := func(k int) bool { v := col.At(k); return v != v }
		if all.gaps[s.column] != noGaps {
			for k, i := range col.Idx {
				mark[i] = lacks(k)
			}
			for _, i := range rows {
				if mark[i] {
					missing++
				}
			}
		}
		for k, i := range col.Idx {
			mark[i] = (col.At(k) <= s.threshold || lacks(k) && !s.missing.Right) != zeroLeft
		}
		for _, i := range rows {
			put(i, mark[i] != zeroLeft)
		}
		for _, i := range col.Idx {
			mark[i] = false
		}
	}
	copy(rows[left:], room)
	return left, missing
}
