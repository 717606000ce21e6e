package results_test

import (
	"math"
	"testing"

	"tenfold/engines/enginetest/oracle"
	"tenfold/io/results"
)

// Errors of a mean over folds are those of overlapping training rows, or of independent values.
func TestOracleIntervals(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"fold_interval": func(t *testing.T, c oracle.Case) {
		var in struct {
			Values []float64
			Train  []float64 `json:"n_train"`
			Test   []float64 `json:"n_test"`
		}
		var options struct{ Correction string }
		var want struct{ Mean, SD, SE, Low, High *float64 }
		c.Parts(t, &in, &options, &want)
		ratio := 0.0
		for i, n := range in.Test {
			ratio += n / in.Train[i] / float64(len(in.Test))
		}
		s := results.SummariseFolds(in.Values, ratio)
		if options.Correction == "naive" {
			s = s.Spread()
		}
		for name, p := range map[string]struct {
			got  float64
			want *float64
		}{"mean": {s.Mean, want.Mean}, "sd": {s.SD, want.SD}, "se": {s.SE, want.SE}, "low": {s.Low, want.Low}, "high": {s.High, want.High}} {
			switch {
			case p.want != nil:
				oracle.Near(t, name, p.got, *p.want, 1e-9)
			case p.got == p.got:
				t.Errorf("%s is %v, expected none", name, p.got)
			}
		}
	}})
}

// Who competes, and who is best, where values are missing or infinite; by hand.
func TestCompete(t *testing.T) {
	t.Parallel()
	none, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		values  [][]float64
		states  []results.State
		compete []bool
		best    []int // smallest
	}{
		"complete":                 {[][]float64{{1, 2}, {1, 1}, {1, 1}}, []results.State{results.Complete, results.Complete, results.Complete}, []bool{true, true, true}, []int{1, 2}},
		"all equal":                {[][]float64{{1, 2}, {1, 2}}, []results.State{results.Complete, results.Complete}, []bool{true, true}, nil},
		"infinite":                 {[][]float64{{1, inf}, {3, 4}}, []results.State{results.Infinite, results.Complete}, []bool{true, true}, []int{1}},
		"all infinite":             {[][]float64{{1, inf}, {inf, 4}}, []results.State{results.Infinite, results.Infinite}, []bool{true, true}, nil},
		"incomplete beside others": {[][]float64{{0, none}, {3, 4}, {5, 6}}, []results.State{results.Incomplete, results.Complete, results.Complete}, []bool{false, true, true}, []int{1}},
		"the same folds":           {[][]float64{{0, none}, {3, none}, {none, none}}, []results.State{results.Incomplete, results.Incomplete, results.Absent}, []bool{true, true, false}, []int{0}},
		"other folds":              {[][]float64{{0, none}, {none, 3}}, []results.State{results.Incomplete, results.Incomplete}, []bool{false, false}, nil},
		"infinite and missing":     {[][]float64{{inf, none}, {3, 4}}, []results.State{results.Incomplete, results.Complete}, []bool{false, true}, nil},
		"failed":                   {[][]float64{nil, {3, 4}}, []results.State{results.Absent, results.Complete}, []bool{false, true}, nil},
	} {
		compete := results.Compete(c.values)
		means := make([]float64, len(c.values))
		for i, v := range c.values {
			if got := results.StateOf(v); got != c.states[i] {
				t.Errorf("%s: %d is %s, expected %s", name, i, got, c.states[i])
			}
			if compete[i] != c.compete[i] {
				t.Errorf("%s: %d competes: %t", name, i, compete[i])
			}
			var have []float64
			for _, x := range v {
				if x == x {
					have = append(have, x)
				}
			}
			means[i] = results.Summarise(have).Mean
		}
		best := results.BestOf(means, compete, false)
		if len(best) != len(c.best) {
			t.Errorf("%s: best %v, expected %v", name, best, c.best)
			continue
		}
		for i := range best {
			if best[i] != c.best[i] {
				t.Errorf("%s: best %v, expected %v", name, best, c.best)
			}
		}
	}
}
