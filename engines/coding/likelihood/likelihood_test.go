package likelihood

import (
	"math"
	"slices"
	"testing"
)

// TestRankByGain: tasks of nearly equal gains come in their order.
func TestRankByGain(t *testing.T) {
	t.Parallel()
	if got, saved := rankByGain([]float64{1, 2, 2 + 1e-12, 0, 2}); !slices.Equal(got, []int32{1, 2, 4, 0, 3}) || !(math.Abs(saved[4]-7) <= 1e-9) {
		t.Errorf("ranked %v, saving %v", got, saved)
	}
}
