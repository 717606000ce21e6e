package stability

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
	"tenfold/engines/baselines/subset"
	"tenfold/engines/coding/mdl"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/entropy/maxent"
	"tenfold/engines/filters/redundancy"
	"tenfold/engines/filters/univariate"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/penalized/group"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/penalized/lasso"
	"tenfold/engines/penalized/owlqn"
	"tenfold/engines/prepare/probes"
	"tenfold/engines/steps/forward"
	"tenfold/engines/trees/forest"
	"tenfold/engines/wrappers/rfe"
)

// around an engine, with the defaults of the options and what is given.
func around(base engines.Engine, set func(*Options)) Engine {
	o := Wrapper.Kind.Defaults().(Options)
	o.Draws = 6
	if parallel.RaceDetector {
		o.Draws = 3
	}
	set(&o)
	return Engine{base, o}
}

// trees are few.
func trees() forest.Forest {
	e := forest.Kind.Defaults().(forest.Forest)
	e.Trees = 20
	return e
}

func TestSuite(t *testing.T) {
	for name, e := range map[string]Engine{
		"a path":            around(lasso.LassoKind.Defaults(), func(o *Options) { o.Q, o.Threshold = 3, 0.8 }),
		"steps":             around(forward.Kind.Defaults(), func(o *Options) { o.Threshold, o.PFER = 0.9, 1 }),
		"a size, halves":    around(univariate.AnovaKind.Defaults(), func(o *Options) { o.Q, o.Threshold, o.Sampling = 3, 0.8, half }),
		"as it ends":        around(univariate.FDRKind.Defaults(), func(o *Options) { o.Threshold = 0.7 }),
		"decoys":            around(univariate.AnovaKind.Defaults(), func(o *Options) { o.Q, o.Decoys.Kind = 3, probes.Permuted }),
		"some decoys":       around(lasso.LassoKind.Defaults(), func(o *Options) { o.Q, o.Decoys = 3, Decoys{probes.Permuted, 0.5} }),
		"a forest":          around(trees(), func(o *Options) { o.Q, o.Threshold = 3, 0.8 }),
		"random, of chance": around(subset.RandomKind.Defaults(), func(o *Options) { o.Q, o.Threshold = 4, 0.9 }),
	} {
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, e) })
	}
}

// problem is rows of normal columns, or of ones, whose response the first columns make, each a little less than the one before.
func problem(rows, columns, levels int, ones bool) *data.View {
	rng := rand.New(rand.NewPCG(uint64(rows), uint64(columns)))
	x, y := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = make([]float64, columns)
		for j := range x[i] {
			if x[i][j] = rng.NormFloat64(); ones {
				x[i][j] = float64(rng.IntN(2))
			}
		}
		for j := range 6 {
			y[i] += (2 - 0.2*float64(j)) * x[i][j]
		}
		y[i] += 0.5 * rng.NormFloat64()
	}
	target := enginetest.Real("y", y...)
	if levels > 0 {
		sorted := slices.Sorted(slices.Values(y))
		for i, v := range y {
			at, _ := slices.BinarySearch(sorted, v)
			y[i] = float64(at * levels / rows)
		}
		target = enginetest.Class("y", levels, y...)
	}
	set := enginetest.Dataset(enginetest.Matrix(x...), target)
	class := make([]int32, columns)
	for j := range class {
		class[j] = int32(j / 2)
	}
	names := make([]string, (columns+1)/2)
	for k := range names {
		names[k] = fmt.Sprint("class", k)
	}
	set.Features = set.Features.WithClasses(class, names)
	return enginetest.View(set, nil)
}

func runOn(v *data.View) engines.Run {
	return engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1}
}

func selected(t *testing.T, e engines.Engine, v *data.View, q int) []int32 {
	t.Helper()
	chosen, err := selectOn(t.Context(), e, runOn(v), itemsOf(v), q)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(slices.Values(chosen.items))
}

// The first q columns that enter are the model of the smallest size that has so many.
func TestFirstEntered(t *testing.T) {
	stepwise := func(size int) engines.Engine {
		e := forward.Kind.Defaults().(forward.Stepwise)
		e.MaxFeatures = size
		return e
	}
	bits := func(size int) engines.Engine {
		e := mdl.Kind.Defaults().(mdl.MDL)
		e.MaxFeatures = size
		return e
	}
	sgc := func(size int) engines.Engine {
		e := maxent.SGCKind.Defaults().(maxent.SGC)
		e.Features = size
		return e
	}
	ifs := func(size int) engines.Engine {
		e := maxent.IFSKind.Defaults().(maxent.IFS)
		e.Features = size
		return e
	}
	real, ones := problem(120, 20, 0, false), problem(160, 15, 3, true)
	for name, c := range map[string]struct {
		of func(size int) engines.Engine
		on *data.View
	}{"forward-stepwise": {stepwise, real}, "mdl": {bits, real}, "sgc": {sgc, ones}, "ifs": {ifs, ones}} {
		if e := c.of(12); selection(e) != byEntry {
			t.Errorf("%s is brought to select otherwise", name)
		}
		for q := 1; q <= 4; q++ {
			got := selected(t, c.of(12), c.on, q)
			var want []int32
			for size := 1; size <= 12 && len(want) < q; size++ {
				m, err := c.of(size).Fit(t.Context(), runOn(c.on))
				if err != nil {
					t.Fatal(err)
				}
				want = engines.ColumnsOf(m, c.on.Columns())
			}
			if len(want) != q || !slices.Equal(got, want) {
				t.Errorf("%s: the first %d columns are %v, the model has %v", name, q, got, want)
			}
		}
	}
}

// The union of active sets along the path, from the null model on, ends before it has more than q columns.
func TestPathUnion(t *testing.T) {
	real, class := problem(60, 30, 0, false), problem(60, 30, 2, false)
	for name, c := range map[string]struct {
		engine engines.Engine
		on     *data.View
	}{
		"lasso": {lasso.LassoKind.Defaults(), real}, "elastic-net": {lasso.ElasticNetKind.Defaults(), real},
		"l1": {l1.L1Kind.Defaults(), class}, "owl-qn": {owlqn.OWLQNKind.Defaults(), class}, "group-lasso": {group.LassoKind.Defaults(), real},
	} {
		p := c.engine.(engines.Pathed)
		if selection(c.engine) != byPath {
			t.Errorf("%s is brought to select otherwise", name)
		}
		values, err := p.PathValues(runOn(c.on))
		if err != nil {
			t.Fatal(err)
		}
		var active [][]int32
		if err := p.FitPath(t.Context(), runOn(c.on), engines.PathPoints{Parameter: p.PathParameters()[0], Values: values.Values, MayEnd: true}, func(_ int, m engines.Model) {
			active = append(active, engines.ColumnsOf(m, c.on.Columns()))
		}); err != nil {
			t.Fatal(err)
		}
		for _, q := range []int{1, 4, 9} {
			var want []int32
			for _, set := range active {
				wider := slices.Concat(want, set)
				slices.Sort(wider)
				if wider = slices.Compact(wider); len(wider) > q {
					break
				}
				want = wider
			}
			if got := selected(t, c.engine, c.on, q); !slices.Equal(got, want) || q == 9 && len(want) < 4 {
				t.Errorf("%s, q %d: got %v, want %v", name, q, got, want)
			}
		}
	}
}

// Engines with a size select their q best: those of their model of that size.
func TestBest(t *testing.T) {
	v, ones := problem(80, 20, 3, false), problem(80, 20, 3, true)
	for name, c := range map[string]struct {
		engine engines.Engine
		limit  string
		on     *data.View
	}{
		"anova": {univariate.AnovaKind.Defaults(), "Features", v}, "chi2": {univariate.Chi2Kind.Defaults(), "Features", ones},
		"mutual-information": {univariate.MutualInformationKind.Defaults(), "Features", ones},
		"random":             {subset.RandomKind.Defaults(), "Features", v}, "mrmr": {redundancy.MRMRKind.Defaults(), "Features", ones},
		"forest": {trees(), "Features", v}, "forest, by elimination": {rfe.Engine{Base: trees(), Options: rfe.Wrapper.Kind.Defaults().(rfe.Options)}, "Size", v},
		"jmi": {redundancy.JMIKind.Defaults(), "Features", ones}, "cmim": {redundancy.CMIMKind.Defaults(), "Features", ones},
	} {
		if selection(c.engine) != bySize {
			t.Errorf("%s is brought to select otherwise", name)
		}
		for _, q := range []int{1, 5} {
			sized := reflect.New(reflect.TypeOf(c.engine)).Elem()
			sized.Set(reflect.ValueOf(c.engine))
			sized.FieldByName(c.limit).SetInt(int64(q))
			m, err := sized.Interface().(engines.Engine).Fit(t.Context(), runOn(c.on))
			if err != nil {
				t.Fatal(err)
			}
			if got, want := selected(t, c.engine, c.on, q), engines.ColumnsOf(m, c.on.Columns()); len(got) != q || !slices.Equal(got, want) {
				t.Errorf("%s, q %d: got %v, want %v", name, q, got, want)
			}
		}
	}
}

// choose is the choice of an engine, and what it tells.
func choose(t *testing.T, e Engine, run engines.Run) ([]engines.Coef, engines.Fitted) {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	chosen, fitted, err := e.Choose(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	return chosen, fitted
}

func fact(f engines.Fitted, part string) string {
	for _, fact := range f.Facts {
		if strings.Contains(fact.Name, part) {
			return fact.Name + ": " + fact.Value
		}
	}
	return ""
}

// An engine that cannot be limited selects what it does, and the bound is an estimate.
func TestAsItEnds(t *testing.T) {
	v := problem(400, 20, 2, false)
	for name, base := range map[string]engines.Engine{
		"fdr": univariate.FDRKind.Defaults(), "simes": univariate.SimesKind.Defaults(), "mdl": func() engines.Engine {
			e := mdl.Kind.Defaults().(mdl.MDL)
			e.Search = "streamwise"
			return e
		}(),
	} {
		e := around(base, func(o *Options) { o.Threshold = 0.7 })
		chosen, fitted := choose(t, e, runOn(v))
		if says := fact(fitted, "by mistake"); len(chosen) == 0 || !strings.Contains(says, "estimated") {
			t.Errorf("%s: %d selected, and it says %q", name, len(chosen), says)
		}
		for _, set := range []func(*Options){func(o *Options) { o.Q, o.Threshold = 3, 0.7 }, func(o *Options) { o.PFER = 1 }, func(*Options) {}} {
			if around(base, set).Validate() == nil {
				t.Errorf("%s: accepted with q, with pfer, or without a threshold", name)
			}
		}
	}
}

// A threshold for which no bound is known, whatever q is, is refused before anything is fitted; of an engine that cannot be limited it is noted.
func TestThresholdWithoutBound(t *testing.T) {
	for _, c := range []struct {
		threshold float64
		draws     int
		bound     string
		fault     string
	}{{0.6, 5, "", "stability.threshold"}, {0.7, 5, "", ""}, {0.69, 5, "", ""}, {0.6, 5, rConcave, ""}, {0.6, 5, noShape, ""}, {0.51, 50, "", "stability.threshold"}, {0.52, 50, "", ""}} {
		set := func(o *Options) { o.Q, o.Threshold, o.Draws, o.Bound = 3, c.threshold, c.draws, c.bound }
		if got := enginetest.Fields(around(univariate.AnovaKind.Defaults(), set).Validate()); got != c.fault {
			t.Errorf("%+v: faults in %q", c, got)
		}
	}
	_, fitted := choose(t, around(univariate.FDRKind.Defaults(), func(o *Options) { o.Threshold = 0.58 }), runOn(problem(100, 10, 2, false)))
	if !strings.Contains(strings.Join(fitted.Notes, " "), "no bound on mistakes: threshold 0.58") {
		t.Errorf("notes %q", fitted.Notes)
	}
}

// Columns that decide the response are stable, and the counts are facts; a threshold of 1 asks for every half.
func TestStable(t *testing.T) {
	v := problem(200, 30, 0, false)
	chosen, fitted := choose(t, around(univariate.AnovaKind.Defaults(), func(o *Options) { o.Q, o.Threshold = 4, 1 }), runOn(v))
	if len(chosen) == 0 || chosen[0].Feature != 0 || chosen[0].Score != 1 || !strings.HasSuffix(fact(fitted, "threshold"), "12 of 12 halves") {
		t.Errorf("selected %v, facts %v", chosen, fitted.Facts)
	}
	for _, c := range chosen {
		if c.Score != 1 || c.Feature > 5 {
			t.Errorf("column %d is stable at %v", c.Feature, c.Score)
		}
	}
}

// A half whose response does not vary selects nothing and counts; other failures fail the fit.
func TestConstantHalves(t *testing.T) {
	y := []float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 1}
	x := make([][]float64, len(y))
	for i := range x {
		x[i] = []float64{float64(i % 3), float64(i % 2), y[i] + float64(i)/100}
	}
	v := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), nil)
	e := around(univariate.AnovaKind.Defaults(), func(o *Options) { o.Q, o.Threshold = 1, 0.8 })
	chosen, fitted := choose(t, e, runOn(v))
	if len(chosen) != 0 || !strings.Contains(strings.Join(fitted.Notes, " "), "6 of 12 halves have a constant response") {
		t.Errorf("selected %v, notes %q", chosen, fitted.Notes)
	}
	broken := around(failing{univariate.AnovaKind.Defaults()}, func(o *Options) { o.Threshold = 0.8 })
	if _, _, err := broken.Choose(t.Context(), runOn(v)); err == nil || !strings.Contains(err.Error(), "half 1 of draw") {
		t.Errorf("error %v", err)
	}
}

type failing struct{ engines.Engine }

func (failing) Needs() engines.Needs { return engines.Needs{} }
func (failing) Fit(context.Context, engines.Run) (engines.Model, error) {
	return nil, fmt.Errorf("no luck")
}

// Options that mean nothing by themselves are refused, each by its name.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		set  func(*Options)
		want string
	}{
		{func(*Options) {}, ""},
		{func(o *Options) { o.Q = -1 }, "q"},
		{func(o *Options) { o.Threshold = -0.1 }, "threshold"},
		{func(o *Options) { o.Threshold = 1.1 }, "threshold"},
		{func(o *Options) { o.Threshold = math.NaN() }, "threshold"},
		{func(o *Options) { o.Threshold = 0.5 }, "threshold"},
		{func(o *Options) { o.Threshold, o.Bound = 0.5, rConcave }, ""},
		{func(o *Options) { o.Threshold, o.Bound = 0.4, rConcave }, "threshold"},
		{func(o *Options) { o.PFER = -1 }, "pfer"},
		{func(o *Options) { o.PFER = math.Inf(1) }, "pfer"},
		{func(o *Options) { o.Q, o.Threshold, o.PFER = 1, 0.9, 1 }, "q"},
		{func(o *Options) { o.Draws = -1 }, "draws"},
		{func(o *Options) { o.Draws = 100_001 }, "draws"},
		{func(o *Options) { o.Draws = 1 }, "draws"},
		{func(o *Options) { o.Draws, o.Bound = 1, noShape }, ""},
		{func(o *Options) { o.Draws, o.Sampling = 1, half }, ""},
		{func(o *Options) { o.Sampling = "thirds" }, "sampling"},
		{func(o *Options) { o.Bound = "normal" }, "bound"},
		{func(o *Options) { o.Sampling, o.Bound = half, unimodal }, "bound"},
		{func(o *Options) { o.Decoys.Kind = "gaussian" }, "decoys.kind"},
		{func(o *Options) { o.Decoys.Share = 0.5 }, "decoys.share"},
		{func(o *Options) { o.Decoys = Decoys{probes.Permuted, 0} }, "decoys.share"},
		{func(o *Options) { o.Decoys = Decoys{probes.Permuted, 1.5} }, "decoys.share"},
		{func(o *Options) { o.Decoys.Kind, o.Threshold = probes.Permuted, 0.9 }, "threshold"},
		{func(o *Options) { o.Decoys.Kind, o.PFER = probes.Permuted, 1 }, "pfer"},
		{func(o *Options) { o.Decoys.Kind, o.Bound = probes.Permuted, noShape }, "bound"},
	} {
		o := around(nil, c.set).Options
		if got := enginetest.Fields(o.Validate()); got != c.want {
			t.Errorf("%+v: faults in %q, want %q", o, got, c.want)
		}
	}
}

// What only the data tell is refused by the fit.
func TestRefusedByData(t *testing.T) {
	v := problem(40, 12, 0, false)
	y := make([]float64, 10)
	ones := make([][]float64, 10)
	for i := range ones {
		ones[i], y[i] = []float64{1}, float64(i)
	}
	constant := enginetest.View(enginetest.Dataset(enginetest.Matrix(ones...), enginetest.Real("y", y...)), nil)
	for _, c := range []struct {
		set  func(*Options)
		on   *data.View
		want string
	}{
		{func(o *Options) { o.Q, o.Threshold = 13, 0.9 }, v, "q 13, and the data has 12 columns"},
		{func(o *Options) { o.Q, o.Threshold = 8, 0.9 }, v, "q 8 of 12 columns, expected at most 6 for the bound unimodal"},
		{func(o *Options) { o.Q, o.PFER = 6, 0.001 }, v, "pfer 0.001 is not reached with q 6 of 12 columns: the smallest, at threshold 1, is"},
		{func(o *Options) { o.Threshold, o.PFER = 0.7, 1e-6 }, v, "pfer 1e-06 is not reached at threshold 0.7"},
		{func(o *Options) { o.Q, o.Threshold = 6, 0.66 }, v, "threshold 0.66, expected at least 0.75 for the bound unimodal with 6 draws"},
		{func(o *Options) { o.Q, o.Decoys.Kind = 1, probes.Permuted }, constant, "stability.decoys: no column varies in the training rows"},
		{func(o *Options) { o.Q, o.Threshold = 2, 0.9 }, v.Sub([]int32{0, 1, 2}), "3 rows or groups to draw halves of, expected at least 4"},
	} {
		e := around(univariate.AnovaKind.Defaults(), c.set)
		if err := e.Validate(); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Fit(t.Context(), runOn(c.on)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// Halves are disjoint and equally large, have the shares of the classes, and keep groups together.
func TestHalves(t *testing.T) {
	const rows = 61
	y, x := make([]float64, rows), make([][]float64, rows)
	of := make([]int32, rows)
	for i := range y {
		y[i], x[i] = float64(min(2, i%5)), []float64{1}
		of[i] = int32(i * 7 % 20)
	}
	set := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 3, y...))
	set.Groups = &data.Groups{Name: "g", Of: of, Key: make([]uint64, 20)}
	run := engines.Run{Train: enginetest.View(set, nil)}
	for _, stratify := range []bool{false, true} {
		s := newSampler(run, stratify)
		for seed := range uint64(20) {
			first, second := s.draw(rand.New(rand.NewPCG(seed, 1)))
			both := slices.Concat(first, second)
			slices.Sort(both)
			if len(first) != rows/2 || len(second) != rows/2 || len(slices.Compact(both)) != rows-1 || !slices.IsSorted(first) || !slices.IsSorted(second) {
				t.Fatalf("halves %v and %v", first, second)
			}
			var count [2][3]int
			for side, half := range [][]int32{first, second} {
				for _, i := range half {
					count[side][int(y[i])]++
				}
			}
			for c := range 3 {
				if d := count[0][c] - count[1][c]; stratify && (d < -1 || d > 1) {
					t.Errorf("class %d: %v", c, count)
				}
			}
		}
	}
	run.Inner.By = true
	s := newSampler(run, false)
	first, second := s.draw(rand.New(rand.NewPCG(1, 1)))
	side := map[int32]int{}
	for k, half := range [][]int32{first, second} {
		for _, i := range half {
			if was, ok := side[of[i]]; ok && was != k {
				t.Errorf("group %d is on both sides", of[i])
			}
			side[of[i]] = k
		}
	}
	if len(side) != 20 {
		t.Errorf("%d groups of 20 are drawn", len(side))
	}
}

// The expected number of columns far from the true ones is below the bound: a marginal filter on draws of correlated columns.
func TestMistakesAreBounded(t *testing.T) {
	const draws, rows, columns, true_, q = 30, 60, 60, 4, 8
	for _, threshold := range []float64{0.6, 0.7} {
		wrong, found, bound := 0, 0, 0.0
		for draw := range draws {
			rng := rand.New(rand.NewPCG(uint64(draw), 7))
			x, y := make([][]float64, rows), make([]float64, rows)
			for i := range x {
				x[i] = make([]float64, columns)
				last := 0.0
				for j := range x[i] {
					last = 0.4*last + 0.9165*rng.NormFloat64()
					x[i][j] = last
				}
				for k := range true_ {
					y[i] += x[i][10*k]
				}
				y[i] += rng.NormFloat64()
			}
			v := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), nil)
			e := around(univariate.AnovaKind.Defaults(), func(o *Options) { o.Q, o.Threshold, o.Draws, o.Bound = q, threshold, 20, rConcave })
			rule, _, err := e.plan(columns)
			if err != nil {
				t.Fatal(err)
			}
			bound = rule.PFER
			chosen, _ := choose(t, e, engines.Run{Train: v, Rand: rng, Workers: 2})
			for _, c := range chosen {
				if at := c.Feature % 10; c.Feature < 10*true_ && (at < 3 || at > 7) { // goes with a true one
					found++
				} else {
					wrong++
				}
			}
		}
		if mean := float64(wrong) / draws; mean > bound || found < 2*draws {
			t.Errorf("threshold %v: %v mistakes on average, promised at most %v; %d found", threshold, mean, bound, found)
		}
	}
}

// Decoys leave most columns of chance out, and take no part in the model, which has no bound then.
func TestDecoys(t *testing.T) {
	v := problem(150, 40, 0, false)
	chosen, fitted := choose(t, around(univariate.AnovaKind.Defaults(), func(o *Options) { o.Q, o.Draws, o.Decoys.Kind = 8, 25, probes.Permuted }), runOn(v))
	found, wrong := 0, 0
	for _, c := range chosen {
		if c.Feature <= 5 {
			found++
		} else {
			wrong++
		}
	}
	if found < 4 || wrong > 2 || fact(fitted, "by mistake") != "" {
		t.Errorf("%v, facts %v", chosen, fitted.Facts)
	}
}
