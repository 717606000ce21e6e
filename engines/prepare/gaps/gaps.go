// Package gaps finds, fills and spreads missing values (NaN) of matrices.
package gaps

import (
	"slices"

	"tenfold/engines/numeric/sparse"
)

// Each calls visit for each entry without a value, row by row.
func Each(x *sparse.Matrix, visit func(row int, column int32)) {
	ptr, idx, val := x.Rows()
	if val == nil {
		return
	}
	for i := 0; i+1 < len(ptr); i++ {
		for q := ptr[i]; q < ptr[i+1]; q++ {
			if val[q] != val[q] {
				visit(i, idx[q])
			}
		}
	}
}

// Fill returns the matrix with its column's value of fill in every gap; NaN leaves the gaps of a column.
func Fill(x *sparse.Matrix, fill []float64) *sparse.Matrix {
	return x.Valued(func(j int32, v float64) float64 {
		if v != v {
			return fill[j]
		}
		return v
	})
}

// Spread returns the matrix with each gap of a level spread over all levels of its categorical column; factor has that of each column, -1
// for none. O(entries + gaps · levels).
func Spread(x *sparse.Matrix, factor []int32) *sparse.Matrix {
	levels := map[int32][]int32{}
	for j, f := range factor {
		if f >= 0 {
			levels[f] = append(levels[f], int32(j))
		}
	}
	var b sparse.Builder
	rows, columns := x.Dims()
	var idx []int32
	var val []float64
	for i := range rows {
		row := x.Row(i)
		idx, val = idx[:0], val[:0]
		for q, j := range row.Idx {
			v, places := row.At(q), []int32{j}
			if v != v && factor[j] >= 0 {
				places = levels[factor[j]]
			}
			for _, k := range places {
				idx, val = append(idx, k), append(val, v)
			}
		}
		if err := b.Add(idx, val); err != nil {
			panic(err) // a row has one word of a categorical column
		}
	}
	return b.Matrix(columns)
}

// Column is a column that rows lack.
type Column struct {
	Number int32
	Rows   []int32 // rising
}

// Columns returns the columns with gaps, rising, out of those wanted. O(entries).
func Columns(x *sparse.Matrix, wanted func(j int32) bool) (out []Column) {
	place := map[int32]int{}
	Each(x, func(i int, j int32) {
		if !wanted(j) {
			return
		}
		k, ok := place[j]
		if !ok {
			k = len(out)
			place[j], out = k, append(out, Column{Number: j})
		}
		out[k].Rows = append(out[k].Rows, int32(i))
	})
	slices.SortFunc(out, func(a, b Column) int { return int(a.Number - b.Number) })
	return out
}
