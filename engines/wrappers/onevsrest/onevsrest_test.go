package onevsrest_test

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
	"tenfold/engines/all"
	"tenfold/engines/coding/mdl"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/filters/univariate"
	"tenfold/engines/model/bylevel"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/ridge/logistic"
	"tenfold/engines/steps/stagewise"
	"tenfold/engines/trees/boruta"
	"tenfold/engines/wrappers/onevsrest"
)

// TestSuite holds the wrapper to the laws around engines of every kind: of numbers drawn, of test rows watched, of probabilities and of scores;
// around all others, to those of workers.
func TestSuite(t *testing.T) {
	shuffled := mdl.Kind.Defaults().(mdl.MDL) // draws random numbers
	shuffled.Search, shuffled.Order = "streamwise", "shuffled"
	watching := stagewise.Kind.Defaults().(stagewise.Stagewise)
	watching.Family, watching.Choose = "logistic", "test"
	bases := map[string]engines.Engine{"mdl shuffled": shuffled, "fake": fake{}, "fake without probabilities": fake{raw: true}}
	set, err := all.Engines()
	if err != nil {
		t.Fatal(err)
	}
	if parallel.RaceDetector {
		set = nil // their suites let it see them
	} else {
		bases["stagewise watching"] = watching
	}
	for name, k := range set {
		if (onevsrest.Engine{Base: k.Defaults()}).Validate() == nil {
			bases[name] = k.Defaults()
		}
	}
	for name, base := range bases { // many trees a run, or steps, say no more here than few
		switch few := base.(type) {
		case boruta.Boruta:
			few.Trees = 10
			bases[name] = few
		case stagewise.Stagewise:
			few.MaxIter = 200
			bases[name] = few
		}
	}
	whole := []string{"mdl shuffled", "fake", "fake without probabilities", "stagewise watching", "logistic", "simes", "forest"}
	for name, base := range bases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if e := (onevsrest.Engine{Base: base}); slices.Contains(whole, name) {
				enginetest.Suite(t, e)
			} else {
				enginetest.Concurrent(t, e)
			}
		})
	}
	if set != nil && (len(bases) < 12 || bases["simes"] == nil || bases["oracle"] != nil || bases["ols"] != nil) {
		t.Errorf("%d bases", len(bases))
	}
}

// run on the view, with random numbers.
func run(v *data.View) engines.Run {
	return engines.Run{Train: v, Rand: rand.New(rand.NewPCG(3, 4)), Workers: 1}
}

// labelled is a view of rows with the labels given, as many as there are, and columns that go with them more or less.
func labelled(levels int, y ...float64) *data.View {
	rng := rand.New(rand.NewPCG(5, 6))
	rows := make([][]float64, len(y))
	for i := range rows {
		rows[i] = make([]float64, 6)
		for j := range rows[i] {
			if float64(j) == y[i] && rng.Float64() < 0.7 || rng.Float64() < 0.2 {
				rows[i][j] = 1
			}
		}
	}
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(rows...), enginetest.Class("y", levels, y...)), nil)
}

// many labels: n rows of each of three levels.
func many(n int) (y []float64) {
	for range n {
		y = append(y, 0, 1, 2)
	}
	return y
}

// A level's output is what an ordinary fit to the level against the rest gives it, bit for bit.
func TestAgainstBinaryFits(t *testing.T) {
	for name, base := range map[string]engines.Engine{
		"logistic": logistic.Kind.Defaults(), "mdl": mdl.Kind.Defaults(), "simes": univariate.SimesKind.Defaults(),
	} {
		t.Run(name, func(t *testing.T) {
			y := many(30)
			v := labelled(3, y...)
			m, err := (onevsrest.Engine{Base: base}).Fit(context.Background(), run(v))
			if err != nil {
				t.Fatal(err)
			}
			got, want := outputs(m, v), make([]float64, 3*v.Len())
			var coefs []engines.Coef
			var evaluated int64
			iterations := 0
			for level := range 3 {
				binary := make([]float64, len(y))
				for i := range y {
					if y[i] == float64(level) {
						binary[i] = 1
					}
				}
				one, err := base.Fit(context.Background(), run(labels(v, binary)))
				if err != nil {
					t.Fatal(err)
				}
				for i := range v.Len() {
					want[3*i+level] = math.Exp(outputs(one, v)[2*i+1])
				}
				for _, c := range one.Coefs() {
					if c.Output != 1 {
						t.Fatalf("the test expects coefficients of the second level: %+v", c)
					}
					c.Output = level
					coefs = append(coefs, c)
				}
				f := one.(engines.Reporter).Fitted()
				evaluated, iterations = evaluated+f.Evaluated, iterations+f.Iterations
			}
			for row := range slices.Chunk(want, 3) {
				sum := row[0] + row[1] + row[2]
				for l := range row {
					row[l] /= sum
				}
			}
			if !near(enginetest.Exp(slices.Clone(got)), want) {
				t.Errorf("probabilities of\n%v, want\n%v", got[:9], want[:9])
			}
			if fmt.Sprint(values(m.Coefs())) != fmt.Sprint(values(coefs)) || len(coefs) == 0 {
				t.Errorf("coefficients\n%v, want\n%v", values(m.Coefs()), values(coefs))
			}
			f := m.(engines.Reporter).Fitted()
			if f.Evaluated != evaluated || f.Iterations != iterations || !f.Probabilities || f.Best != -1 {
				t.Errorf("%+v, want %d evaluated and %d iterations", f, evaluated, iterations)
			}
			scores, row := make([]float64, 3), m.(engines.Scorer)
			for i := range v.Len() {
				if row.Score(scores, v.Row(i)); !near(scores, got[3*i:3*i+3]) {
					t.Fatalf("row %d by itself: %v, want %v", i, scores, got[3*i:3*i+3])
				}
			}
		})
	}
}

// labels are the rows of a view with labels of two levels.
func labels(v *data.View, y []float64) *data.View {
	return enginetest.View(enginetest.Dataset(v.Matrix(), enginetest.Class("y", 2, y...)), nil)
}

func outputs(m engines.Model, v *data.View) []float64 {
	dst := make([]float64, v.Len()*m.Outputs())
	m.Predict(dst, v.Inputs())
	return dst
}

// values are coefficients without what prints as an address.
func values(coefs []engines.Coef) []engines.Coef {
	out := slices.Clone(coefs)
	for k := range out {
		out[k].Bits = nil
	}
	return out
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 1e-12 })
}

// fake is an engine whose model gives constant probabilities, or scores, by the name of the level.
type fake struct {
	score   map[string]float64
	fitted  map[string]engines.Fitted
	coefs   map[string][]engines.Coef
	names   []string
	raw     bool // scores are no probabilities
	fails   string
	outputs int // if not 2
	needs   engines.Needs
	invalid error
}

func (f fake) Validate() error      { return f.invalid }
func (f fake) Needs() engines.Needs { return f.needs }
func (f fake) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if run.Trace != nil || run.Rand == nil {
		return nil, errors.New("a level is traced, or has no random numbers")
	}
	level := run.Train.TargetInfo(0).Levels[1]
	if level == f.fails {
		return nil, errors.New("it does not")
	}
	fitted, ok := f.fitted[level]
	if !ok {
		fitted.Best, fitted.Probabilities = -1, !f.raw
	}
	outputs := []float64{1 - f.score[level], f.score[level]}
	if !f.raw {
		outputs = []float64{math.Log(outputs[0]), math.Log(outputs[1])}
	}
	linear := engines.NewLinear(run.Train.Columns()+len(f.names), outputs, nil, fitted)
	m := fakeModel{Linear: linear, coefs: f.coefs[level], outputs: 2 + f.outputs}
	if f.names != nil {
		return namedModel{m, f.names, run.Train.Columns()}, nil
	}
	return m, nil
}

type fakeModel struct {
	*engines.Linear
	coefs   []engines.Coef
	outputs int
}

func (m fakeModel) Coefs() []engines.Coef { return m.coefs }
func (m fakeModel) Outputs() int          { return m.outputs }

// namedModel has features of its own, and cannot score single rows.
type namedModel struct {
	engines.Model
	names   []string
	columns int
}

func (m namedModel) FeatureName(j int) string { return m.names[j-m.columns] }

// Levels of few rows have no model, and every row has a sound output all the same.
func TestLevelsWithoutModel(t *testing.T) {
	for _, c := range []struct {
		name   string
		levels int
		y      []float64
		engine fake
		want   []float64
		notes  []string
	}{
		{"none missing", 2, []float64{0, 0, 1, 1}, fake{score: map[string]float64{"l0": 0.75, "l1": 0.5}}, []float64{0.6, 0.4}, nil},
		{"one row", 3, []float64{0, 0, 0, 1, 1, 1, 1, 2}, fake{score: map[string]float64{"l0": 0.5, "l1": 0.25}}, []float64{4. / 7, 2. / 7, 1. / 7},
			[]string{"l2 against the rest: no model, since 1 of 8 training rows have the level"}},
		{"no row", 3, []float64{0, 0, 1, 1}, fake{score: map[string]float64{"l0": 0.5, "l1": 0.5}}, []float64{0.5, 0.5, 0},
			[]string{"l2 against the rest: no model, since 0 of 4 training rows have the level"}},
		{"all but one row", 2, []float64{0, 0, 0, 1}, fake{}, []float64{0.75, 0.25},
			[]string{"l0 against the rest: no model, since 3 of 4 training rows have the level", "l1 against the rest: no model, since 1 of 4 training rows have the level"}},
		{"one level", 1, []float64{0, 0, 0}, fake{}, []float64{1}, []string{"l0 against the rest: no model, since 3 of 3 training rows have the level"}},
		{"no probabilities", 3, []float64{0, 0, 0, 1, 1, 1, 1, 2}, fake{raw: true, score: map[string]float64{"l0": -3, "l1": -2}}, []float64{-3, -2, -3},
			[]string{"l2 against the rest: no model, since 1 of 8 training rows have the level"}},
		{"certain of the rest", 3, []float64{0, 0, 1, 1, 1, 1, 2, 2}, fake{}, []float64{0.25, 0.5, 0.25}, nil},
		{"a tie", 3, []float64{0, 0, 1, 1, 1, 1, 2, 2}, fake{score: map[string]float64{"l0": 1, "l1": 1}}, []float64{0.5, math.Nextafter(0.5, 1), 0}, nil},
		{"a tie of equals", 3, []float64{0, 0, 1, 1, 2, 2}, fake{score: map[string]float64{"l1": 1, "l2": 1}}, []float64{0, 0.5, 0.5}, nil},
		{"a tie below", 3, []float64{0, 0, 1, 1, 1, 1, 2, 2}, fake{raw: true, score: map[string]float64{"l0": 1, "l1": 1, "l2": 2}}, []float64{1, 1, 2}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := labelled(c.levels, c.y...)
			m, err := (onevsrest.Engine{Base: c.engine}).Fit(context.Background(), run(v))
			if err != nil {
				t.Fatal(err)
			}
			got, one := outputs(m, v)[:c.levels], make([]float64, c.levels)
			if m.(engines.Scorer).Score(one, v.Row(0)); !slices.Equal(one, got) {
				t.Errorf("row by itself %v, among others %v", one, got)
			}
			largest := slices.Index(got, slices.Max(got))
			if !c.engine.raw {
				enginetest.Exp(got)
			}
			if !near(got, c.want) || largest != slices.Index(c.want, slices.Max(c.want)) {
				t.Errorf("outputs %v, largest %d, want %v", got, largest, c.want)
			}
			if got := m.(engines.Reporter).Fitted().Notes; !slices.Equal(got, c.notes) {
				t.Errorf("notes %q, want %q", got, c.notes)
			}
		})
	}
}

// What models are sure of beyond the digits of a probability decides between levels, and is kept: of log-odds 50 and 40 the first
// wins whatever the shares, and a row that no model wants has finite losses.
func TestSureModels(t *testing.T) {
	for _, c := range []struct{ odds, want [3]float64 }{
		{[3]float64{40, 50, -800}, [3]float64{-math.Ln2, -math.Ln2, -800 - math.Ln2}},
		{[3]float64{-900, -1000, -2000}, [3]float64{0, -100, -1100}},
	} {
		base := sure{map[string]float64{"l0": c.odds[0], "l1": c.odds[1], "l2": c.odds[2]}}
		v := labelled(3, 0, 0, 0, 0, 1, 1, 2, 2)
		m, err := (onevsrest.Engine{Base: base}).Fit(context.Background(), run(v))
		if err != nil {
			t.Fatal(err)
		}
		got := outputs(m, v)[:3]
		if !near(got, c.want[:]) || slices.Index(got, slices.Max(got)) != slices.Index(c.odds[:], slices.Max(c.odds[:])) {
			t.Errorf("log-odds %v: %v, want %v", c.odds, got, c.want)
		}
	}
}

// sure is an engine whose model gives constant log-odds, by the name of the level.
type sure struct{ odds map[string]float64 }

func (s sure) Validate() error      { return nil }
func (s sure) Needs() engines.Needs { return engines.Needs{} }
func (s sure) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	bias := []float64{s.odds[run.Train.TargetInfo(0).Levels[1]]}
	linear := engines.NewLinear(run.Train.Columns(), bias, nil, engines.Fitted{Best: -1, Probabilities: true})
	return engines.NewLinked(linear, engines.Links{{Logistic: true, Class: true}}), nil
}

// Shares are of weights, and so is who is more frequent; whether a level has enough rows is not.
func TestWeights(t *testing.T) {
	v := labelled(3, 0, 0, 1, 1, 1, 2)
	d := enginetest.Dataset(v.Matrix(), enginetest.Class("y", 3, 0, 0, 1, 1, 1, 2))
	d.Weight = []float64{3, 3, 0.5, 0.5, 0.5, 2.5}
	m, err := (onevsrest.Engine{Base: fake{}}).Fit(context.Background(), run(enginetest.View(d, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if got := enginetest.Exp(outputs(m, v)[:3]); !near(got, []float64{0.6, 0.15, 0.25}) || len(m.(engines.Reporter).Fitted().Notes) != 1 {
		t.Errorf("outputs %v, %q", got, m.(engines.Reporter).Fitted().Notes)
	}
}

func TestFitted(t *testing.T) {
	all := map[string]engines.Fitted{
		"l0": {Stop: "gap", Iterations: 5, Evaluated: 10, Best: -1, Probabilities: true, Notes: []string{"a note"},
			Certificate: &engines.Certificate{Objective: 4, Dual: 3}, Description: &engines.Description{Null: 9, Responses: 4, Model: 2}},
		"l1": {Stop: "max_iter", Iterations: 7, Evaluated: 20, Best: 3, Probabilities: true, Optimistic: true, Facts: []data.Fact{{Name: "c1", Value: "2"}},
			Certificate: &engines.Certificate{Objective: 2, Dual: 2}, Description: &engines.Description{Null: 8, Responses: 5, Model: 1}},
		"l2": {Stop: "gap", Iterations: 1, Evaluated: 3, Best: -1, Certificate: &engines.Certificate{Objective: 1, Dual: 0}},
	}
	fit := func(y []float64) engines.Fitted {
		m, err := (onevsrest.Engine{Base: fake{fitted: all}}).Fit(context.Background(), run(labelled(3, y...)))
		if err != nil {
			t.Fatal(err)
		}
		return m.(engines.Reporter).Fitted()
	}
	f := fit(many(2))
	if f.Stop != "gap, max_iter" || f.Iterations != 9 || f.Evaluated != 33 || f.Best != -1 || f.Probabilities || !f.Optimistic || f.Description != nil ||
		*f.Certificate != (engines.Certificate{Objective: 7, Dual: 5}) {
		t.Errorf("%+v, %+v", f, f.Certificate)
	}
	if fmt.Sprint(f.Notes, f.Facts) != "[l0 against the rest: a note] [{l1 against the rest: c1 2}]" {
		t.Errorf("%q, %q", f.Notes, f.Facts)
	}
	if f = fit([]float64{0, 0, 1, 1, 2}); !f.Probabilities || *f.Description != (engines.Description{Null: 17, Responses: 9, Model: 3}) {
		t.Errorf("without the last level: %+v, %+v", f, f.Description)
	}
	if f = fit([]float64{0, 1, 2}); f.Certificate != nil || f.Description != nil || f.Stop != "no_model" || len(f.Notes) != 3 {
		t.Errorf("without any level: %+v", f)
	}
}

// Coefficients of both outputs are joined to those of the level, and features of models' own keep their names.
func TestCoefs(t *testing.T) {
	base := fake{names: []string{"x0&x1", "x0&x2"}, coefs: map[string][]engines.Coef{
		"l0": {{Feature: 1, Output: 0, Value: 2, Rank: 3}, {Feature: 4, Output: 0, Value: 1, Rank: -1}, {Feature: 7, Output: 0, Value: 1, Rank: -1},
			{Feature: 1, Output: 1, Value: 1, Rank: 2, Score: 9}, {Feature: 4, Output: 1, Value: 1, Rank: -1}},
		"l1": {{Feature: 2, Output: 0, Value: -1, Rank: 1}, {Feature: 3, Output: 0, Value: -1, Rank: 0, Score: 5}, {Feature: 2, Output: 1, Value: 1, Rank: 0, Score: 4},
			{Feature: 3, Output: 1, Value: 1, Rank: 1}},
		"l2": {{Feature: 6, Output: 1, Value: 1, Rank: 1}, {Feature: 7, Output: 1, Value: 2, Rank: 0}},
	}}
	m, err := (onevsrest.Engine{Base: base}).Fit(context.Background(), run(labelled(3, many(2)...)))
	if err != nil {
		t.Fatal(err)
	}
	want := []engines.Coef{{Feature: 1, Value: -1, Rank: 2, Score: 9}, {Feature: 6, Value: -1, Rank: -1},
		{Feature: 2, Output: 1, Value: 2, Rank: 0, Score: 4}, {Feature: 3, Output: 1, Value: 2, Rank: 0, Score: 5},
		{Feature: 6, Output: 2, Value: 2, Rank: 0}, {Feature: 7, Output: 2, Value: 1, Rank: 1}}
	if !slices.Equal(m.Coefs(), want) {
		t.Errorf("%+v, want %+v", m.Coefs(), want)
	}
	name := m.(engines.Namer).FeatureName
	if name(0) != "x0" || name(6) != "x0&x2" || name(7) != "x0&x1" {
		t.Errorf("names %q, %q, %q", name(0), name(6), name(7))
	}
	if _, ok := m.(engines.Scorer); ok {
		t.Error("it scores rows, which its models cannot")
	}
}

// The random numbers of a level are its own: those of others, and whether they have a model, do not change them.
func TestRandom(t *testing.T) {
	draw := func(skip int) (drawn [3]uint64) {
		_, err := bylevel.Fit(context.Background(), run(labelled(3, many(2)...)), func(level int, v *data.View) (engines.Engine, error) {
			if level == skip {
				return nil, nil
			}
			return drawing{fake{}, &drawn[level]}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return drawn
	}
	all, some := draw(-1), draw(1)
	if all[0] != some[0] || all[2] != some[2] || some[1] != 0 || all[0] == all[1] || all[1] == all[2] {
		t.Errorf("%v, without the second %v", all, some)
	}
}

type drawing struct {
	fake
	to *uint64
}

func (d drawing) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	*d.to = run.Rand.Uint64()
	return d.fake.Fit(ctx, run)
}

func TestWatch(t *testing.T) {
	r := run(labelled(3, many(2)...))
	r.Watch = labelled(3, 2, 1, 0)
	seen := 0
	_, err := bylevel.Fit(context.Background(), r, func(level int, v *data.View) (engines.Engine, error) {
		return watching{fake{}, level, &seen}, nil
	})
	if err != nil || seen != 3 {
		t.Error(seen, err)
	}
}

type watching struct {
	fake
	level int
	seen  *int
}

func (w watching) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if _, y := run.Watch.Target(0); slices.Index(y, 1) == 2-w.level {
		*w.seen++
	}
	return w.fake.Fit(ctx, run)
}

// Each level's fit gets what the run has, and tells what is done around it under the level's name.
func TestRunIsPassedOn(t *testing.T) {
	var heard []string
	r := run(labelled(3, many(2)...))
	r.Workers, r.Cache, r.Inner = 5, 1<<20, engines.Inner{By: true, Gap: 2}
	r.Tell = func(f data.Fact) { heard = append(heard, f.Name+"="+f.Value) }
	r.Warn = func(note string) { heard = append(heard, note) }
	fits := 0
	base := asking{fake{}, func(own engines.Run) {
		if own.Workers != 5 || own.Cache != 1<<20 || own.Inner != r.Inner || own.Keep != nil || own.At != nil {
			t.Errorf("the run of a level is %+v", own)
		}
		own.Say("folds", "3")
		own.Note("few rows")
		fits++
	}}
	if _, err := (onevsrest.Engine{Base: base}).Fit(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(heard[:2], "; "); got != "l0 against the rest: folds=3; l0 against the rest: few rows" || len(heard) != 2*fits {
		t.Errorf("heard %q in %d fits", heard, fits)
	}
}

type asking struct {
	fake
	ask func(engines.Run)
}

func (a asking) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	a.ask(run)
	return a.fake.Fit(ctx, run)
}

func TestErrors(t *testing.T) {
	view := labelled(3, many(2)...)
	ctx, cancel := context.WithCancelCause(context.Background())
	for _, c := range []struct {
		name string
		on   *data.View
		each func(level int, v *data.View) (engines.Engine, error)
		want string
	}{
		{"engine", view, func(int, *data.View) (engines.Engine, error) { return fake{fails: "l1"}, nil }, "l1 against the rest: it does not"},
		{"which engine", view, func(level int, _ *data.View) (engines.Engine, error) { return nil, fmt.Errorf("no %d", level) }, "l0 against the rest: no 0"},
		{"outputs", view, func(int, *data.View) (engines.Engine, error) { return fake{outputs: 1}, nil }, "l0 against the rest: the engine's model has 3 outputs, expected one for each of two levels"},
		{"real", enginetest.View(enginetest.Dataset(enginetest.Matrix([]float64{1}), enginetest.Real("z", 1)), nil), nil, "target z is real"},
		{"no rows", view.Sub([]int32{}), nil, "target y has no training row"},
		{"cancelled amid", view, func(level int, _ *data.View) (engines.Engine, error) {
			if level == 1 {
				cancel(errors.New("the caller's reason"))
			}
			return fake{}, nil
		}, "\nthe caller's reason"},
		{"cancelled before", view, func(int, *data.View) (engines.Engine, error) { return nil, errors.New("asked") }, "\nthe caller's reason"},
	} {
		if _, err := bylevel.Fit(ctx, run(c.on), c.each); err == nil || !strings.Contains("\n"+err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestNeeds(t *testing.T) {
	needs := engines.Needs{Binary: true, FeatureClasses: true, Tasks: true, Levels: 2, Watch: true, Sizes: engines.Sizes{Limit: "max"}}
	e := onevsrest.Engine{Base: fake{needs: needs}}
	if got := e.Needs(); !reflect.DeepEqual(got, engines.Needs{Target: data.Class, Binary: true, FeatureClasses: true, Watch: true}) {
		t.Errorf("%+v", got)
	}
	base, shape := mdl.Kind.Defaults().(mdl.MDL), engines.Shape{Rows: 10, Columns: 20, Entries: 30}
	if got := (onevsrest.Engine{Base: base}).Footprint(shape).Bytes; got < base.Footprint(shape).Bytes {
		t.Errorf("%d bytes, fewer than the base", got)
	}
	for _, c := range []struct {
		base fake
		want string
	}{
		{fake{}, ""},
		{fake{needs: engines.Needs{Target: data.Class}}, ""},
		{fake{needs: engines.Needs{Target: data.Real}}, "multiclass: one-vs-rest makes classes of two levels, and the engine, with these parameters, takes real targets only"},
		{fake{needs: engines.Needs{Levels: 3}}, "takes those of 3 only"},
		{fake{needs: engines.Needs{Truth: true}}, "true coefficients"},
		{fake{invalid: errors.New("bad alpha")}, "bad alpha"},
	} {
		err := (onevsrest.Engine{Base: c.base}).Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %q", c.base.needs, err, c.want)
		}
	}
}

// opening is a fake engine whose models are open until they are closed.
type opening struct {
	fake
	open *int
}

type opened struct {
	engines.Model
	open *int
}

func (m opened) Close() { *m.open-- }

func (e opening) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	m, err := e.fake.Fit(ctx, run)
	if err != nil {
		return nil, err
	}
	*e.open++
	return opened{m, e.open}, nil
}

// Models that a fit has made are closed where it fails in the end, and with the model that is made of them.
func TestClosed(t *testing.T) {
	v := labelled(3, many(5)...)
	for _, base := range []fake{{}, {fails: v.TargetInfo(0).Levels[2]}, {outputs: 1}} {
		open := 0
		m, err := onevsrest.Engine{Base: opening{base, &open}}.Fit(t.Context(), run(v))
		if err == nil {
			if open != 3 || base.fails != "" {
				t.Errorf("%d models are open", open)
			}
			engines.Close(m)
		}
		if open != 0 {
			t.Errorf("%+v: %d models are left open", base, open)
		}
	}
}
