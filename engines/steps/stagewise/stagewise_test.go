package stagewise

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
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/steps/stagewise/design"
	"tenfold/engines/steps/stagewise/lookup"
)

func defaults() Stagewise {
	e := Kind.Defaults().(Stagewise)
	e.Choose, e.MaxIter = "last", 400
	return e
}

// walked is a finished walk and what it traced.
type walked struct {
	*leastSquaresPath
	steps []engines.Step
}

func walkOn(t testing.TB, e Stagewise, s setting, watch *data.View) walked {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	out := walked{}
	r := engines.Run{
		Train: viewOf(t, s.data()), Rand: rand.New(rand.NewPCG(5, 6)), Watch: watch,
		Trace: func(s engines.Step) { out.steps = append(out.steps, s) },
	}
	w, err := e.startLeastSquares(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	out.leastSquaresPath = w
	return out
}

func policies() []Stagewise {
	var out []Stagewise
	for _, scaling := range []string{"sd", "unit", "none"} {
		for step, eps := range map[string]float64{"fixed": 0.05, "rss": 0.1, "rms": 0.03, "linesearch": 0.3} {
			e := defaults()
			e.Scale, e.Step, e.Epsilon = scaling, step, eps
			if scaling == "unit" && (step == "fixed" || step == "rss" || step == "rms") {
				e.Epsilon *= 10
			}
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b Stagewise) int { return strings.Compare(a.Scale+a.Step, b.Scale+b.Step) })
	return out
}

func TestPathIsTheLiteralOne(t *testing.T) {
	for _, s := range settings(1, 60, 20) {
		for _, e := range policies() {
			e.MaxIter = 120
			t.Run(fmt.Sprint(s.name, ", ", e.Scale, ", ", e.Step), func(t *testing.T) {
				w := walkOn(t, e, s, nil)
				l := newLiteral(s.x, s.y, s.weight, e.Scale)
				for l.steps < e.MaxIter && l.turn(e) {
				}
				if l.smallestGap < 1e-8 {
					t.Fatalf("a gap of %g: the literal path may break ties by rounding", l.smallestGap)
				}
				if got := choices(w.steps); !slices.Equal(got, l.chosen) {
					t.Fatalf("chosen %v\nwant   %v", got, l.chosen)
				}
				if l.stop != "" && w.stop != l.stop {
					t.Errorf("stop %s, want %s", w.stop, l.stop)
				}
				for i, want := range l.rss {
					oracle.Near(t, fmt.Sprintf("RSS after %d", i+1), w.steps[i+1].TrainError*w.d.N, want, 1e-9)
				}
				for j, b := range l.beta {
					if k := w.d.Position[j]; k >= 0 {
						oracle.Near(t, fmt.Sprintf("β of %d", j), w.unit*w.multiples[k], b, 1e-9)
					}
				}
			})
		}
	}
}

func choices(steps []engines.Step) []int {
	out := make([]int, 0, len(steps))
	for _, s := range steps[1:] {
		j := s.Changed.Feature
		if s.Changed.Value < 0 {
			j = -j - 1
		}
		out = append(out, j)
	}
	return out
}

// Nothing that is marked as not influencing results does: every bit of every step is the same.
func TestWaysToTheSamePath(t *testing.T) {
	ways := map[string]func(*Stagewise){
		"full scan":            func(e *Stagewise) { e.Scan = "full" },
		"blocks of 1":          func(e *Stagewise) { e.Block = 1 },
		"blocks of 8":          func(e *Stagewise) { e.Block = 8 },
		"one block":            func(e *Stagewise) { e.Block = 1024 },
		"no Gram memory":       func(e *Stagewise) { e.GramMemory = 0 },
		"evicted Gram columns": func(e *Stagewise) { e.GramMemory = 5000 },
	}
	for _, s := range settings(2, 300, 130) {
		for _, e := range policies() {
			e.DriftEvery = 150
			want := walkOn(t, e, s, nil)
			for name, change := range ways {
				other := e
				change(&other)
				got := walkOn(t, other, s, nil)
				if !reflect.DeepEqual(got.steps, want.steps) || got.stop != want.stop {
					t.Errorf("%s, %s, %s, %s: another path (%d steps, %s; want %d, %s)",
						s.name, e.Scale, e.Step, name, len(got.steps), got.stop, len(want.steps), want.stop)
				}
			}
		}
	}
}

func TestEvictionEvicts(t *testing.T) {
	e := defaults()
	e.GramMemory = 5000
	w := walkOn(t, e, settings(2, 300, 130)[0], nil)
	if built, _ := w.correlations.(*gramCorrelations).gram.Built(); built <= len(w.entered) {
		t.Errorf("%d columns computed for %d features: nothing was evicted", built, len(w.entered))
	}
}

func TestJumpsAgreeWithSteps(t *testing.T) {
	for _, s := range settings(3, 80, 12) {
		effects(s)
		e := defaults()
		e.Epsilon, e.MaxIter, e.DriftEvery = 0.003, 2000, 700
		want := walkOn(t, e, s, nil)
		e.Jumps = true
		got := walkOn(t, e, s, nil)
		if got.evaluated > want.evaluated*3/4 {
			t.Errorf("%s: %d correlations looked at, %d without jumps: nothing was jumped", s.name, got.evaluated, want.evaluated)
		}
		if !slices.Equal(choices(got.steps), choices(want.steps)) || got.stop != want.stop || !slices.Equal(got.multiples, want.multiples) {
			t.Fatalf("%s: another path (%d steps, %s; want %d, %s)", s.name, len(got.steps), got.stop, len(want.steps), want.stop)
		}
		for i, step := range want.steps {
			oracle.Near(t, fmt.Sprintf("%s: MSE of step %d", s.name, i), got.steps[i].TrainError, step.TrainError, 1e-9)
			oracle.Near(t, fmt.Sprintf("%s: bias of step %d", s.name, i), got.steps[i].Bias, step.Bias, 1e-9)
		}
	}
}

// effects makes a few features matter much more than the others.
func effects(s setting) {
	for i := range s.y {
		row := s.x.Row(i)
		for q, j := range row.Idx {
			s.y[i] += map[int32]float64{0: 40, 7: -25, 9: 12}[j] * row.At(q)
		}
	}
}

func TestJumpsKeepRules(t *testing.T) {
	all := settings(3, 80, 12)
	effects(all[0])
	for name, change := range map[string]func(*Stagewise){
		"patience":    func(e *Stagewise) { e.Choose, e.Patience, e.TestEvery = "test", 40, 7 },
		"min_c":       func(e *Stagewise) { e.MinC = 300 },
		"max_entered": func(e *Stagewise) { e.MaxEntered = 3 },
		"max_iter":    func(e *Stagewise) { e.MaxIter = 77 },
	} {
		e := defaults()
		e.Epsilon, e.MaxIter = 0.02, 3000
		change(&e)
		held := viewOf(t, settings(4, 50, 12)[0].data())
		want := walkOn(t, e, all[0], held)
		e.Jumps = true
		got := walkOn(t, e, all[0], held)
		if want.stop != name || got.stop != want.stop || got.iteration != want.iteration || got.best.iteration != want.best.iteration {
			t.Errorf("%s: stop %s at %d, best %d; want %s, %d, %d", name, got.stop, got.iteration, got.best.iteration, want.stop, want.iteration, want.best.iteration)
		}
	}
}

func TestLookups(t *testing.T) {
	for _, s := range settings(6, 90, 30) {
		for _, kind := range []string{"random", "queue"} {
			for _, carry := range []bool{false, true} {
				e := defaults()
				e.Lookup, e.Sample, e.Carry, e.MinC = kind, 3, carry, 80
				want := walkOn(t, e, s, nil)
				if want.skipped == 0 || want.log.steps+want.skipped != want.iteration {
					t.Errorf("%s: %d steps and %d skipped of %d iterations", kind, want.log.steps, want.skipped, want.iteration)
				}
				e.Lazy = true
				got := walkOn(t, e, s, nil)
				if !slices.Equal(choices(got.steps), choices(want.steps)) {
					t.Errorf("%s, %s, carry %v: lazy took another path", s.name, kind, carry)
				}
			}
		}
	}
}

func TestQueueGoesRound(t *testing.T) {
	d := &design.Design{Column: []int32{4, 2, 0}, Position: []int32{2, -1, 1, -1, 0}}
	next := lookup.LongestUnseen(d.PositionsByColumn(), 2)
	for _, want := range [][]int32{{2, 1}, {0, 2}, {1, 0}, {2, 1}} {
		if got := next(); !slices.Equal(got, want) {
			t.Fatalf("positions %v, want %v", got, want)
		}
	}
}

func TestRandomIsUniform(t *testing.T) {
	d := &design.Design{Column: []int32{0, 1, 2, 3, 4}, Position: []int32{0, 1, 2, 3, 4}}
	next := lookup.DrawWithoutReplacement(d.PositionsByColumn(), 2, rand.New(rand.NewPCG(1, 1)))
	pairs := map[[2]int32]int{}
	for range 10_000 {
		got := slices.Sorted(slices.Values(next()))
		pairs[[2]int32{got[0], got[1]}]++
	}
	for pair, n := range pairs {
		if pair[0] == pair[1] || n < 850 || n > 1150 {
			t.Errorf("pair %v was drawn %d times of 10,000, expected about 1,000", pair, n)
		}
	}
	if len(pairs) != 10 {
		t.Errorf("%d of 10 pairs were drawn", len(pairs))
	}
}

// The model of any step is the sum of the changes traced so far.
func TestReplayMatchesTrace(t *testing.T) {
	for _, s := range settings(7, 70, 25) {
		for _, e := range policies() {
			w := walkOn(t, e, s, nil)
			for _, at := range []int{0, 1, 37, w.log.steps} {
				w.best = point{steps: at, entered: enteredBy(w, at)}
				m := w.model(engines.Fitted{}).(*engines.Linear)
				got := make([]float64, len(w.d.Position))
				for _, c := range m.Coefs() {
					got[c.Feature] = c.Value
				}
				want := make([]float64, len(w.d.Position))
				for _, step := range w.steps[1 : at+1] {
					want[step.Changed.Feature] += step.Changed.Value
				}
				oracle.NearAll(t, fmt.Sprintf("%s, %s: coefficients after %d", s.name, e.Step, at), got, want, 1e-9)
				oracle.Near(t, "bias", m.Bias(0), w.steps[at].Bias, 1e-9)
				if len(m.Coefs()) != w.steps[at].Active {
					t.Errorf("%d coefficients after %d, %d traced", len(m.Coefs()), at, w.steps[at].Active)
				}
			}
		}
	}
}

func enteredBy(w walked, steps int) int {
	moved := map[int]bool{}
	for _, step := range w.steps[1 : steps+1] {
		moved[step.Changed.Feature] = true
	}
	return len(moved)
}

// Training error, intercept and held-out error along the path are those of the models themselves.
func TestTraceIsWhatModelsPredict(t *testing.T) {
	for _, s := range settings(8, 70, 25) {
		e := defaults()
		e.Choose, e.TestEvery, e.MaxIter = "test", 5, 100
		held := settings(9, 40, 25)
		w := walkOn(t, e, s, viewOf(t, held[0].data()))
		m := w.model(engines.Fitted{})
		oracle.Near(t, "training MSE", mse(m, viewOf(t, s.data()), s), w.steps[w.best.iteration].TrainError, 1e-9)
		oracle.Near(t, "held-out MSE", mse(m, viewOf(t, held[0].data()), held[0]), w.best.error, 1e-9)
		if best := slices.IndexFunc(w.steps, func(s engines.Step) bool { return s.Best && s.Iter == w.best.iteration }); best < 0 {
			t.Error("the best step was not traced as such")
		}
	}
}

func mse(m engines.Model, v *data.View, s setting) float64 {
	out := make([]float64, v.Len())
	m.Predict(out, v.Inputs())
	sum, n := 0.0, 0.0
	for i, p := range out {
		w := 1.0
		if s.weight != nil {
			w = s.weight[i]
		}
		sum += w * (s.y[i] - p) * (s.y[i] - p)
		n += w
	}
	return sum / n
}

func TestDriftIsMeasured(t *testing.T) {
	s := settings(10, 200, 60)[3]
	e := defaults()
	e.DriftEvery = 50
	w := walkOn(t, e, s, nil)
	if !(w.drift > 0 && w.drift < 1e-9) || w.drifted {
		t.Errorf("drift %g, alarm %v", w.drift, w.drifted)
	}
	g := w.correlations.(*gramCorrelations)
	for k := range g.a {
		g.a[k] += 1e-3 // as if rounding had piled up
	}
	w.log.steps = e.DriftEvery
	w.recomputeIfDue(1)
	if !(w.drift > 1e-6) || !w.drifted {
		t.Errorf("drift %g after an error of 1e-3, alarm %v", w.drift, w.drifted)
	}
}

// counted counts how often the state was computed anew.
type counted struct {
	correlations
	restarts int
}

func (c *counted) recompute(b []float64) (rss, drift float64) {
	c.restarts++
	return c.correlations.recompute(b)
}

// The state is computed anew each time that so many steps have been taken.
func TestRefreshes(t *testing.T) {
	e := defaults()
	e.DriftEvery, e.MaxIter, e.Epsilon = 30, 200, 0.001
	w, err := e.startLeastSquares(context.Background(), engines.Run{Train: viewOf(t, settings(9, 60, 20)[0].data()), Rand: rand.New(rand.NewPCG(5, 6))})
	if err != nil {
		t.Fatal(err)
	}
	c := &counted{correlations: w.correlations}
	w.correlations = c
	if err := w.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c.restarts != 6 || w.log.steps != 200 {
		t.Errorf("%d restarts in %d steps, want 6 in 200", c.restarts, w.log.steps)
	}
	// Several steps at once pass a multiple of 30, or do not.
	for _, x := range []struct{ steps, taken, restarts int }{{59, 20, 0}, {60, 1, 1}, {89, 30, 1}, {89, 29, 0}, {120, 100, 1}, {30, 30, 1}, {29, 29, 0}} {
		c.restarts, w.log.steps = 0, x.steps
		if w.recomputeIfDue(x.taken); c.restarts != x.restarts {
			t.Errorf("%d steps, of which %d at once: %d restarts", x.steps, x.taken, c.restarts)
		}
	}
}

func TestLoopRun(t *testing.T) {
	s := settings(11, 60, 10)[0]
	e := defaults()
	e.Epsilon, e.MaxIter = 0.5, 300
	plain := walkOn(t, e, s, nil)
	if plain.stop != stopLoop {
		t.Fatalf("stop %s, want loop", plain.stop)
	}
	e.Loop = false
	if w := walkOn(t, e, s, nil); w.stop != stopMaxIter {
		t.Errorf("stop %s without the rule, want max_iter", w.stop)
	}
	e.LoopRun = 4
	if w := walkOn(t, e, s, nil); w.stop != stopLoop || w.iteration <= plain.iteration {
		t.Errorf("stop %s at %d with loop_run 4, want loop after iteration %d", w.stop, w.iteration, plain.iteration)
	}
}

func TestDegenerate(t *testing.T) {
	view := func(x *sparse.Matrix, y []float64) engines.Run {
		return engines.Run{Train: viewOf(t, dataset(x, y, nil)), Rand: rand.New(rand.NewPCG(1, 2))}
	}
	for name, r := range map[string]engines.Run{
		"constant target": view(sparse.New(2, []int{0, 1, 2, 3}, []int32{0, 1, 0}, nil), []float64{2, 2, 2}),
		"no columns":      view(sparse.New(0, []int{0, 0, 0}, nil, nil), []float64{1, 2}),
		"one row":         view(sparse.New(2, []int{0, 1}, []int32{0}, nil), []float64{3}),
		"all constant":    view(sparse.New(1, []int{0, 1, 2}, []int32{0, 0}, nil), []float64{1, 3}),
	} {
		m, err := defaults().Fit(context.Background(), r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		f := m.(engines.Reporter).Fitted()
		if f.Stop != stopMinC || f.Iterations != 0 || len(m.Coefs()) != 0 {
			t.Errorf("%s: stop %s after %d with %v", name, f.Stop, f.Iterations, m.Coefs())
		}
		out := make([]float64, r.Train.Len())
		m.Predict(out, r.Train.Inputs())
		_, y := r.Train.Target(0)
		mean := 0.0
		for _, v := range y {
			mean += v / float64(len(y))
		}
		oracle.Near(t, name, out[0], mean, 1e-12)
	}
}

func TestBadData(t *testing.T) {
	good := []float64{1, 2, 4}
	for name, c := range map[string]struct {
		x    *sparse.Matrix
		y    []float64
		want string
	}{
		"index":    {sparse.New(2, []int{0, 1, 2, 3}, []int32{0, 2, 0}, nil), good, "row 1: column index 2 outside 0..1"},
		"repeated": {sparse.New(2, []int{0, 1, 3, 3}, []int32{0, 1, 1}, nil), good, "row 1: column index 1 is repeated"},
		"Inf in X": {sparse.New(2, []int{0, 1, 2, 3}, []int32{0, 1, 0}, []float64{1, math.Inf(-1), 1}), good, "row 1, column 1"},
		"NaN in y": {sparse.New(2, []int{0, 1, 2, 3}, []int32{0, 1, 0}, nil), []float64{1, 2, math.NaN()}, "row 2"},
		"Inf in y": {sparse.New(2, []int{0, 1, 2, 3}, []int32{0, 1, 0}, nil), []float64{math.Inf(1), 2, 3}, "row 0"},
		"no rows":  {sparse.New(2, []int{0}, nil, nil), nil, "no training rows"},
	} {
		e := defaults()
		_, err := e.Fit(context.Background(), engines.Run{Train: viewOf(t, dataset(c.x, c.y, nil)), Rand: rand.New(rand.NewPCG(1, 2))})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestPathsOfColumnsFarFromZero: what a listener predicts after each step is what it predicts where the same columns are near zero.
func TestPathsOfColumnsFarFromZero(t *testing.T) {
	const rows, far = 60, 1 << 30
	for _, lazy := range []bool{false, true} {
		errors := func(offset float64) (path []float64) {
			rng := rand.New(rand.NewPCG(4, 4))
			x, y := make([][]float64, rows), make([]float64, rows)
			for i := range x {
				a, b := math.Round(rng.NormFloat64()*1024)/1024, math.Round(rng.NormFloat64()*1024)/1024
				x[i] = []float64{a + offset, b - offset, float64(rng.IntN(2))}
				y[i] = a - b + x[i][2] + rng.NormFloat64()
			}
			set := dataset(enginetest.Matrix(x...), y, nil)
			train, test := viewOf(t, set).Sub(data.Numbers(40)), viewOf(t, set).Sub(data.Numbers(rows)[40:])
			e := defaults()
			e.Choose, e.TestEvery, e.MaxIter = "test", 1, 500
			if lazy {
				e.Lookup, e.Lazy = "queue", true
			}
			var heldOut *engines.Residual
			m, _ := fit(t, e, engines.Run{Train: train, Watch: test, Rand: rand.New(rand.NewPCG(1, 2)), Trace: func(s engines.Step) {
				if heldOut == nil {
					heldOut = engines.NewResidual(test, s.Bias)
				} else if s.Changed.Feature >= 0 {
					heldOut.Move(s.Changed.Feature, s.Changed.Value, s.Bias)
				}
				path = append(path, heldOut.MSE())
			}})
			squares, p := 0.0, make([]float64, test.Len())
			m.Predict(p, test.Inputs())
			for i, v := range p {
				squares += (v - y[40+i]) * (v - y[40+i]) / float64(len(p))
			}
			if least := slices.Min(path); !(math.Abs(squares-least) <= 1e-5) {
				t.Errorf("lazy %v, offset %v: the model's error is %v, the least of the path %v", lazy, offset, squares, least)
			}
			return path
		}
		near, moved := errors(0), errors(far)
		if len(near) != len(moved) || len(near) < 100 {
			t.Fatalf("lazy %v: %d steps, %d far from zero", lazy, len(near), len(moved))
		}
		for i, v := range near {
			if !(math.Abs(moved[i]-v) <= 1e-5) {
				t.Fatalf("lazy %v: step %d has an error of %v, far from zero %v", lazy, i, v, moved[i])
			}
		}
	}
}
