package gate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/io/plain"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/paired"
)

// Input is what is decided on.
type Input struct {
	Experiment string
	Rules      []Rule   // the gate: section
	Metrics    []string // of the experiment file: without rules, those of which more or less is better are compared
	// Cells of the whole plan, with averages for the tasks of families. One that never ran has no Rows; Folds are those planned.
	Cells []*cells.Cell
	// Judged tells of a cell whether it is in question; nil: all are. A rule that is about others alone has nothing to say then.
	Judged   func(*cells.Cell) bool
	Source   cells.Source // predictions and selections of the rows; nil: the rows carry them
	Baseline *Baseline    // what was recorded; nil where nothing was
	File     string       // the baseline's path, for messages
	// Expected is a reason: Accept then records cells that failed, and have no expected failure yet, as expected to fail.
	Expected string
	// Strict lets nothing pass where rules let more pass than when the baseline was accepted.
	Strict bool
}

// Check compares the present results with the baseline and with each other, as the rules say. What goes wrong on the way
// is in the verdicts: nothing that could not be measured or compared passes.
func Check(in Input) Outcome {
	in = in.sourced()
	c := checker{Input: in, meter: newMeter(in.Source), points: locate(in.Cells)}
	c.out.Experiment, c.out.Strict = in.Experiment, in.Strict
	rules := in.effective()
	for _, r := range rules {
		c.rule(r)
	}
	if n := c.judged(); n < len(c.points) {
		c.note("%d of %s judged, as was asked for", n, digits.Count(len(c.points), "cell"))
	}
	if in.Baseline != nil {
		if in.Judged == nil {
			c.gone()
		}
		c.weaker(rules)
	}
	if !slices.ContainsFunc(c.out.Verdicts, func(v Verdict) bool { return v.Measured }) {
		c.note("nothing was measured that could be compared")
	}
	return c.out
}

// sourced takes the rows for the source where there is none.
func (in Input) sourced() Input {
	if in.Source == nil {
		in.Source = cells.InRows{}
	}
	return in
}

// indexed is a rule with its place in the file, −1 for one that the file leaves to the default.
type indexed struct {
	Rule
	index int
}

// effective are the rules of the file, or without any one for each metric of which more or less is better.
func (in Input) effective() []indexed {
	var out []indexed
	for i, r := range in.Rules {
		out = append(out, indexed{r, i})
	}
	if len(in.Rules) > 0 {
		return out
	}
	for _, m := range in.Metrics {
		if in.Source.Metric(m).Contested() && !slices.ContainsFunc(out, func(r indexed) bool { return r.Metric == m }) {
			r := Rule{Metric: m}
			r.SetDefaults()
			out = append(out, indexed{r, -1})
		}
	}
	return out
}

// recorded tells whether the rule compares with the baseline: all do but those that name another reference, or only bounds.
func (r Rule) recorded() bool {
	bounds := r.Min != nil || r.Max != nil
	return r.Against == "" && !(bounds && r.Test == "" && !r.Margin.Given())
}

// matches tells whether the rule is about a cell. Algorithms and data sets are named with or without their grid points.
func (r Rule) matches(p point) bool {
	named := func(list []string, name, label string) bool {
		return len(list) == 0 || slices.Contains(list, name) || slices.Contains(list, label)
	}
	return named(r.Datasets, p.cell.Dataset, p.dataset) && named(r.Algorithms, p.cell.Algorithm, p.algorithm)
}

// point is a cell with its labels.
type point struct {
	cell               *cells.Cell
	dataset, algorithm string
}

func locate(cs []*cells.Cell) []point {
	out := make([]point, len(cs))
	for i, c := range cs {
		out[i].cell = c
		out[i].dataset, out[i].algorithm = c.ExactLabels()
	}
	return out
}

// checker is a check in progress.
type checker struct {
	Input
	meter  *meter
	points []point
	out    Outcome

	missing bool // it was said that there is no baseline
}

func (c *checker) note(format string, args ...any) {
	if n := plain.Line(fmt.Sprintf(format, args...)); !slices.Contains(c.out.Notes, n) {
		c.out.Notes = append(c.out.Notes, n)
	}
}

func (c *checker) noBaseline() string {
	return strings.Join(strings.Fields(fmt.Sprintf("there is no baseline %s to compare with: tenfold accept records one", c.File)), " ")
}

// judges tells whether a cell is in question.
func (c *checker) judges(p point) bool { return c.Judged == nil || c.Judged(p.cell) }

// judged counts the cells in question.
func (c *checker) judged() int {
	n := 0
	for _, p := range c.points {
		if c.judges(p) {
			n++
		}
	}
	return n
}

// rule judges every cell that a rule is about: first what each comparison shows by itself, then, with the p-values of all
// cells adjusted, what it amounts to.
func (c *checker) rule(r indexed) {
	about := slices.DeleteFunc(slices.Clone(c.points), func(p point) bool { return !r.matches(p) || r.isReference(p) })
	asked := slices.DeleteFunc(slices.Clone(about), func(p point) bool { return !c.judges(p) })
	if len(about) > 0 && len(asked) == 0 {
		return
	}
	if r.recorded() && c.Baseline == nil && r.Min == nil && r.Max == nil {
		if !c.missing { // once for all rules
			c.out.Verdicts = append(c.out.Verdicts, r.verdict(point{}).settle(Incomplete, "%s", c.noBaseline()))
		}
		c.missing = true
		return
	}
	start := len(c.out.Verdicts)
	for _, p := range asked {
		if v, ok := c.measure(r, p); ok {
			c.out.Verdicts = append(c.out.Verdicts, v)
		}
	}
	verdicts := c.out.Verdicts[start:]
	switch {
	case len(verdicts) > 0:
	case r.index < 0:
		c.note("no cell has %s", r.Metric)
	default:
		c.out.Verdicts = append(c.out.Verdicts, r.verdict(point{}).settle(Incomplete, "no cell of the experiment is one that this rule is about"))
		return
	}
	adjust(verdicts, func(v *Verdict) *float64 { return &v.PWorse })
	adjust(verdicts, func(v *Verdict) *float64 { return &v.PBetter })
	if n, p := tested(verdicts); r.Inconclusive == "pass" && float64(n)*p > r.Alpha { // Holm's method multiplies the smallest by n
		r.Inconclusive = "fail" // or nothing could fail
		c.note("%s: p-values of %s do not go below %.2g here, so that of %s none could be shown worse at alpha = %v: inconclusive fails; let rules name fewer cells",
			r.Metric, r.Test, p, digits.Count(n, "cell"), r.Alpha)
	}
	for i := range verdicts {
		v := &verdicts[i]
		v.decide(r.Rule)
		c.expect(v)
	}
}

// tested counts the verdicts that a test was made for; p is the smallest one-sided p-value that any of them could have.
func tested(verdicts []Verdict) (n int, p float64) {
	p = 1
	for _, v := range verdicts {
		if !math.IsNaN(v.PWorse) {
			n, p = n+1, min(p, v.least)
		}
	}
	return n, p
}

// adjust replaces p-values by Holm's.
func adjust(verdicts []Verdict, at func(*Verdict) *float64) {
	p := make([]float64, len(verdicts))
	for i := range verdicts {
		p[i] = *at(&verdicts[i])
	}
	for i, adjusted := range paired.Holm(p) {
		*at(&verdicts[i]) = adjusted
	}
}

// measure compares one cell. A verdict that it can already tell has a Status. It is false for a metric that does not apply
// to the cell and that only the lack of rules made a candidate.
func (c *checker) measure(r indexed, p point) (Verdict, bool) {
	v := r.verdict(p)
	entry, known := c.Baseline.entry(p.dataset, p.algorithm)
	record, has := entry.Metrics[r.Metric]
	has = has && record.Mean != nil
	present, err := c.meter.sample(p.cell, r.Metric)
	switch {
	case err != nil && r.index < 0 && known && !has && troubleOf(p.cell) == "":
		return v, false
	case err != nil:
		return v.settle(Incomplete, "%s", err), true
	}
	v.Measured, v.Higher, v.Present = true, present.higher, Value{present.mean, present.se}
	switch {
	case r.Against != "":
		ref, err := c.against(r.Rule, p)
		if err != nil {
			return v.settle(Incomparable, "%s", err), true
		}
		v.Against = ref.algorithm
		reference, err := c.meter.sample(ref.cell, r.Metric)
		if err != nil {
			return v.settle(Incomplete, "%s: %s", ref.algorithm, err), true
		}
		return v.compare(r.Rule, r.Margin, present, reference), true
	case !r.recorded():
		return v, true
	case has:
		margin := r.Margin
		if record.Tolerance != nil {
			margin = *record.Tolerance
			v.Notes = append(v.Notes, fmt.Sprintf("the margin %s is the baseline's own for this metric", marginText(margin)))
		}
		reference := recorded(r.Metric, c.Source.Metric(r.Metric), c.Baseline.Datasets[p.dataset], entry, record)
		return v.compare(r.Rule, margin, present.inBlocks(), reference), true
	case cmp.Or(record.ExpectedFailure, entry.ExpectedFailure) != "":
		return v.settle(Pass, "measured, which was not expected; there is no number to compare with"), true
	case known:
		return v.settle(Incomplete, "the baseline has the cell without this metric; accept it again"), true
	}
	if c.Baseline == nil {
		return v.settle(Incomplete, "%s", c.noBaseline()), true
	}
	return v.settle(Incomplete, "the baseline does not have this cell; accept it again"), true
}

// expect applies what the baseline says of expected failures.
func (c *checker) expect(v *Verdict) {
	entry, _ := c.Baseline.entry(v.Dataset, v.Algorithm)
	v.Reason = cmp.Or(entry.Metrics[v.Metric].ExpectedFailure, entry.ExpectedFailure)
	switch {
	case v.Reason == "":
	case v.Fails():
		v.Status = ExpectedFailure
	case !v.Tolerated:
		v.Notes = append(v.Notes, "no longer fails: remove expected_failure")
	}
}

// gone tells of recorded cells that the experiment no longer has.
func (c *checker) gone() {
	have := map[[2]string]bool{}
	for _, p := range c.points {
		have[[2]string{p.dataset, p.algorithm}] = true
	}
	c.Baseline.each(func(dataset, algorithm string, e Entry) {
		if have[[2]string{dataset, algorithm}] {
			return
		}
		r := indexed{Rule{Metric: strings.Join(metricsOf(e), ", ")}, -1}
		v := r.verdict(point{dataset: dataset, algorithm: algorithm}).settle(Incomplete,
			"recorded, but no longer a cell of the experiment; accept it again if that is meant")
		c.expect(&v)
		c.out.Verdicts = append(c.out.Verdicts, v)
	})
}
