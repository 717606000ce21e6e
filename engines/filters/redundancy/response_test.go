package redundancy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/filters/univariate"
	"tenfold/engines/numeric/survival"
)

// TestOracleMartingale: what R's coxph leaves of times is what their columns are compared with, in anova and mrmr alike.
func TestOracleMartingale(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"martingale_filter": func(t *testing.T, c oracle.Case) {
		var in struct {
			X     [][]float64
			Time  []float64
			Event []int8
		}
		var options struct {
			Form string
			Size int
		}
		var want struct {
			Residuals, Relevance, Scores []float64
			Selected                     []int
		}
		c.Parts(t, &in, &options, &want)
		residuals, err := survival.MartingaleResiduals(in.Time, in.Event, nil)
		if err != nil {
			t.Fatal(err)
		}
		oracle.NearAll(t, "residuals", residuals, want.Residuals, 1e-9)
		set := timed(in.X, in.Time, in.Event)
		_, relevance, err := univariate.F(t.Context(), enginetest.View(set, nil))
		if err != nil {
			t.Fatal(err)
		}
		oracle.NearAll(t, "relevance", relevance, want.Relevance, 1e-9)
		var e engines.Engine
		if options.Form == "relevance" {
			anova := univariate.AnovaKind.Defaults().(univariate.Anova)
			anova.Features = options.Size
			e = anova
		} else {
			e = MRMR{ofCorrelation, options.Form, false, Size{options.Size}, cutWhereMany, plain}
		}
		order, scores := chosen(t, e, set)
		if !slices.Equal(order, want.Selected) {
			t.Errorf("selected %v, want %v", order, want.Selected)
		}
		oracle.NearAll(t, "scores", scores, want.Scores, 1e-9)
	}})
}

func timed(x [][]float64, times []float64, events []int8) *data.Dataset {
	return enginetest.Dataset(enginetest.Matrix(x...), data.Target{Name: "t", Type: data.Survival, Values: times, Events: events})
}

// TestResponseLevels: numbers are three levels of equal frequency, or each a level where there are three at most; several levels also where
// most are the largest.
func TestResponseLevels(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		y    []float64
		want []int32
	}{
		"cut":             {[]float64{5, 1, 4, 2, 6, 3}, []int32{2, 0, 1, 0, 2, 1}},
		"few":             {[]float64{2, 2, 2, -1, 2, 7}, []int32{1, 1, 1, 0, 1, 2}},
		"mostly largest":  {[]float64{5, 5, 5, 5, 5, 3, 2, 1}, []int32{1, 1, 1, 1, 1, 0, 0, 0}},
		"mostly smallest": {[]float64{0, 0, 0, 0, 0, 3, 2, 1}, []int32{0, 0, 0, 0, 0, 2, 2, 1}},
		"one":             {[]float64{4, 4, 4}, []int32{0, 0, 0}},
		"several":         {[]float64{-1, 0, 1, -2, 2, 0, 0, 0, 0}, []int32{0, 0, 1, 0, 1, 0, 0, 0, 0}},
	} {
		x := make([][]float64, len(c.y))
		for i := range x {
			x[i] = []float64{float64(i)}
		}
		_, level, levels, err := responseLevels(enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", c.y...)), nil))
		if err != nil || levels != responseCuts || !slices.Equal(level, c.want) {
			t.Errorf("%s: %v of %d, %v, expected %v", name, level, levels, err, c.want)
		}
	}
}

// TestNumbersAndTimes: criteria of levels select of numbers what they select of three classes of equal size, and of times what they select of
// their martingale residuals.
func TestNumbersAndTimes(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(52, 3))
	x, _ := drawnLevels(3, 90, 8, 3, 3)
	times, events, order := make([]float64, len(x)), make([]int8, len(x)), data.Numbers(len(x))
	for i := range x {
		times[i], events[i] = 0.1+rng.ExpFloat64()*math.Exp2(x[i][2]+x[i][5]), int8(min(1, rng.IntN(4)))
	}
	residuals, err := survival.MartingaleResiduals(times, events, nil)
	if err != nil {
		t.Fatal(err)
	}
	class := make([]float64, len(x))
	slices.SortFunc(order, func(a, b int32) int {
		if times[a] < times[b] {
			return -1
		}
		return 1
	})
	for k, i := range order {
		class[i] = float64(k / 30)
	}
	for _, criterion := range append([]string{"jim"}, allCriteria...) {
		e := JIMKind.Defaults()
		if criterion != "jim" {
			e = engineOf(t, criterion, 4)
		}
		set := func(target data.Target) *data.Dataset { return enginetest.Dataset(enginetest.Matrix(x...), target) }
		for name, sets := range map[string][2]*data.Dataset{
			"numbers": {set(enginetest.Real("y", times...)), classes(x, class)},
			"times":   {timed(x, times, events), set(enginetest.Real("y", residuals...))},
		} {
			order, scores := chosen(t, e, sets[0])
			if len(order) == 0 {
				t.Errorf("%s of %s: nothing selected", criterion, name)
			}
			want, wantScores := chosen(t, e, sets[1])
			if !slices.Equal(order, want) || !slices.Equal(scores, wantScores) {
				t.Errorf("%s of %s: %v with %v, expected %v with %v", criterion, name, order, scores, want, wantScores)
			}
		}
	}
}

// onTimes asks the suite for times.
type onTimes struct{ engines.Engine }

func (e onTimes) Needs() engines.Needs {
	n := e.Engine.Needs()
	n.Target = data.Survival
	return n
}

// onNumbers asks the suite for numbers.
type onNumbers struct{ engines.Engine }

func (e onNumbers) Needs() engines.Needs {
	n := e.Engine.Needs()
	n.Target, n.Survival = data.Real, false
	return n
}

func TestSuiteOfNumbersAndTimes(t *testing.T) {
	t.Parallel()
	few := Size{4}
	for name, e := range map[string]engines.Engine{
		"jmi":       Informed{few, cutWhereMany, plain, &jmi},
		"cmim":      Informed{few, cutWhereMany, plain, &cmim},
		"jim":       Informed{few, cutWhereMany, plain, &jim},
		"mrmr":      MRMR{ofInformation, asDifference, false, few, cutWhereMany, plain},
		"mrmr by F": MRMR{ofCorrelation, asQuotient, false, few, cutWhereMany, plain},
		"variance":  Variance{few, plain},
	} {
		t.Run(name+" of numbers", func(t *testing.T) { enginetest.Suite(t, onNumbers{e}) })
		t.Run(name+" of times", func(t *testing.T) { enginetest.Suite(t, onTimes{e}) })
	}
}
