package bayes

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/model/softmax"
)

// with changes the defaults.
func with(change func(*Bayes)) Bayes {
	e := Kind.Defaults().(Bayes)
	if change != nil {
		change(&e)
	}
	return e
}

func fit(t *testing.T, e Bayes, set *data.Dataset) (*softmax.Model, []engines.Step) {
	t.Helper()
	var steps []engines.Step
	m, err := e.Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil), Workers: 2, Trace: func(s engines.Step) { steps = append(steps, s) }})
	if err != nil {
		t.Fatal(err)
	}
	return m.(*softmax.Model), steps
}

func TestSuite(t *testing.T) {
	for name, e := range map[string]Bayes{
		"corrected":       with(nil),
		"one at a time":   with(func(e *Bayes) { e.PerRound = 1 }),
		"printed":         with(func(e *Bayes) { e.Variant, e.PerRound, e.MaxActive = printed, 3, 12 }),
		"few, geometric":  with(func(e *Bayes) { e.MaxProposals, e.ModelPrior, e.Odds = 7, geometric, 0.8 }),
		"nothing allowed": with(func(e *Bayes) { e.MaxActive = 0 }),
	} {
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, e) })
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		change func(*Bayes)
		fields string
	}{
		{nil, ""},
		{func(e *Bayes) { e.Variant, e.LaplaceSign = printed, corrected }, ""},
		{func(e *Bayes) { e.ModelPrior, e.Odds = geometric, 0.1 }, ""},
		{func(e *Bayes) { e.Variant, e.LaplaceSign, e.CurvaturePrior = "", "+", "no" }, "variant laplace_sign curvature_prior"},
		{func(e *Bayes) { e.Carry, e.LimitInclusive = "x", "y" }, "carry limit_inclusive"},
		{func(e *Bayes) { e.PerRound, e.MaxRounds, e.MaxActive, e.MaxProposals = 0, 0, -1, -1 }, "per_round max_rounds max_active max_proposals"},
		{func(e *Bayes) { e.PriorVariance, e.BiasVariance = 0, math.Inf(1) }, "prior_variance bias_variance"},
		{func(e *Bayes) { e.ModelPrior = "flat" }, "model_prior"},
		{func(e *Bayes) { e.Odds = 0.5 }, "odds"},
		{func(e *Bayes) { e.ModelPrior, e.Odds = geometric, 0 }, "odds"},
		{func(e *Bayes) { e.RefitTol, e.RefitIter = math.NaN(), 0 }, "refit_tol refit_iter"},
	} {
		e := with(c.change)
		if got := enginetest.Fields(e.Validate()); got != c.fields {
			t.Errorf("%+v: refused fields %q, want %q", e, got, c.fields)
		}
	}
}

// The variant is its four switches.
func TestVariantIsItsSwitches(t *testing.T) {
	set := sample(1, 80, 12, 3, true)
	coefs := func(change func(*Bayes)) []engines.Coef {
		m, _ := fit(t, with(func(e *Bayes) { e.PerRound, e.MaxRounds = 4, 2; change(e) }), set)
		return m.Coefs()
	}
	whole := coefs(func(e *Bayes) { e.Variant = printed })
	single := coefs(func(e *Bayes) {
		e.LaplaceSign, e.CurvaturePrior, e.Carry, e.LimitInclusive = printed, printed, printed, printed
	})
	if !reflect.DeepEqual(whole, single) || len(whole) != 10 {
		t.Errorf("printed: %v\nits switches: %v", whole, single)
	}
	right := coefs(func(*Bayes) {})
	for name, change := range map[string]func(*Bayes){
		"laplace_sign":    func(e *Bayes) { e.LaplaceSign = printed },
		"curvature_prior": func(e *Bayes) { e.CurvaturePrior = printed },
		"limit_inclusive": func(e *Bayes) { e.LimitInclusive = printed },
		"carry":           func(e *Bayes) { e.Carry = printed },
	} {
		if reflect.DeepEqual(coefs(change), right) {
			t.Errorf("%s changes nothing", name)
		}
	}
}

func TestStops(t *testing.T) {
	set := sample(2, 80, 12, 3, true)
	y := set.Targets[0].Values
	zeros := make([]float64, len(y))
	some := func(e *Bayes) { e.PerRound = 4 }
	for _, c := range []struct {
		name    string
		target  data.Target
		change  func(*Bayes)
		want    string
		at      int // pairs, -1: some
		classes int
	}{
		{"evidence falls", set.Targets[0], some, "no_gain", -1, 3},
		{"geometric prior against all", set.Targets[0], func(e *Bayes) { e.ModelPrior, e.Odds = geometric, 1e-30 }, "no_gain", 0, 3},
		{"rounds", set.Targets[0], func(e *Bayes) { e.PerRound, e.MaxRounds = 1, 2 }, "max_rounds", 2, 3},
		{"active", set.Targets[0], func(e *Bayes) { e.Variant, e.PerRound, e.MaxActive = printed, 4, 7 }, "max_active", 7, 3},
		{"none allowed", set.Targets[0], func(e *Bayes) { e.MaxActive = 0 }, "max_active", 0, 3},
		{"one class present", enginetest.Class("y", 3, zeros...), nil, "no_proposal", 0, 3},
		{"one class", enginetest.Class("y", 1, zeros...), nil, "no_proposal", 0, 1},
	} {
		m, steps := fit(t, with(c.change), enginetest.Dataset(set.X, c.target))
		f := m.Fitted()
		pairs := len(m.Coefs())
		if f.Stop != c.want || f.Iterations != pairs || c.at >= 0 && pairs != c.at || c.at < 0 && pairs == 0 || m.Outputs() != c.classes {
			t.Errorf("%s: stop %q with %d pairs (%d told), want %q with %d", c.name, f.Stop, pairs, f.Iterations, c.want, c.at)
		}
		if len(steps) != pairs+1 {
			t.Errorf("%s: %d steps for %d pairs", c.name, len(steps), pairs)
		}
	}
}

// A column that all rows of a class have, and no others, leaves nothing misclassified.
func TestNoProposalIsLeft(t *testing.T) {
	x := enginetest.Matrix([]float64{4, 0}, []float64{4, 0}, []float64{4, 0}, []float64{0, 4}, []float64{0, 4})
	m, _ := fit(t, with(nil), enginetest.Dataset(x, enginetest.Class("y", 2, 0, 0, 0, 1, 1)))
	if f := m.Fitted(); f.Stop != "no_proposal" || len(m.Coefs()) == 0 {
		t.Errorf("stop %s with %v", f.Stop, m.Coefs())
	}
}

func TestSteps(t *testing.T) {
	m, steps := fit(t, with(func(e *Bayes) { e.PerRound, e.MaxRounds = 4, 2 }), sample(3, 80, 12, 3, true))
	if first := steps[0]; first.Iter != 0 || first.Changed.Feature != -1 || first.Whole {
		t.Errorf("starts with %+v", first)
	}
	if len(steps) < 6 {
		t.Fatalf("%d steps", len(steps))
	}
	for k, s := range steps[1:] {
		if s.Iter != k+1 || s.Active != k+1 || s.Changed.Rank != k || !(s.Changed.Score > 0) || s.Changed.Value == 0 {
			t.Errorf("step %d: %+v", k+1, s)
		}
		if s.Whole != (s.Iter == 4 || s.Iter == len(steps)-1) {
			t.Errorf("step %d: estimated %v", s.Iter, s.Whole)
		}
		if !(s.TrainError < steps[k].TrainError) || s.Evaluations < steps[k].Evaluations {
			t.Errorf("step %d: error %v after %v, %d evaluations after %d", s.Iter, s.TrainError, steps[k].TrainError, s.Evaluations, steps[k].Evaluations)
		}
	}
	ranks := map[int]float64{}
	for _, c := range m.Coefs() {
		ranks[c.Rank] = c.Score
	}
	for k, s := range steps[1:] {
		if ranks[k] != s.Changed.Score {
			t.Errorf("rank %d: score %v, at entry %v", k, ranks[k], s.Changed.Score)
		}
	}
}

// The error told of a pair in the middle of a round is that of the model with the pairs so far at their own weights.
func TestStepsAreTheModel(t *testing.T) {
	set := sample(4, 80, 12, 3, false)
	e := with(func(e *Bayes) { e.PerRound, e.MaxRounds, e.RefitTol, e.ModelPrior, e.Odds = 5, 1, 1e-10, geometric, 5 })
	s := started(t, e, set)
	var steps []engines.Step
	s.run.Trace = func(step engines.Step) { steps = append(steps, step) }
	r, err := s.beginRound(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	l := newLiteral(e, set, s.model)
	if err := s.growModel(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	var cur []trial
	for k, step := range steps {
		near(t, fmt.Sprintf("step %d", k), -step.TrainError*float64(len(l.y)), l.logLik(cur), 1e-9)
		a := s.rounds[0].added[k]
		cur = append(cur, trial{int(a.Column), int(a.Class), a.mu})
	}
	if len(steps) != 5 {
		t.Errorf("%d steps", len(steps))
	}
}

func TestReport(t *testing.T) {
	set := sample(5, 80, 12, 3, true)
	set.Targets[0].Levels = append(set.Targets[0].Levels, "absent")
	m, _ := fit(t, with(func(e *Bayes) { e.PerRound, e.MaxRounds, e.RefitIter = 1, 30, 2 }), set)
	f := m.Fitted()
	notes := strings.Join(f.Notes, "\n")
	for _, want := range []string{"not converged after 2 iterations", "1 of 4 classes have no training row", "(absent)"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note %q in\n%s", want, notes)
		}
	}
	facts := map[string]string{}
	for _, fact := range f.Facts {
		facts[fact.Name] = fact.Value
	}
	if facts["pairs selected"] != fmt.Sprint(len(m.Coefs())) || !strings.Contains(facts["misclassified training rows"], " of ") {
		t.Errorf("facts %v", facts)
	}
	if n := strings.Count(facts["β₀ by round"], ", ") + 1; n < 2 || n > 24 {
		t.Errorf("%d rounds in %q", n, facts["β₀ by round"])
	}
	if !f.Probabilities || f.Evaluated == 0 || strings.Contains(notes, "scale them") {
		t.Errorf("%+v", f)
	}
	p := make([]float64, 4*len(set.Targets[0].Values))
	m.Predict(p, enginetest.View(set, nil).Inputs())
	for k, v := range enginetest.Exp(p) {
		if !(v > 0 && v < 1) {
			t.Fatalf("probability %d is %v", k, v)
		}
	}
}

func TestListOfManyRounds(t *testing.T) {
	s := selection{}
	for k := range 30 {
		s.rounds = append(s.rounds, roundStats{proposals: k})
	}
	got := s.describeRounds(func(r roundStats) string { return fmt.Sprint(r.proposals) })
	if want := "18, 19, …, 27, 28, 29"; !strings.HasPrefix(got, "0, 1, 2, ") || !strings.HasSuffix(got, want) {
		t.Errorf("%s, want it to end with %s", got, want)
	}
}

// Raw values beyond 100 are told of, and survived.
func TestLargeValues(t *testing.T) {
	set := sample(6, 60, 8, 3, false)
	_, idx, val := set.X.Rows()
	for k := range val {
		if idx[k] < 4 {
			val[k] *= 5000
		}
	}
	m, _ := fit(t, with(nil), set)
	if notes := strings.Join(m.Fitted().Notes, "\n"); !strings.Contains(notes, "scale them") {
		t.Errorf("notes %q", notes)
	}
	for _, c := range m.Coefs() {
		if c.Value-c.Value != 0 || c.Score-c.Score != 0 {
			t.Errorf("%+v", c)
		}
	}
}

// A row's weight and the number of its copies are the same thing.
func TestWeightsAreCopies(t *testing.T) {
	for _, binary := range []bool{true, false} {
		weighted := sample(7, 60, 12, 3, binary)
		y := weighted.Targets[0].Values
		var rows []int32
		var labels []float64
		for i := range y {
			weighted.Weight = append(weighted.Weight, float64(1+i%3))
			for range 1 + i%3 {
				rows, labels = append(rows, int32(i)), append(labels, y[i])
			}
		}
		copied := enginetest.Dataset(weighted.X.Pick(rows), enginetest.Class("y", 3, labels...))
		e := with(func(e *Bayes) { e.PerRound, e.RefitTol = 3, 1e-10 })
		a, _ := fit(t, e, weighted)
		b, _ := fit(t, e, copied)
		if len(a.Coefs()) != len(b.Coefs()) || len(a.Coefs()) == 0 {
			t.Fatalf("weighted %v, copied %v", a.Coefs(), b.Coefs())
		}
		for k, c := range a.Coefs() {
			d := b.Coefs()[k]
			if !(math.Abs(c.Value-d.Value) <= 1e-8) || !(math.Abs(c.Score-d.Score) <= 1e-8) || c.Rank != d.Rank || c.Feature != d.Feature {
				t.Errorf("weighted %+v, copied %+v", c, d)
			}
		}
	}
}

// Equal columns tie: the lower is taken, and its twin is worth little then.
func TestTwins(t *testing.T) {
	const twin = 9
	taken := false
	for seed := range uint64(8) {
		m, _ := fit(t, with(func(e *Bayes) { e.MaxRounds = 1 }), sample(20+seed, 80, 12, 3, true))
		rank := map[[2]int]int{}
		for _, c := range m.Coefs() {
			rank[[2]int{c.Feature, c.Output}] = c.Rank
		}
		for class := range 3 {
			first, ok := rank[[2]int{0, class}]
			second, both := rank[[2]int{twin, class}]
			taken = taken || ok
			if both && (!ok || second < first) {
				t.Errorf("seed %d: column %d enters before its twin 0: %v", seed, twin, m.Coefs())
			}
		}
	}
	if !taken {
		t.Error("column 0 was never taken")
	}
}

// A cap keeps the proposals that most misclassified rows make.
func TestMostFrequentProposals(t *testing.T) {
	list := make([]proposal, 5)
	for k := range list {
		list[k].Column = int32(k)
	}
	var got []int32
	for _, p := range mostVoted(list, []float64{2, 5, 3, 3, 1}, 3) {
		got = append(got, p.Column)
	}
	if !reflect.DeepEqual(got, []int32{1, 2, 3}) {
		t.Errorf("columns %v", got)
	}
	if got := mostVoted(list, []float64{3, 3, 5, 3, 1}, 2); got[0].Column != 0 || got[1].Column != 2 {
		t.Errorf("of equals the lower: %v", got)
	}
	s := started(t, with(func(e *Bayes) { e.MaxProposals = 4 }), sample(8, 80, 12, 3, true))
	if _, err := s.beginRound(context.Background()); err != nil || s.rounds[0].proposals != 4 {
		t.Errorf("%+v, %v", s.rounds, err)
	}
}

// The fit answers at any moment.
func TestCancelledLate(t *testing.T) {
	why := errors.New("why")
	set := sample(9, 2000, 60, 6, true)
	for _, after := range []time.Duration{time.Millisecond, 10 * time.Millisecond, 50 * time.Millisecond} {
		ctx, cancel := context.WithCancelCause(context.Background())
		timer := time.AfterFunc(after, func() { cancel(why) })
		_, err := with(func(e *Bayes) { e.Variant, e.PerRound = printed, 1 }).Fit(ctx, engines.Run{Train: enginetest.View(set, nil), Workers: 1})
		if !errors.Is(err, why) {
			t.Errorf("after %v: %v", after, err)
		}
		timer.Stop()
		cancel(nil)
	}
}

func TestFootprint(t *testing.T) {
	bytes := func(s engines.Shape) int64 { return with(nil).Footprint(s).Bytes }
	small, large := bytes(engines.Shape{Rows: 1000, Columns: 100, Entries: 5000}), bytes(engines.Shape{Rows: 10_000, Columns: 1000, Entries: 50_000})
	if !(large > 5*small && small > 5000*12) || bytes(engines.Shape{}) < 0 {
		t.Errorf("%d bytes, and %d for ten times the data", small, large)
	}
}
