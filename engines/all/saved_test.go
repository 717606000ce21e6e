package all

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/coding/mdl"
	"tenfold/engines/data"
	"tenfold/engines/decided"
	"tenfold/engines/decision"
	"tenfold/engines/enginetest"
	"tenfold/engines/entropy/naivebayes"
	"tenfold/engines/filters/univariate"
	"tenfold/engines/kernels/mkl"
	"tenfold/engines/kernels/svm"
	"tenfold/engines/model/narrowed"
	"tenfold/engines/model/softmax"
	"tenfold/engines/numeric/exact"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/penalized/lasso"
	"tenfold/engines/ridge/leastsquares"
	"tenfold/engines/steps/stagewise"
	"tenfold/engines/trees/boosting"
	"tenfold/engines/trees/forest"
	"tenfold/engines/wrappers/combine"
	"tenfold/engines/wrappers/onevsrest"
	"tenfold/engines/wrappers/rfe"
	"tenfold/engines/wrappers/stability"
)

// keptCase is a fit whose model is to be kept.
type keptCase struct {
	name   string
	engine engines.Engine
	needs  engines.Needs // of the data that it is fitted to
}

// with is the defaults of an engine, changed.
func with[E engines.Engine](k engines.Kind, change func(*E)) E {
	e := k.Defaults().(E)
	change(&e)
	return e
}

// cut is an engine whose models have a cut.
type cut struct{ engines.Engine }

func (e cut) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	m, err := e.Engine.Fit(ctx, run)
	if err != nil {
		return nil, err
	}
	return decided.New(m, run.Train.Features(), decision.Rule{Positive: 1, Cut: -0.7}), nil
}

// keptCases are fits that make models of every kind, in every form that matters to what is kept.
func keptCases(t testing.TB) []keptCase {
	t.Helper()
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	var out []keptCase
	add := func(name string, e engines.Engine, change func(*engines.Needs)) {
		c := keptCase{name, e, e.Needs()}
		if change != nil {
			change(&c.needs)
		}
		out = append(out, c)
	}
	for _, name := range set.Names() {
		add(name, set[name].Defaults(), nil)
	}
	class := func(levels int) func(*engines.Needs) {
		return func(n *engines.Needs) { n.Target, n.Levels, n.Tasks = data.Class, levels, false }
	}
	binary := func(n *engines.Needs) { n.Binary = true }
	pairs := combine.Engine{
		Base:    with(l1.L1Kind, func(e *l1.L1) { e.C1 = 0.5 }),
		Options: combine.Options{Threshold: 0.5, Order: 3, Of: "all", Search: "exact", Sketch: 100, Cap: 20, Rounds: 2, MinSupport: 1, Squares: true},
	}
	kernel := func(form, scale, scheme string) svm.SVM {
		return with(svm.Kind, func(e *svm.SVM) { e.Kernel, e.Scale, e.Scheme, e.Coef0 = form, scale, scheme, 0.5 })
	}
	family := func(name string) stagewise.Stagewise {
		return with(stagewise.Kind, func(e *stagewise.Stagewise) {
			e.Family, e.Step, e.Jumps, e.Choose, e.MaxIter, e.Epsilon = name, "fixed", false, "last", 60, 0.05
		})
	}
	code := func(code string) mdl.MDL { return with(mdl.Kind, func(e *mdl.MDL) { e.Code = code }) }
	few := with(lasso.LassoKind, func(e *lasso.Lasso) { e.Lambda, e.Ratio = 0, 0.2 })

	add("stagewise, logistic", family("logistic"), class(2))
	add("stagewise, loglinear", family("loglinear"), nil)
	add("mdl, class", code("ric"), class(2))
	add("mdl, tpc of classes of features", code("tpc"), func(n *engines.Needs) { n.FeatureClasses, n.Tasks = true, false })
	add("mdl, several classes", code("mic-partial"), func(n *engines.Needs) { n.Target, n.Levels = data.Class, 2 })
	add("lasso, one target", few, func(n *engines.Needs) { n.Tasks = false })
	add("elastic net, class", with(lasso.ElasticNetKind, func(e *lasso.ElasticNet) { e.Lambda, e.Ratio = 0, 0.1 }), class(2))
	add("naive-bayes, bernoulli", with(naivebayes.Kind, func(e *naivebayes.NaiveBayes) { e.Event = "bernoulli" }), nil)
	add("naive-bayes, complement", with(naivebayes.Kind, func(e *naivebayes.NaiveBayes) { e.Event = "complement" }), nil)
	add("forest, three trees", with(forest.Kind, func(e *forest.Forest) { e.Trees, e.Importance = 3, "permutation" }), class(3))
	add("boosted-trees, three rounds", with(boosting.Kind, func(e *boosting.Boosted) { e.Trees = 3 }), class(3))
	add("refit, forest", with(forest.Kind, func(e *forest.Forest) { e.Trees, e.Features = 5, 3 }), nil)
	add("svm, linear, votes", kernel("linear", "none", "one-vs-one"), nil)
	add("svm, linear, each against the rest", kernel("linear", "unit", "one-vs-rest"), nil)
	add("svm, polynomial", kernel("polynomial", "unit", "one-vs-one"), nil)
	add("svm, two levels", kernel("rbf", "unit", "one-vs-one"), class(2))
	add("svm, ones", kernel("rbf", "none", "one-vs-rest"), binary)
	add("mkl, ones in classes of features", with(mkl.Kind, func(e *mkl.MKL) { e.Lambda, e.Ratio = 0, 0.01 }), func(n *engines.Needs) { n.Binary, n.FeatureClasses = true, true })
	add("mkl, class", mkl.Kind.Defaults(), class(2))
	add("combinations", pairs, nil)
	add("combinations of ones", pairs, binary)
	add("one against the rest", onevsrest.Engine{Base: code("ric")}, nil)
	add("one against the rest, no probabilities", onevsrest.Engine{Base: kernel("rbf", "none", "one-vs-one")}, nil)
	add("one against the rest, combinations", onevsrest.Engine{Base: pairs}, nil)
	add("refit", narrowed.Engine{Select: few, Refit: leastsquares.RidgeKind.Defaults()}, nil)
	add("refit of what a ledger selects", narrowed.Engine{Select: code("ric"), Refit: leastsquares.OLSKind.Defaults()}, nil)
	add("refit of nothing", narrowed.Engine{Select: with(lasso.LassoKind, func(e *lasso.Lasso) { e.Lambda, e.Ratio = 0, 1 }), Refit: leastsquares.OLSKind.Defaults()}, nil)
	add("refit, combinations", narrowed.Engine{Select: with(l1.L1Kind, func(e *l1.L1) { e.C1 = 2 }), Refit: pairs}, nil)
	add("refit, kernels", narrowed.Engine{Select: with(l1.L1Kind, func(e *l1.L1) { e.C1 = 2 }), Refit: kernel("polynomial", "unit", "one-vs-one")}, nil)
	add("refit, one against the rest", narrowed.Engine{Select: with(l1.L1Kind, func(e *l1.L1) { e.C1 = 2 }), Refit: onevsrest.Engine{Base: pairs}}, nil)
	stable := func(base engines.Engine) stability.Engine {
		o := stability.Wrapper.Kind.Defaults().(stability.Options)
		o.Q, o.Threshold, o.Draws = 3, 0.7, 5
		return stability.Engine{Base: base, Options: o}
	}
	add("stability selection", stable(univariate.AnovaKind.Defaults()), nil)
	add("stability selection, refit", narrowed.Engine{Select: stable(few), Refit: leastsquares.RidgeKind.Defaults()}, nil)
	add("elimination", rfe.Engine{Base: leastsquares.RidgeKind.Defaults(), Options: rfe.Options{Size: 4, Step: 0.5, Scale: "unit"}}, nil)
	add("a cut of its own", cut{code("ric")}, class(2))
	add("oracle, classes", subset.OracleKind.Defaults(), func(n *engines.Needs) { n.Target = data.Class })
	return out
}

// A model of any engine comes back from its JSON as it was.
func TestModelsAreKept(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range keptCases(t) {
		t.Run(c.name, func(t *testing.T) {
			m, on, err := enginetest.Fitted(c.engine, c.needs)
			if err != nil {
				t.Fatal(err)
			}
			back, err := enginetest.Kept(m, Models(), on)
			if err != nil {
				t.Fatal(err)
			}
			saved, err := engines.Save(back)
			if err != nil {
				t.Fatal(err)
			}
			seen[saved.Kind] = true
		})
	}
	for kind := range Models() {
		if !seen[kind] {
			t.Errorf("no model of kind %s was kept", kind)
		}
	}
}

// Numbers that JSON has no words for, or that another text could stand for, come back too.
func TestNumbersAreKept(t *testing.T) {
	negative := math.Copysign(0, -1)
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), negative, math.SmallestNonzeroFloat64, math.MaxFloat64, 0.1, 1e21, -1e-7}
	var coefs []engines.Coef
	for k, v := range odd {
		coefs = append(coefs, engines.Coef{Feature: k, Output: k % 2, Value: v, Rank: k - 1, Score: odd[(k+1)%len(odd)],
			Bits: &engines.Bits{Saved: v, Refined: v, Price: engines.Price{Class: v, Index: 1, Subset: negative, Coefficient: v}}})
	}
	fitted := engines.Fitted{
		Stop: "why", Iterations: 3, Evaluated: 1 << 60, Best: -1, Optimistic: true, Notes: []string{"a note with <, \" and ü"},
		Facts: []data.Fact{{Name: "f", Value: "1"}}, Certificate: &engines.Certificate{Objective: math.NaN(), Dual: math.Inf(-1)},
		Description: &engines.Description{Null: math.Inf(1), Responses: negative, Model: 1},
	}
	x := enginetest.Random(1, 20, len(odd), 0.3, false)
	on := enginetest.View(enginetest.Dataset(x, enginetest.Real("y", make([]float64, 20)...)), nil)
	bias := []float64{negative, math.MaxFloat64}
	for _, c := range []struct {
		name string
		m    engines.Model
	}{
		{"linear", engines.NewLinear(len(odd), bias, slices.Clone(coefs), fitted)},
		{"linear, biases alone", engines.NewLinear(len(odd), []float64{math.NaN(), math.Inf(-1)}, nil, fitted)},
		{"linear, plain coefficients", engines.NewLinear(len(odd), bias, []engines.Coef{{Feature: 1, Value: 1, Rank: -1}}, engines.Fitted{})},
		{"linear, no score but -0", engines.NewLinear(len(odd), bias, []engines.Coef{{Feature: 1, Value: 1, Rank: -1, Score: negative}}, engines.Fitted{})},
		{"linked", engines.NewLinked(engines.NewLinear(len(odd), bias, slices.Clone(coefs), fitted), engines.Links{{Logistic: true}, {Class: true}})},
		{"log-linear", softmax.NewModel(len(odd), bias, coefs, fitted)},
	} {
		if _, err := enginetest.Kept(c.m, Models(), on); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// golden is a model of an earlier day, and what it said of some rows, probabilities as such.
type golden struct {
	Features []string       `json:"features"`
	Model    engines.Saved  `json:"model"`
	Rows     []exact.Floats `json:"rows"`
	Outputs  []exact.Floats `json:"outputs"`
}

func (g golden) features() *data.Features { return data.NewFeatures(g.Features) }

// view of its rows.
func (g golden) view() *data.View {
	dense := make([][]float64, len(g.Rows))
	for i, row := range g.Rows {
		dense[i] = row
	}
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(dense...), enginetest.Real("y", make([]float64, len(g.Rows))...)), nil)
}

func goldenOf(m engines.Model, on *data.View) (g golden, err error) {
	const rows = 4
	for j := range on.Columns() {
		g.Features = append(g.Features, on.Features().Name(j))
	}
	out := said(m, on)
	for i := range rows {
		row := make([]float64, on.Columns())
		on.Row(i).AddTo(row, 1)
		g.Rows, g.Outputs = append(g.Rows, row), append(g.Outputs, out[i*m.Outputs():(i+1)*m.Outputs()])
	}
	g.Model, err = engines.Save(m)
	return g, err
}

// said of rows by a model: its outputs, or the probabilities whose logarithms they are, none of them above 0. (Models on chosen
// columns promise probabilities of numbers, too.)
func said(m engines.Model, on *data.View) []float64 {
	out := make([]float64, on.Len()*m.Outputs())
	m.Predict(out, on.Inputs())
	if r, ok := m.(engines.Reporter); ok && r.Fitted().Probabilities && slices.Max(out) <= 0 {
		return enginetest.Exp(out)
	}
	return out
}

// goldens by name of their file.
func goldens(t testing.TB) map[string]golden {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "models", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]golden{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var g golden
		if err := json.Unmarshal(text, &g); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		out[strings.TrimSuffix(filepath.Base(path), ".json")] = g
	}
	return out
}

// goldenCases are the fits behind the golden file of each kind.
var goldenCases = map[string]string{
	"linear": "lasso, one target", "linked": "mdl, several classes", "log-linear": "l1", "naive-bayes": "naive-bayes, bernoulli", "combinations": "combinations",
	"several": "lasso", "on-some-columns": "oracle", "support-vectors": "svm", "kernels": "mkl, ones in classes of features", "one-vs-rest": "one against the rest",
	"refit": "refit of what a ledger selects", "decided": "a cut of its own", "shares": "majority", "forest": "forest, three trees", "boosted-trees": "boosted-trees, three rounds",
}

// Models that were kept stay readable, and are written as they were. Who changes how a kind is written keeps its file under
// another name, kind-2.json, to be read for good, and writes a new one with -update.
func TestOldModels(t *testing.T) {
	if *update {
		for _, c := range keptCases(t) {
			for kind, name := range goldenCases {
				if name == c.name {
					writeGolden(t, kind, c)
				}
			}
		}
	}
	all := goldens(t)
	for name, g := range all {
		m, err := Models().Restore(g.Model, g.features())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		on := g.view()
		for i, want := range g.Outputs {
			out := said(m, on.Sub([]int32{int32(i)}))
			if !slices.EqualFunc(out, want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }) {
				t.Errorf("%s, row %d: outputs %v, once %v", name, i, out, want)
			}
		}
	}
	for kind := range Models() {
		g, ok := all[kind]
		if !ok || g.Model.Kind != kind {
			t.Errorf("testdata/models/%s.json is missing, or of a model of kind %q", kind, g.Model.Kind)
			continue
		}
		m, err := Models().Restore(g.Model, g.features())
		if err != nil {
			continue // as said above
		}
		again, err := engines.Save(m)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := compact(t, again), compact(t, g.Model); got != want {
			t.Errorf("%s is written differently now:\n%s\nand once\n%s", kind, got, want)
		}
	}
}

func compact(t testing.TB, s engines.Saved) string {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func writeGolden(t *testing.T, kind string, c keptCase) {
	t.Helper()
	m, on, err := enginetest.Fitted(c.engine, c.needs)
	if err != nil {
		t.Fatal(err)
	}
	g, err := goldenOf(m, on)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	encode := json.NewEncoder(&text)
	encode.SetIndent("", " ")
	if err := encode.Encode(g); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join("testdata", "models"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata", "models", kind+".json"), text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// exercise all that a model shows; the model may be nonsense, but must not fail.
func exercise(t testing.TB, m engines.Model, on *data.View) {
	t.Helper()
	m.Predict(make([]float64, on.Len()*m.Outputs()), on.Inputs())
	if s, ok := m.(engines.Scorer); ok {
		s.Score(make([]float64, m.Outputs()), on.Row(0))
	}
	if n, ok := m.(engines.Namer); ok {
		for _, c := range m.Coefs() {
			n.FeatureName(c.Feature)
		}
	}
	if s, ok := m.(engines.Selective); ok {
		s.Selected()
	}
	if r, ok := m.(engines.Reporter); ok {
		r.Fitted()
	}
	if _, err := engines.Save(m); err != nil {
		t.Errorf("it cannot be saved again: %v", err)
	}
}

// Whatever is wrong with a state, restoring it ends in an error or in a model that works.
func TestDamagedModels(t *testing.T) {
	for name, g := range goldens(t) {
		var tree any
		if err := json.Unmarshal(g.Model.State, &tree); err != nil {
			t.Fatal(err)
		}
		refused, taken, features, on := 0, 0, g.features(), g.view()
		damage(tree, func(value any) { tree = value }, func(what string) {
			text, err := json.Marshal(tree)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if p := recover(); p != nil {
					t.Fatalf("%s, %s: panic: %v\n%s", name, what, p, text)
				}
			}()
			m, err := Models().Restore(engines.Saved{Kind: g.Model.Kind, State: text}, features)
			if err != nil {
				refused++
				return
			}
			taken++
			exercise(t, m, on)
		})
		t.Logf("%s: %d damaged states refused, %d of models that work", name, refused, taken)
		if refused < 20 {
			t.Errorf("%s: %d damaged states refused: the test damages too little", name, refused)
		}
	}
}

// damage a value of a document in each of several ways, one at a time, and the values within it.
func damage(value any, set func(any), try func(what string)) {
	for _, bad := range []any{nil, -1, 7, int64(1) << 40, 1e300, 0.5, "", "NaN", []any{}, []any{-1}, []any{1, 0}, map[string]any{}, true} {
		set(bad)
		try(fmt.Sprintf("%.40v became %v", value, bad))
	}
	set(value)
	switch value := value.(type) {
	case []any:
		if len(value) > 0 {
			set(value[1:])
			try("the first of a list was lost")
			set(append(slices.Clone(value), value[0]))
			try("the first of a list came again")
			set(value)
		}
		for k := range min(len(value), 3) {
			damage(value[k], func(v any) { value[k] = v }, try)
		}
	case map[string]any:
		for key, was := range value {
			delete(value, key)
			try(key + " was lost")
			value[key] = was
		}
		value["what"] = 1
		try("a key too many")
		delete(value, "what")
		for key, was := range value {
			damage(was, func(v any) { value[key] = v }, try)
		}
	}
}

// Models within one another end somewhere.
func TestModelsWithin(t *testing.T) {
	s := engines.Saved{Kind: "linear", State: json.RawMessage(`{"bias":[1],"coefs":{"feature":[],"value":[]},"fitted":{"best":-1}}`)}
	for range 40 {
		text := compact(t, s)
		s = engines.Saved{Kind: "refit", State: json.RawMessage(`{"columns":[],"entry":{"feature":[],"value":[]},"selection":{"best":-1},"model":` + text + `}`)}
	}
	if _, err := Models().Restore(s, data.NewFeatures(nil)); err == nil || !strings.HasSuffix(err.Error(), "more than 16 models within one another") {
		t.Errorf("got %v", err)
	}
	if _, err := Models().Restore(engines.Saved{Kind: "linaer"}, data.NewFeatures(nil)); err == nil || err.Error() != `a model of kind "linaer" is not known here: it is of a newer version, or damaged` {
		t.Errorf("got %v", err)
	}
}

// FuzzRestore feeds damaged states. There are few columns and rows, so that models are small, whatever the state says.
func FuzzRestore(f *testing.F) {
	linear := `{"bias":[0.5,"NaN"],"coefs":{"feature":[1,2],"output":[0,1],"value":[1,-2],"rank":[0,-1],"score":[1,0],"bits":[[1,2,3,4,5,6],null]},` +
		`"fitted":{"stop":"gap","best":-1,"certificate":[1,"-Infinity"],"description":[1,2,3]}}`
	within := func(kind, state string) string { return `{"kind":"` + kind + `","state":` + state + `}` }
	for kind, state := range map[string]string{
		"linear":          linear,
		"log-linear":      linear,
		"linked":          `{"links":[{"logistic":true,"class":true},{}],"scores":` + within("linear", linear) + `}`,
		"naive-bayes":     `{"weights":` + within("log-linear", linear) + `,"presence":true,"probabilities":false}`,
		"combinations":    `{"products":[[0,1,-1],[0,0,2]],"weights":` + within("log-linear", linear) + `}`,
		"forest":          `{"levels":2,"trees":[{"column":[0,-1,1,-1,-1],"threshold":[0.5,2],"value":[1,0,0.5,0.5,0,1]}],"importance":{"feature":[1],"value":[0]},"fitted":{"best":-1}}`,
		"several":         `{"parts":[` + within("linear", linear) + `,` + within("linear", linear) + `]}`,
		"on-some-columns": `{"parts":[{"columns":[0,1,2],"model":` + within("linear", linear) + `}],"fitted":{"best":-1}}`,
		"one-vs-rest":     `{"parts":[null,` + within("linear", linear) + `],"share":[0.5,0.5],"fitted":{"best":-1}}`,
		"refit":           `{"columns":[0,1,2],"entry":{"feature":[1],"value":[2]},"selection":{"best":-1},"model":` + within("linear", linear) + `}`,
		"support-vectors": `{"kernel":{"form":"rbf","gamma":0.5,"coef0":0,"degree":3},"scale":{"least":[0,0,0],"factor":[1,0,2]},"vectors":{"end":[1,3],"column":[0,1,2],"value":null},` +
			`"levels":3,"absent":[2],"machines":[{"for":0,"against":1,"vector":[0,1],"beta":[1,-1],"bias":0.5}],"fitted":{"best":-1}}`,
		"kernels": `{"links":[{"logistic":true,"class":true}],"bias":0.5,"bases":[{"columns":[0,2],"x":{"end":[1,2],"column":[0,1],"value":[1,2]},"offset":[0,1],"scale":[1,1],` +
			`"mean":[0,1],"share":1,"self":[1,4]}],"all":[1,4],"together":1,"terms":[{"width":0.5,"base":0,"alpha":[1,-1]},{"degree":2,"base":-1,"alpha":[0,1]}],"fitted":{"best":-1}}`,
	} {
		if _, err := Models().Restore(engines.Saved{Kind: kind, State: []byte(state)}, data.NewFeatures([]string{"a", "b", "c"})); err != nil {
			f.Errorf("the seed is damaged already: %v", err)
		}
		f.Add(kind, []byte(state))
	}
	on := golden{Rows: []exact.Floats{{1, 0, 1}, {0, 0, 0}, {0, 1, 1}}}.view()
	f.Fuzz(func(t *testing.T, kind string, state []byte) {
		if m, err := Models().Restore(engines.Saved{Kind: kind, State: state}, on.Features()); err == nil {
			exercise(t, m, on)
		}
	})
}
