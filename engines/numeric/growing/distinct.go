package growing

import (
	"slices"

	"tenfold/engines/numeric/sparse"
)

// distinctColumns lists the first of every set of equal columns, and says for each column which of the list it equals. Columns
// of texts that occur in a row or two are equal more often than not, and what is computed of one goes for the others to the last
// bit. Columns that are not all ones are hardly ever equal, and each counts as distinct. O(nnz).
func distinctColumns(x *sparse.Matrix) (distinct, of []int32) {
	_, columns := x.Dims()
	of = make([]int32, columns)
	if !x.Binary() {
		for j := range of {
			of[j] = int32(j)
		}
		return of, of
	}
	first := make(map[uint64][]int32, columns/2) // by hash of rows: places in the list
	for j := range int32(columns) {
		rows := x.Col(int(j)).Idx
		hash := uint64(14695981039346656037) // FNV-1a
		for _, i := range rows {
			hash = (hash ^ uint64(i)) * 1099511628211
		}
		k := slices.IndexFunc(first[hash], func(place int32) bool { return slices.Equal(x.Col(int(distinct[place])).Idx, rows) })
		if k >= 0 {
			of[j] = first[hash][k]
			continue
		}
		of[j] = int32(len(distinct))
		first[hash] = append(first[hash], of[j])
		distinct = append(distinct, j)
	}
	return distinct, of
}
