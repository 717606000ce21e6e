package ties

import (
	"math"
	"slices"
	"testing"
)

// Scores that are equal but for rounding are ties, which go to the first column; those that are next to each other are not.
func TestTies(t *testing.T) {
	t.Parallel()
	scores := []float64{2, 3 - 1e-10, 3, -1, 3 - 1e-6, 2 - 1e-10, 0}
	if got := Above(scores, 0); !slices.Equal(got, []int32{1, 2, 4, 0, 5}) {
		t.Errorf("order %v", got)
	}
	if got := Above([]float64{-3, -1 - 1e-10, -1, -1 - 1e-6}, math.Inf(-1)); !slices.Equal(got, []int32{1, 2, 3, 0}) {
		t.Errorf("order below 0 %v", got)
	}
	open, order := []bool{true, true, true, true, true, true, false}, []int(nil)
	for s := Best(scores, open); s >= 0; s = Best(scores, open) {
		order, open[s] = append(order, s), false
	}
	if !slices.Equal(order, []int{1, 2, 4, 0, 5, 3}) {
		t.Errorf("one after the other: %v", order)
	}
	if got := Best([]float64{-3, -1, -1 - 1e-10}, []bool{true, true, true}); got != 1 {
		t.Errorf("the best below 0 is %d", got)
	}
	if got := Best([]float64{-3, -1 - 1e-10, -1}, []bool{true, true, true}); got != 1 {
		t.Errorf("the first of the best below 0 is %d", got)
	}
}

// Columns that tie by one key stand by the next, and by their numbers where no key is left.
func TestSortByKeys(t *testing.T) {
	t.Parallel()
	columns := []int32{4, 3, 2, 1, 0}
	Sort(columns, []float64{1, 2 - 1e-10, 2, 1, 2}, []float64{5, 3, 7, 6, 7 - 1e-10})
	if !slices.Equal(columns, []int32{2, 4, 1, 3, 0}) {
		t.Errorf("order %v", columns)
	}
	for first, tied := range Groups(columns, []float64{0, 0, 1, 0, 1}) {
		if want := map[int][]int32{0: {2, 4}, 2: {1, 3, 0}}[first]; !slices.Equal(tied, want) {
			t.Errorf("from place %d on: %v, expected %v", first, tied, want)
		}
	}
}
