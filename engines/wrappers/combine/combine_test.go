package combine

import (
	"context"
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
	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
	"tenfold/engines/penalized/l1"
)

// base is the engine under the combinations.
func base(c1, c2, tol float64) l1.L1 {
	e := l1.L1Kind.Defaults().(l1.L1)
	e.C1, e.C2, e.Tol = c1, c2, tol
	return e
}

func options(change func(*Options)) Options {
	o := Options{Threshold: 1, Order: 2, Of: "all", Search: "exact", Sketch: 100, Cap: 5000, Rounds: 1, MinSupport: 1}
	if change != nil {
		change(&o)
	}
	return o
}

func TestDefaults(t *testing.T) {
	if Kind.Defaults() != param.Validator(options(nil)) {
		t.Errorf("defaults %+v", Kind.Defaults())
	}
}

func TestSuite(t *testing.T) {
	for name, o := range map[string]Options{
		"pairs":   options(nil),
		"triples": options(func(o *Options) { o.Order, o.Rounds, o.Cap = 3, 2, 5 }),
		"sampled": options(func(o *Options) { o.Search, o.Sketch, o.Threshold, o.Squares = "sampled", 8, 0.7, true }),
		"active":  options(func(o *Options) { o.Of, o.Rounds = "active", 3 }),
	} {
		t.Run(name, func(t *testing.T) {
			enginetest.Suite(t, Engine{base(0.8, 0, 1e-6), o})
		})
	}
}

func TestValidate(t *testing.T) {
	for field, change := range map[string]func(*Options){
		"threshold":   func(o *Options) { o.Threshold = math.NaN() },
		"order":       func(o *Options) { o.Order = 4 },
		"of":          func(o *Options) { o.Of = "some" },
		"search":      func(o *Options) { o.Search, o.Order = "sampled", 3 },
		"sketch":      func(o *Options) { o.Sketch = 1 },
		"cap":         func(o *Options) { o.Cap = 0 },
		"rounds":      func(o *Options) { o.Rounds = 0 },
		"min_support": func(o *Options) { o.MinSupport = 0 },
	} {
		o := options(change)
		if err := (Engine{base(1, 0, 1e-6), o}).Validate(); err == nil || !strings.HasPrefix(err.Error(), field+": ") {
			t.Errorf("%s: %v", field, err)
		}
	}
	along := l1.L1Kind.Defaults().(l1.L1)
	along.Steps = 5
	if err := (Engine{along, options(nil)}).Validate(); err == nil || !strings.HasPrefix(err.Error(), "path: ") {
		t.Errorf("a path: %v", err)
	}
}

// xor is rows whose label says whether exactly one of columns 0 and 1 is there; column 7 repeats column 0, and column 8 is
// the product of columns 1 and 2.
func xor(rows int, levels int) *data.View {
	rng := rand.New(rand.NewPCG(21, 22))
	var dense [][]float64
	var y []float64
	for range rows {
		x := make([]float64, 9)
		for j := range 7 {
			if rng.Float64() < 0.5 {
				x[j] = 1
			}
		}
		x[7], x[8] = x[0], x[1]*x[2]
		dense = append(dense, x)
		label := 0.0
		if x[0] != x[1] {
			label = 1
		} else if levels > 2 && x[4] == 1 && x[5] == 1 {
			label = 2
		}
		y = append(y, label)
	}
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(dense...), enginetest.Class("y", levels, y...)), nil)
}

func fit(t *testing.T, e Engine, v *data.View, workers int) *Model {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	m, err := e.Fit(context.Background(), engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 2)), Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return m.(*Model)
}

func names(m *Model) []string {
	var out []string
	for _, c := range m.Coefs() {
		if n := m.FeatureName(c.Feature); !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

func TestPairHelps(t *testing.T) {
	v := xor(400, 2)
	on := base(2, 0, 1e-8)
	none := fit(t, Engine{on, options(func(o *Options) { o.Threshold = 1e6 })}, v, 1)
	if a := enginetest.Accuracy(none, v); a > 70 {
		t.Errorf("without the pair: accuracy %v %%", a)
	}
	m := fit(t, Engine{on, options(nil)}, v, 2)
	if a := enginetest.Accuracy(m, v); a != 100 {
		t.Errorf("with the pair: accuracy %v %%", a)
	}
	if got := names(m); !slices.Contains(got, "x0&x1") {
		t.Errorf("selected: %q", got)
	}
	var all []string
	for j := 9; j < m.products.Columns(); j++ {
		all = append(all, m.FeatureName(j))
	}
	for _, twin := range []string{"x1&x2", "x0&x7", "x1&x7"} { // x8, x0, x0&x1
		if slices.Contains(all, twin) {
			t.Errorf("%s equals another column: %q", twin, all)
		}
	}
	if f := m.Fitted(); !(f.Certificate.Relative() <= 1e-8) || f.Stop != "gap" || f.Evaluated == 0 || len(f.Facts) < 4 || len(f.Notes) > 0 {
		t.Errorf("%+v", f)
	}
}

// explicit has the products of a model as columns of the data.
func explicit(m *Model, v *data.View) *data.View {
	var b sparse.Builder
	for i := range v.Len() {
		row := v.Row(i)
		dense := make([]float64, v.Columns())
		for k, j := range row.Idx {
			dense[j] = row.At(k)
		}
		for _, of := range m.products.factors {
			x := 1.0
			for _, j := range of {
				if j >= 0 {
					x *= dense[j]
				}
			}
			dense = append(dense, x)
		}
		idx := make([]int32, len(dense))
		for j := range idx {
			idx[j] = int32(j)
		}
		if err := b.Add(idx, dense); err != nil {
			panic(err)
		}
	}
	_, y := v.Target(0)
	return enginetest.View(enginetest.Dataset(b.Matrix(m.products.Columns()), enginetest.Class("y", m.Outputs(), y...)), nil)
}

// A model with products is the base's model of the data with the products as columns: the same scores from the same
// weights, and the same optimum.
func TestProductsAsColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	valued := func(levels int) *data.View {
		x := enginetest.Random(5, 150, 12, 0.4, false)
		y := make([]float64, 150)
		for i := range y {
			y[i] = float64(rng.IntN(levels))
		}
		return enginetest.View(enginetest.Dataset(x, enginetest.Class("y", levels, y...)), nil)
	}
	for name, v := range map[string]*data.View{"0/1": xor(200, 2), "0/1, three classes": xor(200, 3), "values": valued(2), "values, three classes": valued(3)} {
		for _, o := range []Options{options(nil), options(func(o *Options) { o.Order, o.Squares = 3, true }), options(func(o *Options) { o.Rounds, o.Cap = 3, 4 })} {
			on := base(2, 0.1, 1e-10)
			m := fit(t, Engine{on, o}, v, 1)
			if m.products.Len() < 2 {
				t.Fatalf("%s: %d products", name, m.products.Len())
			}
			wide := explicit(m, v)
			got, want := make([]float64, v.Len()*m.Outputs()), make([]float64, v.Len()*m.Outputs())
			m.Predict(got, v.Inputs())
			m.Model.Predict(want, wide.Inputs())
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: scores differ", name)
			}
			p, err := logits.Read(wide, logits.FreeBias)
			if err != nil {
				t.Fatal(err)
			}
			pt := p.NewPoint(make([]float64, p.Width()))
			_, stop, solve := on.Parts()
			out, err := solve(context.Background(), pt, logits.Goal{Penalty: logits.Penalty{L1: 2, L2: 0.1}, Stopping: stop, Workers: 1})
			if c := m.Fitted().Certificate; err != nil || !(math.Abs(out.Objective-c.Objective) <= 1e-9*out.Objective) {
				t.Errorf("%s: objective %v, of the same columns %v (%v)", name, c.Objective, out.Objective, err)
			}
		}
	}
}

// Every round lowers the objective, until no combination that is left out would enter.
func TestRounds(t *testing.T) {
	v := xor(300, 3)
	on := base(1.5, 0, 1e-9)
	before := math.Inf(1)
	var f engines.Fitted
	for _, rounds := range []int{1, 2, 3, 4, 40} {
		m := fit(t, Engine{on, options(func(o *Options) { o.Rounds, o.Cap = rounds, 3 })}, v, 1)
		f = m.Fitted()
		if f.Certificate.Objective > before*(1+1e-8) {
			t.Errorf("%d rounds: objective %v after %v", rounds, f.Certificate.Objective, before)
		}
		before = f.Certificate.Objective
		if rounds == 1 && (m.products.Len() != 3 || len(f.Notes) != 1 || !strings.Contains(f.Notes[0], "cap of 3")) {
			t.Errorf("one round: %d products, notes %q", m.products.Len(), f.Notes)
		}
	}
	last := f.Facts[len(f.Facts)-3]
	if last.Value != "0" || !strings.HasPrefix(last.Name, "added, round ") || last.Name == "added, round 40" {
		t.Errorf("the last round: %+v", last)
	}
}

// A trace counts the iterations of all rounds on, from the model without weights.
func TestTrace(t *testing.T) {
	v := xor(300, 3)
	var steps []engines.Step
	e := Engine{base(1.5, 0, 1e-9), options(func(o *Options) { o.Rounds, o.Cap = 2, 3 })}
	m, err := e.Fit(context.Background(), engines.Run{Train: v, Workers: 1, Trace: func(s engines.Step) { steps = append(steps, s) }})
	if err != nil {
		t.Fatal(err)
	}
	for k, s := range steps {
		if s.Iter != k || s.Parameter != "c1" || s.ParameterValue != 1.5 || k > 0 && s.Active == 0 {
			t.Errorf("step %d is %+v", k, s)
		}
	}
	if n := m.(*Model).Fitted().Iterations; len(steps) != n+1 || steps[0].Active != 0 || steps[n].Active != len(m.Coefs()) {
		t.Errorf("%d steps of %d iterations, from %+v to %+v", len(steps), n, steps[0], steps[n])
	}
}

func TestOfActive(t *testing.T) {
	m := fit(t, Engine{base(1, 0, 1e-9), options(func(o *Options) { o.Of, o.Threshold = "active", 0.01 })}, xor(100, 2), 1)
	none := fit(t, Engine{base(1, 0, 1e-9), options(func(o *Options) { o.Threshold = 1e6 })}, xor(100, 2), 1)
	active := map[string]bool{}
	for _, c := range none.Coefs() {
		active[none.FeatureName(c.Feature)] = true
	}
	if len(active) < 2 || len(active) == 9 || m.products.Len() == 0 {
		t.Fatalf("%d active, %d products", len(active), m.products.Len())
	}
	for j := 9; j < m.products.Columns(); j++ {
		for part := range strings.SplitSeq(m.FeatureName(j), "&") {
			if !active[part] {
				t.Errorf("%s is of a column without a weight", m.FeatureName(j))
			}
		}
	}
}

func TestMinSupport(t *testing.T) {
	v := xor(100, 2)
	for _, support := range []int{1, 20, 40} {
		m := fit(t, Engine{base(1, 0, 1e-6), options(func(o *Options) { o.Threshold, o.MinSupport = 0.2, support })}, v, 1)
		least := v.Len()
		for _, of := range m.products.factors {
			least = min(least, m.products.entriesOf(v.Matrix(), of).Len())
		}
		if m.products.Len() == 0 && support < 40 || least < support || support == 1 && least >= 20 {
			t.Errorf("at least %d: %d products, the rarest in %d rows", support, m.products.Len(), least)
		}
	}
}

// Each hit ends in one of four ways.
func TestTake(t *testing.T) {
	x := enginetest.Matrix([]float64{1, 1, 1, 1, 1}, []float64{1, 1, 1, 0, 1}, []float64{1, 0, 1, 1, 0}, []float64{0, 1, 0, 1, 1})
	hit := func(of ...int32) Hit { return Hit{Columns: [3]int32{of[0], of[1], append(of, -1)[2]}} }
	for _, c := range []struct {
		name           string
		limit, support int
		hits           []Hit
		want           Taken
	}{
		{"in just enough rows", 9, 2, []Hit{hit(0, 1)}, Taken{Added: 1}},
		{"in too few", 9, 3, []Hit{hit(0, 1)}, Taken{Rare: 1}},
		{"for another class", 9, 1, []Hit{hit(0, 1), {Columns: [3]int32{0, 1, -1}, Block: 1}}, Taken{Added: 1}},
		{"equal to a column", 9, 1, []Hit{hit(0, 2)}, Taken{Equal: 1}},
		{"equal to a product", 9, 1, []Hit{hit(0, 1), hit(1, 2), hit(0, 1, 2)}, Taken{Added: 1, Equal: 2}},
		{"beyond the cap", 1, 1, []Hit{hit(0, 1), hit(1, 2), hit(1, 3)}, Taken{Added: 1, Over: 2}},
	} {
		p := newProducts(5)
		got, err := p.Take(context.Background(), x, c.hits, c.limit, c.support)
		if err != nil || got != c.want || p.Len() != c.want.Added {
			t.Errorf("%s: %+v, %v; %d products", c.name, got, err, p.Len())
		}
		again, err := p.Take(context.Background(), x, c.hits, c.limit, c.support)
		if err != nil || again.Added > 0 && c.limit > 1 {
			t.Errorf("%s: a second time %+v, %v", c.name, again, err)
		}
	}
}

// Products that were saved are checked: their columns rise, and are among the data's.
func TestRestoreProducts(t *testing.T) {
	for _, of := range [][3]int32{{0, 1, -1}, {0, 0, -1}, {1, 3, -1}, {0, 1, 2}, {1, 2, 3}} {
		p, err := restoreProducts(4, [][3]int32{of})
		if err != nil || p.Len() != 1 || p.factors[0] != of {
			t.Errorf("%v: %v", of, err)
		}
	}
	for _, of := range [][3]int32{{-1, 1, -1}, {1, 0, -1}, {0, 4, -1}, {4, 4, -1}, {0, 1, 1}, {0, 1, 0}, {0, 1, 4}, {0, 1, -2}, {0, -1, -1}, {1, 0, 2}} {
		if _, err := restoreProducts(4, [][3]int32{{0, 1, -1}, of}); err == nil || !strings.HasPrefix(err.Error(), "product 1 is of the columns") {
			t.Errorf("%v: %v", of, err)
		}
	}
}

// What is predicted is more than the base takes, and rises with all that the data have.
func TestFootprint(t *testing.T) {
	e := Engine{base(1, 0, 1e-6), options(nil)}
	small := engines.Shape{Rows: 100, Columns: 50, Entries: 900}
	least := e.Footprint(small).Bytes
	if base := engines.FootprintOf(e.Base, small).Bytes; least <= base {
		t.Errorf("%d bytes, the base takes %d", least, base)
	}
	for _, s := range []engines.Shape{{Rows: 200, Columns: 50, Entries: 900}, {Rows: 100, Columns: 80, Entries: 900}, {Rows: 100, Columns: 50, Entries: 1900}} {
		if more := e.Footprint(s).Bytes; more <= least {
			t.Errorf("%+v: %d bytes, no more than %d", s, more, least)
		}
	}
}

// A fit tells of every round: what there was to look at, what came of it, and what the objective gained.
func TestFacts(t *testing.T) {
	for _, c := range []struct {
		change func(*Options)
		want   string
	}{
		{nil, "c1, combinations judged by, combinations, within the bounds, terms added up, found, not added, added, objective without them, objective with them"},
		{func(o *Options) { o.Search = "sampled" }, "c1, combinations judged by, combinations, within the bounds, entries in sketches, estimated, terms added up, found, not added, added, objective without them, objective with them"},
		{func(o *Options) { o.Rounds, o.Threshold = 2, 1e6 }, "c1, combinations judged by, combinations, round 1, within the bounds, round 1, terms added up, round 1, found, round 1, not added, round 1, added, round 1, objective without them, round 1, objective with them, round 1"},
	} {
		var got []string
		for _, f := range fit(t, Engine{base(2, 0, 1e-6), options(c.change)}, xor(100, 2), 1).Fitted().Facts {
			got = append(got, f.Name)
		}
		if names := strings.Join(got, ", "); names != c.want {
			t.Errorf("facts %s, want %s", names, c.want)
		}
	}
}

// A matrix with products has values where the data's has, even where none has an entry.
func TestMatrixKeepsValues(t *testing.T) {
	for _, x := range []*sparse.Matrix{
		enginetest.Matrix([]float64{1, 1}, []float64{0, 1}), enginetest.Matrix([]float64{2, 1}, []float64{0, 1}),
		sparse.New(2, []int{0, 0}, nil, nil), sparse.New(2, []int{0, 0}, nil, []float64{}),
	} {
		p := newProducts(2)
		p.addProduct([3]int32{0, 1, -1})
		got, err := p.Matrix(context.Background(), x)
		if err != nil || got.Binary() != x.Binary() {
			t.Errorf("values: %v, before %v (%v)", !got.Binary(), !x.Binary(), err)
		}
	}
}

// Names are sorted, whatever the order of the columns.
func TestNames(t *testing.T) {
	p := newProducts(3)
	p.factors = [][3]int32{{0, 2, -1}, {0, 1, 2}, {1, 1, -1}}
	f := data.NewFeatures([]string{"w=b", "w=c", "w=a"})
	for j, want := range []string{"w=b", "w=c", "w=a", "w=a&w=b", "w=a&w=b&w=c", "w=c&w=c"} {
		if got := p.Name(f, j); got != want {
			t.Errorf("column %d: %q, want %q", j, got, want)
		}
	}
}

func TestNothingTellsTheLabelsApart(t *testing.T) {
	v := enginetest.View(enginetest.Dataset(enginetest.Matrix([]float64{1, 1}, []float64{1, 1}), enginetest.Class("y", 2, 0, 1)), nil)
	m := fit(t, Engine{base(1, 0, 1e-6), options(nil)}, v, 1)
	if len(m.Coefs()) > 0 || m.products.Len() > 0 {
		t.Error(fmt.Sprint(m.Coefs(), m.products.factors))
	}
}
