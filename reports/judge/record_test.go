package judge

import (
	"math"
	"testing"
)

// Rounding is a tie, and what is no number is neither.
func TestGain(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		a, b   float64
		higher bool
		want   int
	}{
		{0.3, 0.1 + 0.2, true, 0}, {0.3, 0.3 + 1e-11, true, -1}, {0.3, 0.3 + 1e-11, false, 1}, {0, 0, true, 0}, {0, 1e-300, true, -1},
		{inf, inf, true, 0}, {inf, 1, true, 1}, {inf, 1, false, -1}, {nan, 1, true, 9}, {1, nan, false, 9},
	} {
		g := Gain(c.a, c.b, c.higher)
		got := 0
		switch {
		case math.IsNaN(g):
			got = 9
		case g > 0:
			got = 1
		case g < 0:
			got = -1
		}
		if got != c.want {
			t.Errorf("%v against %v, higher %v: %v", c.a, c.b, c.higher, g)
		}
	}
}
