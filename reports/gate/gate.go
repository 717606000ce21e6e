// Package gate decides whether an experiment still reaches the results recorded of it.
//
// The way through the files:
//
//   - gate.go: Check applies each Rule (rule.go) to the cells it covers (applyRule is the main loop). It measures a sample of a cell
//     (sample.go), compares it with the sample recorded in the Baseline or measured of a reference cell (reference.go), and
//     decides (decide.go). weaker.go warns of rules that became weaker
//   - protocol.go: how a number is measured, apart from data and folds; numbers of different protocols are not compared
//   - verdict.go: the Verdict on each cell and metric, and the Outcome, which is all of them; words.go says why each has its status
//   - fits.go: where the fits come from that an Outcome rests on
//   - accept.go: Accept makes a Baseline of present results. baseline.go says what one holds, write.go and read.go write it
//     as YAML and read it strictly
//   - json.go: an Outcome for programs; package render writes it for people and CI systems
package gate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/paired"
)

// Input is what the gate decides on.
type Input struct {
	Experiment string
	Rules      []Rule   // the gate: section
	Metrics    []string // of the experiment file: without rules, those with a direction are compared
	// Cells of the whole plan, with averages for the tasks of families. A cell that never ran has no Rows; Folds are
	// those planned.
	Cells []*cells.Cell
	// Judged reports whether a cell is judged; nil: all are. A rule that covers only other cells gives no verdict.
	Judged   func(*cells.Cell) bool
	Source   cells.Source // predictions and selections of the rows; nil: they are in the rows (cells.InRows)
	Baseline *Baseline    // nil if nothing was recorded
	File     string       // the baseline's path, for messages
	// Expected is the reason with which Accept records failed cells as expected to fail, unless they have one.
	Expected string
	Stages   []*results.Row // outcomes that the fits build on
	// RanNow reports whether this command ran the fit of a unit; nil: it ran none.
	RanNow func(unit string) bool
	// Strict fails a gate whose rules became weaker since the baseline was accepted.
	Strict bool
}

// Check compares the present results with the baseline and with each other, by the rules. What could not be measured or
// compared gets a verdict that fails.
func Check(in Input) Outcome {
	in = in.withSource()
	c := checker{Input: in, meter: newMeter(in.Source), labelled: labelCells(in.Cells)}
	c.out.Experiment, c.out.Strict = in.Experiment, in.Strict
	rules := in.effectiveRules()
	for _, r := range rules {
		c.applyRule(r)
	}
	if n := c.countJudged(); n < len(c.labelled) {
		c.addNote("%d of %s judged, as was asked for", n, digits.Count(len(c.labelled), "cell"))
	}
	if in.Baseline != nil {
		if in.Judged == nil {
			c.reportGone()
		}
		c.warnWeaker(rules)
	}
	c.out.Fits, c.out.Legend = in.fitsOf(c.meter.asked), c.legend()
	if !slices.ContainsFunc(c.out.Verdicts, func(v Verdict) bool { return v.Measured }) {
		c.addNote("nothing was measured that could be compared")
	}
	return c.out
}

// withSource sets the default source.
func (in Input) withSource() Input {
	if in.Source == nil {
		in.Source = cells.InRows{}
	}
	return in
}

// indexedRule is a rule with its index in the file, −1 for a default rule.
type indexedRule struct {
	Rule
	index int
}

// effectiveRules returns the rules of the file or, if there are none, one for each metric with a direction.
func (in Input) effectiveRules() []indexedRule {
	var out []indexedRule
	for i, r := range in.Rules {
		out = append(out, indexedRule{r, i})
	}
	if len(in.Rules) > 0 {
		return out
	}
	for _, metric := range in.Metrics {
		if in.Source.Metric(metric).Contested() && !slices.ContainsFunc(out, func(r indexedRule) bool { return r.Metric == metric }) {
			r := Rule{Metric: metric}
			r.SetDefaults()
			out = append(out, indexedRule{r, -1})
		}
	}
	return out
}

// usesBaseline reports whether the rule compares cells with their recorded numbers: all do except those that name another reference or
// only bounds.
func (r Rule) usesBaseline() bool {
	bounds := r.Min != nil || r.Max != nil
	return r.Against == "" && !(bounds && r.Test == "" && !r.Margin.Given())
}

// needsBaseline reports whether the rule can pass nothing without a baseline: all but those that have only bounds, since a reference is
// compared with its own record, too.
func (r Rule) needsBaseline() bool { return r.usesBaseline() || r.Against != "" }

// matches reports whether the rule names a cell. Algorithms and data sets are named with or without their grid points.
func (r Rule) matches(p labelledCell) bool {
	named := func(list []string, name, label string) bool {
		return len(list) == 0 || slices.Contains(list, name) || slices.Contains(list, label)
	}
	return named(r.Datasets, p.cell.Dataset, p.dataset) && named(r.Algorithms, p.cell.Algorithm, p.algorithm)
}

// covers reports whether the rule judges a cell: it names the cell, and does not compare others with it.
func (r Rule) covers(p labelledCell) bool { return r.matches(p) && !r.isReference(p) }

// labelledCell is a cell with the labels of its data set and algorithm, exact points of the grid included.
type labelledCell struct {
	cell               *cells.Cell
	dataset, algorithm string
}

func (p labelledCell) labels() [2]string { return [2]string{p.dataset, p.algorithm} }

func labelCells(cs []*cells.Cell) []labelledCell {
	out := make([]labelledCell, len(cs))
	for i, c := range cs {
		out[i].cell = c
		out[i].dataset, out[i].algorithm = c.ExactLabels()
	}
	return out
}

// checker is the state of a check.
type checker struct {
	Input
	meter    *meter
	labelled []labelledCell
	out      Outcome

	notedMissing bool // it was noted that there is no baseline
}

func (c *checker) addNote(format string, args ...any) {
	if n := sanitize.Line(fmt.Sprintf(format, args...)); !slices.Contains(c.out.Notes, n) {
		c.out.Notes = append(c.out.Notes, n)
	}
}

func (c *checker) noBaselineText() string {
	return strings.Join(strings.Fields(fmt.Sprintf("there is no baseline %s to compare with: tenfold accept records one", c.File)), " ")
}

func (c *checker) isJudged(p labelledCell) bool { return c.Judged == nil || c.Judged(p.cell) }

func (c *checker) countJudged() int {
	n := 0
	for _, p := range c.labelled {
		if c.isJudged(p) {
			n++
		}
	}
	return n
}

// applyRule judges every cell that a rule covers: it compares each, adjusts the p-values for the number of cells, and decides.
func (c *checker) applyRule(r indexedRule) {
	covered := slices.DeleteFunc(slices.Clone(c.labelled), func(p labelledCell) bool { return !r.covers(p) })
	judged := slices.DeleteFunc(slices.Clone(covered), func(p labelledCell) bool { return !c.isJudged(p) })
	if len(covered) > 0 && len(judged) == 0 {
		return
	}
	if c.Baseline == nil && !r.needsBaseline() {
		c.addNote("%s: bounds alone are judged, on whatever the data, folds and protocol are: tenfold accept records these", r.Metric)
	}
	if c.Baseline == nil && r.needsBaseline() && r.Min == nil && r.Max == nil {
		if !c.notedMissing { // once for all rules
			c.out.Verdicts = append(c.out.Verdicts, r.newVerdict(labelledCell{}).withStatus(Incomplete, "%s", c.noBaselineText()))
		}
		c.notedMissing = true
		return
	}
	start := len(c.out.Verdicts)
	for _, p := range judged {
		if v, ok := c.measureCell(r, p); ok {
			c.out.Verdicts = append(c.out.Verdicts, v)
		}
	}
	verdicts := c.out.Verdicts[start:]
	switch {
	case len(verdicts) > 0:
	case r.index < 0:
		c.addNote("no cell has %s", r.Metric)
	default:
		c.out.Verdicts = append(c.out.Verdicts, r.newVerdict(labelledCell{}).withStatus(Incomplete, "no cell of the experiment is one that this rule is about"))
		return
	}
	c.decideAll(r.Rule, verdicts)
	c.judgeReferences(r, verdicts)
	for i := range verdicts {
		c.applyExpected(&verdicts[i])
	}
}

// decideAll decides the verdicts on all cells of a rule.
func (c *checker) decideAll(r Rule, verdicts []Verdict) {
	adjustHolm(verdicts, func(v *Verdict) *float64 { return &v.PWorse })
	adjustHolm(verdicts, func(v *Verdict) *float64 { return &v.PBetter })
	if n, p := countTested(verdicts); r.Inconclusive == "pass" && float64(n)*p > r.Alpha { // Holm's method multiplies the smallest p by n
		r.Inconclusive = "fail" // otherwise no result could fail
		c.addNote("%s: p-values of %s do not go below %.2g here, so that of %s none could be shown worse at alpha = %v: inconclusive fails; let rules name fewer cells",
			r.Metric, r.Test, p, digits.Count(n, "cell"), r.Alpha)
	}
	for i := range verdicts {
		verdicts[i].decide(r)
	}
}

// countTested counts the verdicts with a test. p is the smallest one-sided p-value that any of them could have.
func countTested(verdicts []Verdict) (n int, p float64) {
	p = 1
	for _, v := range verdicts {
		if !math.IsNaN(v.PWorse) {
			n, p = n+1, min(p, v.smallestP)
		}
	}
	return n, p
}

// adjustHolm replaces p-values by those adjusted with Holm's method.
func adjustHolm(verdicts []Verdict, field func(*Verdict) *float64) {
	p := make([]float64, len(verdicts))
	for i := range verdicts {
		p[i] = *field(&verdicts[i])
	}
	for i, adjusted := range paired.Holm(p) {
		*field(&verdicts[i]) = adjusted
	}
}

// measureCell measures one cell and compares it. The verdict has a Status only if it cannot be compared, which decides it. ok is
// false if there are no rules and the cell has no verdict, since the default metric does not apply to it.
func (c *checker) measureCell(r indexedRule, p labelledCell) (Verdict, bool) {
	v := r.newVerdict(p)
	entry, inBaseline := c.Baseline.entryOf(p.dataset, p.algorithm)
	record, hasNumber := entry.Metrics[r.Metric]
	hasNumber = hasNumber && record.Mean != nil
	present, err := c.meter.measure(p.cell, r.Metric)
	switch {
	case err != nil && r.index < 0 && inBaseline && !hasNumber && troubleOf(p.cell) == "":
		return v, false
	case err != nil:
		return v.withStatus(Incomplete, "%s", err), true
	}
	v.Measured, v.Higher, v.Present = true, present.higher, Value{present.mean, present.se, present.marks}
	switch {
	case c.Baseline == nil && r.needsBaseline():
		return v.withStatus(Incomplete, "%s", c.noBaselineText()), true
	case c.Baseline == nil:
		return v, true
	case !inBaseline:
		return v.withStatus(Incomplete, "the baseline does not have this cell"+acceptAgain), true
	case r.usesBaseline() && hasNumber:
		margin := r.Margin
		if record.Tolerance != nil {
			margin = *record.Tolerance
			v.Notes = append(v.Notes, fmt.Sprintf("the margin %s is the baseline's own for this metric", marginText(margin)))
		}
		return v.compareWith(r.Rule, margin, present.mergeBlocks(), c.recorded(p, r.Metric)), true
	case r.usesBaseline() && cmp.Or(record.ExpectedFailure, entry.ExpectedFailure) != "":
		return v.withStatus(Pass, "measured, which was not expected; there is no number to compare with"), true
	case r.usesBaseline():
		return v.withStatus(Incomplete, "the baseline has the cell without this metric"+acceptAgain), true
	}
	if !entry.Failed { // its numbers are compared with none that were recorded, but are to be measured as they were then
		if err := checkMeasuredAlike(present, recordedRows(r.Metric, c.Baseline.Datasets[p.dataset], entry)); err != nil {
			return v.withStatus(Incomparable, "%s", err), true
		}
	}
	if r.Against == "" {
		return v, true
	}
	ref, err := r.referenceOf(p, c.labelled)
	if err != nil {
		return v.withStatus(Incomparable, "%s", err), true
	}
	v.Against = ref.algorithm
	reference, err := c.meter.measure(ref.cell, r.Metric)
	if err != nil {
		return v.withStatus(Incomplete, "%s: %s", ref.algorithm, err), true
	}
	v.reference = ref
	return v.compareWith(r.Rule, r.Margin, present, reference), true
}

// recorded returns the recorded sample of a metric of a cell, which the baseline has.
func (c *checker) recorded(p labelledCell, metric string) sample {
	entry, _ := c.Baseline.entryOf(p.dataset, p.algorithm)
	return recordedSample(metric, c.Source.Metric(metric), c.Baseline.Datasets[p.dataset], entry, entry.Metrics[metric])
}

// applyExpected turns a failing verdict into an expected failure, if the baseline records a reason.
func (c *checker) applyExpected(v *Verdict) {
	v.Reason = c.expectedReason(v)
	switch {
	case v.Reason == "":
	case v.Fails():
		v.Status = ExpectedFailure
	case !v.Tolerated:
		v.Notes = append(v.Notes, "no longer fails: remove expected_failure")
	}
}

// expectedReason returns why the baseline says that the verdict's number need not pass; "" if it has to.
func (c *checker) expectedReason(v *Verdict) string {
	entry, _ := c.Baseline.entryOf(v.Dataset, v.Algorithm)
	return cmp.Or(entry.Metrics[v.Metric].ExpectedFailure, entry.ExpectedFailure)
}

// reportGone adds verdicts on recorded cells that the experiment no longer has.
func (c *checker) reportGone() {
	have := map[[2]string]bool{}
	for _, p := range c.labelled {
		have[[2]string{p.dataset, p.algorithm}] = true
	}
	c.Baseline.forEachEntry(func(dataset, algorithm string, e Entry) {
		if have[[2]string{dataset, algorithm}] {
			return
		}
		r := indexedRule{Rule{Metric: strings.Join(metricsOf(e), ", ")}, -1}
		v := r.newVerdict(labelledCell{dataset: dataset, algorithm: algorithm}).withStatus(Incomplete,
			"recorded, but no longer a cell of the experiment"+ifMeant)
		c.applyExpected(&v)
		c.out.Verdicts = append(c.out.Verdicts, v)
	})
}
