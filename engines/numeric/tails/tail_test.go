package tails

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"tenfold/engines/enginetest/oracle"
)

// The tails of F and χ² are those of another library, and where that has no digits any more, of known values.
func TestTails(t *testing.T) {
	for _, between := range []float64{1, 2, 3, 4, 7, 20, 101} {
		for _, within := range []float64{1, 2, 5, 10, 37, 500, 10000} {
			for _, explained := range []float64{1e-9, 1e-3, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999999} {
				want := mathext.RegIncBeta(within/2, between/2, 1-explained)
				if explained < 1e-6 { // 1 − explained has lost digits
					want = 1 - mathext.RegIncBeta(between/2, within/2, explained)
				}
				got := F(explained, 1-explained, between, within)
				if !(math.Abs(got-want) <= 1e-11*want+1e-15) && want > 1e-280 {
					t.Errorf("F tail of %v on %v and %v: %v, want %v", explained, between, within, got, want)
				}
			}
		}
	}
	for _, freedom := range []float64{1, 2, 3, 4, 5, 9, 30, 99, 1000} {
		for _, x := range []float64{1e-9, 0.1, 1, 2, 5, 10, 29, 100, 500, 990, 1100, 1400} {
			want := mathext.GammaIncRegComp(freedom/2, x/2)
			if got := Chi2(x, freedom); !(math.Abs(got-want) <= 1e-11*want) && want > 1e-280 {
				t.Errorf("χ² tail of %v on %v: %v, want %v", x, freedom, got, want)
			}
		}
	}
	for what, c := range map[string][2]float64{
		"F of nothing": {F(0, 1, 3, 9), 1}, "F of all": {F(1, 0, 3, 9), 0},
		"F on 2 and w":  {F(0.25, 0.75, 2, 8), math.Pow(0.75, 4)},
		"χ² of nothing": {Chi2(0, 3), 1}, "χ² of all": {Chi2(math.Inf(1), 3), 0}, "χ² far out": {Chi2(1e5, 7), 0},
	} {
		if !(math.Abs(c[0]-c[1]) <= 1e-15) {
			t.Errorf("%s: %v, want %v", what, c[0], c[1])
		}
	}
	for nu, want := range map[float64]float64{1: 12.706204736432095, 2: 4.302652729911275, 5: 2.570581835636314, 9: 2.2621571627409915, 30: 2.0422724563012373,
		1e6: 1.9599663568230862} {
		if got := StudentQuantile(0.025, nu); !(math.Abs(got-want) <= 1e-9*want) {
			t.Errorf("quantile of Student's t on %v: %v, want %v", nu, got, want)
		}
	}
}

// The tails of Student's T are those of R (testdata/tail.json).
func TestStudent(t *testing.T) {
	for _, c := range oracle.Fixture[struct {
		N       int
		Rest, P float64
	}](t, "tail.json") {
		tol := 1e-12
		if c.N > 1e6 {
			tol = 2e-10
		}
		if got := Student(1-c.Rest, c.Rest, float64(c.N-2)); !(math.Abs(got-c.P) <= tol*c.P) {
			t.Errorf("tail of %v on %d rows: %.17g, want %.17g", c.Rest, c.N, got, c.P)
		}
	}
}
