package tune

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/decision"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/exact"
	"tenfold/engines/ridge/logistic"
	"tenfold/io/results"
	"tenfold/runner/metric"
	"tenfold/runner/score"
)

func TestOracleThreshold(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"tuned_threshold": checkThreshold})
}

func checkThreshold(t *testing.T, c oracle.Case) {
	var in struct {
		Y                      []int
		Margins, Weights, Test []float64
	}
	var options struct {
		Metric  string
		Cost    [][]float64
		Default float64
	}
	var want struct {
		Threshold, Value float64
		Candidates       int
		Test             []int
	}
	c.Parts(t, &in, &options, &want)
	levels := []string{"0", "1"}
	set := metric.Set{}
	if c := options.Cost; c != nil {
		set["cost"] = metric.Definition{Name: "cost", Matrix: results.Costs{"0": {"0": c[0][0], "1": c[0][1]}, "1": {"0": c[1][0], "1": c[1][1]}}}
	}
	m, ok := set.Find(options.Metric)
	if !ok {
		t.Fatal(options.Metric)
	}
	h := heldOut{margins: in.Margins, weights: in.Weights, positive: make([]bool, len(in.Y))}
	for i, y := range in.Y {
		h.positive[i] = y == 1
		if in.Weights == nil {
			h.weights = append(h.weights, 1)
		}
	}
	best, ok := h.bestCut(m.Better, m.ByDecisions(levels), options.Default)
	if !ok || best.among != want.Candidates {
		t.Errorf("%v, %d candidates, expected %d", ok, best.among, want.Candidates)
	}
	oracle.Near(t, "threshold", best.cut, want.Threshold, 1e-12)
	oracle.Near(t, "value", best.value, want.Value, 1e-12)
	d := decision.Rule{Positive: 1, Cut: exact.Float(best.cut)}
	for i, x := range in.Test {
		if got := d.Level([]float64{0, x}); got != want.Test[i] {
			t.Errorf("row %d: %d, expected %d", i, got, want.Test[i])
		}
	}
}

// Cuts beside infinite margins are the upper neighbours; the usual one stays where it decides alike; of equal ones it is the nearest, then
// the lower; and one class has no best cut.
func TestCuts(t *testing.T) {
	t.Parallel()
	accuracy, _ := metric.Find("accuracy")
	f1, _ := metric.Find("f1")
	inf := math.Inf(1)
	for _, c := range []struct {
		name     string
		m        metric.Metric
		margins  []float64
		positive []bool
		usual    float64
		cut      float64
		none     bool
	}{
		{"below an infinite margin", accuracy, []float64{-1, inf}, []bool{false, true}, 2, 2, false},
		{"only infinite ones", accuracy, []float64{-inf, inf}, []bool{false, true}, -inf, inf, false},
		{"above minus infinity", accuracy, []float64{-inf, -3, -2}, []bool{false, true, true}, 0, -3, false},
		{"usual", accuracy, []float64{-1, 3}, []bool{false, true}, 0.5, 0.5, false},
		{"nearest", accuracy, []float64{-4, -2, 2, 4}, []bool{false, true, false, true}, 9, 3, false},
		{"the lower", accuracy, []float64{-4, -2, 2, 4}, []bool{false, true, false, true}, 0, -3, false},
		{"neighbours", accuracy, []float64{1, math.Nextafter(1, 2)}, []bool{false, true}, 0, math.Nextafter(1, 2), false},
		{"one class", f1, []float64{1, 2}, []bool{false, false}, 0, 0, true},
	} {
		h := heldOut{margins: c.margins, positive: c.positive, weights: make([]float64, len(c.margins))}
		for i := range h.weights {
			h.weights[i] = 1
		}
		if best, ok := h.bestCut(c.m.Better, c.m.Counts, c.usual); ok == c.none || best.cut != c.cut {
			t.Errorf("%s: %v, %v; expected %v", c.name, best, ok, c.cut)
		}
	}
}

// A threshold changes decisions and nothing else, comes back from a file, and is a fact of the fit.
func TestThreshold(t *testing.T) {
	t.Parallel()
	v := votes(120)
	plain := logistic.Kind.Defaults().(logistic.Logistic)
	e := Engine{Candidates: []Candidate{{Engine: plain}}, Options: Options{InnerFolds: engines.InnerFolds{K: 4, Repeats: 1}, Choose: chooseBest, Search: Grid, Factor: defaultFactor, Resource: Rows, Threshold: Threshold{Metric: "f1"}}}
	if n := e.Needs(); n.Target != data.Class || n.Levels != 2 {
		t.Errorf("%+v", n)
	}
	m, told := fit(t, e, v)
	alone, err := plain.Fit(t.Context(), engines.Run{Train: v, Rand: random(1), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	measure := func(m engines.Model) (values []float64) {
		var ms []metric.Metric
		for _, name := range []string{"log_loss", "roc_auc", "f1"} {
			one, _ := metric.Find(name)
			ms = append(ms, one)
		}
		values, err := score.Measure(ms, m, nil, v, 1)
		if err != nil {
			t.Fatal(err)
		}
		return values
	}
	cut, usual := measure(m), measure(alone)
	if !(math.Abs(cut[0]-usual[0]) <= 1e-6) || !(math.Abs(cut[1]-usual[1]) <= 1e-6) || !(cut[2] > usual[2]+0.01) {
		t.Errorf("log-loss, AUC and F1 are %v, without a threshold %v", cut, usual)
	}
	if !strings.HasPrefix(told["threshold"], "l1 where its margin is at least ") || !strings.Contains(told["inner f1 at the threshold"], "optimistic") {
		t.Errorf("told %q", told)
	}
	works := map[string]engines.Yield{}
	for _, want := range []int{4, 0} { // margins that are known are not made again
		made := 0
		run := engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1, Recall: func(run engines.Run, w engines.Work, do func(engines.Run) (engines.Yield, error)) (y engines.Yield, _ float64, err error) {
			name := fmt.Sprint(w.What, w.Seed)
			y, known := works[name]
			if !known {
				made++
				y, err = do(run)
				works[name] = y
			}
			return y, 1, err
		}}
		again, err := e.Fit(t.Context(), run)
		if err != nil || made != want {
			t.Errorf("%d of %d works are done: %v", made, want, err)
		}
		if err := enginetest.Same(again, m, v); err != nil {
			t.Error(err)
		}
	}
	e.Threshold.K = 3
	if _, other := fit(t, e, v); other["inner f1 at the threshold"] == told["inner f1 at the threshold"] {
		t.Error("other inner folds give the same margins")
	}
	enginetest.Suite(t, e)
}

// With costs, the usual cut is where the expected costs are equal, of models with probabilities.
func TestCostThreshold(t *testing.T) {
	t.Parallel()
	v := votes(120)
	levels := v.TargetInfo(0).Levels
	set := metric.Set{"cost": {Name: "cost", Matrix: results.Costs{levels[1]: {levels[0]: 5}, levels[0]: {levels[1]: 1}}}}
	options := Options{InnerFolds: engines.InnerFolds{K: 4, Repeats: 1}, Choose: chooseBest, Search: Grid, Factor: defaultFactor, Resource: Rows, Threshold: Threshold{Metric: "cost"}}
	e := Engine{Candidates: []Candidate{{Engine: logistic.Kind.Defaults()}}, Options: options, Defined: set}
	m, told := fit(t, e, v)
	d := m.(engines.Reporter).Fitted().Decision
	if !(d.Cut < 0) || !strings.Contains(told["inner cost at the threshold"], "optimistic") {
		t.Errorf("cut %v, told %q", d.Cut, told)
	}
	if got := decision.CostCut(set["cost"].Matrix.Matrix(levels), 1); !(math.Abs(got+math.Log(5)) <= 1e-12) {
		t.Errorf("usual cut %v", got)
	}
}

func TestNoThreshold(t *testing.T) {
	t.Parallel()
	for fields, o := range map[string]Threshold{"": {Metric: "f:3", K: 2}, "threshold.k": {Metric: "mcc", K: 1}, "threshold.metric": {K: 3}} {
		if got := enginetest.Fields(o.Validate()); got != fields {
			t.Errorf("%+v: complaints about %q, want %q", o, got, fields)
		}
	}
	if got := enginetest.Fields(Threshold{Metric: "roc_auc"}.Validate()); got != "threshold.metric" {
		t.Errorf("ranking: complaints about %q", got)
	}
}
