package engines

import (
	"math"
	"slices"
	"testing"
)

// Paths of penalties fall at one pace to a millionth, at first to a hundredth. With as many rows as columns they go on to a ten-thousandth
// while the best is within a decade, else, and from there on, while the last is the best.
func TestPenaltyPath(t *testing.T) {
	for _, c := range []struct {
		rows, columns int
		near          []int
	}{{50, 50, []int{10, 10, 10, 10, 1, 1, 1, 1}}, {49, 50, []int{1, 1, 1, 1, 1, 1, 1, 1}}} {
		r := PenaltyPath(8, c.rows, c.columns, 10)
		all, end := slices.Clone(r.Values), 1e-2
		var near []int
		for _, piece := range r.Onward {
			if last := all[len(all)-1] / 8; !(math.Abs(last/end-1) <= 1e-12) {
				t.Errorf("%d rows: goes to %v, expected %v", c.rows, last, end)
			}
			all, near, end = append(all, piece.Values...), append(near, piece.Near), end*math.Sqrt(0.1)
		}
		for k, v := range all {
			if k > 0 && !(math.Abs(v/all[k-1]-math.Pow(10, -0.1)) <= 1e-12) {
				t.Errorf("%d rows: %v after %v", c.rows, v, all[k-1])
			}
		}
		if all[0] != 8 || !(math.Abs(all[len(all)-1]/8e-6-1) <= 1e-12) || !slices.Equal(near, c.near) || !r.Open {
			t.Errorf("%d rows: from %v to %v, goes on within %v, expected within %v", c.rows, all[0], all[len(all)-1], near, c.near)
		}
	}
}
