package forest

import (
	"cmp"
	"context"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/sparse"
)

// columns are the training columns with ranks in place of values: the code of an entry is the number of distinct values of its column
// that are smaller; a missing one has the code after the last. Rows that a sparse column does not store have the code of 0.
type columns struct {
	rows   int
	number []int32 // of each column, in the data: columns stand in the order of their names, so that their order in a file changes nothing
	always []int32 // places of the columns that are in every model, at which every node looks
	col    []column
	// Entries of the sparse columns by row: those of row i are start[i] up to start[i+1], by rising column.
	start []int
	entry []entry
}

type entry struct {
	column int32
	code   uint32
}

type column struct {
	value []float64 // by code
	byKey []uint64  // entries, by code and row: code<<32 | row; all rows of a dense column, those other than 0 of a sparse one
	code  []uint32  // by row, of a dense column; nil of a sparse one
	zero  uint32    // code of 0, of a sparse column
	gaps  bool      // some row lacks the value
}

// missing returns the code of rows that lack the value.
func (c *column) missing() uint32 { return uint32(len(c.value)) }

// divide divides keys, by code, into those of rows that have a value and those of rows that lack it.
func (c *column) divide(keys []uint64) (known, missing []uint64) {
	n := len(keys)
	for c.gaps && n > 0 && uint32(keys[n-1]>>32) == c.missing() {
		n--
	}
	return keys[:n], keys[n:]
}

// dense columns have more than a share of 1/denseFrom of their rows other than 0: their codes are kept row by row.
const denseFrom = 4

// newColumns ranks the columns of the rows. O(entries · log rows) time, 12 to 20 bytes an entry, or 12 a row of a dense column.
func newColumns(ctx context.Context, view *data.View, workers int) (*columns, error) {
	x := view.Matrix()
	rows, cols := x.Dims()
	c := &columns{rows: rows, number: data.Numbers(cols), col: make([]column, cols), start: make([]int, rows+1)}
	view.Features().SortByName(c.number)
	w := parallel.NewWatch(ctx)
	parallel.Stretches(workers, 64, cols, func(first, last int) {
		if w.Ended() {
			return
		}
		for j := first; j < last; j++ {
			c.col[j] = ranked(x.Col(int(c.number[j])), rows)
		}
	})
	if w.Ended() {
		return nil, context.Cause(ctx)
	}
	for k, j := range c.number {
		if !view.Competes(int(j)) {
			c.always = append(c.always, int32(k))
		}
	}
	c.layOutRows()
	return c, nil
}

// isAlways reports whether every node looks at column k.
func (c *columns) isAlways(k int32) bool { return slices.Contains(c.always, k) }

// ranked returns a column by its entries.
func ranked(v sparse.Vec, rows int) column {
	type number struct {
		value float64
		row   uint32
	}
	var all []number
	var missing []uint32
	for k, i := range v.Idx {
		switch value := v.At(k); {
		case value != value:
			missing = append(missing, uint32(i))
		case value != 0:
			all = append(all, number{value, uint32(i)})
		}
	}
	isDense := denseFrom*(len(all)+len(missing)) > rows
	if isDense {
		dense := make([]float64, rows)
		v.AddTo(dense, 1)
		all = all[:0]
		for i, value := range dense {
			if value == value {
				all = append(all, number{value, uint32(i)})
			}
		}
	}
	if v.Val != nil || isDense { // else they are of one value, by row
		slices.SortFunc(all, func(a, b number) int { return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.row, b.row)) })
	}
	c := column{byKey: make([]uint64, len(all), len(all)+len(missing)), gaps: len(missing) > 0}
	withZero := func(below float64) { // that of the rows that are not stored stands before the first value above it
		if n := len(c.value); !isDense && len(all)+len(missing) < rows && below > 0 && (n == 0 || c.value[n-1] < 0) {
			c.zero, c.value = uint32(n), append(c.value, 0)
		}
	}
	for k, a := range all {
		if withZero(a.value); len(c.value) == 0 || c.value[len(c.value)-1] != a.value {
			c.value = append(c.value, a.value)
		}
		c.byKey[k] = uint64(len(c.value)-1)<<32 | uint64(a.row)
	}
	withZero(1)
	for _, row := range missing {
		c.byKey = append(c.byKey, uint64(c.missing())<<32|uint64(row))
	}
	if isDense {
		c.code = make([]uint32, rows)
		for _, key := range c.byKey {
			c.code[uint32(key)] = uint32(key >> 32)
		}
	}
	return c
}

// layOutRows gathers the entries of the sparse columns by row.
func (c *columns) layOutRows() {
	sparse := func(visit func(j int, row uint32, code uint32)) {
		for j := range c.col {
			if c.col[j].code == nil {
				for _, key := range c.col[j].byKey {
					visit(j, uint32(key), uint32(key>>32))
				}
			}
		}
	}
	sparse(func(_ int, row, _ uint32) { c.start[row+1]++ })
	for i := range c.rows {
		c.start[i+1] += c.start[i]
	}
	c.entry = make([]entry, c.start[c.rows])
	next := slices.Clone(c.start)
	sparse(func(j int, row, code uint32) {
		c.entry[next[row]] = entry{int32(j), code}
		next[row]++
	})
}

// row returns the entries of row i in sparse columns.
func (c *columns) row(i int32) []entry { return c.entry[c.start[i]:c.start[i+1]] }

// codeOf column j in row i. O(log entries of the row).
func (c *columns) codeOf(i, j int32) uint32 {
	col := &c.col[j]
	if col.code != nil {
		return col.code[i]
	}
	first, last := c.start[i], c.start[i+1]
	for end := last; first < end; {
		if mid := (first + end) / 2; c.entry[mid].column < j {
			first = mid + 1
		} else {
			end = mid
		}
	}
	if first < last && c.entry[first].column == j {
		return c.entry[first].code
	}
	return col.zero
}
