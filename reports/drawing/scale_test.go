package drawing

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot"
)

func tickLabels(ts []plot.Tick) string {
	var out []string
	for _, t := range ts {
		if t.Label != "" {
			out = append(out, t.Label)
		}
	}
	return strings.Join(out, " ")
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		ticks     plot.Ticker
		low, high float64
		want      string
	}{
		{linearTicks{mostTicks}, 0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{linearTicks{mostTicks}, -1, 1, "−1.0 −0.5 0.0 0.5 1.0"},
		{linearTicks{mostTicks}, 0, 64000, "0 10,000 20,000 30,000 40,000 50,000 60,000"},
		{linearTicks{mostTicks}, 0.1234, 0.1239, "0.1234 0.1235 0.1236 0.1237 0.1238 0.1239"},
		{linearTicks{mostTicks}, 2, 2, "2"},
		{linearTicks{3}, 0, 1, "0.0 0.5 1.0"},
		{linearTicks{4}, 0, 64000, "0 20,000 40,000 60,000"},
		{logTicks{most: 3}, 1, 60, "1 10"},
		{logTicks{most: mostTicks}, 9, 11000, "10 100 1,000 10,000"},
		{logTicks{most: mostTicks}, 1, 60, "1 2 5 10 20 50"},
		{logTicks{most: mostTicks, zero: 0.5}, 0.4, 2000, "0 1 10 100 1,000"},
		{logTicks{most: mostTicks}, 1e-9, 1e9, "1e-09 1e-06 0.001 1 1,000 1,000,000 1e+09"},
	} {
		if got := tickLabels(c.ticks.Ticks(c.low, c.high)); got != c.want {
			t.Errorf("%T from %g to %g: %s, want %s", c.ticks, c.low, c.high, got, c.want)
		}
	}
}

// Whatever the values, every one has a place on the axis, the larger the further.
func TestScale(t *testing.T) {
	for _, values := range [][]float64{{}, {0}, {3}, {-3}, {3, 3}, {0, 0}, {0, 1}, {0, 1, 1e6}, {1e-300, 1e300}, {-5, 5}, {1e-12, 2e-12}, {1, 1 + 1e-15}} {
		for _, log := range []bool{false, true} {
			s := newScale(Axis{Log: log && !(len(values) > 0 && values[0] < 0)}, values, 0.03, 0.03)
			last := -1.0
			for _, v := range values {
				at := s.normalise(v)
				if !(at >= 0 && at <= 1 && at >= last) {
					t.Errorf("%v, log %v: %g stands at %g after %g in %+v", values, log, v, at, last, s)
				}
				last = at
			}
			if !(s.high > s.low) {
				t.Errorf("%v, log %v: %+v", values, log, s)
			}
		}
	}
}

func TestZeroHasItsPlaceOnALogAxis(t *testing.T) {
	s := newScale(Axis{Log: true}, []float64{0, 10, 1000}, 0.03, 0.03)
	if zero, ten := s.normalise(0), s.normalise(10); !(0 < zero && zero < ten-0.02) {
		t.Errorf("zero at %g, ten at %g", zero, ten)
	}
}

func TestHeights(t *testing.T) {
	for _, c := range []struct {
		values []float64
		low    float64
	}{{[]float64{0, 10}, 0}, {[]float64{0.1, 10}, 0}, {[]float64{-1, 9}, -1.4}, {[]float64{5, 10}, 4.8}, {[]float64{0, 0}, 0}, {nil, 0}} {
		if s := verticalScale(Axis{}, c.values); !(math.Abs(s.low-c.low) <= 1e-12) || !(s.high > s.low) {
			t.Errorf("%v: %+v, want it to begin at %g", c.values, s, c.low)
		}
	}
}

// An axis on which all is one number has room around it.
func TestScaleOfOneNumber(t *testing.T) {
	for v, want := range map[float64][2]float64{0: {-1, 1}, 4: {2, 6}, -4: {-6, -2}} {
		if s := newScale(Axis{}, []float64{v, v}, 0.1, 0.1); s.low != want[0] || s.high != want[1] || s.normalise(v) != 0.5 {
			t.Errorf("%v: from %v to %v", v, s.low, s.high)
		}
	}
}
