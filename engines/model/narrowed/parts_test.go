package narrowed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
)

// part is an engine that the test makes up.
type part struct {
	invalid error
	needs   engines.Needs
	fit     func(run engines.Run) (engines.Model, error)
}

func (p part) Validate() error      { return p.invalid }
func (p part) Needs() engines.Needs { return p.needs }
func (p part) Fit(_ context.Context, run engines.Run) (engines.Model, error) {
	return p.fit(run)
}

// gives is a part whose model is always the same.
func gives(m engines.Model) part {
	return part{fit: func(engines.Run) (engines.Model, error) { return m, nil }}
}

// bare is a model that tells of its coefficients alone.
type bare struct{ coefs []engines.Coef }

func (m bare) Outputs() int          { return 1 }
func (m bare) Coefs() []engines.Coef { return m.coefs }
func (m bare) Predict(dst []float64, in data.Inputs) {
	for i := range dst {
		dst[i] = in.Row(i).Sum()
	}
}

// kernel uses columns without a coefficient for each.
type kernel struct {
	bare
	columns []int32
}

func (m kernel) Selected() []int32 { return m.columns }

// products has features of its own, after so many columns.
type products struct {
	*engines.Linear
	columns int
}

func (m products) FeatureName(j int) string { return fmt.Sprintf("own %d", j-m.columns) }

func number(rows, columns int) *data.View {
	y := make([]float64, rows)
	for i := range y {
		y[i] = float64(i)
	}
	return enginetest.View(enginetest.Dataset(enginetest.Random(3, rows, columns, 0.6, false), enginetest.Real("y", y...)), nil)
}

func runOn(v *data.View) engines.Run {
	return engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1}
}

func fitted(t *testing.T, e Engine, run engines.Run) engines.Model {
	t.Helper()
	m, err := e.Fit(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The columns are those of coefficients, for any output, and those used without one; features of the selector's own are left
// out, which is said.
func TestColumnsSelected(t *testing.T) {
	rows := number(20, 9)
	for _, c := range []struct {
		name     string
		selector engines.Model
		columns  []int32
		notes    string
	}{
		{"two outputs", bare{[]engines.Coef{{Feature: 7, Value: 1}, {Feature: 2, Output: 1, Value: 1}, {Feature: 7, Output: 1, Value: 1}}}, []int32{2, 7}, ""},
		{"a kernel", kernel{columns: []int32{1, 8}}, []int32{1, 8}, ""},
		{"both", kernel{bare{[]engines.Coef{{Feature: 8, Value: 1}, {Feature: 0, Value: 2}}}, []int32{1, 8}}, []int32{0, 1, 8}, ""},
		{"a product", bare{[]engines.Coef{{Feature: 4, Value: 1}, {Feature: 9, Value: 1}}}, []int32{4},
			"features that the selector made of columns are left out: the second model has columns alone"},
		{"nothing", bare{}, []int32{}, "nothing was selected: the model has no features"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var seen *data.View
			second := part{fit: func(run engines.Run) (engines.Model, error) {
				seen = run.Train
				return bare{}, nil
			}}
			run := runOn(rows)
			var notes []string
			run.Warn = func(n string) { notes = append(notes, n) }
			m := fitted(t, Engine{gives(c.selector), second}, run)
			if strings.Join(notes, "; ") != c.notes {
				t.Errorf("notes %q", notes)
			}
			if len(c.columns) == 0 {
				if seen != nil || len(m.Coefs()) > 0 {
					t.Error("the second engine was fitted to no columns")
				}
				return
			}
			for k, j := range c.columns {
				if seen.Features().Name(k) != rows.Features().Name(int(j)) {
					t.Errorf("column %d is %s, want %d", k, seen.Features().Name(k), j)
				}
			}
			if seen.Columns() != len(c.columns) {
				t.Errorf("%d columns, want %v", seen.Columns(), c.columns)
			}
		})
	}
}

// Of nothing, the model is the mean, or the shares of classes.
func TestNothingSelected(t *testing.T) {
	never := part{fit: func(engines.Run) (engines.Model, error) { return nil, errors.New("not asked for") }}
	out := make([]float64, 3)
	rows := number(5, 2)
	fitted(t, Engine{gives(bare{}), never}, runOn(rows)).Predict(out[:1], rows.Sub([]int32{3}).Inputs())
	if out[0] != 2 {
		t.Errorf("mean %v", out[0])
	}
	rows = enginetest.View(enginetest.Dataset(enginetest.Random(3, 4, 2, 0.6, false), enginetest.Class("c", 3, 2, 0, 2, 2)), nil)
	fitted(t, Engine{gives(bare{}), never}, runOn(rows)).Predict(out, rows.Sub([]int32{1}).Inputs())
	if enginetest.Exp(out); !(math.Abs(out[0]-0.25) <= 1e-15) || out[1] != 0 || !(math.Abs(out[2]-0.75) <= 1e-15) {
		t.Errorf("shares %v", out)
	}
}

// Coefficients, steps, names and columns in use go by the numbers of the whole data; how they entered is the selector's.
func TestNumbersOfTheWhole(t *testing.T) {
	rows := number(20, 9)
	bits := &engines.Bits{Saved: 5}
	selector := bare{[]engines.Coef{
		{Feature: 3, Value: 1, Rank: 4, Score: 0.4}, {Feature: 6, Value: 1, Rank: 0, Score: 0.6, Bits: bits}, {Feature: 3, Output: 1, Value: 1, Rank: 2, Score: 0.2},
		{Feature: 6, Output: 1, Value: 1, Rank: -1}, {Feature: 3, Output: 2, Value: 1, Rank: 0, Score: 0.3}, {Feature: 3, Output: 3, Value: 1, Rank: 0, Score: 0.9},
	}}
	also := []engines.Coef{{Feature: 0}, {Feature: 2}} // the engine's own
	second := part{fit: func(run engines.Run) (engines.Model, error) {
		run.Trace.At(engines.Step{Changed: engines.Coef{Feature: -1}})
		run.Trace.At(engines.Step{Changed: engines.Coef{Feature: 1}, Also: also})
		run.Trace.At(engines.Step{Changed: engines.Coef{Feature: 0}})
		m := engines.NewLinear(4, []float64{1}, []engines.Coef{
			{Feature: 0, Value: 10, Rank: 9}, {Feature: 1, Value: 20}, {Feature: 2, Value: 30, Rank: 7}, {Feature: 3, Value: 40, Rank: 8},
		}, engines.Fitted{})
		return products{m, 2}, nil
	}}
	run := runOn(rows)
	var moved []int
	run.Trace = func(s engines.Step) {
		moved = append(moved, s.Changed.Feature)
		for _, c := range s.Also {
			moved = append(moved, c.Feature)
		}
	}
	m := fitted(t, Engine{gives(selector), second}, run)
	if !slices.Equal(moved, []int{-1, 6, 3, 9, 3}) || also[0].Feature != 0 || also[1].Feature != 2 {
		t.Errorf("steps moved %v, and the engine's own numbers are %v", moved, also)
	}
	want := []engines.Coef{
		{Feature: 3, Value: 10, Rank: 0, Score: 0.3}, {Feature: 6, Value: 20, Rank: 0, Score: 0.6, Bits: bits},
		{Feature: 9, Value: 30, Rank: 7}, {Feature: 10, Value: 40, Rank: 8},
	}
	if got := m.Coefs(); !slices.Equal(got, want) {
		t.Errorf("coefficients %+v, want %+v", got, want)
	}
	names := m.(engines.Namer)
	for j, want := range map[int]string{3: "x3", 8: "x8", 9: "own 0", 10: "own 1"} {
		if got := names.FeatureName(j); got != want {
			t.Errorf("feature %d is called %s, want %s", j, got, want)
		}
	}
	if got := m.(engines.Selective).Selected(); got != nil {
		t.Errorf("%v are in use without a coefficient", got)
	}
	m = fitted(t, Engine{gives(selector), gives(kernel{columns: []int32{0, 1}})}, runOn(rows))
	if got := m.(engines.Selective).Selected(); !slices.Equal(got, []int32{3, 6}) {
		t.Errorf("columns in use %v", got)
	}
}

// A row by itself is scored on its columns, where the second model can.
func TestScoresOfRows(t *testing.T) {
	for _, binary := range []bool{false, true} {
		x := enginetest.Random(8, 30, 9, 0.5, binary)
		rows := enginetest.View(enginetest.Dataset(x, enginetest.Real("y", make([]float64, 30)...)), nil)
		linear := engines.NewLinear(3, []float64{0.5}, []engines.Coef{{Feature: 0, Value: 1}, {Feature: 1, Value: 10}, {Feature: 2, Value: 100}}, engines.Fitted{})
		e := Engine{gives(kernel{columns: []int32{0, 4, 8}}), gives(linear)}
		m := fitted(t, e, runOn(rows))
		got, one := make([]float64, 30), make([]float64, 1)
		m.Predict(got, rows.Inputs())
		for i := range 30 {
			dense := make([]float64, 9)
			x.Row(i).AddTo(dense, 1)
			if m.(engines.Scorer).Score(one, x.Row(i)); got[i] != 0.5+(dense[0]+10*dense[4]+100*dense[8]) || one[0] != got[i] {
				t.Errorf("row %d: predicted %v, scored %v", i, got[i], one[0])
			}
		}
		if _, can := fitted(t, Engine{e.Select, gives(bare{})}, runOn(rows)).(engines.Scorer); can {
			t.Error("a model that scores no row by itself does so now")
		}
		one[0] = 9
		if m.(engines.Scorer).Score(one, sparse.Vec{}); one[0] != 0.5 {
			t.Errorf("an empty row scores %v", one[0])
		}
	}
}

// Test rows are shown to the part alone that asks for them, and to the second one on its columns.
func TestWatched(t *testing.T) {
	rows := number(20, 9)
	for _, c := range []struct{ first, second bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
		shown := [2]*data.View{}
		ask := func(k int, watch bool, m engines.Model) part {
			return part{needs: engines.Needs{Watch: watch}, fit: func(run engines.Run) (engines.Model, error) {
				shown[k] = run.Watch
				return m, nil
			}}
		}
		run := runOn(rows)
		run.Watch = rows.Sub([]int32{1, 2})
		fitted(t, Engine{ask(0, c.first, kernel{columns: []int32{2, 5, 6}}), ask(1, c.second, bare{})}, run)
		if (shown[0] != nil) != c.first || (shown[1] != nil) != c.second {
			t.Errorf("%+v: shown %v", c, shown)
		}
		if c.first && shown[0].Columns() != 9 || c.second && (shown[1].Columns() != 3 || shown[1].Len() != 2) {
			t.Errorf("%+v: rows of other columns", c)
		}
	}
}

// The steps of the selection are no path of this model.
func TestTraced(t *testing.T) {
	speaks := func(iter int, m engines.Model) part {
		return part{fit: func(run engines.Run) (engines.Model, error) {
			run.Trace.At(engines.Step{Iter: iter, Changed: engines.Coef{Feature: -1}})
			return m, nil
		}}
	}
	var steps []int
	run := runOn(number(9, 2))
	run.Trace = func(s engines.Step) { steps = append(steps, s.Iter) }
	fitted(t, Engine{speaks(1, kernel{columns: []int32{0}}), speaks(2, bare{})}, run)
	if !slices.Equal(steps, []int{2}) {
		t.Errorf("steps %v", steps)
	}
}

// The seeds of the two parts are their own: what the first draws changes nothing for the second.
func TestDraws(t *testing.T) {
	drawn := func(times int) (second uint64) {
		first := part{fit: func(run engines.Run) (engines.Model, error) {
			for range times {
				run.Rand.Uint64()
			}
			return kernel{columns: []int32{0}}, nil
		}}
		fitted(t, Engine{first, part{fit: func(run engines.Run) (engines.Model, error) {
			second = run.Rand.Uint64()
			return bare{}, nil
		}}}, runOn(number(9, 2)))
		return second
	}
	if drawn(0) != drawn(100) {
		t.Error("the second part draws other numbers")
	}
	rng := rand.New(rand.NewPCG(1, 1)) // that of the run
	rng.Uint64()
	if want := rand.New(rand.NewPCG(rng.Uint64(), 2)).Uint64(); drawn(0) != want {
		t.Errorf("the second part draws %d first, and once drew %d", drawn(0), want)
	}
}

// What both have to say is told, the selector's with a word before it.
func TestTold(t *testing.T) {
	rows := number(9, 3)
	coefs := func() []engines.Coef { return []engines.Coef{{Feature: 0, Value: 1}} }
	first := engines.NewLinear(3, []float64{0}, coefs(), engines.Fitted{
		Stop: "loop", Iterations: 100, Evaluated: 1000, Best: 7, Optimistic: true, Notes: []string{"slow"}, Facts: []data.Fact{{Name: "steps", Value: "3"}},
	})
	second := engines.NewLinear(1, []float64{0}, coefs(), engines.Fitted{
		Stop: "tol", Iterations: 5, Evaluated: 50, Best: 2, Probabilities: true, Notes: []string{"rough"}, Facts: []data.Fact{{Name: "R²", Value: "1"}},
	})
	speaks := func(m engines.Model) part {
		return part{fit: func(run engines.Run) (engines.Model, error) {
			run.Say("folds", "5")
			run.Note("few")
			return m, nil
		}}
	}
	run := runOn(rows)
	var heard []string
	run.Tell = func(f data.Fact) { heard = append(heard, f.Name+"="+f.Value) }
	run.Warn = func(n string) { heard = append(heard, n) }
	f := fitted(t, Engine{speaks(first), speaks(second)}, run).(engines.Reporter).Fitted()
	if got := strings.Join(heard, ", "); got != "selection: folds=5, selection: few, folds=5, few" {
		t.Errorf("heard %s", got)
	}
	if got := fmt.Sprintln(f.Stop, f.Iterations, f.Evaluated, f.Best, f.Optimistic, f.Probabilities, f.Notes, f.Facts); got !=
		"tol 5 1050 2 true true [selection: slow rough] [{selection: ended by loop} {selection: steps 3} {R² 1}]\n" {
		t.Errorf("told %s", got)
	}
	if got := engines.Biases(fitted(t, Engine{gives(first), gives(second)}, runOn(rows))); !slices.Equal(got, []float64{0}) {
		t.Errorf("intercepts %v", got)
	}
	f = fitted(t, Engine{gives(kernel{columns: []int32{1}}), gives(bare{})}, runOn(rows)).(engines.Reporter).Fitted()
	if got := fmt.Sprintf("%q %d %d %v %v", f.Stop, f.Best, f.Evaluated, f.Facts, f.Notes); got != `"" -1 0 [] []` {
		t.Errorf("of models that tell nothing: %s", got)
	}
}

func TestValidate(t *testing.T) {
	ok := part{}
	real, class := part{needs: engines.Needs{Target: data.Real}}, part{needs: engines.Needs{Target: data.Class}}
	for _, c := range []struct {
		name string
		e    Engine
		want []string
	}{
		{"sound", Engine{ok, ok}, nil},
		{"both are wrong", Engine{part{invalid: errors.New("first")}, part{invalid: errors.New("second")}}, []string{"first", "second"}},
		{"other targets", Engine{real, class}, []string{"refit.engine: it takes a class target only, and select one that is real"}},
		{"a stage", Engine{staged{}, ok}, []string{"select.engine: as set here, it learns from other tasks"}},
		{"a stage, second", Engine{ok, staged{}}, []string{"refit.engine: as set here, it learns from other tasks"}},
	} {
		err := c.e.Validate()
		if (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, want := range c.want {
			if !strings.Contains(fmt.Sprint(err), want) {
				t.Errorf("%s: %v, want %q", c.name, err, want)
			}
		}
	}
	needs := Engine{part{needs: engines.Needs{Binary: true, Tasks: true}}, part{needs: engines.Needs{Target: data.Real, Tasks: true, Watch: true}}}.Needs()
	if want := (engines.Needs{Target: data.Real, Binary: true, Tasks: true, Watch: true}); !reflect.DeepEqual(needs, want) {
		t.Errorf("needs %+v", needs)
	}
}

type staged struct{ engines.Across }

func (staged) Validate() error      { return nil }
func (staged) Needs() engines.Needs { return engines.Needs{} }
func (staged) Fit(context.Context, engines.Run) (engines.Model, error) {
	return nil, errors.New("in stages alone")
}

func TestPartsThatFail(t *testing.T) {
	fails := part{fit: func(engines.Run) (engines.Model, error) { return nil, errors.New("no") }}
	for want, e := range map[string]Engine{"select: no": {fails, gives(bare{})}, "refit: no": {gives(kernel{columns: []int32{0}}), fails}} {
		if _, err := e.Fit(t.Context(), runOn(number(9, 2))); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
