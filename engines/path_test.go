package engines

import (
	"math"
	"slices"
	"testing"
)

// Paths of penalties end where glmnet's do, and go on by half a decade at a time, at one pace, to a millionth.
func TestPenaltyPath(t *testing.T) {
	h := math.Sqrt(0.1)
	for _, c := range []struct {
		rows, columns int
		ends          []float64
	}{{50, 50, []float64{1e-4, h * 1e-4, 1e-5, h * 1e-5, 1e-6}}, {49, 50, []float64{1e-2, h * 1e-2, 1e-3, h * 1e-3, 1e-4, h * 1e-4, 1e-5, h * 1e-5, 1e-6}}} {
		r := PenaltyPath(8, c.rows, c.columns, 10)
		all := slices.Concat(append([][]float64{r.Values}, r.Onward...)...)
		for k, v := range all {
			if k > 0 && math.Abs(v/all[k-1]-math.Pow(10, -0.1)) > 1e-12 {
				t.Errorf("%d rows: %v after %v", c.rows, v, all[k-1])
			}
		}
		var ends []float64
		for _, part := range append([][]float64{r.Values}, r.Onward...) {
			ends = append(ends, part[len(part)-1]/8)
		}
		if all[0] != 8 || len(ends) != len(c.ends) || !r.Open {
			t.Fatalf("%d rows: from %v to %v, expected from 8 to shares of %v", c.rows, all[0], ends, c.ends)
		}
		for k, end := range ends {
			if math.Abs(end/c.ends[k]-1) > 1e-12 {
				t.Errorf("%d rows: ends at %v, expected %v", c.rows, ends, c.ends)
			}
		}
	}
}
