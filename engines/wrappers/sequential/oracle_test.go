package sequential

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/ridge/leastsquares"
	"tenfold/engines/ridge/logistic"
)

func TestOracle(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"sequential_search": checkSearch, "sequential_fit": checkFit})
}

// caseOptions are those of a case; size is a number or a word.
type caseOptions struct {
	Direction string
	Floating  bool
	Size      any
	Better    string
	Patience  int
	Metric    string
	Engine    struct {
		Kind  string
		Ridge float64
		C2    float64
	}
}

func (o caseOptions) options() Options {
	out := Wrapper.Kind.Defaults().(Options)
	out.Direction, out.Floating, out.Patience, out.Size = o.Direction, o.Floating, o.Patience, fmt.Sprint(o.Size)
	return out
}

// expected is what a case says of a search.
type expected struct {
	Steps []struct {
		Action string
		Column *int32
		Score  float64
	}
	Sizes []struct {
		Size     int
		Columns  []int32
		Mean, SE float64
	} `json:"by_size"`
	Size        int
	Selected    []int32
	Stop        string
	Evaluations int
}

// compare compares a search with a case; kept columns are in the sets of the case.
func (want expected) compare(t *testing.T, s *search, kept []int32, tolerance float64) {
	t.Helper()
	near := func(what string, got, want float64) {
		if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
			t.Errorf("%s %v, want %v", what, got, want)
		}
	}
	if len(s.steps) != len(want.Steps) {
		t.Fatalf("%d steps %v, want %v", len(s.steps), s.steps, want.Steps)
	}
	for k, at := range s.steps {
		unit := int32(-1)
		if want.Steps[k].Column != nil {
			unit = *want.Steps[k].Column
		}
		mean, _ := s.mean(at.to)
		if near("mean after a step:", mean, want.Steps[k].Score); at.action != want.Steps[k].Action || at.unit != unit {
			t.Errorf("step %d: %s %d, want %s %d", k, at.action, at.unit, want.Steps[k].Action, unit)
		}
	}
	with := func(m *set) []int32 { return slices.Sorted(slices.Values(slices.Concat(m.units, kept))) }
	k := 0
	for size, m := range s.best {
		if m == nil {
			continue
		}
		mean, se := s.mean(m)
		near("mean", mean, want.Sizes[k].Mean)
		if near("standard error", se, want.Sizes[k].SE); size != want.Sizes[k].Size || !slices.Equal(with(m), want.Sizes[k].Columns) {
			t.Errorf("size %d: %v, want size %d: %v", size, with(m), want.Sizes[k].Size, want.Sizes[k].Columns)
		}
		k++
	}
	chosen := s.choose()
	if k != len(want.Sizes) || len(chosen.units) != want.Size || !slices.Equal(with(chosen), want.Selected) || s.stop != want.Stop || len(s.known) != want.Evaluations {
		t.Errorf("%d sizes, %v after %d sets, stopped by %s; want %+v", k, with(chosen), len(s.known), s.stop, want)
	}
}

// checkSearch searches among sets whose values the case gives.
func checkSearch(t *testing.T, c oracle.Case) {
	var in struct {
		Columns int32
		Keep    []int32
		Scores  [][2]any
	}
	var o caseOptions
	var want expected
	c.Parts(t, &in, &o, &want)
	values := map[string][]float64{}
	for _, pair := range in.Scores {
		var columns []int32
		for _, j := range pair[0].([]any) {
			columns = append(columns, int32(j.(float64)))
		}
		var folds []float64
		for _, v := range pair[1].([]any) {
			folds = append(folds, v.(float64))
		}
		values[nameOf(columns)] = folds
	}
	s := &search{Options: o.options(), metrics: []engines.InnerMetric{{Higher: o.Better != "lower"}}}
	for j := range in.Columns {
		if !slices.Contains(in.Keep, j) {
			s.units = append(s.units, j)
		}
	}
	s.measure = func(_ context.Context, sets [][]int32) (out [][][]float64, _ error) {
		for _, units := range sets {
			out = append(out, [][]float64{values[nameOf(slices.Sorted(slices.Values(slices.Concat(units, in.Keep))))]})
		}
		return out, nil
	}
	if err := s.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want.compare(t, s, in.Keep, 1e-9)
}

// checkFit searches by fits of the engine of the case.
func checkFit(t *testing.T, c oracle.Case) {
	var in struct {
		X     [][]float64
		Y     []float64
		Folds []int
		Units [][]int32
		Keep  []int32
	}
	var o caseOptions
	var want expected
	c.Parts(t, &in, &o, &want)
	var base engines.Engine = leastsquares.Ridge{Lambda: max(o.Engine.Ridge, 1e-12), Scale: "none", Tol: 1e-12}
	target := enginetest.Real("y", in.Y...)
	if o.Engine.Kind == "logistic" {
		l := logistic.Kind.Defaults().(logistic.Logistic)
		l.C2, l.Bias, l.Tol = o.Engine.C2, "free", 1e-12
		base, target = l, enginetest.Class("y", int(slices.Max(in.Y))+1, in.Y...)
	}
	var treatment data.Treatment
	if in.Units != nil {
		treatment.Unit, treatment.Together = make([]int32, len(in.X[0])), true
		for u, columns := range in.Units {
			for _, j := range columns {
				treatment.Unit[j] = int32(u)
			}
		}
	}
	if len(in.Keep) > 0 {
		treatment.Factor = slices.Repeat([]float64{1}, len(in.X[0]))
		for _, j := range in.Keep {
			treatment.Factor[j] = 0
		}
	}
	v := enginetest.Treated(enginetest.Dataset(enginetest.Matrix(in.X...), target), treatment)
	e := Engine{base, o.options()}
	run := engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1}
	run.Divide = func(_ context.Context, run engines.Run, _ engines.InnerFolds, _ uint64) (engines.Validation, error) {
		return enginetest.DivideBy(run.Train, in.Folds), nil
	}
	f, err := e.prepare(t.Context(), run)
	if err == nil {
		err = f.search.run(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	want.compare(t, f.search, in.Keep, 1e-6)
}
