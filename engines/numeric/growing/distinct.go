package growing

import (
	"slices"

	"tenfold/engines/numeric/sparse"
)

// distinctColumns lists the first of every set of equal columns, and returns for each column which of the list it equals. Columns
// of texts that occur in a row or two are equal more often than not, and what is computed of one goes for the others to the last
// bit. Columns that are not all ones are hardly ever equal, and each counts as distinct. O(nnz).
func distinctColumns(x *sparse.Matrix) (distinct, place []int32) {
	_, columns := x.Dims()
	place = make([]int32, columns)
	if !x.Binary() {
		for j := range place {
			place[j] = int32(j)
		}
		return place, place
	}
	first := make(map[uint64][]int32, columns/2) // by hash of rows: places in the list
	for j := range int32(columns) {
		rows := x.Col(int(j)).Idx
		hash := uint64(14695981039346656037) // FNV-1a
		for _, i := range rows {
			hash = (hash ^ uint64(i)) * 1099511628211
		}
		k := slices.IndexFunc(first[hash], func(p int32) bool { return slices.Equal(x.Col(int(distinct[p])).Idx, rows) })
		if k >= 0 {
			place[j] = first[hash][k]
			continue
		}
		place[j] = int32(len(distinct))
		first[hash] = append(first[hash], place[j])
		distinct = append(distinct, j)
	}
	return distinct, place
}
