package redundancy

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/sparse"
)

// levelsOf the values of a column, of which the zeros are not stored where sparsely is true.
func levelsOf(t *testing.T, l Levels, x []float64, sparsely bool) []int {
	t.Helper()
	var col sparse.Vec
	for i, v := range x {
		if v != 0 || !sparsely {
			col.Idx, col.Val = append(col.Idx, int32(i)), append(col.Val, v)
		}
	}
	code, err := l.coder(newDistribution(col, len(x), nil, float64(len(x))))
	if err != nil {
		t.Fatal(err)
	}
	out := []int{}
	for _, v := range x {
		out = append(out, code(v))
	}
	return out
}

func TestOracleBins(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"info_bins": func(t *testing.T, c oracle.Case) {
		var in struct{ X []float64 }
		options := struct {
			Rule string
			Bins int
			Cuts []float64
		}{Bins: 10}
		var want struct{ Levels []int }
		c.Parts(t, &in, &options, &want)
		l := Levels{options.Rule, options.Bins, options.Cuts}
		if err := l.validate(); err != nil {
			t.Fatal(err)
		}
		for _, sparsely := range []bool{false, true} {
			if got := levelsOf(t, l, in.X, sparsely); !slices.Equal(got, want.Levels) {
				t.Errorf("levels %v, want %v", got, want.Levels)
			}
		}
	}})
}

// With auto, columns of few values have these as levels, and others so many of equal frequency as the cube root of the rows.
func TestAutomaticLevels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rows, values, want int }{{600, 10, 10}, {600, 11, 8}, {600, 600, 8}, {1000, 999, 10}, {999, 999, 9}, {2000, 2000, 10}, {60, 60, 3}, {50, 10, 10}, {49, 10, 3}, {12, 10, 2}, {3, 3, 2}, {3, 2, 2}} {
		x := make([]float64, c.rows)
		for i := range x {
			x[i] = float64(i%c.values) - 2
		}
		if got := levelsOf(t, Levels{Discretize: automatic, Bins: 10}, x, true); len(slices.Compact(slices.Sorted(slices.Values(got)))) != c.want {
			t.Errorf("%d values in %d rows: levels %v, want %d", c.values, c.rows, got, c.want)
		}
	}
	if got := levelsOf(t, Levels{Discretize: automatic, Bins: 3}, []float64{0, 1, 2, 3, 0, 1, 2, 3}, false); slices.Max(got) != 1 {
		t.Errorf("4 values and 3 bins at most: %v", got)
	}
}

// Each rule by hand: ends, repeated values, zeros, and columns of one value.
func TestLevels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule string
		bins int
		cuts []float64
		x    []float64
		want []int
	}{
		{eachValue, 10, nil, []float64{-1, 5, 0, 5, -1, 0}, []int{0, 2, 1, 2, 0, 1}},
		{equalWidth, 4, nil, []float64{0, 1, 2, 3, 4, 0.99, 3.99}, []int{0, 1, 2, 3, 3, 0, 3}},
		{equalWidth, 2, nil, []float64{-3, 0, -1.5, -1.51}, []int{0, 1, 1, 0}},
		{equalWidth, 3, nil, []float64{7, 7, 7}, []int{0, 0, 0}},
		// cuts at the first and second third: x_(2) = 0 and x_(4) = 2
		{equalFrequency, 3, nil, []float64{0, 0, 1, 2, 3, 3}, []int{0, 0, 1, 1, 2, 2}},
		{equalFrequency, 3, nil, []float64{0, 0, 0, 0, 0, 3}, []int{0, 0, 0, 0, 0, 1}},
		{equalFrequency, 2, nil, []float64{-2, 0, 0, 4, 9}, []int{0, 0, 0, 1, 1}},
		{atCuts, 10, []float64{0, 1.5}, []float64{-1, 0, 0.1, 1.5, 1.6}, []int{0, 0, 1, 1, 2}},
		{asPraznik, 10, nil, []float64{1, 2, 3, 4, 5}, []int{0, 0, 0, 1, 1}}, // from 0.996 to 5.004004, two levels
		{asPraznik, 10, nil, []float64{0, 1, 2, 3, 4, 5}, []int{0, 0, 0, 1, 1, 1}},
		{asPraznik, 10, nil, []float64{2, 2, 2}, []int{0, 0, 0}},
	} {
		l := Levels{c.rule, c.bins, c.cuts}
		for _, sparsely := range []bool{false, true} {
			if got := levelsOf(t, l, c.x, sparsely); !slices.Equal(got, c.want) {
				t.Errorf("%+v of %v: %v, want %v", l, c.x, got, c.want)
			}
		}
	}
	long := make([]float64, 31)
	for i := range long {
		long[i] = float64(i) - 30
	}
	if got := levelsOf(t, Levels{Discretize: asPraznik}, long, true); got[0] != 0 || got[30] != 9 || slices.Max(got) != 9 {
		t.Errorf("31 rows are of 10 levels, got %v", got)
	}
}

// asTheyAre has every value for a level.
var asTheyAre = Levels{Discretize: eachValue, Bins: 10}

// What cannot be levels is refused with the column, what was found and what helps; parameters that contradict each other by name.
func TestLevelsRefused(t *testing.T) {
	t.Parallel()
	many, three := make([][]float64, 600), make([][]float64, 600)
	for i := range many {
		many[i], three[i] = []float64{1, float64(i % 257)}, []float64{1, float64(i % 256)}
	}
	y := make([]float64, 600)
	y[1] = 1
	for name, c := range map[string]struct {
		x    [][]float64
		l    Levels
		want string
	}{
		"many levels":  {many, asTheyAre, `column "x1": 257 different values in 600 rows`},
		"few rows":     {[][]float64{{0.5}, {1.5}, {2.5}, {3}}, asTheyAre, `column "x0": 4 different values in 4 rows`},
		"far apart":    {[][]float64{{-1.7e308}, {1.7e308}, {0}, {1}}, Levels{Discretize: equalWidth, Bins: 3}, `column "x0": values from -1.7e+308 to 1.7e+308 are too far apart`},
		"256":          {three, asTheyAre, ""},
		"two of three": {[][]float64{{0.5}, {1.5}, {0.5}}, asTheyAre, ""},
	} {
		e := Informed{usual, c.l, plain, &jmi}
		_, err := e.Fit(t.Context(), engines.Run{Train: enginetest.View(classes(c.x, y[:len(c.x)]), nil), Workers: 1})
		if got := ""; err != nil || c.want != "" {
			if err != nil {
				got = err.Error()
			}
			if c.want == "" || !strings.Contains(got, c.want) {
				t.Errorf("%s: error %q, want %q", name, got, c.want)
			}
		}
	}
	for want, e := range map[string]engines.Engine{
		"features: -2":                      Variance{Size{-2}, plain},
		"ridge: -1":                         jmimWith(func(e *Informed) { e.Ridge.Ridge = -1 }),
		`discretize: "width"`:               jmimWith(func(e *Informed) { e.Discretize = "width" }),
		"bins: 1, expected 2":               jmimWith(func(e *Informed) { e.Discretize, e.Bins = equalWidth, 1 }),
		"bins: 5 means nothing":             jmimWith(func(e *Informed) { e.Discretize, e.Bins = eachValue, 5 }),
		"cuts: [1 1], expected finite":      jmimWith(func(e *Informed) { e.Discretize, e.Cuts = atCuts, []float64{1, 1} }),
		"cuts: [NaN], expected finite":      jmimWith(func(e *Informed) { e.Discretize, e.Cuts = atCuts, []float64{math.NaN()} }),
		"cuts: [] with discretize: cuts":    jmimWith(func(e *Informed) { e.Discretize = atCuts }),
		"cuts: [1] with discretize: auto":   jmimWith(func(e *Informed) { e.Cuts = []float64{1} }),
		`measure: "f"`:                      MRMR{"f", asQuotient, false, usual, cutWhereMany, plain},
		`form: "ratio"`:                     MRMR{ofInformation, "ratio", false, usual, cutWhereMany, plain},
		"positive: means nothing":           MRMR{ofInformation, asQuotient, true, usual, cutWhereMany, plain},
		"discretize: praznik means nothing": MRMR{ofCorrelation, asQuotient, false, usual, Levels{Discretize: asPraznik, Bins: 10}, plain},
	} {
		if err := e.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// jmimWith is jmim with other parameters.
func jmimWith(change func(e *Informed)) Informed {
	e := JMIMKind.Defaults().(Informed)
	change(&e)
	return e
}
