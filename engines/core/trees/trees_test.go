package trees

import (
	"slices"
	"testing"

	"tenfold/engines/core/sparse"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// A row with the threshold goes left, and each leaf has its numbers.
func TestLeafOf(t *testing.T) {
	tree := Tree{Nodes: []Node{{Threshold: 1, Next: 1}, {Column: Leaf}, {Column: Leaf, Next: 1}}, Value: []float64{10, 11, 20, 21}}
	for value, want := range map[float64][]float64{0: {10, 11}, 1: {10, 11}, 1.5: {20, 21}} {
		if got := tree.ValueOf(tree.LeafOf([]float64{value}), 2); !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", value, got, want)
		}
	}
}

// Rows come with their own values, however many blocks there are.
func TestVisit(t *testing.T) {
	const columns, rows = 1 << 17, 7 // blocks of two rows
	ptr, idx, y := []int{0}, []int32{}, make([]float64, rows)
	for i := range int32(rows) {
		idx = append(idx, i, columns-1-i)
		ptr = append(ptr, len(idx))
	}
	in := enginetest.View(enginetest.Dataset(sparse.New(columns, ptr, idx, nil), data.Target{Name: "y", Type: data.Real, Values: y}), nil).Inputs()
	seen := 0
	Visit(in, columns, func(first, last int, value []float64) {
		for i := first; i < last; i++ {
			seen++
			if !slices.Equal(value[(i-first)*columns:(i-first+1)*columns], Row(in.Row(i), columns)) {
				t.Errorf("row %d has values of another", i)
			}
		}
	})
	if seen != rows {
		t.Errorf("%d rows of %d", seen, rows)
	}
}
