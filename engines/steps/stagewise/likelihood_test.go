package stagewise

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/engines/steps/stagewise/likelihood"
	"tenfold/engines/steps/stagewise/lookup"
)

func likelihoods() map[string]Stagewise {
	out := map[string]Stagewise{}
	for _, family := range families[1:] {
		e := defaults()
		e.Family, e.Scale, e.Epsilon, e.MaxIter = family, "none", 0.05, 150
		out[family] = e
	}
	return out
}

func TestSuite(t *testing.T) {
	for name, e := range likelihoods() {
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, e) })
		e.Select = "explicit"
		t.Run(name+", explicit", func(t *testing.T) { enginetest.Suite(t, e) })
		e.Select, e.Lookup, e.Sample, e.Carry, e.Scale = "gradient", "random", 4, true, "sd"
		t.Run(name+", random", func(t *testing.T) { enginetest.Suite(t, e) })
		if name != "expfam" {
			e.Choose, e.Patience, e.TestEvery = "validation", 20, 5
			t.Run(name+", validation", func(t *testing.T) { enginetest.Suite(t, e) })
			e.Choose = "test"
			t.Run(name+", test", func(t *testing.T) { enginetest.Suite(t, e) })
		}
	}
}

// Nothing that is marked as not influencing results does: every bit of every step is the same.
func TestLikelihoodWaysToTheSamePath(t *testing.T) {
	climbs(t, 22, 80, 30, func(t *testing.T, e Stagewise, s setting) {
		e.Epsilon, e.MaxIter, e.DriftEvery = 0.02, 120, 50
		set := likelihoodData(s, e.Family)
		want, steps := ascend(t, e, set, nil)
		for _, change := range []func(*Stagewise){
			func(e *Stagewise) { e.Scan = "full" },
			func(e *Stagewise) { e.Block = 1 },
			func(e *Stagewise) { e.Block = 8 },
			func(e *Stagewise) { e.Block = 1024 },
		} {
			other := e
			change(&other)
			got, others := ascend(t, other, set, nil)
			if !reflect.DeepEqual(steps, others) || got.stop != want.stop {
				t.Errorf("scan %s, block %d: another path (%d steps, %s; want %d, %s)", other.Scan, other.Block, len(others), got.stop, len(steps), want.stop)
			}
		}
	})
}

// Bounds must save work, or they are for nothing.
func TestTrialsArePruned(t *testing.T) {
	s := settings(23, 400, 300)[0]
	for family, e := range likelihoods() {
		e.Select, e.Epsilon, e.MaxIter = "explicit", 0.01, 100
		w, _ := ascend(t, e, likelihoodData(s, family), nil)
		if tried := w.lookup.(*lookup.Increases).Evaluated; w.iteration < 100 || tried > w.evaluated/4 {
			t.Errorf("%s: %d increases computed in %d iterations over %d features", family, tried, w.iteration, len(w.multiples))
		}
	}
}

// What is traced is what the model predicts: log-likelihood of the training rows, and of the held-out ones.
func TestLikelihoodTraceIsWhatModelsPredict(t *testing.T) {
	for _, family := range []string{"logistic", "loglinear"} {
		for q, s := range settings(24, 90, 20) {
			e := likelihoods()[family]
			e.Choose, e.TestEvery, e.Epsilon = "test", 3, 0.03
			if q%2 == 1 {
				e.Scale = "sd"
			}
			other := settings(25, 60, 20)[q]
			effects(s)
			effects(other)
			train, held := likelihoodData(s, family), likelihoodData(other, family)
			w, steps := ascend(t, e, train, held)
			m := w.model(engines.Fitted{})
			if w.best.iteration == 0 {
				t.Errorf("%s, %s: of %d iterations, the best is the start", family, s.name, w.iteration)
			}
			oracle.Near(t, family+", training", -steps[w.best.iteration].TrainError, meanLogLikelihood(m, train), 1e-10)
			oracle.Near(t, family+", held out", -w.best.error, meanLogLikelihood(m, held), 1e-10)
			for k := range m.Coefs() {
				if c := m.Coefs()[k]; c.Rank < 0 || c.Score <= 0 {
					t.Errorf("%s: coefficient %+v has no rank or score", family, c)
				}
			}
		}
	}
}

func meanLogLikelihood(m engines.Model, set *data.Dataset) float64 {
	view, classes := enginetest.View(set, nil), m.Outputs()
	p := make([]float64, view.Len()*classes)
	m.Predict(p, view.Inputs())
	total, n := 0.0, 0.0
	for i, y := range set.Targets[0].Values {
		w, own := 1.0, p[i*classes]
		if classes > 1 {
			own = math.Exp(p[i*classes+int(y)])
		} else if y == 0 {
			own = 1 - own
		}
		if set.Weight != nil {
			w = set.Weight[i]
		}
		total += w * math.Log(own)
		n += w
	}
	return total / n
}

// A real target of 0 and 1 is a class target of two levels, but for the number of outputs.
func TestLogisticOfNumbers(t *testing.T) {
	s := settings(26, 120, 25)[1]
	classes := likelihoodData(s, "logistic")
	numbers := likelihoodData(s, "logistic")
	numbers.Targets[0] = enginetest.Real("y", classes.Targets[0].Values...)
	e := likelihoods()["logistic"]
	a, _ := ascend(t, e, classes, nil)
	b, _ := ascend(t, e, numbers, nil)
	m, o := a.model(engines.Fitted{}), b.model(engines.Fitted{})
	if m.Outputs() != 2 || o.Outputs() != 1 {
		t.Errorf("%d and %d outputs", m.Outputs(), o.Outputs())
	}
	oracle.Near(t, "log-likelihood", meanLogLikelihood(o, numbers), meanLogLikelihood(m, classes), 1e-12)
	for _, c := range o.Coefs() {
		if c.Output != 0 {
			t.Fatalf("coefficient %+v is of no output", c)
		}
	}
	view, all, one := enginetest.View(numbers, nil), make([]float64, numbers.Rows()), make([]float64, 1)
	o.Predict(all, view.Inputs())
	for i, want := range all {
		if o.(engines.Scorer).Score(one, view.Row(i)); one[0] != want {
			t.Fatalf("row %d: score %v, prediction %v", i, one[0], want)
		}
	}
}

// Rows that count twice are rows that stand twice.
func TestLikelihoodWeightsAreMultiplicities(t *testing.T) {
	climbs(t, 27, 80, 25, func(t *testing.T, e Stagewise, s setting) {
		if s.weight == nil {
			return
		}
		var b sparse.Builder
		twice := setting{name: s.name}
		weighted := likelihoodData(s, e.Family)
		var y []float64
		for i, w := range s.weight {
			for range int(w) {
				row := s.x.Row(i)
				if err := b.Add(row.Idx, row.Val); err != nil {
					t.Fatal(err)
				}
				y = append(y, weighted.Targets[0].Values[i])
			}
		}
		twice.x, twice.y = b.Matrix(25), make([]float64, len(y))
		repeated := likelihoodData(twice, e.Family)
		repeated.Targets[0].Values = y
		want, steps := ascend(t, e, repeated, nil)
		got, others := ascend(t, e, weighted, nil)
		if !reflect.DeepEqual(choices(steps), choices(others)) {
			t.Error("another path")
		}
		oracle.Near(t, "log-likelihood", got.logLikelihood, want.logLikelihood, 1e-10)
	})
}

// The intercept of its best value leaves as much of the class expected as was seen.
func TestInterceptMoves(t *testing.T) {
	for _, s := range settings(28, 120, 25) {
		e := likelihoods()["logistic"]
		e.InterceptEvery, e.MaxIter, e.Epsilon = 7, 70, 0.02
		e.Choose, e.TestEvery = "test", 1
		set, held := likelihoodData(s, "logistic"), likelihoodData(settings(29, 50, 25)[0], "logistic")
		w, steps := ascend(t, e, set, held)
		if w.iteration != 70 {
			t.Fatalf("%d iterations, %s", w.iteration, w.stop)
		}
		l, left := w.likelihood.(*likelihood.Logistic), 0.0
		for i := range l.Probabilities.Y {
			left += data.Weights(set.Weight).Of(i) * (l.Probabilities.Y[i] - l.Probabilities.Row(i)[1])
		}
		oracle.Near(t, "what the intercept leaves", left, 0, 1e-9)
		if steps[6].Bias != steps[0].Bias || steps[7].Bias == steps[6].Bias {
			t.Errorf("intercepts %v, %v, %v", steps[0].Bias, steps[6].Bias, steps[7].Bias)
		}
		m := w.model(engines.Fitted{})
		oracle.Near(t, "training", -steps[w.best.iteration].TrainError, meanLogLikelihood(m, set), 1e-10)
		oracle.Near(t, "held out", -w.best.error, meanLogLikelihood(m, held), 1e-10)
	}
}

// With one base weight for all rows nothing can be selected.
func TestEqualWeights(t *testing.T) {
	s := settings(30, 50, 12)[3]
	set := likelihoodData(s, "expfam")
	for i := range set.Targets[0].Values {
		set.Targets[0].Values[i] = 0.7
	}
	for _, scale := range []string{"none", "sd"} {
		e := likelihoods()["expfam"]
		e.Scale = scale
		m, err := e.Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil)})
		if err != nil {
			t.Fatal(err)
		}
		f := m.(engines.Reporter).Fitted()
		if f.Stop != stopGradient || f.Iterations != 0 || len(f.Notes) != 1 || !strings.Contains(f.Notes[0], "base weights are equal") {
			t.Errorf("%s: stop %s after %d, notes %q", scale, f.Stop, f.Iterations, f.Notes)
		}
	}
}

// The log-weights of rows have no intercept, on the path or in the model.
func TestLogWeightsHaveNoIntercept(t *testing.T) {
	set := likelihoodData(settings(30, 50, 12)[3], "expfam")
	e := likelihoods()["expfam"]
	m, err := e.Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil), Trace: func(s engines.Step) {
		if s.Bias != 0 {
			t.Errorf("step %d: intercept %v", s.Iter, s.Bias)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got := engines.Biases(m); len(got) != 1 || got[0] != 0 || len(m.Coefs()) == 0 {
		t.Errorf("intercepts %v, %d coefficients", got, len(m.Coefs()))
	}
}

func TestLikelihoodStops(t *testing.T) {
	s := settings(31, 60, 12)[0]
	for family, e := range likelihoods() {
		set := likelihoodData(s, family)
		for want, change := range map[string]func(*Stagewise){
			stopMaxIter:    func(e *Stagewise) { e.MaxIter = 3 },
			stopMaxEntered: func(e *Stagewise) { e.MaxEntered = 2 },
			stopLoop:       func(e *Stagewise) { e.Epsilon, e.MaxIter = 0.5, 1000 },
			stopGradient:   func(e *Stagewise) { e.MinGradient, e.MaxIter = 2, 1000 },
			stopNoIncrease: func(e *Stagewise) { e.Select, e.Epsilon, e.MaxIter = "explicit", 0.3, 10_000 },
		} {
			e := e
			change(&e)
			w, steps := ascend(t, e, set, nil)
			if w.stop != want {
				t.Errorf("%s: stop %s, want %s", family, w.stop, want)
			}
			if want == stopNoIncrease {
				for i := range steps[1:] {
					if steps[i+1].TrainError >= steps[i].TrainError {
						t.Errorf("%s: step %d lowered the log-likelihood", family, i+1)
					}
				}
			}
		}
		e.Epsilon, e.MaxIter, e.Loop = 0.5, 300, false
		if w, _ := ascend(t, e, set, nil); w.stop != stopMaxIter {
			t.Errorf("%s: stop %s without the rule of loops", family, w.stop)
		}
	}
}

// Weights that grow by orders of magnitude keep the state right: it is computed anew before rounding counts.
func TestFarSteps(t *testing.T) {
	for family, e := range likelihoods() {
		for _, s := range settings(32, 60, 15) {
			e.Epsilon, e.MaxIter, e.Loop = 9, 40, false
			w, steps := ascend(t, e, likelihoodData(s, family), nil)
			level, _ := w.likelihood.Recompute(context.Background(), w.unscale(w.weights, w.multiples))
			if d := math.Abs(level - w.logLikelihood); !(d <= 1e-6*math.Abs(level)) {
				t.Errorf("%s, %s: log-likelihood %v, computed anew %v", family, s.name, w.logLikelihood, level)
			}
			for _, step := range steps {
				if step.TrainError-step.TrainError != 0 {
					t.Fatalf("%s, %s: loss %v after %d steps", family, s.name, step.TrainError, step.Iter)
				}
			}
		}
	}
}

func TestLikelihoodRefusesData(t *testing.T) {
	x := sparse.New(2, []int{0, 1, 2, 3}, []int32{0, 1, 0}, nil)
	for name, c := range map[string]struct {
		family string
		target data.Target
		want   string
	}{
		"no weight":       {"expfam", enginetest.Real("w", 1, 0, 2), "row 1: target is 0"},
		"negative weight": {"expfam", enginetest.Real("w", 1, 3, -2), "row 2: target is -2"},
		"NaN weight":      {"expfam", enginetest.Real("w", math.NaN(), 3, 2), "row 0: target is NaN"},
		"numbers":         {"logistic", enginetest.Real("y", 1, 0, 2), "row 2: target y is 2"},
		"one number":      {"logistic", enginetest.Real("y", 1, 1, 1), "all training rows have y = 1"},
		"one level":       {"logistic", enginetest.Class("y", 2, 0, 0, 0), "all training rows have y = l0"},
		"three levels":    {"logistic", enginetest.Class("y", 3, 0, 1, 2), "takes a target of two levels, y has 3"},
		"label":           {"loglinear", enginetest.Class("y", 2, 0, 1, 2), "0..1"},
	} {
		e := likelihoods()[c.family]
		p, err := prepare.Recipe{}.Fit(enginetest.Dataset(x, c.target), nil)
		if err == nil {
			_, err = e.Fit(context.Background(), engines.Run{Train: p.View(nil)})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// Nothing to select is no error.
func TestLikelihoodDegenerate(t *testing.T) {
	empty := sparse.New(0, []int{0, 0, 0}, nil, nil)
	for family, target := range map[string]data.Target{
		"expfam": enginetest.Real("w", 1, 2), "logistic": enginetest.Class("y", 2, 0, 1), "loglinear": enginetest.Class("y", 3, 0, 2),
	} {
		for _, lookup := range []string{"full", "random"} {
			e := likelihoods()[family]
			e.Lookup = lookup
			set := enginetest.Dataset(empty, target)
			m, err := e.Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil), Rand: rand.New(rand.NewPCG(1, 2))})
			if err != nil {
				t.Errorf("%s: %v", family, err)
				continue
			}
			if f := m.(engines.Reporter).Fitted(); f.Stop != stopGradient || f.Iterations != 0 || len(m.Coefs()) != 0 {
				t.Errorf("%s: stop %s after %d with %v", family, f.Stop, f.Iterations, m.Coefs())
			}
		}
	}
	one := enginetest.Dataset(sparse.New(1, []int{0, 1, 1}, []int32{0}, nil), enginetest.Class("y", 1, 0, 0))
	if w, _ := ascend(t, likelihoods()["loglinear"], one, nil); w.stop != stopGradient || w.iteration != 0 {
		t.Errorf("a single class: stop %s after %d", w.stop, w.iteration)
	}
}

// A cutoff leaves out columns and classes that rarely come together.
func TestCutoff(t *testing.T) {
	for _, s := range settings(33, 80, 20) {
		set := likelihoodData(s, "loglinear")
		e := likelihoods()["loglinear"]
		e.MaxIter = 0
		all, _ := ascend(t, e, set, nil)
		e.Cutoff = 6
		some, _ := ascend(t, e, set, nil)
		want := 0
		for k := range all.multiples {
			g, seen := all.likelihood.GradientState(), 0.0
			col := set.X.Col(int(g.Column[k]))
			for _, i := range col.Idx {
				if int(set.Targets[0].Values[i]) == g.ClassOf(k) {
					seen++
					if s.weight != nil {
						seen += s.weight[i] - 1
					}
				}
			}
			if seen >= 6 {
				want++
			}
		}
		if len(some.multiples) != want || want == 0 || want == len(all.multiples) {
			t.Errorf("%s: %d of %d features, want %d", s.name, len(some.multiples), len(all.multiples), want)
		}
	}
}

func TestValidateFamilies(t *testing.T) {
	for _, c := range []struct {
		family, field string
		change        func(*Stagewise)
	}{
		{"normal", "family", func(*Stagewise) {}},
		{"gaussian", "select", func(e *Stagewise) { e.Select = "explicit" }},
		{"gaussian", "min_gradient", func(e *Stagewise) { e.MinGradient = 1 }},
		{"gaussian", "min_increase", func(e *Stagewise) { e.MinIncrease = 1 }},
		{"gaussian", "cutoff", func(e *Stagewise) { e.Cutoff = 2 }},
		{"gaussian", "intercept_every", func(e *Stagewise) { e.InterceptEvery = 2 }},
		{"expfam", "choose", func(e *Stagewise) { e.Choose = "validation" }},
		{"expfam", "step", func(e *Stagewise) { e.Step = "rss" }},
		{"expfam", "cutoff", func(e *Stagewise) { e.Cutoff = 2 }},
		{"logistic", "jumps", func(e *Stagewise) { e.Jumps = true }},
		{"logistic", "lazy", func(e *Stagewise) { e.Lazy, e.Lookup = true, "random" }},
		{"logistic", "min_c", func(e *Stagewise) { e.MinC = 2 }},
		{"logistic", "min_gradient", func(e *Stagewise) { e.Select, e.MinGradient = "explicit", 1 }},
		{"logistic", "min_increase", func(e *Stagewise) { e.MinIncrease = 1 }},
		{"logistic", "min_gradient", func(e *Stagewise) { e.MinGradient = math.NaN() }},
		{"logistic", "select", func(e *Stagewise) { e.Select = "both" }},
		{"logistic", "intercept_every", func(e *Stagewise) { e.InterceptEvery = -1 }},
		{"loglinear", "intercept_every", func(e *Stagewise) { e.InterceptEvery = 3 }},
		{"loglinear", "cutoff", func(e *Stagewise) { e.Cutoff = 0 }},
		{"loglinear", "lookup", func(e *Stagewise) { e.Lookup, e.Lists = "list", [][]int{{0}} }},
	} {
		e := defaults()
		e.Family = c.family
		c.change(&e)
		var bad *param.FieldError
		if err := e.Validate(); !errors.As(err, &bad) || bad.Field != c.field {
			t.Errorf("%s, %s: %v", c.family, c.field, err)
		}
	}
	for family, want := range map[string]engines.Needs{
		"gaussian": {Target: data.Real}, "expfam": {Target: data.Real}, "logistic": {Levels: 2}, "loglinear": {Target: data.Class},
	} {
		e := defaults()
		e.Family, want.Entry = family, true
		if got := e.Needs(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s needs %+v, want %+v", family, got, want)
		}
	}
}

// Every look-up finds its way: all features looked at in turn reach the same likelihood as the full look.
func TestLikelihoodLookups(t *testing.T) {
	s := settings(34, 90, 16)[1]
	for family, e := range likelihoods() {
		set := likelihoodData(s, family)
		for _, selected := range []string{"gradient", "explicit"} {
			e.Select, e.Epsilon, e.MaxIter, e.Loop = selected, 0.02, 4000, true
			want, _ := ascend(t, e, set, nil)
			for _, lookup := range []string{"random", "queue", "list"} {
				o := e
				o.Lookup, o.Sample, o.Carry = lookup, 5, true
				if lookup == "list" {
					if family == "loglinear" {
						continue
					}
					o.Sample = defaultSample
					o.Lists = [][]int{{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}, {11, 12, 13, 14, 15}}
				}
				got, _ := ascend(t, o, set, nil)
				if gained := (got.logLikelihood - got.initialLogLikelihood) / (want.logLikelihood - want.initialLogLikelihood); got.iteration != 4000 || !(gained > 0.9) {
					t.Errorf("%s, %s, %s: %.3f of the gain after %d iterations", family, selected, lookup, gained, got.iteration)
				}
			}
		}
	}
}

func TestLikelihoodCancel(t *testing.T) {
	cause := errors.New("enough")
	for family, e := range likelihoods() {
		e.MaxIter, e.Loop = math.MaxInt, false
		ctx, cancel := context.WithCancelCause(context.Background())
		steps := 0
		_, err := e.Fit(ctx, engines.Run{
			Train: enginetest.View(likelihoodData(settings(16, 90, 30)[0], family), nil),
			Trace: func(engines.Step) {
				if steps++; steps == 50 {
					cancel(cause)
				}
			},
		})
		if !errors.Is(err, cause) || steps > 51 {
			t.Errorf("%s: %v after %d steps, want the cause after 50", family, err, steps)
		}
	}
}

func TestLikelihoodFacts(t *testing.T) {
	for family, e := range likelihoods() {
		e.Select = "explicit"
		m, err := e.Fit(context.Background(), engines.Run{Train: enginetest.View(likelihoodData(settings(35, 60, 12)[0], family), nil)})
		if err != nil {
			t.Fatal(err)
		}
		f := m.(engines.Reporter).Fitted()
		have := map[string]string{}
		for _, fact := range f.Facts {
			have[fact.Name] = fact.Value
		}
		for _, name := range []string{"log-likelihood", "log-likelihood at the start", "gradient norm at the end of the path", "increases computed", "steps"} {
			if have[name] == "" {
				t.Errorf("%s: no fact %q among %v", family, name, f.Facts)
			}
		}
		if f.Probabilities != (family != "expfam") {
			t.Errorf("%s: probabilities %v", family, f.Probabilities)
		}
	}
}

// Every block's bound holds after every step, with nothing computed anew in between.
func TestBoundsHold(t *testing.T) {
	for family, e := range likelihoods() {
		for _, s := range settings(36, 300, 200) {
			e.Block, e.Epsilon, e.MaxIter = 4, 0.01, 80
			r := engines.Run{Train: enginetest.View(likelihoodData(s, family), nil)}
			var w *likelihoodPath
			low := 0
			r.Trace = func(step engines.Step) {
				b := w.likelihood.GradientState().Blocks
				b.ComputeUpperBounds()
				for i, u := range b.Upper {
					if largest := b.Scores.MaxAbs(b.Positions(i)); largest > u {
						low++
					}
				}
			}
			start, err := e.family().start(context.Background(), e, r)
			if err != nil {
				t.Fatal(err)
			}
			w = start.(*likelihoodPath)
			if err := w.run(context.Background()); err != nil {
				t.Fatal(err)
			}
			if low > 0 || w.iteration < 10 {
				t.Errorf("%s, %s: %d bounds too low in %d iterations", family, s.name, low, w.iteration)
			}
		}
	}
}

// A step that would undo the one before is taken only where it raises the log-likelihood.
func TestLoopEndsInTheBetterState(t *testing.T) {
	taken, left := 0, 0
	for family, e := range likelihoods() {
		for seed := range uint64(12) {
			e.Epsilon, e.MaxIter = 0.3, 1000
			w, steps := ascend(t, e, likelihoodData(settings(40+seed, 50, 10)[0], family), nil)
			if w.stop != stopLoop || len(steps) < 3 {
				continue
			}
			before, last := steps[len(steps)-2], steps[len(steps)-1]
			if last.Changed.Feature != before.Changed.Feature || last.Changed.Value != -before.Changed.Value {
				left++
				continue
			}
			if taken++; !(last.TrainError < before.TrainError) {
				t.Errorf("%s: the last step went from a loss of %v to %v", family, before.TrainError, last.TrainError)
			}
		}
	}
	if taken == 0 || left == 0 {
		t.Errorf("%d reversals taken, %d left: expected some of both", taken, left)
	}
}
