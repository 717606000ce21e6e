package proximal

import "math"

// columnsByRow is some columns by row: which of them, and their values.
type columnsByRow struct {
	ptr     []int32
	columns []int32 // rising in a row
	val     []float64
}

// layOutByRow lays the columns of some coordinates out by row. O(their entries + n).
func layOutByRow(active []*Coordinate, n int) *columnsByRow {
	r := &columnsByRow{ptr: make([]int32, n+2)}
	next := r.ptr[1:] // next[i] will be where the next entry of row i goes
	values := false
	for _, c := range active {
		values = values || c.X.Val != nil
		for _, i := range c.X.Idx {
			next[i+1]++
		}
	}
	for i := range n {
		next[i+1] += next[i]
	}
	r.columns = make([]int32, next[n])
	if values {
		r.val = make([]float64, next[n])
	}
	for k, c := range active {
		for e, i := range c.X.Idx {
			q := next[i]
			next[i] = q + 1
			r.columns[q] = int32(k)
			if values {
				r.val[q] = c.X.At(e)
			}
		}
	}
	return r
}

// row returns which columns have an entry in row i, rising, and their values; no values stand for ones.
func (r *columnsByRow) row(i int) (columns []int32, val []float64) {
	a, b := r.ptr[i], r.ptr[i+1]
	if r.val == nil {
		return r.columns[a:b], nil
	}
	return r.columns[a:b], r.val[a:b]
}

// expectedSharedRows returns how many pairs of entries share a row, were the entries spread evenly.
func expectedSharedRows(active []*Coordinate, n int) float64 {
	entries := 0.0
	for _, c := range active {
		entries += float64(c.X.Len())
	}
	if entries > math.MaxInt32 { // rows have no room for them
		return math.Inf(1)
	}
	return entries * entries / (2 * float64(n))
}
