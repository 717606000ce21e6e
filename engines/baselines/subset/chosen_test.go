package subset

import (
	"math"
	"slices"
	"testing"
)

// Scores that are equal but for rounding are ties, which go to the first column; those that are next to each other are not.
func TestTies(t *testing.T) {
	t.Parallel()
	scores := []float64{2, 3 - 1e-10, 3, -1, 3 - 1e-6, 2 - 1e-10, 0}
	if got := ByScore(scores, 0); !slices.Equal(got, []int32{1, 2, 4, 0, 5}) {
		t.Errorf("order %v", got)
	}
	if got := ByScore([]float64{-3, -1 - 1e-10, -1, -1 - 1e-6}, math.Inf(-1)); !slices.Equal(got, []int32{1, 2, 3, 0}) {
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
