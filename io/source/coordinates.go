package source

import (
	"cmp"
	"slices"
)

// Coordinates holds the N entries of a matrix with Rows rows, in any order: At returns row and column of entry k, Value its value.
type Coordinates struct {
	Rows, N int
	At      func(k int) (row int, column int32)
	Value   func(k int) float64
}

// EachRow calls add for every row, in order, with its entries by rising column. Values at the same place are added up in the order
// of the entries; added counts those beyond the first of each place. The slices passed to add are valid until it returns. O(N · log
// of the entries of a row).
func (c Coordinates) EachRow(add func(row int, idx []int32, val []float64) error) (added int, err error) {
	start := make([]int, c.Rows+2) // of row i in order, while it is filled at i+1
	for k := range c.N {
		i, _ := c.At(k)
		start[i+2]++
	}
	for i := range c.Rows {
		start[i+2] += start[i+1]
	}
	order := make([]int, c.N)
	for k := range order {
		i, _ := c.At(k)
		order[start[i+1]] = k
		start[i+1]++
	}
	column := func(k int) int32 { _, j := c.At(k); return j }
	var idx []int32
	var val []float64
	for i := range c.Rows {
		row := order[start[i]:start[i+1]]
		slices.SortStableFunc(row, func(p, q int) int { return cmp.Compare(column(p), column(q)) })
		idx, val = idx[:0], val[:0]
		for _, k := range row {
			if n, j := len(idx), column(k); n > 0 && idx[n-1] == j {
				val[n-1] += c.Value(k)
				added++
			} else {
				idx, val = append(idx, j), append(val, c.Value(k))
			}
		}
		if err := add(i, idx, val); err != nil {
			return added, err
		}
	}
	return added, nil
}
