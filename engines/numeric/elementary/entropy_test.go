package elementary

import (
	"math"
	"testing"
)

// Both shares of a pair of outcomes, by Python's decimal with 60 digits: the small one keeps its digits, a certain one has none.
func TestEntropy(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]float64{
		{0.25, 0.346573590279972654708616, 0.215761554338835695579414}, {1e-20, 4.60517018598809112094e-19, 1e-20}, {1e-300, 6.90775527898213722490e-298, 1e-300},
		{0, 0, 0}, {1, 0, 0}, {-0x1p-60, 0, -0x1p-60}, {1 + 0x1p-52, -0x1p-52, 0},
	} {
		if a, b := Entr(c[0]), Entr1m(c[0]); !(math.Abs(a-c[1]) <= 4e-16*math.Abs(c[1])) || !(math.Abs(b-c[2]) <= 4e-16*math.Abs(c[2])) {
			t.Errorf("of %v: %v and %v, want %v and %v", c[0], a, b, c[1], c[2])
		}
	}
}

func TestSoftThreshold(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]float64{{3, 1, 2}, {-3, 1, -2}, {0.5, 1, 0}, {-0.5, 1, 0}, {1, 1, 0}, {0, 0, 0}, {2, 0, 2}} {
		if got := SoftThreshold(c[0], c[1]); got != c[2] {
			t.Errorf("%v by %v: %v, want %v", c[0], c[1], got, c[2])
		}
	}
}
