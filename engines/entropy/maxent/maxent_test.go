package maxent

import (
	"cmp"
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
	"tenfold/engines/model/softmax"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/registry"
)

// few is a selection of a few features.
func few(change func(*Selection)) Selection {
	e := defaults
	e.Features, e.Cutoff = 8, 1
	if change != nil {
		change(&e)
	}
	return e
}

func TestSuite(t *testing.T) {
	often := few(func(e *Selection) { e.RefitEvery = 3 })
	for name, e := range map[string]engines.Engine{
		"ifs":                 IFS{few(nil)},
		"ifs, refitted":       IFS{often},
		"sgc":                 SGC{Selection: few(nil)},
		"sgc, look-ahead":     SGC{Selection: often, Lookahead: 5},
		"sgc, exact":          SGC{Selection: few(nil), Exact: true},
		"sgc, exact, refits":  SGC{Selection: often, Exact: true},
		"sgc, prior, no bias": SGC{Selection: few(func(e *Selection) { e.PriorVariance, e.Bias, e.FinalRefit = 2, false, false })},
		"count":               Count{5, Candidates{Cutoff: 1, Bias: true}, estimation},
		"maxent":              MaxEntKind.Defaults(),
	} {
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, e) })
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		engine engines.Engine
		fields string
	}{
		{IFS{few(nil)}, ""},
		{IFS{few(func(e *Selection) { e.Features, e.MinGain, e.AlphaMax = -1, -1, 0 })}, "features min_gain alpha_max"},
		{IFS{few(func(e *Selection) { e.AlphaMax, e.PriorVariance, e.RefitEvery = 101, math.NaN(), -1 })}, "alpha_max prior_variance refit_every"},
		{SGC{Selection: few(nil), Lookahead: -1}, "lookahead"},
		{SGC{Selection: few(func(e *Selection) { e.Cutoff = 0 }), Lookahead: 3, Exact: true}, "cutoff lookahead"},
		{Count{-1, Candidates{Cutoff: 1}, estimation}, "features"},
		{MaxEnt{Candidates{Cutoff: 0}, Estimation{0, 0, 0}}, "cutoff refit_variance refit_tol refit_iter"},
	} {
		if got := enginetest.Fields(c.engine.Validate()); got != c.fields {
			t.Errorf("%+v: refused fields %q, want %q", c.engine, got, c.fields)
		}
	}
}

// problem is a random one: classes depend on some contexts; columns are repeated, constant and empty.
func problem(seed uint64, rows, cols, classes int) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 5))
	var b sparse.Builder
	y := make([]float64, rows)
	for i := range y {
		var idx []int32
		for j := range cols - 3 {
			if rng.Float64() < 1.5/float64(2+j) {
				idx = append(idx, int32(j))
			}
		}
		y[i] = float64(rng.IntN(classes))
		if len(idx) > 0 && rng.Float64() < 0.7 {
			y[i] = float64(int(idx[len(idx)-1]) % classes)
		}
		if len(idx) > 0 && idx[0] == 0 {
			idx = append(idx, int32(cols-3)) // a twin of column 0
		}
		idx = append(idx, int32(cols-2)) // a column that every row has; the last is in no row
		if err := b.Add(idx, nil); err != nil {
			panic(err)
		}
	}
	return enginetest.Dataset(b.Matrix(cols), enginetest.Class("y", classes, y...))
}

func fit(t *testing.T, e engines.Engine, set *data.Dataset) (*softmax.Model, []engines.Step) {
	t.Helper()
	var steps []engines.Step
	m, err := e.Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil), Workers: 2, Trace: func(s engines.Step) { steps = append(steps, s) }})
	if err != nil {
		t.Fatal(err)
	}
	return m.(*softmax.Model), steps
}

// moved is the path: what every step moved, and what it gained.
func moved(steps []engines.Step) []engines.Coef {
	var out []engines.Coef
	for _, s := range steps[1:] {
		out = append(out, s.Changed)
	}
	return out
}

// With bounds, sgc takes what ifs takes, whatever the options, and computes fewer gains.
func TestExactIsIFS(t *testing.T) {
	for name, change := range map[string]func(*Selection){
		"plain":         nil,
		"prior":         func(e *Selection) { e.PriorVariance = 0.5 },
		"narrow":        func(e *Selection) { e.AlphaMax = 0.3 },
		"wide":          func(e *Selection) { e.AlphaMax = 100 },
		"refits":        func(e *Selection) { e.RefitEvery = 7 },
		"no bias":       func(e *Selection) { e.Bias = false },
		"cutoff":        func(e *Selection) { e.Cutoff = 4 },
		"until nothing": func(e *Selection) { e.MinGain = 3 },
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(6) {
				e := few(change)
				e.Features = 40
				set := problem(seed, 150, 40, 4)
				if seed%2 == 0 {
					set.Weight = make([]float64, 150)
					for i := range set.Weight {
						set.Weight[i] = 1 + float64(i%3)/2
					}
				}
				want, all := fit(t, IFS{e}, set)
				got, some := fit(t, SGC{Selection: e, Exact: true}, set)
				a, b := moved(all), moved(some)
				if len(a) != len(b) || got.Fitted().Stop != want.Fitted().Stop {
					t.Fatalf("seed %d: %d features (%s), want %d (%s)", seed, len(b), got.Fitted().Stop, len(a), want.Fitted().Stop)
				}
				for k := range a {
					if a[k].Feature != b[k].Feature || a[k].Output != b[k].Output || !(math.Abs(a[k].Score-b[k].Score) <= 1e-9*a[k].Score) {
						t.Fatalf("seed %d, stage %d: %+v, want %+v", seed, k+1, b[k], a[k])
					}
				}
				if e.RefitEvery == 0 && !(got.Fitted().Evaluated < want.Fitted().Evaluated) {
					t.Errorf("seed %d: %d gains computed, ifs computes %d", seed, got.Fitted().Evaluated, want.Fitted().Evaluated)
				}
			}
		})
	}
}

// A look-ahead over the whole list is ifs.
func TestLookaheadOverAll(t *testing.T) {
	set := problem(3, 150, 30, 3)
	e := few(func(e *Selection) { e.Features = 25 })
	_, all := fit(t, IFS{e}, set)
	_, some := fit(t, SGC{Selection: e, Lookahead: 10_000}, set)
	a, b := moved(all), moved(some)
	for k := range a {
		if a[k].Feature != b[k].Feature || a[k].Output != b[k].Output {
			t.Fatalf("stage %d: %+v, want %+v", k+1, b[k], a[k])
		}
	}
}

// The weight of a row and the number of its copies are the same thing.
func TestWeightsAreCopies(t *testing.T) {
	weighted := problem(4, 60, 12, 3)
	x, y := weighted.X, weighted.Targets[0].Values
	weighted.Weight = make([]float64, len(y))
	var rows []int32
	var labels []float64
	for i := range y {
		weighted.Weight[i] = float64(1 + i%3)
		for range 1 + i%3 {
			rows, labels = append(rows, int32(i)), append(labels, y[i])
		}
	}
	copied := enginetest.Dataset(x.Pick(rows), enginetest.Class("y", 3, labels...))
	for _, e := range []engines.Engine{IFS{few(nil)}, SGC{Selection: few(nil)}, Count{6, Candidates{1, true}, estimation}} {
		a, _ := fit(t, e, weighted)
		b, _ := fit(t, e, copied)
		for k, c := range a.Coefs() {
			d := b.Coefs()[k]
			if !(math.Abs(c.Value-d.Value) <= 1e-4) || !(math.Abs(c.Score-d.Score) <= 1e-9) || c.Rank != d.Rank || c.Feature != d.Feature {
				t.Errorf("%T: weighted %+v, copied %+v", e, c, d)
			}
		}
	}
}

func TestReport(t *testing.T) {
	set := problem(1, 80, 12, 3)
	set.Targets[0].Levels = append(set.Targets[0].Levels, "absent")
	m, steps := fit(t, SGC{Selection: few(func(e *Selection) { e.RefitEvery = 4 }), Exact: false}, set)
	f := m.Fitted()
	notes := strings.Join(f.Notes, "\n")
	for _, want := range []string{"1 of 12 columns hold in no training row", "1 of 12 columns hold in every training row", "1 of 4 classes have no training row", "(absent)"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note %q in\n%s", want, notes)
		}
	}
	if f.Stop != "selected" || f.Iterations != 8 || !f.Probabilities || len(steps) != 9 {
		t.Errorf("%+v after %d steps", f, len(steps))
	}
	for k, s := range steps {
		if s.Iter != k || s.Active != k || s.Whole != (k > 0 && k%4 == 0) {
			t.Errorf("step %d: %+v", k, s)
		}
		if k > 0 && !(s.TrainError < steps[k-1].TrainError) && !s.Whole {
			t.Errorf("step %d: the error rises from %v to %v", k, steps[k-1].TrainError, s.TrainError)
		}
	}
	if want := math.Log(4); !(math.Abs(steps[0].TrainError-want) <= 1e-12) {
		t.Errorf("error %v without features, want %v", steps[0].TrainError, want)
	}
	ranks := map[int]bool{}
	for _, c := range m.Coefs() {
		ranks[c.Rank] = true
		if c.Score <= 0 {
			t.Errorf("no gain: %+v", c)
		}
	}
	if len(ranks) != len(m.Coefs()) {
		t.Errorf("ranks %v of %d weights", ranks, len(m.Coefs()))
	}
}

// What is told of each engine's fit, in order; there are biases where there may be.
func TestFacts(t *testing.T) {
	set := problem(1, 80, 12, 3)
	for _, bias := range []bool{true, false} {
		selection := few(func(e *Selection) { e.Bias, e.RefitEvery, e.FinalRefit = bias, 4, bias })
		for _, c := range []struct {
			engine engines.Engine
			want   string
		}{
			{IFS{selection}, "features selected, gains computed per stage, training rows that a selected feature's column covers, on average, gain of the first and the last feature, log-likelihood without features, log-likelihood after selection, estimations during selection"},
			{Count{8, Candidates{1, bias}, estimation}, "features, log-likelihood without features, log-likelihood after estimation, estimation"},
			{MaxEnt{Candidates{1, bias}, estimation}, "features, log-likelihood without features, log-likelihood after estimation, estimation"},
		} {
			want := c.want
			if _, selects := c.engine.(IFS); selects && bias {
				want += ", log-likelihood after estimation, estimation"
			} else if !selects && bias {
				want += ", biases among the features"
			}
			m, _ := fit(t, c.engine, set)
			var got []string
			value := map[string]string{}
			for _, f := range m.Fitted().Facts {
				got = append(got, f.Name)
				value[f.Name] = f.Value
			}
			if strings.Join(got, ", ") != want+", distinct rows" {
				t.Errorf("%T, biases %v: got  %q, want %q", c.engine, bias, got, want)
			}
			if want := fmt.Sprintf("%.8g", 80*math.Log(1./3)); value["log-likelihood without features"] != want {
				t.Errorf("%T: log-likelihood without features %s, want %s", c.engine, value["log-likelihood without features"], want)
			}
		}
	}
}

// Every stage ends where one says why.
func TestStops(t *testing.T) {
	set := problem(1, 80, 12, 3)
	one := enginetest.Dataset(set.X, enginetest.Class("y", 1, make([]float64, 80)...))
	for _, c := range []struct {
		name   string
		set    *data.Dataset
		change func(*Selection)
		want   string
	}{
		{"enough", set, nil, "selected"},
		{"none asked for", set, func(e *Selection) { e.Features = 0 }, "selected"},
		{"all taken", set, func(e *Selection) { e.Features, e.PriorVariance = 1000, 1e6 }, "min_gain exhausted"},
		{"too little gain", set, func(e *Selection) { e.MinGain = 1e9 }, "min_gain"},
		{"one class", one, nil, "min_gain"},
		{"no candidate", set, func(e *Selection) { e.Cutoff = 1000 }, "exhausted"},
	} {
		for _, e := range []engines.Engine{IFS{few(c.change)}, SGC{Selection: few(c.change)}, SGC{Selection: few(c.change), Exact: true}} {
			if m, _ := fit(t, e, c.set); !strings.Contains(c.want, m.Fitted().Stop) {
				t.Errorf("%s, %T: stop %q, want %q", c.name, e, m.Fitted().Stop, c.want)
			}
		}
	}
}

// A class without rows keeps a positive probability, and a model without features is uniform.
func TestPredict(t *testing.T) {
	set := problem(2, 80, 12, 3)
	set.Targets[0].Levels = append(set.Targets[0].Levels, "absent")
	for _, c := range []struct {
		engine engines.Engine
		least  float64
	}{{IFS{few(nil)}, 1e-9}, {IFS{few(func(e *Selection) { e.Features = 0 })}, 0.25}, {MaxEntKind.Defaults(), 1e-9}} {
		m, _ := fit(t, c.engine, set)
		in := enginetest.View(set, nil).Inputs()
		p := make([]float64, in.Len()*m.Outputs())
		m.Predict(p, in)
		enginetest.Exp(p)
		for i := range in.Len() {
			row, sum := p[i*4:i*4+4], 0.0
			for _, v := range row {
				sum += v
			}
			if !(math.Abs(sum-1) <= 1e-12) || !(row[3] >= c.least) {
				t.Fatalf("row %d: probabilities %v", i, row)
			}
		}
	}
}

// The estimate of a problem of one binary column and two classes, by hand: with a flat prior the probabilities are the
// observed shares.
func TestMaxEntIsShares(t *testing.T) {
	x := enginetest.Matrix([]float64{1}, []float64{1}, []float64{1}, []float64{1}, []float64{0}, []float64{0}, []float64{0})
	set := enginetest.Dataset(x, enginetest.Class("y", 2, 0, 0, 0, 1, 0, 1, 1))
	e := MaxEntKind.Defaults().(MaxEnt)
	e.RefitVariance, e.RefitTol = 1e9, 1e-12
	m, _ := fit(t, e, set)
	p := make([]float64, 14)
	m.Predict(p, enginetest.View(set, nil).Inputs())
	enginetest.Exp(p)
	for i, want := range []float64{0.75, 0.75, 0.75, 0.75, 1. / 3, 1. / 3, 1. / 3} {
		if !(math.Abs(p[2*i]-want) <= 1e-6) {
			t.Errorf("row %d: probability %v, want %v", i, p[2*i], want)
		}
	}
}

// Biases are beside the features that count takes.
func TestCount(t *testing.T) {
	set := problem(5, 80, 12, 3)
	for _, bias := range []bool{true, false} {
		m, _ := fit(t, Count{7, Candidates{1, bias}, estimation}, set)
		if n := len(m.Coefs()); n != 7 {
			t.Errorf("bias %v: %d weights", bias, n)
		}
		byRank := make([]float64, 7)
		for _, c := range m.Coefs() {
			byRank[c.Rank] = c.Score
		}
		if !slices.IsSortedFunc(byRank, func(a, b float64) int { return cmp.Compare(b, a) }) || byRank[6] == 0 {
			t.Errorf("counts by rank: %v", byRank)
		}
		if (m.Bias(0) != 0) != bias {
			t.Errorf("bias %v: %v", bias, m.Bias(0))
		}
	}
}

// Real columns are features of maxent and count.
func TestRealColumns(t *testing.T) {
	set := realColumns()
	m, _ := fit(t, Count{12, Candidates{1, true}, estimation}, set)
	p, right := make([]float64, 120), 0
	m.Predict(p, enginetest.View(set, nil).Inputs())
	for i, c := range set.Targets[0].Values {
		if (p[2*i+1] > p[2*i]) == (c == 1) {
			right++
		}
	}
	if right < 55 {
		t.Errorf("%d of 60 rows right", right)
	}
}

// realColumns are 60 rows in two classes, by the sign of their sums.
func realColumns() *data.Dataset {
	x := enginetest.Random(3, 60, 5, 0.8, false)
	y := make([]float64, 60)
	for i := range y {
		if x.Row(i).Sum() > 0 {
			y[i] = 1
		}
	}
	return enginetest.Dataset(x, enginetest.Class("y", 2, y...))
}

// An estimation that ends before its goal says so: after its iterations, or where rounding, as of values far from 1, lets no step
// get further.
func TestUnfinished(t *testing.T) {
	set := realColumns()
	e := MaxEntKind.Defaults().(MaxEnt)
	note := func() string {
		m, _ := fit(t, e, set)
		return strings.Join(m.Fitted().Notes, "\n")
	}
	if got := note(); got != "" {
		t.Errorf("a usual fit says %q", got)
	}
	e.RefitIter = 2
	if got := note(); !strings.Contains(got, "not converged after 2 iterations: raise refit_iter") {
		t.Errorf("after 2 iterations: %q", got)
	}
	e.RefitIter = 500
	_, _, val := set.X.Rows()
	for k := range val {
		val[k] *= 1e10
	}
	if got := note(); !strings.Contains(got, "no step got further") {
		t.Errorf("of large values: %q", got)
	}
}

func TestFootprint(t *testing.T) {
	for _, e := range []engines.Engine{IFS{few(nil)}, SGC{Selection: few(nil)}, CountKind.Defaults(), MaxEntKind.Defaults()} {
		sized := e.(engines.Sized)
		small, large := sized.Footprint(engines.Shape{Rows: 1000, Columns: 100, Entries: 5000}).Bytes, sized.Footprint(engines.Shape{Rows: 10_000, Columns: 1000, Entries: 50_000}).Bytes
		if !(large > 5*small && small > 5000*12) {
			t.Errorf("%T: %d bytes, and %d for ten times the data", e, small, large)
		}
		if sized.Footprint(engines.Shape{}).Bytes < 0 {
			t.Errorf("%T: nothing takes less than nothing", e)
		}
	}
}

func TestDefaults(t *testing.T) {
	// Two engines with one set of parameters in common must not share it.
	a, b := IFSKind.Defaults().(IFS), SGCKind.Defaults().(SGC)
	if !reflect.DeepEqual(a.Selection, b.Selection) {
		t.Errorf("ifs %+v, sgc %+v", a, b)
	}
	names := func(e engines.Engine) string {
		var out []string
		for _, p := range registry.Params(e, e) {
			out = append(out, p.Name)
		}
		return fmt.Sprint(out)
	}
	if got, want := names(b), "[features min_gain alpha_max prior_variance refit_every final_refit cutoff bias refit_variance refit_tol refit_iter lookahead exact]"; got != want {
		t.Errorf("parameters %s, want %s", got, want)
	}
}

// TestLargeWeights: many classes and wide limits take probabilities to one, and gains have to stay numbers.
func TestLargeWeights(t *testing.T) {
	for seed := range uint64(20) {
		e := Selection{Features: 60, AlphaMax: 50, Candidates: Candidates{Cutoff: 1, Bias: true}, Estimation: estimation}
		_, steps := fit(t, IFS{e}, problem(seed, 50, 10, 140))
		for _, s := range steps {
			if !(s.TrainError >= 0) {
				t.Fatalf("seed %d: step %d has loss %v", seed, s.Iter, s.TrainError)
			}
		}
	}
	nan := math.NaN()
	if at := largestGain([]scoredCandidate{{0, 0, nan}, {1, 0, 2}, {2, 0, nan}}); at != 1 {
		t.Errorf("lowest beside NaN: %d, expected 1", at)
	}
	if at := largestGain([]scoredCandidate{{0, 0, nan}}); at != -1 {
		t.Errorf("lowest of NaN: %d, expected -1", at)
	}
}

// A gain that is no number, as none should be, is never taken, and keeps none behind it from being so.
func TestListPassesNaN(t *testing.T) {
	p, cands, err := few(nil).readProblem(t.Context(), engines.Run{Train: enginetest.View(problem(1, 80, 12, 3), nil)})
	if err != nil {
		t.Fatal(err)
	}
	s := &selection{p: p, state: start(t, p), cands: cands}
	l := newGainHeap(t.Context(), s, few(nil).gainLimits())
	first := l.heap[0]
	l.gain[first] = math.NaN()
	taken := map[int]bool{}
	for {
		best, err := l.freshestHead(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if best.k < 0 {
			break
		}
		taken[best.k] = true
	}
	if taken[int(first)] || len(taken) != len(cands)-1 {
		t.Errorf("%d of %d candidates taken, the one without a number: %v", len(taken), len(cands), taken[int(first)])
	}
}

// Nothing more is computed once the context has ended.
func TestListOfEndedContext(t *testing.T) {
	p, cands, err := few(nil).readProblem(t.Context(), engines.Run{Train: enginetest.View(problem(1, 80, 12, 3), nil)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l := newGainHeap(ctx, &selection{p: p, state: start(t, p), cands: cands}, few(nil).gainLimits())
	if slices.Max(l.gain) > 0 {
		t.Errorf("gains %v", l.gain)
	}
}
