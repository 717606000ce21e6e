package paired_test

import (
	"testing"

	"tenfold/engines/enginetest/oracle"
	"tenfold/reports/paired"
)

// The least number of units with which sign flips can find anything, and when no number of them helps the bootstrap.
func TestOracleLeastUnits(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"least_units": func(t *testing.T, c oracle.Case) {
		var options struct {
			Alpha, Comparisons, Sides float64
			Draws                     *float64
		}
		var want struct {
			Units    *int
			Smallest float64 `json:"smallest_p"`
		}
		c.Parts(t, &struct{}{}, &options, &want)
		test := paired.TestNamed(paired.NameSign)
		if options.Draws != nil {
			if *options.Draws != 2000 {
				t.Skipf("%v draws, tenfold makes 2000", *options.Draws)
			}
			test = paired.TestNamed(paired.NameBootstrap)
		}
		units := test.Enough(2 / options.Sides * options.Alpha / options.Comparisons)
		if want.Units == nil {
			if units != 0 {
				t.Errorf("%d units, expected none", units)
			}
			return
		}
		if units != *want.Units {
			t.Errorf("%d units, expected %d", units, *want.Units)
		}
		oracle.Near(t, "smallest p", test.Smallest(units)*options.Sides/2, want.Smallest, 1e-12)
	}})
}
