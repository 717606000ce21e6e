package digits

import (
	"math"
	"testing"

	"tenfold/io/results"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		means []float64
		x     float64
		want  string
	}{
		{[]float64{0.42, 0.536, 1.56}, 0.5361, "0.5361"},
		{[]float64{0.42, 0.536, 1.56}, 1e-7, "1e-07"},
		{[]float64{172773}, 172773, "172773"},
		{[]float64{9.975}, -9.9751, "−9.975"},
		{[]float64{0.5}, math.NaN(), "–"},
		{nil, 0, "0"},
		{[]float64{12345.6}, 12345.6, "12346"},
		{[]float64{0.00012}, 0.000123, "0.000123"}, // no more than six decimals
		{[]float64{0.000012}, 0.0000123, "0.000012"},
	} {
		var stats []results.Stat
		for _, m := range c.means {
			stats = append(stats, results.Summarise([]float64{m}))
		}
		if got := For(stats).Number(c.x); got != c.want {
			t.Errorf("%v among %v is written %q, want %q", c.x, c.means, got, c.want)
		}
	}
}

func TestOverFolds(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		want   string
	}{
		{"counts", []float64{3, 4, 4}, "3.7"},
		{"small counts", []float64{1, 2, 2}, "1.7"},
		{"leaving one out", []float64{1, 1, 0, 1}, "0.7500"},
		{"nothing selected", []float64{0, 0}, "0"},
	} {
		s := results.Summarise(c.values)
		if got := For([]results.Stat{s}).Number(s.Mean); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestRounding(t *testing.T) {
	d := Decimals(4)
	for _, c := range []struct{ got, want string }{
		{d.Spread(3e-17), "0.0000"}, {d.Signed(-1e-17), "0.0000"}, {d.Signed(1e-6), "+1e-06"}, {d.Signed(0.25), "+0.2500"},
		{d.Number(math.Copysign(0, -1)), "0.0000"}, {d.Number(math.Inf(-1)), "−∞"}, {d.Number(math.Inf(1)), "∞"},
		{d.Number(1.5e300), "1.5e+300"}, {d.Spread(math.NaN()), "–"}, {d.Spread(0.00512), "0.0051"},
		{For([]results.Stat{results.Summarise([]float64{2e-7, 3e-7})}).Spread(5e-8), "5e-08"},
		{d.WithError(0.5, 0.01), "0.5000 ± 0.0100"}, {d.WithError(-0.5, math.NaN()), "−0.5000"},
		{Format("%.3g", -1234), "−1.23e+03"}, {Format("%.1f", math.NaN()), "–"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestPAndCount(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{P(0.0123), "0.012"}, {P(0.0009), "<0.001"}, {P(0.001), "0.001"}, {P(math.NaN()), "–"},
		{PIs(0.0123), "p = 0.012"}, {PIs(0), "p < 0.001"},
		{Count(1, "fold"), "1 fold"}, {Count(0, "fold"), "0 folds"}, {Count(2, "data set"), "2 data sets"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
