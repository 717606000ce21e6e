package rfe

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/kernels/svm"
	"tenfold/engines/penalized/lasso"
	"tenfold/engines/ridge/leastsquares"
	"tenfold/engines/ridge/logistic"
	"tenfold/engines/steps/forward"
	"tenfold/engines/trees/forest"
	"tenfold/engines/wrappers/permutation"
)

// around an engine, with the defaults of the options but for size and step.
func around(base engines.Engine, size int, step float64) Engine {
	o := Wrapper.Kind.Defaults().(Options)
	o.Size, o.Step = size, step
	return Engine{base, o}
}

func ridge() engines.Engine { return leastsquares.RidgeKind.Defaults() }

func trees() engines.Engine {
	e := forest.Kind.Defaults().(forest.Forest)
	e.Trees = 10
	return e
}

func TestSuite(t *testing.T) {
	scaled := around(ridge(), 3, 2)
	scaled.Scale = unit
	permuted := around(svm.Kind.Defaults(), 4, 0.5)
	permuted.Permutation.K, permuted.Permutation.Repeats = 3, 2
	for name, e := range map[string]Engine{
		"least squares":     around(ridge(), 4, 0.5),
		"scaled":            scaled,
		"a forest":          around(trees(), 4, 0.5),
		"classes":           around(logistic.Kind.Defaults(), 5, 1),
		"sparse":            around(lasso.LassoKind.Defaults(), 2, 0.3),
		"nothing to drop":   around(ridge(), 12, 0.5),
		"by permutation":    permuted,
		"random, of chance": around(subset.RandomKind.Defaults(), 5, 0.5),
	} {
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, e) })
	}
}

// problem is rows of normal columns of which the first four make the response, each a little less than the one before.
func problem(rows, columns int) *data.View {
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
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), nil)
}

// The models of a path, of a tuned path and of separate fits are the same, whatever else is asked for.
func TestPathsAreSeparateFits(t *testing.T) {
	v := problem(80, 23)
	for name, base := range map[string]engines.Engine{"ridge": ridge(), "forest": trees()} {
		for _, step := range []float64{0.5, 0.3, 1, 4} {
			sizes := []int{2, 3, 7, 12, 23}
			alone := make([]engines.Model, len(sizes))
			for k, size := range sizes {
				var err error
				if alone[k], err = around(base, size, step).Fit(t.Context(), runOn(v)); err != nil {
					t.Fatal(err)
				}
			}
			same := func(how string, k int, m engines.Model) {
				t.Helper()
				if err := enginetest.Same(m, alone[k], v); err != nil {
					t.Errorf("%s, step %v: %s of %d columns: %v", name, step, how, sizes[k], err)
				}
			}
			run, kept := runOn(v), 0
			run.At, run.Keep = sizes, func(size int, m engines.Model) {
				if size != sizes[kept] {
					t.Fatalf("a model of %d columns comes where one of %d should", size, sizes[kept])
				}
				same("path", kept, m)
				kept++
			}
			last, err := around(base, 23, step).Fit(t.Context(), run)
			if err != nil {
				t.Fatal(err)
			}
			if same("last", 4, last); kept != len(sizes) {
				t.Errorf("%d models were kept", kept)
			}
			points, tuned := engines.PathPoints{Parameter: size, Values: []float64{12, 2, 23, 3, 7}}, 0
			err = around(base, 1, step).FitPath(t.Context(), runOn(v), points, func(i int, m engines.Model) {
				same("tuned path", slices.Index(sizes, int(points.Values[i])), m)
				tuned++
			})
			if err != nil || tuned != len(sizes) {
				t.Errorf("%d models of a tuned path: %v", tuned, err)
			}
		}
	}
}

// A path to more columns than there are ends with all of them.
func TestPathBeyondTheColumns(t *testing.T) {
	v := problem(40, 6)
	var sizes []int
	run := runOn(v)
	run.At, run.Keep = []int{2, 6, 50}, func(size int, _ engines.Model) { sizes = append(sizes, size) }
	m, err := around(ridge(), 50, 1).Fit(t.Context(), run)
	if err != nil || !slices.Equal(sizes, []int{2, 6}) || len(m.Coefs()) != 6 {
		t.Errorf("models of %v, %v", sizes, err)
	}
}

// Steps drop whole numbers or shares rounded down, at least one column, and never more than down to the size.
func TestSteps(t *testing.T) {
	v := problem(60, 10)
	for _, c := range []struct {
		step  float64
		size  int
		facts string
	}{{0.3, 2, "10, 7, 5, 4, 3, 2"}, {0.5, 4, "10, 5, 4"}, {4, 1, "10, 6, 2, 1"}, {0.01, 8, "10, 9, 8"}, {100, 3, "10, 3"}, {1, 10, "10"}, {5, 0, "10, 5"}} {
		_, told, err := around(ridge(), c.size, c.step).Choose(t.Context(), runOn(v))
		if err != nil || len(told.Facts) != 1 || told.Facts[0] != (data.Fact{Name: "columns", Value: c.facts}) {
			t.Errorf("step %v to %d: %v, %v, want %s", c.step, c.size, told.Facts, err, c.facts)
		}
	}
}

// A size of 0 on a path is half of the columns, as it is by itself.
func TestHalfOnAPath(t *testing.T) {
	v := problem(60, 10)
	for _, values := range [][]float64{{0}, {2, 0}, {0, 7}} {
		err := around(ridge(), 1, 1).FitPath(t.Context(), runOn(v), engines.PathPoints{Parameter: size, Values: values}, func(i int, m engines.Model) {
			alone, err := around(ridge(), int(values[i]), 1).Fit(t.Context(), runOn(v))
			if err != nil {
				t.Fatal(err)
			}
			if err := enginetest.Same(m, alone, v); err != nil {
				t.Errorf("size %v of %v: %v", values[i], values, err)
			}
		})
		if err != nil {
			t.Errorf("%v: %v", values, err)
		}
	}
}

// Columns that every model has are never dropped, and not counted: in the model of any size, by itself, on a path and where nothing is dropped.
func TestKept(t *testing.T) {
	v := problem(100, 12)
	factor := slices.Repeat([]float64{1}, 12)
	factor[7], factor[11] = 0, 0
	treated := v.WithFactors(factor)
	for n, want := range map[int][]int{1: {0, 7, 11}, 3: {0, 1, 2, 7, 11}, 0: {0, 1, 2, 3}, 10: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}} {
		e := around(ridge(), n, 1)
		chosen, _, err := e.Choose(t.Context(), runOn(treated))
		if err != nil {
			t.Fatal(err)
		}
		var columns []int
		for _, c := range chosen {
			if columns = append(columns, c.Feature); (c.Feature == 7 || c.Feature == 11) && c.Rank != -1 {
				t.Errorf("size %d: a column that is kept has rank %d", n, c.Rank)
			}
		}
		if n == 0 {
			if len(chosen) != 7 || !slices.Equal(columns[:4], want) {
				t.Errorf("half of the others: %v is left", columns)
			}
		} else if !slices.Equal(columns, want) {
			t.Errorf("size %d: %v is left, want %v", n, columns, want)
		}
		run := runOn(treated)
		run.At, run.Keep = []int{1}, func(_ int, m engines.Model) {
			if got := engines.ColumnsOf(m, 12); !slices.Equal(got, []int32{0, 7, 11}) {
				t.Errorf("a path from size %d has the columns %v at 1", n, got)
			}
		}
		if _, err := e.Fit(t.Context(), run); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := around(ridge(), 11, 1).Fit(t.Context(), runOn(treated)); err == nil || !strings.Contains(err.Error(), "rfe.size 11, and the data has 10 columns") {
		t.Errorf("more columns than can be dropped are left: %v", err)
	}
}

// weighing is an engine whose models have importances in place of coefficients: the higher, the later the column.
type weighing struct {
	flat
	lowest float64
}

type weighed struct {
	*engines.Linear
	columns []int32
	lowest  float64
}

func (e weighing) Fit(_ context.Context, run engines.Run) (engines.Model, error) {
	n := run.Train.Columns()
	return weighed{engines.NewLinear(n, []float64{0}, nil, engines.Fitted{}), data.Numbers(n), e.lowest}, nil
}

func (m weighed) Selected() []int32 { return m.columns }
func (m weighed) Importances() (out []engines.Coef) {
	for k, j := range m.columns {
		out = append(out, engines.Coef{Feature: int(j), Rank: len(m.columns) - 1 - k, Score: m.lowest + float64(k)})
	}
	return out
}

// Importances may be negative, as those by permutation are: the columns with the lowest go first all the same.
func TestNegativeImportances(t *testing.T) {
	for _, lowest := range []float64{0, -0.5, -3, -100} {
		chosen, told, err := around(weighing{lowest: lowest}, 2, 1).Choose(t.Context(), runOn(problem(20, 6)))
		if err != nil || len(chosen) != 2 || chosen[0].Feature != 4 || told.Facts[0].Value != "6, 5, 4, 3, 2" {
			t.Errorf("lowest %v: %+v is left, %+v, %v", lowest, chosen, told.Facts, err)
		}
	}
}

// The columns that make the response are left, ranked by what they matter.
func TestFindsColumns(t *testing.T) {
	chosen, _, err := around(ridge(), 4, 1).Choose(t.Context(), runOn(problem(200, 40)))
	if err != nil {
		t.Fatal(err)
	}
	for k, c := range chosen {
		if c.Feature != k || c.Rank != k || c.Score < 0.5 {
			t.Errorf("place %d: %+v", k, c)
		}
	}
}

// flat is an engine whose models give every column the same weight, but for its sign, or none.
type flat struct{ weight float64 }

func (flat) Validate() error      { return nil }
func (flat) Needs() engines.Needs { return engines.Needs{} }
func (e flat) Fit(_ context.Context, run engines.Run) (engines.Model, error) {
	var coefs []engines.Coef
	for j := range run.Train.Columns() {
		coefs = append(coefs, engines.Coef{Feature: j, Value: e.weight * (1 - 2*float64(j%2)), Rank: -1})
	}
	return engines.NewLinear(run.Train.Columns(), []float64{0}, coefs, engines.Fitted{Notes: []string{"flat"}, Evaluated: 3}), nil
}

// Of equal columns the last ones go first; what rounds have to say is said once, and what they examined is added up.
func TestTies(t *testing.T) {
	chosen, told, err := around(flat{2}, 3, 1).Choose(t.Context(), runOn(problem(20, 9)))
	if err != nil || len(chosen) != 3 || chosen[2].Feature != 2 {
		t.Errorf("%v is left: %v", chosen, err)
	}
	if !slices.Equal(told.Notes, []string{"at 9 columns: flat"}) || told.Evaluated != 18 || told.Iterations != 6 {
		t.Errorf("%+v is told", told)
	}
	_, told, err = around(flat{0}, 3, 1).Choose(t.Context(), runOn(problem(20, 9)))
	if err != nil || len(told.Notes) != 2 || !strings.Contains(told.Notes[1], "no column has any importance") {
		t.Errorf("%q is noted: %v", told.Notes, err)
	}
}

// With scale unit, columns in other units are dropped all the same; as they are, coefficients change with the unit.
func TestScale(t *testing.T) {
	v := problem(100, 8)
	_, y := v.Target(0)
	rows := make([][]float64, v.Len())
	for i := range rows {
		rows[i] = make([]float64, v.Columns())
		v.Row(i).AddTo(rows[i], 1)
		for j := range rows[i] {
			rows[i][j] = rows[i][j]*math.Exp2(float64(10*(j%3))) + 5
		}
	}
	other := enginetest.View(enginetest.Dataset(enginetest.Matrix(rows...), enginetest.Real("y", y...)), nil)
	for _, c := range []struct {
		scale string
		same  bool
	}{{unit, true}, {unscaled, false}} {
		e := around(leastsquares.OLSKind.Defaults(), 3, 1)
		e.Scale = c.scale
		var got [2][]int
		for k, on := range []*data.View{v, other} {
			chosen, _, err := e.Choose(t.Context(), runOn(on))
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range chosen {
				got[k] = append(got[k], c.Feature)
			}
		}
		if slices.Equal(got[0], got[1]) != c.same {
			t.Errorf("scale %s: %v is left, in other units %v", c.scale, got[0], got[1])
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		e    Engine
		want string
	}{
		{around(subset.OracleKind.Defaults(), 2, 1), "rfe"},
	} {
		if err := c.e.Validate(); enginetest.Fields(err) != c.want {
			t.Errorf("%+v: %v, want fault in %s", c.e.Options, err, c.want)
		}
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Size: -1, Step: 1, Scale: unit, Importance: auto, Permutation: permutation.Defaults()}, "size"},
		{Options{Step: 0, Scale: unit, Importance: auto, Permutation: permutation.Defaults()}, "step"},
		{Options{Step: -1, Scale: unit, Importance: auto, Permutation: permutation.Defaults()}, "step"},
		{Options{Step: 1.5, Scale: unit, Importance: auto, Permutation: permutation.Defaults()}, "step"},
		{Options{Step: math.NaN(), Scale: unit, Importance: auto, Permutation: permutation.Defaults()}, "step"},
		{Options{Step: math.Inf(1), Scale: unit, Importance: auto, Permutation: permutation.Defaults()}, "step"},
		{Options{Step: 1, Scale: unscaled, Importance: "gini", Permutation: permutation.Defaults()}, "importance"},
		{Options{Step: 1, Scale: unscaled, Importance: byPermuted}, "permutation.k permutation.repeats permutation.within"},
		{Options{Step: 1, Scale: "sd", Importance: auto, Permutation: permutation.Defaults()}, "scale"},
	} {
		if err := c.o.Validate(); enginetest.Fields(err) != c.want {
			t.Errorf("%+v: %v, want fault in %s", c.o, err, c.want)
		}
	}
	v := problem(30, 5)
	kernels := svm.Kind.Defaults().(svm.SVM)
	kernels.Kernel = "rbf"
	y := make([]float64, v.Len())
	for i := range y {
		y[i] = float64(i % 2)
	}
	classes := enginetest.Dataset(v.Matrix(), enginetest.Class("y", 2, y...))
	for _, c := range []struct {
		e    Engine
		on   *data.View
		want string
	}{
		{around(ridge(), 6, 1), v, "rfe.size 6, and the data has 5 columns"},
		{byModelOf(kernels), enginetest.View(classes, nil), "rfe, at 5 columns: the model has neither coefficients nor importances"},
	} {
		if _, err := c.e.Fit(t.Context(), runOn(c.on)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	kept := 0
	err := around(ridge(), 1, 1).FitPath(t.Context(), runOn(v), engines.PathPoints{Parameter: size, Values: []float64{2, 9}}, func(int, engines.Model) { kept++ })
	if err == nil || kept != 1 {
		t.Errorf("a path beyond the columns has %d models: %v", kept, err)
	}
}

// byModelOf eliminates by the coefficients of an engine, also where it has none.
func byModelOf(base engines.Engine) Engine {
	e := around(base, 2, 1)
	e.Importance = byModel
	return e
}

// An engine without coefficients or importances is eliminated by permutation, and any other one that is asked to.
func TestPermutation(t *testing.T) {
	v := problem(150, 8)
	_, numbers := v.Target(0)
	y := make([]float64, len(numbers))
	for i, value := range numbers {
		if value > 0 {
			y[i] = 1
		}
	}
	classes := enginetest.View(enginetest.Dataset(v.Matrix(), enginetest.Class("y", 2, y...)), nil)
	kernels := svm.Kind.Defaults().(svm.SVM)
	asked := around(ridge(), 3, 1)
	asked.Importance = byPermuted
	for name, c := range map[string]struct {
		e  Engine
		on *data.View
	}{"kernels": {around(kernels, 3, 1), classes}, "asked": {asked, v}} {
		run := runOn(c.on)
		run.Divide = enginetest.Divide
		chosen, _, err := c.e.Choose(t.Context(), run)
		if err != nil || len(chosen) != 3 || chosen[0].Feature != 0 || chosen[1].Feature != 1 || chosen[0].Score <= 0 {
			t.Errorf("%s: %+v, %v", name, chosen, err)
		}
		if !c.e.permutes() || !c.e.Needs().Inner || c.e.Validate() != nil {
			t.Errorf("%s: %+v, %v", name, c.e.Needs(), c.e.Validate())
		}
	}
	idle := around(ridge(), 3, 1)
	idle.Permutation.Repeats = 9
	scaled := asked
	scaled.Scale = unit
	for _, c := range []struct {
		e    Engine
		want string
	}{{idle, "rfe.permutation"}, {scaled, "rfe.scale"}, {byModelOf(kernels), "rfe.importance"}} {
		if got := enginetest.Fields(c.e.Validate()); got != c.want {
			t.Errorf("complaints about %q, want %q", got, c.want)
		}
	}
}

// Of what the base needs, sizes are those of the elimination; columns go one by one, and no step tells which enters.
func TestNeeds(t *testing.T) {
	together := forward.Kind.Defaults().(forward.Stepwise)
	together.Choose = "drop"
	base := together.Needs()
	n := around(together, 2, 1).Needs()
	if !base.Entry || !base.Together || n.Entry || n.Together || n.Sizes != (engines.Sizes{Limit: "rfe.size"}) {
		t.Errorf("%+v, of the base %+v", n, base)
	}
	n.Entry, n.Together, n.Sizes = base.Entry, base.Together, base.Sizes
	if !reflect.DeepEqual(n, base) {
		t.Errorf("%+v is not what the base needs, %+v", n, base)
	}
}

// The usual sizes are powers of two, and all columns.
func TestPathValues(t *testing.T) {
	e := around(ridge(), 1, 1)
	r, err := e.PathValues(runOn(problem(10, 9)))
	if err != nil || !slices.Equal(r.Values, []float64{1, 2, 4, 8, 9}) || r.Open {
		t.Errorf("%+v, %v", r, err)
	}
	all := problem(10, 4).WithFactors(make([]float64, 4))
	if _, err := e.PathValues(runOn(all)); err == nil || !strings.Contains(err.Error(), "rfe: the data has no column") {
		t.Errorf("sizes where every model has all columns: %v", err)
	}
	if at := e.AtValue(4).(Engine); at.Size != 4 || !slices.Equal(e.PathParameters(), []string{"rfe.size"}) {
		t.Errorf("%+v", at)
	}
}
