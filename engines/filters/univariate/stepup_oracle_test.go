package univariate

import (
	"slices"
	"testing"

	"tenfold/engines/enginetest/oracle"
)

// TestOracleStepUp: both procedures select the columns of the cases, and each column from its adjusted p-value on.
func TestOracleStepUp(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"knock_stepup": func(t *testing.T, c oracle.Case) {
		var in struct{ P []float64 }
		var options struct {
			Alpha     float64
			Procedure string
		}
		var want struct {
			Adjusted []float64
			Selected []int32
		}
		c.Parts(t, &in, &options, &want)
		level := func(alpha float64) float64 {
			if options.Procedure == by {
				return alpha / harmonic(len(in.P))
			}
			return alpha
		}
		got := stepUp(in.P, level(options.Alpha))
		slices.Sort(want.Selected)
		if !slices.Equal(got, want.Selected) {
			t.Errorf("selected %v, expected %v", got, want.Selected)
		}
		for j, p := range want.Adjusted {
			if p < 1 && (!slices.Contains(stepUp(in.P, level(p*(1+1e-9))), int32(j)) || slices.Contains(stepUp(in.P, level(p*(1-1e-9))), int32(j))) {
				t.Errorf("column %d is not selected from level %v on", j, p)
			}
		}
	}})
}
