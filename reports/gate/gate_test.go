package gate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

// cell makes a cell with one row a value of test_mse, on 10-fold-like parts; what changes the rows afterwards.
func cell(dataset, algorithm string, values []float64, change ...func(*results.Row)) *cells.Cell {
	c := &cells.Cell{Dataset: dataset, Algorithm: algorithm, Key: dataset + algorithm, Folds: len(values)}
	for i, v := range values {
		r := &results.Row{Label: results.Label{Dataset: dataset, Algorithm: algorithm, Fold: int32(i), FoldDigest: fmt.Sprint("fold", i), DatasetDigest: "data of " + dataset,
			Unit: fmt.Sprint(dataset, " ", algorithm, " ", i)}}
		r.Status, r.RowsTrain, r.RowsTest = results.OK, 90, 10
		r.Scores = []results.Score{{Metric: "test_mse", Point: -1, Value: v}, {Metric: "accuracy", Point: -1, Value: v, Higher: true}}
		for _, f := range change {
			f(r)
		}
		c.Rows = append(c.Rows, r)
	}
	return c
}

// at puts a cell at a point of a grid.
func at(c *cells.Cell, name string, value any) *cells.Cell {
	c.Grid = append(c.Grid, results.Param{Name: name, Value: value})
	return c
}

// rule has the defaults of the file.
func rule(change func(*Rule)) Rule {
	r := Rule{Metric: "test_mse"}
	r.SetDefaults()
	change(&r)
	return r
}

func number64(x float64) *float64 { return &x }

func relative(x float64) paired.Margin { return paired.Margin{Relative: &x} }
func absolute(x float64) paired.Margin { return paired.Margin{Absolute: &x} }

// accepted is a baseline of cells.
func accepted(t *testing.T, rules []Rule, cs ...*cells.Cell) *Baseline {
	t.Helper()
	b, _, err := Accept(Input{Source: described, Experiment: "x", Rules: rules, Metrics: []string{"test_mse"}, Cells: cs})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// plus are the values shifted, by the amounts in turn.
func plus(values []float64, shift ...float64) []float64 {
	out := slices.Clone(values)
	for i := range out {
		out[i] += shift[i%len(shift)]
	}
	return out
}

var ten = []float64{1.31, 1.28, 1.35, 1.30, 1.33, 1.29, 1.34, 1.27, 1.32, 1.36}

// onRows gives a one-fold cell predictions with the given squared errors, two rows a group.
func onRows(algorithm string, groups int, loss func(i int) float64) *cells.Cell {
	c := cell("d", algorithm, []float64{0})
	r := c.Rows[0]
	sum := 0.0
	for i := range 2 * groups {
		r.Outcome.Predictions.Row = append(r.Outcome.Predictions.Row, fmt.Sprintf("r%05d", i))
		r.Outcome.Predictions.Group = append(r.Outcome.Predictions.Group, fmt.Sprint("g", i/2))
		r.Outcome.Predictions.Output = append(r.Outcome.Predictions.Output, "")
		r.Outcome.Predictions.Truth = append(r.Outcome.Predictions.Truth, 0)
		r.Outcome.Predictions.Prediction = append(r.Outcome.Predictions.Prediction, loss(i))
		sum += loss(i) * loss(i)
	}
	r.Scores[0].Value = sum / float64(2*groups)
	return c
}

func noise(i int) float64 { return 1 + float64(i*7919%101)/200 }

func TestStatuses(t *testing.T) {
	margin := rule(func(r *Rule) { r.Margin = relative(0.02) })
	tested := rule(func(r *Rule) { r.Margin, r.Test = relative(0.02), paired.NameNadeauBengio })
	lenient := rule(func(r *Rule) { r.Margin, r.Test, r.Inconclusive = relative(0.02), paired.NameNadeauBengio, "pass" })
	boot := rule(func(r *Rule) { r.Margin, r.Test = relative(0.02), paired.NameBootstrap })
	accuracy := rule(func(r *Rule) { r.Metric, r.Margin = "accuracy", relative(0.02) })
	accuracyTested := rule(func(r *Rule) { r.Metric, r.Margin, r.Test = "accuracy", relative(0.02), paired.NamePairedT })
	base := func(c ...*cells.Cell) func(Rule) *Baseline {
		return func(r Rule) *Baseline { return accepted(t, []Rule{r}, c...) }
	}
	same := base(cell("d", "a", ten))
	marked := func(reason, metric string, c *cells.Cell) func(Rule) *Baseline {
		return func(r Rule) *Baseline {
			b := accepted(t, []Rule{r}, c)
			e := b.Results["d"]["a"]
			if metric == "" {
				e.ExpectedFailure = reason
			} else {
				m := e.Metrics[metric]
				m.ExpectedFailure = reason
				e.Metrics[metric] = m
			}
			b.Results["d"]["a"] = e
			return b
		}
	}
	failed := func(r *results.Row) {
		if r.Fold == 1 {
			r.Status, r.Error, r.Scores = results.Failed, "out of luck\nat line 3", nil
		}
	}
	for _, c := range []struct {
		name  string
		rule  Rule
		base  func(Rule) *Baseline
		now   *cells.Cell
		want  Status
		worst Status
		words string
	}{
		{"the same", margin, same, cell("d", "a", ten), Pass, Pass, "no difference"},
		{"the same, tested", tested, same, cell("d", "a", ten), Pass, Pass, "no difference"},
		{"no margin, the same", rule(func(*Rule) {}), same, cell("d", "a", ten), Pass, Pass, "no difference"},
		{"no margin, a little worse", rule(func(*Rule) {}), same, cell("d", "a", plus(ten, 1e-6)), Regression, Regression, "worse by 1e-06"},
		{"within the margin", margin, same, cell("d", "a", plus(ten, 0.01)), Pass, Pass, "within the margin of 0.0263"},
		{"worse than the margin", margin, same, cell("d", "a", plus(ten, 0.03)), Regression, Regression, "worse by 0.03, more than the margin of 0.0263"},
		{"better than the margin", margin, same, cell("d", "a", plus(ten, -0.03)), Improvement, Pass, "better by 0.03: worth accepting"},
		{"higher is better: worse", accuracy, same, cell("d", "a", plus(ten, -0.03)), Regression, Regression, "worse by 0.03"},
		{"higher is better: better", accuracy, same, cell("d", "a", plus(ten, 0.03)), Improvement, Pass, "better by 0.03"},
		{"shown within", tested, same, cell("d", "a", plus(ten, 0.002, -0.002, 0.001)), Pass, Pass, "shown to be within the margin of 0.0263 (p < 0.001)"},
		{"shown worse", tested, same, cell("d", "a", plus(ten, 0.05, 0.04, 0.06)), Regression, Regression, "shown worse (p < 0.001) and not shown to be within"},
		{"shown worse, but within", tested, same, cell("d", "a", plus(ten, 0.005, 0.004, 0.006)), Pass, Pass, "worse by 0.005, shown to be within"},
		{"shown better", tested, same, cell("d", "a", plus(ten, -0.05, -0.04)), Improvement, Pass, "worth accepting"},
		{"higher is better: shown worse", accuracyTested, same, cell("d", "a", plus(ten, -0.05, -0.04)), Regression, Regression, "shown worse"},
		{"higher is better: shown better", accuracyTested, same, cell("d", "a", plus(ten, 0.05, 0.04)), Improvement, Pass, "worth accepting"},
		{"higher is better: shown within", accuracyTested, same, cell("d", "a", plus(ten, 0.001, -0.001)), Pass, Pass, "shown to be within"},
		{"inconclusive", tested, same, cell("d", "a", plus(ten, 0.2, -0.15)), Inconclusive, Regression, "neither shown worse"},
		{"inconclusive, let pass", lenient, same, cell("d", "a", plus(ten, 0.2, -0.15)), Inconclusive, Pass, "8 times in 10"},
		{"differs alike on all folds, within", tested, same, cell("d", "a", plus(ten, 0.02)), Pass, Pass, "within the margin"},
		{"differs alike on all folds, too much", tested, same, cell("d", "a", plus(ten, 0.03)), Regression, Regression, "more than the margin"},
		{"two folds", tested, base(cell("d", "a", ten[:2])), cell("d", "a", plus(ten[:2], 0.5, 0.7)), Inconclusive, Regression, "neither"},
		{"bootstrap, the same", boot, base(onRows("a", 300, noise)), onRows("a", 300, noise), Pass, Pass, "no difference"},
		{"bootstrap, worse", boot, base(onRows("a", 300, noise)), onRows("a", 300, func(i int) float64 { return noise(i) + 0.1 }), Regression, Regression, "shown worse"},
		{"bootstrap, better", boot, base(onRows("a", 300, noise)), onRows("a", 300, func(i int) float64 { return noise(i) - 0.1 }), Improvement, Pass, "better by"},
		{"bootstrap, without block sums", boot, func(Rule) *Baseline { return accepted(t, []Rule{margin}, onRows("a", 300, noise)) },
			onRows("a", 300, noise), Incomparable, Incomplete, "accepted without a bootstrap rule"},
		{"bootstrap of several folds", boot, same, cell("d", "a", ten), Incomparable, Incomplete, "there are 10"},
		{"t-test of one fold", tested, base(cell("d", "a", ten[:1])), cell("d", "a", ten[:1]), Incomparable, Incomplete, "needs several folds"},
		{"other folds", margin, same, cell("d", "a", ten, func(r *results.Row) { r.FoldDigest += "x" }), Incomparable, Incomplete, "10 of 10 have other rows"},
		{"fewer folds", margin, same, cell("d", "a", ten[:5]), Incomparable, Incomplete, "there are 5 now, the reference has 10"},
		{"other data", margin, same, cell("d", "a", ten, func(r *results.Row) { r.DatasetDigest = "new" }), Incomparable, Incomplete, "data set is another one"},
		{"optimistic", margin, same, cell("d", "a", ten, func(r *results.Row) { r.Optimistic = true }), Incomparable, Incomplete, "now optimistic, the reference honest"},
		{"other direction", margin, same, cell("d", "a", ten, func(r *results.Row) { r.Scores[0].Higher = true }), Incomparable, Incomplete, "direction"},
		{"zero reference", margin, base(cell("d", "a", []float64{0, 0})), cell("d", "a", []float64{1, 0}), Incomparable, Incomplete, "use absolute"},
		{"zero reference, no margin", rule(func(*Rule) {}), base(cell("d", "a", []float64{0, 0})), cell("d", "a", []float64{1, 0}), Regression, Regression, "worse by 0.5"},
		{"zero reference, no margin, rounding", rule(func(*Rule) {}), base(cell("d", "a", []float64{0, 0})), cell("d", "a", []float64{1e-16, 0}), Pass, Pass, "worse by"},
		{"zero reference, no difference", margin, base(cell("d", "a", []float64{0, 0})), cell("d", "a", []float64{0, 0}), Pass, Pass, "no difference"},
		{"zero reference, absolute", rule(func(r *Rule) { r.Margin = absolute(1) }), base(cell("d", "a", []float64{0, 0})), cell("d", "a", []float64{1, 0}), Pass, Pass, "within"},
		{"a failed fold", margin, same, cell("d", "a", ten, failed), Incomplete, Incomplete, "1/10 failed: out of luck"},
		{"a missing fold", margin, same, func() *cells.Cell { c := cell("d", "a", ten[:9]); c.Folds = 10; return c }(), Incomplete, Incomplete, "1/10 missing"},
		{"never ran", margin, same, &cells.Cell{Dataset: "d", Algorithm: "a", Folds: 10}, Incomplete, Incomplete, "never ran"},
		{"NULL", margin, same, cell("d", "a", ten, func(r *results.Row) { r.Scores = nil }), Incomplete, Incomplete, "test_mse has no value"},
		{"NULL on one fold", margin, same, cell("d", "a", ten, func(r *results.Row) { r.Scores = r.Scores[:min(2, int(r.Fold)*2)] }), Incomplete, Incomplete, "on 1 of 10 folds"},
		{"infinite", margin, same, cell("d", "a", ten, func(r *results.Row) { r.Scores[0].Value = math.Inf(1) }), Incomplete, Incomplete, "infinite"},
		{"overflow", margin, same, cell("d", "a", ten, func(r *results.Row) { r.Scores[0].Value = 1.7e308 }), Incomplete, Incomplete, "too large"},
		{"no baseline", margin, func(Rule) *Baseline { return nil }, cell("d", "a", ten), Incomplete, Incomplete, "there is no baseline"},
		{"not recorded", margin, same, cell("d", "b", ten), Incomplete, Incomplete, "does not have this cell"},
		{"metric not recorded", accuracy, func(Rule) *Baseline { return accepted(t, []Rule{margin}, cell("d", "a", ten)) }, cell("d", "a", ten), Incomplete, Incomplete, "without this metric"},
		{"no such cell", rule(func(r *Rule) { r.Algorithms = []string{"z"} }), func(Rule) *Baseline { return accepted(t, []Rule{margin}, cell("d", "a", ten)) }, cell("d", "a", ten), Incomplete, Incomplete, "no cell of the experiment"},
		{"expected to fail, and fails", margin, marked("known", "", cell("d", "a", ten)), cell("d", "a", ten, failed), ExpectedFailure, Incomplete, "1/10 failed"},
		{"expected to be worse, and is", margin, marked("known", "test_mse", cell("d", "a", ten)), cell("d", "a", plus(ten, 1)), ExpectedFailure, Pass, "worse by 1"},
		{"expected to fail, and passes", margin, marked("known", "test_mse", cell("d", "a", ten)), cell("d", "a", ten), Pass, Pass, "no difference"},
		{"minimum reached", rule(func(r *Rule) { r.Min = number64(1.3) }), func(Rule) *Baseline { return nil }, cell("d", "a", ten), Pass, Pass, "within its bounds"},
		{"below the minimum", rule(func(r *Rule) { r.Min = number64(1.4) }), func(Rule) *Baseline { return nil }, cell("d", "a", ten), Regression, Regression, "below the minimum of 1.4"},
		{"above the maximum", rule(func(r *Rule) { r.Max = number64(1.3) }), func(Rule) *Baseline { return nil }, cell("d", "a", ten), Regression, Regression, "above the maximum of 1.3"},
		{"bounds, NULL", rule(func(r *Rule) { r.Max = number64(1.3) }), func(Rule) *Baseline { return nil }, cell("d", "a", ten, func(r *results.Row) { r.Scores = nil }), Incomplete, Incomplete, "no value"},
		{"a bound besides a margin", rule(func(r *Rule) { r.Max, r.Margin = number64(1.3), relative(1) }), same, cell("d", "a", ten), Regression, Regression, "above the maximum"},
		{"a bound, and nothing to compare with", rule(func(r *Rule) { r.Max, r.Margin = number64(1.3), relative(1) }), func(Rule) *Baseline { return nil }, cell("d", "a", ten), Regression, Regression, "above the maximum"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Check(Input{Source: described, Experiment: "x", Rules: []Rule{c.rule}, Cells: []*cells.Cell{c.now}, Baseline: c.base(c.rule)})
			v := o.Verdicts[0]
			if v.Status != c.want || o.Worst() != c.worst || !strings.Contains(v.Words, c.words) {
				t.Errorf("got %s (%s): %q\nwant %s (%s): %q", v.Status, o.Worst(), v.Words, c.want, c.worst, c.words)
			}
			if text := v.Words + strings.Join(v.Notes, ""); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
				t.Error(text)
			}
		})
	}
}

// A mark that has become needless is told of.
func TestExpectedFailureThatPasses(t *testing.T) {
	b := accepted(t, []Rule{rule(func(*Rule) {})}, cell("d", "a", ten))
	b.Results["d"]["a"] = Entry{ExpectedFailure: "diverges"}
	for _, c := range []*cells.Cell{cell("d", "a", ten)} {
		o := Check(Input{Source: described, Rules: []Rule{rule(func(*Rule) {})}, Cells: []*cells.Cell{c}, Baseline: b})
		v := o.Verdicts[0]
		if v.Status != Pass || !slices.Contains(v.Notes, "no longer fails: remove expected_failure") {
			t.Errorf("got %s, %q", v.Status, v.Notes)
		}
	}
}

func TestVanishedCellIsIncomplete(t *testing.T) {
	r := []Rule{rule(func(*Rule) {})}
	b := accepted(t, r, cell("d", "a", ten), at(cell("d", "b", ten), "epsilon", 0.01))
	o := Check(Input{Source: described, Experiment: "x", Rules: r, Cells: []*cells.Cell{cell("d", "a", ten)}, Baseline: b})
	if len(o.Verdicts) != 2 || o.Verdicts[1].Status != Incomplete || o.Verdicts[1].Algorithm != "b epsilon=0.01" || o.Verdicts[1].Rule != -1 || o.Worst() != Incomplete {
		t.Errorf("got %+v", o.Verdicts)
	}
	bounds := []Rule{rule(func(r *Rule) { r.Max = number64(2) })}
	if o := Check(Input{Source: described, Experiment: "x", Rules: bounds, Cells: []*cells.Cell{cell("d", "a", ten)}, Baseline: b}); o.Worst() != Incomplete {
		t.Errorf("a recorded cell and its rule may go together: %+v", o.Verdicts)
	}
}

func TestAgainst(t *testing.T) {
	r := rule(func(r *Rule) { r.Against, r.Margin, r.Test = "ridge", relative(0.02), paired.NameNadeauBengio })
	grid := func(algorithm string, lambda float64, shift float64) *cells.Cell {
		return at(cell("d", algorithm, plus(ten, shift, shift*1.1)), "lambda", lambda)
	}
	for _, c := range []struct {
		name  string
		rule  Rule
		cells []*cells.Cell
		want  string // status and reference of each verdict
	}{
		{"the only one", r, []*cells.Cell{cell("d", "a", plus(ten, 0.1, 0.12)), cell("d", "ridge", ten)}, "regression ridge"},
		{"better", r, []*cells.Cell{cell("d", "a", plus(ten, -0.1, -0.12)), cell("d", "ridge", ten)}, "pass ridge"},
		{"the only grid point", r, []*cells.Cell{cell("d", "a", ten), grid("ridge", 1, 0)}, "pass ridge lambda=1"},
		{"the same grid point", r, []*cells.Cell{grid("a", 2, 0), grid("ridge", 1, 1), grid("ridge", 2, 0)}, "pass ridge lambda=2"},
		{"an exact label", rule(func(r *Rule) { r.Against = "ridge lambda=1" }), []*cells.Cell{cell("d", "a", ten), grid("ridge", 1, 0), grid("ridge", 2, 1)},
			"pass ridge lambda=1, regression ridge lambda=1"},
		{"no way to choose", r, []*cells.Cell{cell("d", "a", ten), grid("ridge", 1, 0), grid("ridge", 2, 0)}, "incomparable "},
		{"elsewhere", r, []*cells.Cell{cell("d", "a", ten), cell("e", "ridge", ten)}, "incomparable "},
		{"nothing but itself", r, []*cells.Cell{cell("d", "ridge", ten)}, "incomplete "},
		{"the reference failed", r, []*cells.Cell{cell("d", "a", ten), {Dataset: "d", Algorithm: "ridge"}}, "incomplete ridge"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var ran []*cells.Cell
			for _, c := range c.cells {
				if len(c.Rows) > 0 {
					ran = append(ran, c)
				}
			}
			b := accepted(t, []Rule{rule(func(*Rule) {})}, ran...)
			o := Check(Input{Source: described, Experiment: "x", Rules: []Rule{c.rule}, Cells: c.cells, Baseline: b})
			var got []string
			for _, v := range o.Verdicts {
				if v.Rule >= 0 {
					got = append(got, string(v.Status)+" "+v.Against)
				}
			}
			if s := strings.Join(got, ", "); s != c.want {
				t.Errorf("got %q, want %q: %s", s, c.want, o.Verdicts[0].Words)
			}
		})
	}
}

// Twenty cells that are worse by chance: without Holm's adjustment the smallest p-value would make a regression.
func TestHolmOverTheCellsOfARule(t *testing.T) {
	r := rule(func(r *Rule) { r.Margin, r.Test = relative(0.001), paired.NamePairedT })
	shift := []float64{0.03, -0.01, 0.025, -0.012, 0.02, 0.01, -0.005, 0.015, 0.01, -0.01}
	run := func(n int) Outcome {
		var before, now []*cells.Cell
		for i := range n {
			name := fmt.Sprint("a", i)
			before = append(before, cell("d", name, ten))
			s := shift
			if i > 0 {
				s = []float64{0.02, -0.02}
			}
			now = append(now, cell("d", name, plus(ten, s...)))
		}
		return Check(Input{Source: described, Rules: []Rule{rule(func(x *Rule) { *x = r; x.Alpha = 0.1 })}, Cells: now, Baseline: accepted(t, []Rule{r}, before...)})
	}
	alone, many := run(1), run(20)
	if alone.Verdicts[0].Status != Regression || many.Verdicts[0].Status != Inconclusive {
		t.Errorf("alone %s (p %.4f), among twenty %s (p %.4f)", alone.Verdicts[0].Status, alone.Verdicts[0].PWorse, many.Verdicts[0].Status, many.Verdicts[0].PWorse)
	}
}

// The same for twenty cells that are better by chance: none of them is worth accepting.
func TestHolmOfImprovements(t *testing.T) {
	r := rule(func(r *Rule) { r.Margin, r.Test, r.Alpha = relative(0.5), paired.NamePairedT, 0.1 })
	shift := []float64{-0.03, 0.01, -0.025, 0.012, -0.02, -0.01, 0.005, -0.015, -0.01, 0.01}
	var before, now []*cells.Cell
	for i := range 20 {
		name := fmt.Sprint("a", i)
		before, now = append(before, cell("d", name, ten)), append(now, cell("d", name, plus(ten, 0.02, -0.02)))
	}
	now[0] = cell("d", "a0", plus(ten, shift...))
	check := func(n int) Verdict {
		return Check(Input{Source: described, Rules: []Rule{r}, Cells: now[:n], Baseline: accepted(t, []Rule{r}, before[:n]...)}).Verdicts[0]
	}
	strict := r
	strict.Alpha = 0.05 // below the p-value
	if v := Check(Input{Source: described, Rules: []Rule{strict}, Cells: now[:1], Baseline: accepted(t, []Rule{strict}, before[0])}).Verdicts[0]; v.Status != Pass {
		t.Errorf("at level 0.05 %s (p %.4f)", v.Status, v.PBetter)
	}
	if alone, many := check(1), check(20); alone.Status != Improvement || many.Status != Pass {
		t.Errorf("alone %s (p %.4f), among twenty %s (p %.4f)", alone.Status, alone.PBetter, many.Status, many.PBetter)
	}
}

// What is better depends on the metric.
func TestAcceptedDirections(t *testing.T) {
	rules := []Rule{rule(func(*Rule) {}), rule(func(r *Rule) { r.Metric = "accuracy" })}
	old := accepted(t, rules, cell("d", "a", ten))
	_, changes, err := Accept(Input{Source: described, Experiment: "x", Rules: rules, Cells: []*cells.Cell{cell("d", "a", plus(ten, 0.1))}, Baseline: old})
	if err != nil || changes.String() != "1 better, 1 worse" {
		t.Errorf("%s, %v", changes, err)
	}
	_, changes, err = Accept(Input{Source: described, Experiment: "x", Rules: rules[:1], Cells: []*cells.Cell{cell("d", "a", plus(ten, 0.1))}, Baseline: old})
	if err != nil || changes.String() != "1 gone, 1 worse" {
		t.Errorf("without accuracy: %s, %v", changes, err)
	}
}

func TestWithoutRules(t *testing.T) {
	in := Input{Source: described, Experiment: "x", Metrics: []string{"test_mse", "nonzero", "train_r2", "f1"}, Cells: []*cells.Cell{cell("d", "a", ten)}}
	b, _, err := Accept(in)
	if err != nil {
		t.Fatal(err)
	}
	in.Baseline = b
	o := Check(in)
	if o.Worst() != Pass || len(o.Verdicts) != 1 || o.Verdicts[0].Metric != "test_mse" || o.Verdicts[0].Rule != -1 {
		t.Errorf("got %s %+v %q", o.Worst(), o.Verdicts, o.Notes)
	}
	in.Cells = []*cells.Cell{cell("d", "a", plus(ten, 1e-8))}
	if o := Check(in); o.Worst() != Regression {
		t.Errorf("a change of 1e-8 passes: %+v", o.Verdicts)
	}
}

func TestNothingMeasuredNeverPasses(t *testing.T) {
	for _, rules := range [][]Rule{nil, {rule(func(*Rule) {})}, {rule(func(r *Rule) { r.Min = number64(0) })},
		{rule(func(r *Rule) { r.Against = "b" })}, {rule(func(r *Rule) { r.Test, r.Inconclusive = paired.NameNadeauBengio, "pass" })}} {
		for _, metrics := range [][]string{nil, {"nonzero"}, {"test_mse"}} {
			good := accepted(t, []Rule{rule(func(*Rule) {})}, cell("d", "a", ten), cell("d", "b", ten))
			marked := &Baseline{Experiment: "x", Results: map[string]map[string]Entry{"d": {"a": {ExpectedFailure: "x"}, "b": {ExpectedFailure: "x"}}}}
			for _, b := range []*Baseline{nil, {}, good, marked} {
				for _, cs := range [][]*cells.Cell{nil, {{Dataset: "d", Algorithm: "a"}, {Dataset: "d", Algorithm: "b"}},
					{cell("d", "a", ten, func(r *results.Row) { r.Status = results.Failed }), cell("d", "b", ten, func(r *results.Row) { r.Status = results.Timeout })},
					{cell("d", "a", ten, func(r *results.Row) { r.Scores = nil })}} {
					o := Check(Input{Source: described, Experiment: "x", Rules: rules, Metrics: metrics, Cells: cs, Baseline: b})
					if o.Worst() != Incomplete {
						t.Errorf("rules %+v, metrics %q, baseline %+v, cells %v: %s", rules, metrics, b, cs, o.Worst())
					}
				}
			}
		}
	}
}

// Whatever the rule, results that did not change pass against the baseline made of them.
func TestTheSameAlwaysPasses(t *testing.T) {
	several := []*cells.Cell{cell("d", "a", ten), at(cell("d", "b", plus(ten, 0.3, -0.2)), "epsilon", 0.1), cell("e", "a", []float64{0, 0, 0}),
		cell("e", "b", []float64{-1, 1, 0.30000000000000004}), cell("f", "a", []float64{1e-300, 1e300})}
	single := []*cells.Cell{onRows("a", 7, noise), onRows("b", 500, noise), onRows("c", 120, func(int) float64 { return 0 })}
	for _, metric := range []string{"test_mse", "accuracy"} {
		for _, margin := range []paired.Margin{{}, relative(0), relative(0.1), absolute(0), absolute(3)} {
			for _, test := range append(paired.TestNames(), "") {
				for _, inconclusive := range []string{"fail", "pass"} {
					cs := several
					switch test {
					case paired.NameMcNemar: // needs another algorithm
						continue
					case paired.NameBootstrap:
						cs = single
						if metric == "accuracy" {
							continue
						}
					}
					r := rule(func(r *Rule) { r.Metric, r.Margin, r.Test, r.Inconclusive = metric, margin, test, inconclusive })
					for _, c := range cs { // data sets with other rows are other data sets
						o := Check(Input{Source: described, Experiment: "x", Rules: []Rule{r}, Cells: []*cells.Cell{c}, Baseline: reread(t, accepted(t, []Rule{r}, c))})
						if o.Worst() != Pass || o.Verdicts[0].Status != Pass || o.Verdicts[0].Difference != 0 {
							t.Errorf("%+v: %s %s", r, c.Algorithm, o.Verdicts[0].Words)
						}
					}
				}
			}
		}
	}
}

// A loss of three margins is a regression, whichever direction of the metric is the better and however it is tested; a gain
// of three is none.
func TestLossBeyondTheMarginFails(t *testing.T) {
	for metric, better := range map[string]float64{"test_mse": -1, "accuracy": 1} {
		for _, margin := range []paired.Margin{{}, relative(0.001), relative(0.05), absolute(0.01)} {
			for _, test := range []string{paired.None, paired.NamePairedT, paired.NameNadeauBengio, paired.NameWilcoxon, paired.NameSign} {
				r := rule(func(r *Rule) { r.Metric, r.Margin, r.Test = metric, margin, test })
				b := accepted(t, []Rule{r}, cell("d", "a", ten))
				m, err := absoluteMargin(margin, 1.315)
				if err != nil {
					t.Fatal(err)
				}
				for sign, want := range map[float64]Status{better: Pass, -better: Regression} {
					o := Check(Input{Source: described, Experiment: "x", Rules: []Rule{r}, Baseline: b, Cells: []*cells.Cell{cell("d", "a", plus(ten, sign*2.9*m, sign*3.1*m))}})
					if o.Worst() != want {
						t.Errorf("%s, margin %s, test %s, %+.0f margins: %s", metric, marginText(margin), test, 3*sign, o.Verdicts[0].Words)
					}
				}
			}
		}
	}
}

// With inconclusive: pass only what is shown worse fails. Where the test can show nothing for so many cells, nothing would.
func TestTheGateCanFail(t *testing.T) {
	r := rule(func(r *Rule) { r.Margin, r.Test, r.Inconclusive = relative(0.02), paired.NameBootstrap, "pass" })
	worse := func(i int) float64 { return noise(i) + 1 }
	for n, want := range map[int]int{2: 0, 101: 1} { // notes; 101/2001 > 0.05
		var before, now []*cells.Cell
		for i := range n {
			before = append(before, at(onRows("a", 20, noise), "epsilon", i))
			now = append(now, at(onRows("a", 20, worse), "epsilon", i))
		}
		o := Check(Input{Source: described, Experiment: "x", Rules: []Rule{r}, Cells: now, Baseline: accepted(t, []Rule{r}, before...)})
		if o.Worst() != Regression || len(o.Notes) != want {
			t.Errorf("%d cells with four times the error: %s, %q", n, o.Worst(), o.Notes)
		}
	}
	for _, c := range []struct {
		change func(*Rule)
		want   string
	}{
		{func(r *Rule) { r.Test, r.Alpha = paired.NameBootstrap, 0.0004 }, "alpha: 0.0004, but p-values of bootstrap do not go below 0.0005"},
		{func(r *Rule) { r.Test, r.Metric = paired.NameBootstrap, "test_r2" }, "test: bootstrap is a test of accuracy, error, integrated_brier, log_loss, mae, micro_f1, poisson_deviance, rmse, test_mse, not of test_r2"},
		{func(r *Rule) { r.Test, r.Metric = paired.NameNadeauBengio, "stability" }, "test: stability is measured on all folds together"},
		{func(r *Rule) { r.Test, r.Metric = paired.None, "stability" }, ""},
		{func(r *Rule) { r.Test, r.Alpha = paired.NameNadeauBengio, 0.0004 }, ""},
		{func(r *Rule) { r.Test, r.Alpha = paired.NameBootstrap, 0.0005 }, ""},
		{func(r *Rule) { r.Test, r.Metric, r.Against = paired.NameMcNemar, "test_mse", "b" }, "test: mcnemar is a test of accuracy, error, micro_f1, not of test_mse"},
		{func(r *Rule) { r.Test, r.Metric = paired.NameMcNemar, "error" }, "test: mcnemar works on single rows, of which the baseline has sums alone"},
		{func(r *Rule) { r.Test, r.Metric, r.Against = paired.NameMcNemar, "error", "b" }, ""},
		{func(r *Rule) { r.Test = paired.NameWilcoxon }, ""},
	} {
		got := ""
		r := rule(c.change)
		if err := cmp.Or(r.Validate(), r.ValidateMetrics(described.Metrics)); err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) || got != "" && c.want == "" {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Result files have the columns of parameters in the order of the first algorithm that has them: adding one in front of
// another must not lose what is recorded of that.
func TestOrderOfParameters(t *testing.T) {
	r := rule(func(*Rule) {})
	b := accepted(t, []Rule{r}, at(at(cell("d", "a", ten), "epsilon", 0.1), "patience", int64(5)))
	o := Check(Input{Source: described, Experiment: "x", Rules: []Rule{r}, Cells: []*cells.Cell{at(at(cell("d", "a", ten), "patience", int64(5)), "epsilon", 0.1)}, Baseline: b})
	if o.Worst() != Pass || len(o.Verdicts) != 1 {
		t.Errorf("%s: %+v", o.Worst(), o.Verdicts)
	}
}

func TestRecordedButNotCompared(t *testing.T) {
	mse, accuracy := rule(func(*Rule) {}), rule(func(r *Rule) { r.Metric = "accuracy" })
	cs := []*cells.Cell{cell("d", "a", ten), cell("d", "b", ten)}
	b := accepted(t, []Rule{mse, accuracy}, cs...)
	mse.Algorithms = []string{"a"}
	o := Check(Input{Source: described, Experiment: "x", Rules: []Rule{mse}, Cells: cs, Baseline: b})
	if o.Worst() != Pass || !slices.Equal(o.Warnings, []string{"accuracy: recorded, and no rule compares it any more (d, a; d, b); accept it again if that is meant",
		"test_mse: recorded, and no rule compares it any more (d, b); accept it again if that is meant"}) {
		t.Errorf("%s, %q", o.Worst(), o.Warnings)
	}
}

func TestChangedMarginIsNoted(t *testing.T) {
	b := accepted(t, []Rule{rule(func(r *Rule) { r.Margin = relative(0.01) })}, cell("d", "a", ten))
	o := Check(Input{Source: described, Experiment: "y", Rules: []Rule{rule(func(r *Rule) { r.Margin = relative(0.02) })}, Cells: []*cells.Cell{cell("d", "a", plus(ten, 0.02))}, Baseline: b})
	if o.Worst() != Pass || !slices.Equal(o.Warnings, []string{"the baseline is of the experiment x", "test_mse: the margin is now 2 %, 1 % when the baseline was accepted (d, a)"}) {
		t.Errorf("got %s, %q", o.Worst(), o.Warnings)
	}
}

func TestToleranceByHand(t *testing.T) {
	b := accepted(t, []Rule{rule(func(*Rule) {})}, cell("d", "a", ten))
	rec := b.Results["d"]["a"].Metrics["test_mse"]
	wide := absolute(0.5)
	rec.Tolerance = &wide
	b.Results["d"]["a"].Metrics["test_mse"] = rec
	o := Check(Input{Source: described, Experiment: "x", Rules: []Rule{rule(func(*Rule) {})}, Cells: []*cells.Cell{cell("d", "a", plus(ten, 0.4))}, Baseline: b})
	if v := o.Verdicts[0]; v.Status != Pass || v.Margin != 0.5 {
		t.Errorf("got %s, margin %v", v.Status, v.Margin)
	}
}

// Stability is of all folds together: a margin decides, and a test cannot.
func TestMetricOfACell(t *testing.T) {
	with := func(features ...string) *cells.Cell {
		c := cell("d", "a", ten[:3])
		for i, r := range c.Rows {
			r.Columns, r.Features = 50, 2
			r.Outcome.Selected = []results.Selected{{Feature: "always"}, {Feature: features[i]}}
		}
		return c
	}
	r := rule(func(r *Rule) { r.Metric, r.Margin = "stability", absolute(0.05) })
	steady, shaky := with("x", "x", "x"), with("x", "y", "z")
	b := reread(t, accepted(t, []Rule{r}, steady))
	if o := Check(Input{Source: described, Rules: []Rule{r}, Cells: []*cells.Cell{steady}, Baseline: b}); o.Worst() != Pass {
		t.Errorf("the same: %+v", o.Verdicts)
	}
	if o := Check(Input{Source: described, Rules: []Rule{r}, Cells: []*cells.Cell{shaky}, Baseline: b}); o.Worst() != Regression {
		t.Errorf("less stable: %+v", o.Verdicts)
	}
	r.Test = paired.NameNadeauBengio
	if o := Check(Input{Source: described, Rules: []Rule{r}, Cells: []*cells.Cell{steady}, Baseline: b}); o.Verdicts[0].Status != Incomparable {
		t.Errorf("tested: %+v", o.Verdicts)
	}
}

// A thousand cells with three metrics on five folds, and nothing changed: what CI does most of the time.
func BenchmarkCheck(b *testing.B) {
	var rules []Rule
	for _, m := range []string{"test_mse", "accuracy"} {
		rules = append(rules, rule(func(r *Rule) { r.Metric, r.Margin, r.Test = m, relative(0.02), paired.NameNadeauBengio }))
	}
	var cs []*cells.Cell
	for i := range 1000 {
		cs = append(cs, at(cell("d", "a", plus(ten, float64(i)/1000)), "epsilon", float64(i)/1000))
	}
	in := Input{Source: described, Experiment: "x", Rules: rules, Cells: cs}
	base, _, err := Accept(in)
	if err != nil {
		b.Fatal(err)
	}
	file := []byte(written(b, base))
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		if in.Baseline, err = Parse("x", file, described.Metrics); err != nil {
			b.Fatal(err)
		}
		if o := Check(in); o.Worst() != Pass {
			b.Fatal(o.Worst())
		}
	}
}

// BenchmarkCheckRows is the same on the rows of one fold: a hundred cells, 20,000 predictions each.
func BenchmarkCheckRows(b *testing.B) {
	rules := []Rule{rule(func(r *Rule) { r.Margin, r.Test = relative(0.02), paired.NameBootstrap })}
	var cs []*cells.Cell
	for i := range 100 {
		cs = append(cs, at(onRows("a", 10000, noise), "epsilon", float64(i)))
	}
	in := Input{Source: described, Experiment: "x", Rules: rules, Cells: cs}
	base, _, err := Accept(in)
	if err != nil {
		b.Fatal(err)
	}
	in.Baseline = base
	for b.Loop() {
		if o := Check(in); o.Worst() != Pass {
			b.Fatal(o.Worst())
		}
	}
}

// TestRuleOnFolds: a test is refused where a data set of the rule cannot support it, and only there.
func TestRuleOnFolds(t *testing.T) {
	t.Parallel()
	parts := map[string]int{"four": 4, "five": 5, "one": 1, "ten": 10}
	for _, c := range []struct {
		test, datasets string
		predictions    bool
		want           string
	}{
		{"", "", false, ""}, {paired.NameNadeauBengio, "", true, "data set one has one"}, {paired.NameNadeauBengio, "ten", true, ""}, {paired.NamePairedT, "one cutoff=5", true, "data set one has one"},
		{paired.NameBootstrap, "", true, "data set five has 5"}, {paired.NameBootstrap, "one", true, ""}, {paired.NameBootstrap, "one", false, "predictions: false"},
		{paired.NameMcNemar, "ten", true, "data set ten has 10"}, {paired.NameMcNemar, "one", false, "predictions: false"}, {paired.NameMcNemar, "one", true, ""},
		{paired.NameWilcoxon, "ten", false, ""}, {paired.NameSign, "five", true, ""}, {paired.None, "", false, ""},
		{paired.NameSign, "four", true, "p-values of sign over the 4 folds of data set four do not go below 0.0625: it could show nothing at alpha = 0.05; take 5 folds or nadeau-bengio"},
		{paired.NameWilcoxon, "", true, "data set four do not go below"},
	} {
		r := Rule{Test: c.test, Alpha: 0.05}
		if c.datasets != "" {
			r.Datasets = []string{c.datasets}
		}
		err := r.ValidateFolds(parts, c.predictions)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Labels of planned fits tell, as their results will, which data sets a baseline is not about any more.
func TestOutdated(t *testing.T) {
	planned := func(change func(*results.Label)) (labels []results.Label, all []*cells.Cell) {
		var rows []results.Row
		for _, task := range []string{"", "one", "two"} {
			for fold := range 2 {
				l := results.Label{Dataset: "plain", Algorithm: "a", Cell: "c" + task, Fold: int32(fold), FoldDigest: fmt.Sprint("fold", fold, task), DatasetDigest: "data"}
				if task != "" {
					l.Dataset, l.Family, l.Task = "news/"+task, "news", task
				}
				change(&l)
				labels = append(labels, l)
				rows = append(rows, results.Row{Label: l, Outcome: results.Outcome{Status: results.OK, Scores: []results.Score{{Metric: "test_mse", Point: -1, Value: 1}}}})
			}
		}
		return labels, cells.AcrossTasks(cells.Planned(rows, labels))
	}
	labels, all := planned(func(*results.Label) {})
	b := accepted(t, []Rule{rule(func(*Rule) {})}, all...)
	if why := b.Outdated(labels); why != nil {
		t.Errorf("nothing has changed: %q", why)
	}
	for want, change := range map[string]func(*results.Label){
		"plain: the data set is another one": func(l *results.Label) {
			if l.Family == "" {
				l.DatasetDigest = "other"
			}
		},
		"plain: not the same folds: 1 of 2 have": func(l *results.Label) {
			if l.Family == "" && l.Fold == 1 {
				l.FoldDigest = "other"
			}
		},
		"news: not the same tasks: 1 of 2 have": func(l *results.Label) {
			if l.Task == "two" && l.Fold == 0 {
				l.FoldDigest = "other"
			}
		},
	} {
		labels, _ := planned(change)
		if why := b.Outdated(labels); len(why) != 1 || !strings.HasPrefix(why[0], want) {
			t.Errorf("%q, want %q", why, want)
		}
	}
}

// Rules on the tasks of a family take the tests that are over tasks.
func TestRuleOnFamilies(t *testing.T) {
	for test, good := range map[string]bool{"": true, paired.None: true, paired.NamePairedT: true, paired.NameWilcoxon: true, paired.NameSign: true,
		paired.NameNadeauBengio: false, paired.NameBootstrap: false, paired.NameMcNemar: false} {
		if err := (Rule{Test: test}).ValidateFamilies([]string{"news"}, nil); (err == nil) != good {
			t.Errorf("%s: %v", test, err)
		}
		if err := (Rule{Test: test, Datasets: []string{"other"}}).ValidateFamilies([]string{"news"}, nil); err != nil {
			t.Errorf("%s of another data set: %v", test, err)
		}
	}
	family := func(shift ...float64) *cells.Cell {
		var tasks []*cells.Cell
		for i, v := range plus(ten, shift...) {
			c := cell("news", "a", []float64{v, v})
			c.Task = fmt.Sprint("task", i)
			for _, r := range c.Rows {
				r.Family, r.Task = "news", c.Task
			}
			tasks = append(tasks, c)
		}
		return cells.AcrossTasks(tasks)[0]
	}
	for test, want := range map[string]Status{paired.NameWilcoxon: Regression, paired.NameSign: Regression, paired.NamePairedT: Regression,
		paired.NameNadeauBengio: Incomparable, paired.NameBootstrap: Incomparable} {
		r := rule(func(r *Rule) { r.Margin, r.Test = relative(0.02), test })
		b := accepted(t, []Rule{rule(func(*Rule) {})}, family(0))
		if v := Check(Input{Source: described, Rules: []Rule{r}, Cells: []*cells.Cell{family(0.1, 0.2)}, Baseline: b}).Verdicts[0]; v.Status != want {
			t.Errorf("%s: %s, %s", test, v.Status, v.Words)
		}
	}
}

// Tests of ranks and signs go their own way where one fold outweighs the others, and say so.
func TestRanksAgainstTheMean(t *testing.T) {
	shift := slices.Repeat([]float64{0.01}, 10)
	for i := range shift {
		shift[i] += float64(i) / 1e4
	}
	shift[3] = -10
	b := accepted(t, []Rule{rule(func(*Rule) {})}, cell("d", "a", ten))
	for test, want := range map[string]Status{paired.NameSign: Regression, paired.NameWilcoxon: Regression, paired.NameNadeauBengio: Inconclusive} {
		r := rule(func(r *Rule) { r.Margin, r.Test = absolute(1e-5), test })
		v := Check(Input{Source: described, Rules: []Rule{r}, Cells: []*cells.Cell{cell("d", "a", plus(ten, shift...))}, Baseline: b}).Verdicts[0]
		told := slices.Contains(v.Notes, test+" goes by ranks or signs, and the mean points the other way")
		if v.Status != want || told != (want == Regression) {
			t.Errorf("%s: %s, %s, %q", test, v.Status, v.Words, v.Notes)
		}
	}
}

// Signs that are even point nowhere, whatever the mean does.
func TestEvenSigns(t *testing.T) {
	r := rule(func(r *Rule) { r.Margin, r.Test = relative(0.02), paired.NameSign })
	b := accepted(t, []Rule{r}, cell("d", "a", ten))
	if v := Check(Input{Source: described, Rules: []Rule{r}, Cells: []*cells.Cell{cell("d", "a", plus(ten, 0.2, -0.1))}, Baseline: b}).Verdicts[0]; v.Status != Inconclusive || len(v.Notes) > 0 {
		t.Errorf("%s, %q", v.Status, v.Notes)
	}
}

// Whether a test can show anything also depends on how many folds differ, which only the results tell.
func TestFewThatDiffer(t *testing.T) {
	r := rule(func(r *Rule) { r.Margin, r.Test, r.Inconclusive = relative(0.02), paired.NameSign, "pass" })
	for differ, want := range map[int]int{4: 1, 5: 0} { // notes
		now := cell("d", "a", ten)
		for i := range differ {
			now.Rows[i].Scores[0].Value += 1
		}
		o := Check(Input{Source: described, Experiment: "x", Rules: []Rule{r}, Cells: []*cells.Cell{now}, Baseline: accepted(t, []Rule{r}, cell("d", "a", ten))})
		if len(o.Notes) != want || o.Worst() != Regression {
			t.Errorf("%d of 10 folds differ: %s, %q", differ, o.Worst(), o.Notes)
		}
	}
}

// McNemar's test compares two algorithms row by row.
func TestMcNemarAgainst(t *testing.T) {
	labelled := func(algorithm string, wrong int) *cells.Cell {
		c := cell("d", algorithm, []float64{0})
		p := &c.Rows[0].Outcome.Predictions
		for i := range 200 {
			p.Row, p.Truth = append(p.Row, fmt.Sprintf("r%03d", i)), append(p.Truth, 1)
			p.Prediction = append(p.Prediction, map[bool]float64{true: 0, false: 1}[i < wrong])
		}
		c.Rows[0].Scores[1].Value = 1 - float64(wrong)/200
		return c
	}
	r := rule(func(r *Rule) {
		r.Metric, r.Margin, r.Test, r.Against = "accuracy", absolute(0.03), paired.NameMcNemar, "b"
	})
	b := reread(t, accepted(t, []Rule{r}, labelled("a", 10), labelled("b", 10)))
	for wrong, want := range map[int]Status{10: Pass, 11: Pass, 40: Regression} {
		if v := Check(Input{Source: described, Rules: []Rule{r}, Cells: []*cells.Cell{labelled("a", wrong), labelled("b", 10)}, Baseline: b}).Verdicts[0]; v.Status != want {
			t.Errorf("%d wrong rows against 10: %s, %s", wrong, v.Status, v.Words)
		}
	}
	// The baseline has no single rows: the reference is compared with its own record by the bootstrap.
	for wrong, want := range map[int]Status{10: Pass, 12: Pass, 40: Regression} {
		v := Check(Input{Source: described, Rules: []Rule{r}, Cells: []*cells.Cell{labelled("a", wrong), labelled("b", wrong)}, Baseline: b}).Verdicts[0]
		if v.Status != want || want == Regression && !strings.Contains(v.Words, "the reference b, compared with its own record: worse by 0.15, shown worse") {
			t.Errorf("a reference with %d wrong rows, 10 when recorded: %s, %s", wrong, v.Status, v.Words)
		}
	}
}

// The blocks of weighted rows have no whole numbers of them.
func TestBlocksOfWeightedRows(t *testing.T) {
	weighted := func(shift float64) *cells.Cell {
		c := onRows("a", 300, func(i int) float64 { return noise(i) + shift })
		p := &c.Rows[0].Outcome.Predictions
		sum, weights := 0.0, 0.0
		for i, x := range p.Prediction {
			w := 0.0004 + float64(i%3)/1000
			p.Weight = append(p.Weight, w)
			sum, weights = sum+w*x*x, weights+w
		}
		c.Rows[0].Scores[0].Value = sum / weights
		return c
	}
	r := rule(func(r *Rule) { r.Margin, r.Test = relative(0.02), paired.NameBootstrap })
	b := reread(t, accepted(t, []Rule{r}, weighted(0)))
	for shift, want := range map[float64]Status{0: Pass, 0.1: Regression} {
		if v := Check(Input{Source: described, Rules: []Rule{r}, Cells: []*cells.Cell{weighted(shift)}, Baseline: b}).Verdicts[0]; v.Status != want {
			t.Errorf("shifted by %v: %s, %s", shift, v.Status, v.Words)
		}
	}
}

// A rule is about cells that the file has, and compares on data sets on which both sides run.
func TestRuleOfAlgorithmsThatDoNotRun(t *testing.T) {
	planned := []results.Label{
		{Dataset: "small", Algorithm: "a"}, {Dataset: "small", Algorithm: "slow"}, {Dataset: "small", Algorithm: "steps", Grid: []results.Param{{Name: "epsilon", Value: 0.1}}},
		{Dataset: "large", Algorithm: "a"}, {Dataset: "large", Algorithm: "steps", Grid: []results.Param{{Name: "epsilon", Value: 0.1}}},
	}
	for _, c := range []struct {
		rule Rule
		want string // "" for none
	}{
		{Rule{}, ""},
		{Rule{Algorithms: []string{"slow"}}, ""},
		{Rule{Algorithms: []string{"slow"}, Datasets: []string{"large"}}, "no algorithm of the rule runs on a data set of the rule"},
		{Rule{Against: "a"}, ""},
		{Rule{Against: "steps epsilon=0.1"}, ""},
		{Rule{Against: "slow"}, "against: slow does not run on data set large, on which a is compared with it"},
		{Rule{Against: "slow", Datasets: []string{"small"}}, ""},
		{Rule{Against: "slow", Algorithms: []string{"steps"}}, "on which steps epsilon=0.1 is compared with it"},
		{Rule{Against: "a", Algorithms: []string{"a"}}, "no algorithm of the rule"},
	} {
		if err := c.rule.ValidateCells(planned); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.rule, err, c.want)
		}
	}
}

// What is inconclusive and may pass does not where it is beyond a bound, and nothing says that it passes.
func TestBoundOfTheInconclusive(t *testing.T) {
	r := rule(func(r *Rule) {
		r.Test, r.Inconclusive, r.Max, r.Margin = paired.NameNadeauBengio, "pass", number64(1), absolute(1e-4)
	})
	out := Check(Input{Source: described, Experiment: "x", Rules: []Rule{r}, Cells: []*cells.Cell{cell("d", "a", plus(ten, 0.01, -0.01, 0.03, -0.02))},
		Baseline: accepted(t, []Rule{r}, cell("d", "a", ten))})
	if v := out.Verdicts[0]; v.Status != Regression || v.Tolerated || !v.Fails() {
		t.Errorf("%s, tolerated %v", v.Status, v.Tolerated)
	}
}
