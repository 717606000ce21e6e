package univariate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/numeric/survival"
)

func coxFilter(change func(*CoxFilter)) CoxFilter {
	e := CoxFilterKind.Defaults().(CoxFilter)
	if change != nil {
		change(&e)
	}
	return e
}

func timed(x [][]float64, times []float64, events []int8) *data.Dataset {
	return enginetest.Dataset(enginetest.Matrix(x...), data.Target{Name: "t", Type: data.Survival, Values: times, Events: events})
}

// rankedBy a test.
func rankedBy(t *testing.T, e CoxFilter, v *data.View) *ranking.Ranking {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	r, err := e.filter().Rank(t.Context(), engines.Run{Train: v, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// slopes of the columns.
func slopes(t *testing.T, x [][]float64, times []float64, events []int8, efron bool) (all []survival.Estimate) {
	t.Helper()
	l, err := survival.NewLikelihood(times, events, nil, efron)
	if err != nil {
		t.Fatal(err)
	}
	s, column, sorted := survival.NewUnivariate(l), make([]float64, len(x)), make([]float64, len(x))
	for j := range x[0] {
		for i := range x {
			column[i] = x[i][j]
		}
		l.Sorted(sorted, column)
		all = append(all, s.Estimate(sorted))
	}
	return all
}

func TestOracleCoxFilter(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"cox_filter": func(t *testing.T, c oracle.Case) {
		var in struct {
			X     [][]float64
			Time  []float64
			Event []int8
		}
		var options struct{ Ties string }
		var want struct {
			Columns []*struct {
				Score float64
				P     float64 `json:"score_p"`
				Coef  *float64
				Wald  *float64
			}
		}
		c.Parts(t, &in, &options, &want)
		view := enginetest.View(timed(in.X, in.Time, in.Event), nil)
		by := func(test string) *ranking.Ranking {
			return rankedBy(t, coxFilter(func(e *CoxFilter) { e.Test, e.Ties = test, options.Ties }), view)
		}
		score, wald, alone := by(byScore), by(byWald), slopes(t, in.X, in.Time, in.Event, options.Ties == efron)
		for j, w := range want.Columns {
			name := fmt.Sprint("column ", j)
			switch {
			case w == nil:
				if score.Score[j] != 0 || score.P[j] != 1 || wald.Score[j] != 0 {
					t.Errorf("%s: score %v, p %v, Wald %v, expected none", name, score.Score[j], score.P[j], wald.Score[j])
				}
				continue
			case w.Coef == nil:
				if !math.IsInf(alone[j].Coef, 0) || wald.Score[j] != 0 {
					t.Errorf("%s: coefficient %v, Wald %v, expected infinity and none", name, alone[j].Coef, wald.Score[j])
				}
			default:
				oracle.Near(t, name+" coef", alone[j].Coef, *w.Coef, 1e-7)
				oracle.Near(t, name+" wald", wald.Score[j], *w.Wald, 1e-7)
			}
			oracle.Near(t, name+" score", score.Score[j], w.Score, 1e-7)
			oracle.Near(t, name+" p", score.P[j], w.P, 1e-7)
		}
	}})
}

// Statistics do not depend on the unit of a column, of whatever size, and whether zeros are stored or most values are.
func TestUnitOfAColumn(t *testing.T) {
	t.Parallel()
	const rows = 30
	rng := rand.New(rand.NewPCG(4, 4))
	times, events := make([]float64, rows), make([]int8, rows)
	x := make([][]float64, rows)
	for i := range x {
		times[i], events[i] = float64(1+rng.IntN(12)), int8(rng.IntN(2))
		x[i] = []float64{3 + rng.NormFloat64(), 0}
		if i%4 == 0 {
			x[i][1] = rng.NormFloat64()
		}
	}
	in := func(unit float64) *data.View {
		scaled := make([][]float64, rows)
		for i := range x {
			scaled[i] = []float64{x[i][0] * unit, x[i][1] * unit}
		}
		return enginetest.View(timed(scaled, times, events), nil)
	}
	for _, test := range []string{byScore, byWald, byLikelihood} {
		e := coxFilter(func(e *CoxFilter) { e.Test = test })
		as := rankedBy(t, e, in(1)).Score
		for _, power := range []int{-1000, -600, -3, 600, 1020} {
			if got := rankedBy(t, e, in(math.Ldexp(1, power))).Score; !slices.Equal(got, as) || as[0] == 0 || as[1] == 0 {
				t.Errorf("%s in units of 2^%d: %v, want %v", test, power, got, as)
			}
		}
	}
}

// The three tests are those of R's coxph, with tied and censored times, with columns of few entries and columns far from zero.
func TestCoxph(t *testing.T) {
	t.Parallel()
	for k, c := range oracle.Fixture[struct {
		Ties     string
		X        [][]float64
		Time     []float64
		Event    []int8
		Columns  []struct{ Score, Coef, Wald, Likelihood float64 }
		Infinite []int
	}](t, "coxph.json") {
		view := enginetest.View(timed(c.X, c.Time, c.Event), nil)
		by := func(test string) *ranking.Ranking {
			return rankedBy(t, coxFilter(func(e *CoxFilter) { e.Test, e.Ties = test, c.Ties }), view)
		}
		score, wald, likelihood, alone := by(byScore), by(byWald), by(byLikelihood), slopes(t, c.X, c.Time, c.Event, c.Ties == efron)
		for j, w := range c.Columns {
			name := fmt.Sprintf("case %d, column %d: ", k, j)
			oracle.Near(t, name+"score", score.Score[j], w.Score, 1e-8)
			oracle.Near(t, name+"likelihood", likelihood.Score[j], w.Likelihood, 1e-8)
			if slices.Contains(c.Infinite, j) {
				if wald.Score[j] != 0 || !math.IsInf(alone[j].Coef, 1) {
					t.Errorf("%sWald %v, coefficient %v, expected none and infinity", name, wald.Score[j], alone[j].Coef)
				}
				continue
			}
			oracle.Near(t, name+"coefficient", alone[j].Coef, w.Coef, 1e-8)
			oracle.Near(t, name+"Wald", wald.Score[j], w.Wald, 1e-7) // the variance of coxph is that before its last step
		}
		if infinite := len(wald.Notes) > 0; infinite != (len(c.Infinite) > 0) || len(score.Notes) > 0 {
			t.Errorf("case %d: notes %v and %v", k, wald.Notes, score.Notes)
		}
	}
}

// A column that varies among the rows alone that are censored before the first event tells nothing, nor does one of one value; whether
// zeros are stored, and where zero is, changes nothing.
func TestCoxFilterInvariances(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 3))
	var x, shifted [][]float64
	var times []float64
	var events []int8
	for i := range 50 {
		sparse := 0.0
		if rng.Float64() < 0.2 {
			sparse = 1 + rng.Float64()
		}
		early := 1e5 / 3
		if i < 5 {
			early = float64(i)
		}
		row := []float64{sparse, early, 0.1}
		x = append(x, row)
		shifted = append(shifted, []float64{sparse + 1000, early, 0.1})
		times, events = append(times, 1+math.Floor(10*rng.Float64())), append(events, int8(i%2))
		if i < 5 {
			times[i], events[i] = 0.5, 0
		}
	}
	for _, test := range []string{byScore, byWald, byLikelihood} {
		e := coxFilter(func(e *CoxFilter) { e.Test = test })
		as, elsewhere := rankedBy(t, e, enginetest.View(timed(x, times, events), nil)), rankedBy(t, e, enginetest.View(timed(shifted, times, events), nil))
		oracle.Near(t, test+" of a shifted column", elsewhere.Score[0], as.Score[0], 1e-8)
		if as.Score[1] != 0 || as.Score[2] != 0 || as.P[1] != 1 || !slices.Equal(as.Order, []int32{0}) {
			t.Errorf("%s: scores %v, order %v", test, as.Score, as.Order)
		}
	}
}

func TestCoxFilterSuite(t *testing.T) {
	for _, test := range []string{byScore, byWald, byLikelihood} {
		t.Run(test, func(t *testing.T) {
			enginetest.Suite(t, coxFilter(func(e *CoxFilter) { e.Test, e.Features = test, 4 }))
		})
	}
}

// The model is Cox's on the columns kept, with a baseline hazard; times that are censored alone are refused.
func TestCoxFilterModel(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 3))
	var x [][]float64
	var times []float64
	events := make([]int8, 80)
	for i := range events {
		row := make([]float64, 10)
		for j := range row {
			row[j] = rng.NormFloat64()
		}
		x, times, events[i] = append(x, row), append(times, rng.ExpFloat64()*math.Exp(row[7]-row[2])), 1
	}
	m := fitted(t, coxFilter(func(e *CoxFilter) { e.Features = 2 }), timed(x, times, events))
	if got := columns(m); !slices.Equal(got, []int{2, 7}) || m.(engines.Reporter).Fitted().Baseline == nil {
		t.Errorf("columns %v, %+v", got, m.(engines.Reporter).Fitted())
	}
	strict := fitted(t, coxFilter(func(e *CoxFilter) { e.Alpha = 1e-12 }), timed(x, times, events))
	if f := strict.(engines.Reporter).Fitted(); len(strict.Coefs()) > 0 || f.Stop != "none_selected" || f.Baseline == nil {
		t.Errorf("%+v", f)
	}
	clear(events)
	if _, err := coxFilter(nil).Fit(t.Context(), engines.Run{Train: enginetest.View(timed(x, times, events), nil), Workers: 1}); err == nil {
		t.Error("censored times alone are no error")
	}
}
