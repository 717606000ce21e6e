package sequential

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/kernels/svm"
	"tenfold/engines/penalized/hazards"
	"tenfold/engines/ridge/leastsquares"
	"tenfold/engines/ridge/linear"
	"tenfold/engines/ridge/logistic"
	"tenfold/engines/searches"
	"tenfold/engines/trees/forest"
)

// around returns a search around an engine, with the defaults changed.
func around(base engines.Engine, change func(*Options)) Engine {
	o := Wrapper.Kind.Defaults().(Options)
	o.K = 3
	change(&o)
	return Engine{base, o}
}

func TestSuite(t *testing.T) {
	trees := forest.Kind.Defaults().(forest.Forest)
	trees.Trees = 5
	for name, e := range map[string]Engine{
		"forward":       around(leastsquares.RidgeKind.Defaults(), func(o *Options) { o.Sizes = []int{0, 4} }),
		"one-se":        around(leastsquares.RidgeKind.Defaults(), func(o *Options) { o.Size, o.Sizes = oneSE, []int{1, 3} }),
		"classes":       around(logistic.Kind.Defaults(), func(o *Options) { o.Size = "2" }),
		"margins":       around(linear.Kind.Defaults(), func(o *Options) { o.Size = "2" }),
		"backward":      around(leastsquares.RidgeKind.Defaults(), func(o *Options) { o.Direction, o.Size = backward, "8" }),
		"floating":      around(leastsquares.RidgeKind.Defaults(), func(o *Options) { o.Floating, o.Size = true, "3" }),
		"random trees":  around(trees, func(o *Options) { o.Size = "2" }),
		"kernels":       around(svm.Kind.Defaults(), func(o *Options) { o.Size, o.Screen = "2", 3 }),
		"times":         around(hazards.CoxKind.Defaults(), func(o *Options) { o.Size, o.Screen = "2", 4 }),
		"with patience": around(leastsquares.RidgeKind.Defaults(), func(o *Options) { o.Patience = 1 }),
	} {
		t.Run(name, func(t *testing.T) { t.Parallel(); enginetest.Suite(t, e) })
	}
}

// problem returns rows of normal columns of which the first four make the response, each a little less than the one before.
func problem(rows, columns int, treatment data.Treatment) *data.View {
	rng := rand.New(rand.NewPCG(uint64(rows), uint64(columns)))
	x, y := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = make([]float64, columns)
		for j := range x[i] {
			x[i][j] = rng.NormFloat64()
		}
		for j := range 4 {
			y[i] += (2 - 0.4*float64(j)) * x[i][j]
		}
		y[i] += rng.NormFloat64()
	}
	return enginetest.Treated(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), treatment)
}

func runOn(v *data.View) engines.Run {
	return engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 2, Divide: enginetest.Divide}
}

// columns returns the columns chosen, by rank where there is one.
func columns(chosen []engines.Coef) (out []int) {
	chosen = slices.Clone(chosen)
	slices.SortStableFunc(chosen, func(a, b engines.Coef) int { return a.Rank - b.Rank })
	for _, c := range chosen {
		out = append(out, c.Feature)
	}
	return out
}

func chosenBy(t *testing.T, e Engine, run engines.Run) ([]int, engines.Fitted) {
	t.Helper()
	chosen, fitted, err := e.Choose(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	return columns(chosen), fitted
}

func fact(f engines.Fitted, name string) string {
	for _, fact := range f.Facts {
		if fact.Name == name {
			return fact.Value
		}
	}
	return ""
}

// Forward, backward and floating find the four columns that matter, and say how.
func TestFinds(t *testing.T) {
	v := problem(120, 9, data.Treatment{})
	ols := leastsquares.OLSKind.Defaults()
	for name, change := range map[string]func(*Options){
		"forward":           func(o *Options) {},
		"backward":          func(o *Options) { o.Direction = backward },
		"floating":          func(o *Options) { o.Floating = true },
		"floating backward": func(o *Options) { o.Direction, o.Floating = backward, true },
		"a number":          func(o *Options) { o.Size = "4" },
		"repeats":           func(o *Options) { o.Sizes = []int{4, 4} },
		"screened":          func(o *Options) { o.Size, o.Screen = "4", 5 },
		"patient":           func(o *Options) { o.Patience, o.Sizes = 3, []int{2, 9} },
	} {
		got, told := chosenBy(t, around(ols, func(o *Options) { change(o); o.Size = map[bool]string{true: o.Size, false: best}[o.Size != best] }), runOn(v))
		for j := range 4 {
			if !slices.Contains(got, j) {
				t.Errorf("%s: chose %v, without column %d: %+v", name, got, j, told.Facts)
			}
		}
		if name == "forward" && !slices.Equal(got[:4], []int{0, 1, 2, 3}) {
			t.Errorf("order of entry %v", got)
		}
		if name == "patient" && told.Stop != "patience" {
			t.Errorf("stopped by %s: %+v", told.Stop, told.Facts)
		}
	}
	_, told := chosenBy(t, around(ols, func(o *Options) { o.Size = "2" }), runOn(v))
	if got := fact(told, "inner test_mse by size"); !strings.Contains(got, "1: ") || !strings.Contains(got, " +x0; 2: ") || !strings.HasSuffix(got, " +x1") {
		t.Errorf("sizes %q", got)
	}
	if told.Evaluated != 9+8 || fact(told, "size") != "2" {
		t.Errorf("%d sets: %+v", told.Evaluated, told)
	}
}

// What is chosen does not depend on the number of workers, and the model is that of the columns alone.
func TestModelIsThatOfTheColumns(t *testing.T) {
	v := problem(80, 7, data.Treatment{})
	base := leastsquares.OLSKind.Defaults()
	e := around(base, func(o *Options) { o.Size = "3" })
	m, err := e.Fit(t.Context(), runOn(v))
	if err != nil {
		t.Fatal(err)
	}
	alone, err := base.Fit(t.Context(), runOn(v.Narrow(engines.ColumnsOf(m, 7))))
	if err != nil {
		t.Fatal(err)
	}
	for k, c := range m.Coefs() {
		if c.Value != alone.Coefs()[k].Value || c.Rank < 0 || c.Score <= 0 {
			t.Errorf("coefficient %+v, by itself %+v", c, alone.Coefs()[k])
		}
	}
}

// Kept columns are in every set and counted in no size; units enter together.
func TestKeptAndUnits(t *testing.T) {
	factor := []float64{1, 1, 1, 1, 1, 0, 1, 1}
	got, _ := chosenBy(t, around(leastsquares.OLSKind.Defaults(), func(o *Options) { o.Size = "2" }), runOn(problem(100, 8, data.Treatment{Factor: factor})))
	if slices.Sort(got); !slices.Equal(got, []int{0, 1, 5}) {
		t.Errorf("beside a kept column: %v", got)
	}
	units := data.Treatment{Unit: []int32{0, 1, 2, 3, 0, 2, 3, 1}, Together: true}
	got, told := chosenBy(t, around(leastsquares.OLSKind.Defaults(), func(o *Options) { o.Size = "2" }), runOn(problem(500, 8, units)))
	if slices.Sort(got); !slices.Equal(got, []int{0, 1, 4, 7}) || told.Evaluated != 4+3 {
		t.Errorf("units: %v of %d sets, %v", got, told.Evaluated, told.Facts)
	}
}

// flawed is least squares that fails, or is not defined, with some columns.
type flawed struct {
	leastsquares.OLS
	name string
	err  error
}

func (e flawed) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if _, has := run.Train.Features().Lookup(e.name); has {
		return nil, e.err
	}
	return e.OLS.Fit(ctx, run)
}

// A set whose fit fails is no candidate, and a note says so; where all fail, the search has failed, and where the system is at fault, it ends.
func TestFailures(t *testing.T) {
	v, wrong := problem(60, 5, data.Treatment{}), errors.New("wrong")
	ols := leastsquares.OLSKind.Defaults().(leastsquares.OLS)
	got, told := chosenBy(t, around(flawed{ols, "x0", wrong}, func(o *Options) { o.Size = "2" }), runOn(v))
	if !slices.Equal(got, []int{1, 2}) || len(told.Notes) != 1 || !strings.Contains(told.Notes[0], "2 of 9 sets of columns could not be fitted") || !strings.Contains(told.Notes[0], "wrong") {
		t.Errorf("%v, notes %q", got, told.Notes)
	}
	got, told = chosenBy(t, around(flawed{ols, "x0", wrong}, func(o *Options) {}), runOn(v))
	if told.Stop != "failed" || slices.Contains(got, 0) {
		t.Errorf("%v, stopped by %s", got, told.Stop)
	}
	_, _, err := around(flawed{ols, "x0", wrong}, func(o *Options) { o.Direction, o.Sizes = backward, []int{5, 5} }).Choose(t.Context(), runOn(v))
	if !errors.Is(err, wrong) {
		t.Errorf("nothing could be fitted: %v", err)
	}
	_, _, err = around(flawed{ols, "x0", engines.Disturbance{Err: wrong}}, func(o *Options) {}).Choose(t.Context(), runOn(v))
	if !errors.As(err, new(engines.Disturbance)) {
		t.Errorf("a full disk: %v", err)
	}
}

// An inner fold without a value for some set is left out for all.
func TestUndefinedFolds(t *testing.T) {
	nan := math.NaN()
	values := map[string][]float64{"[]": {0, 0, 0}, "[0]": {1, 2, nan}, "[1]": {1, 1, 9}, "[0 1]": {3, 1, 1}}
	s := &search{Options: Options{Direction: forward, Size: best}, units: []int32{0, 1}, metrics: []engines.InnerMetric{{Name: "auc", Higher: true}}}
	s.measure = func(_ context.Context, sets [][]int32) (out [][][]float64, _ error) {
		for _, units := range sets {
			out = append(out, [][]float64{values[fmt.Sprint(units)]})
		}
		return out, nil
	}
	if err := s.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if mean, _ := s.mean(s.best[1]); !slices.Equal(s.best[1].units, []int32{0}) || mean != 1.5 || len(s.choose().units) != 2 {
		t.Errorf("best of one unit %v", s.best[1])
	}
	values["[1]"] = []float64{nan, nan, 1}
	s = &search{Options: s.Options, units: s.units, metrics: s.metrics, measure: s.measure}
	if err := s.run(t.Context()); !errors.Is(err, errUndefined) {
		t.Errorf("no fold has a value for every set: %v", err)
	}
}

// Constant columns never enter, and leave first without a fit.
func TestConstantColumns(t *testing.T) {
	x := [][]float64{}
	var y []float64
	for i := range 30 {
		v := math.Sin(float64(i))
		x, y = append(x, []float64{5, v, 0, math.Cos(float64(3 * i))}), append(y, 2*v)
	}
	v := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), nil)
	ridge := leastsquares.RidgeKind.Defaults()
	got, told := chosenBy(t, around(ridge, func(o *Options) { o.Size = "2" }), runOn(v))
	if slices.Sort(got); !slices.Equal(got, []int{1, 3}) || told.Evaluated != 2+1 {
		t.Errorf("forward: %v of %d sets", got, told.Evaluated)
	}
	got, _ = chosenBy(t, around(ridge, func(o *Options) { o.Direction, o.Size = backward, "2" }), runOn(v))
	if slices.Sort(got); !slices.Equal(got, []int{1, 3}) {
		t.Errorf("backward: %v", got)
	}
	if _, _, err := around(ridge, func(o *Options) { o.Size = "3" }).Choose(t.Context(), runOn(v)); err == nil || !strings.Contains(err.Error(), "2 vary") {
		t.Errorf("three columns of two that vary: %v", err)
	}
	if _, _, err := around(ridge, func(o *Options) { o.Size = "5" }).Choose(t.Context(), runOn(v)); err == nil || !strings.Contains(err.Error(), "4 columns") {
		t.Errorf("five columns of four: %v", err)
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		change func(*Options)
		fields string
	}{
		{func(o *Options) {}, ""},
		{func(o *Options) { o.Direction = "up" }, "direction"},
		{func(o *Options) { o.Size = "0" }, "size"},
		{func(o *Options) { o.Size = "many" }, "size"},
		{func(o *Options) { o.K = 1 }, "k"},
		{func(o *Options) { o.Sizes = []int{3} }, "sizes"},
		{func(o *Options) { o.Sizes = []int{3, 2} }, "sizes"},
		{func(o *Options) { o.Sizes, o.Size = []int{1, 2}, "2" }, "sizes"},
		{func(o *Options) { o.Patience = -1 }, "patience"},
		{func(o *Options) { o.Patience, o.Size = 1, "2" }, "patience"},
		{func(o *Options) { o.Screen = -1 }, "screen"},
		{func(o *Options) { o.Screen, o.Direction = 5, backward }, "screen"},
		{func(o *Options) { o.Screen, o.Sizes = 5, []int{1, 6} }, "screen"},
	} {
		e := around(leastsquares.RidgeKind.Defaults(), c.change)
		if got := enginetest.Fields(e.Options.Validate()); got != c.fields {
			t.Errorf("%+v: complaints about %q, want %q", e.Options, got, c.fields)
		}
	}
}

// What a search measured is reported: every set once, with the column by which it came, and of each size the best.
func TestSearchIsReported(t *testing.T) {
	var found []searches.Record
	run := runOn(problem(80, 6, data.Treatment{}))
	run.Searched = func(s searches.Record) { found = append(found, s) }
	e := around(leastsquares.RidgeKind.Defaults(), func(o *Options) { o.Size, o.Sizes = oneSE, []int{0, 3} })
	chosen, _ := chosenBy(t, e, run)
	if len(found) != 1 || found[0].Kind != "sequential" || found[0].Parameter != "size" || len(found[0].Stages) != 4 {
		t.Fatalf("%+v", found)
	}
	attempts, kept := 0, 0
	for k, stage := range found[0].Stages {
		attempts += len(stage.Attempts)
		for _, a := range stage.Attempts {
			if a.Number != float64(k) || len(a.Values) != len(stage.Folds) || len(a.Seconds) != len(stage.Folds) {
				t.Errorf("step %d: %+v", k, a)
			}
			if a.Kept {
				kept++
			}
			if a.Chosen != a.OneSE || a.Chosen && k != len(chosen) {
				t.Errorf("step %d: %+v, and %d columns are chosen", k, a, len(chosen))
			}
		}
	}
	if first := found[0].Stages[0].Attempts[0].Candidate; attempts != 1+6+5+4 || kept != 4 || first != "no columns" || !strings.HasPrefix(found[0].Stages[1].Attempts[0].Candidate, "+") {
		t.Errorf("%d sets, %d of them the best of their size, begin with %s", attempts, kept, first)
	}
}

// The fits that are foretold are those that are made, and progress counts them.
func TestInnerFits(t *testing.T) {
	v := problem(80, 6, data.Treatment{})
	for name, e := range map[string]Engine{
		"forward":  around(leastsquares.RidgeKind.Defaults(), func(o *Options) { o.Sizes = []int{0, 4} }),
		"screened": around(leastsquares.RidgeKind.Defaults(), func(o *Options) { o.Screen, o.Size = 4, "2" }),
		"backward": around(leastsquares.RidgeKind.Defaults(), func(o *Options) { o.Direction, o.Size = backward, "3" }),
	} {
		var made atomic.Int64
		var last string
		run := runOn(v)
		run.Workers, run.Progress = 1, func(text string) { last = text }
		run.Recall = func(run engines.Run, w engines.Work, do func(engines.Run) (engines.Yield, error)) (engines.Yield, float64, error) {
			made.Add(1)
			y, err := do(run)
			return y, 1, err
		}
		chosenBy(t, e, run)
		if want := e.InnerFits(engines.Shape{Rows: 80, Columns: 6}); int(made.Load()) != want {
			t.Errorf("%s: %d fits, foretold %d", name, made.Load(), want)
		}
		if !strings.HasPrefix(last, "step ") || !strings.Contains(last, " inner fits") {
			t.Errorf("%s: %q is shown", name, last)
		}
	}
}
