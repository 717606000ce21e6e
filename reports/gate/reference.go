package gate

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/reports/paired"
)

// isReference reports whether the rule compares other cells with this one.
func (r Rule) isReference(p labelledCell) bool {
	return r.Against != "" && (p.algorithm == r.Against || p.cell.Algorithm == r.Against)
}

// referenceOf finds the reference of a cell on its own data set: the algorithm with the label r.Against, or of this name at the
// same point of the grid, or the only one of this name.
func (r Rule) referenceOf(p labelledCell, among []labelledCell) (labelledCell, error) {
	var found []labelledCell
	for _, q := range among {
		if q.dataset == p.dataset && r.isReference(q) {
			found = append(found, q)
		}
	}
	gridPoint := func(q labelledCell) string { return strings.TrimPrefix(q.algorithm, q.cell.Algorithm) }
	for _, same := range []func(q labelledCell) bool{
		func(q labelledCell) bool { return q.algorithm == r.Against },
		func(q labelledCell) bool { return gridPoint(q) == gridPoint(p) },
		func(labelledCell) bool { return len(found) == 1 },
	} {
		if i := slices.IndexFunc(found, same); i >= 0 {
			return found[i], nil
		}
	}
	if len(found) == 0 {
		return labelledCell{}, fmt.Errorf("%s is not among the results of this data set", r.Against)
	}
	return labelledCell{}, fmt.Errorf("%s has %d grid points and none is this cell's: name one of them, such as %q", r.Against, len(found), found[0].algorithm)
}

// records returns a function that reports whether the rule wants the numbers of a cell recorded: it compares the cell with its record,
// or others with the cell.
func (r Rule) records(among []labelledCell) func(labelledCell) bool {
	if r.Against == "" {
		return func(p labelledCell) bool { return r.usesBaseline() && r.matches(p) }
	}
	references := map[[2]string]bool{}
	for _, p := range among {
		if ref, err := r.referenceOf(p, among); err == nil && r.covers(p) {
			references[ref.labels()] = true
		}
	}
	return func(p labelledCell) bool { return references[p.labels()] }
}

// recordedTest returns the name of the test that compares with recorded numbers. They have no single rows, so that the bootstrap,
// whose rows can be summed, takes the place of a test that needs them.
func (r Rule) recordedTest() string {
	if t := paired.TestNamed(r.Test); t != nil && t.Single {
		return paired.NameBootstrap
	}
	return r.Test
}

// judgeReferences fails verdicts of a rule with against whose reference is worse than recorded, or cannot be compared with its record:
// being as good as something shows nothing if that may be made worse.
func (c *checker) judgeReferences(r indexedRule, verdicts []Verdict) {
	var references []Verdict
	index := map[[2]string]int{}
	for i := range verdicts {
		p := verdicts[i].reference
		if _, known := index[p.labels()]; !known && p.cell != nil {
			index[p.labels()] = len(references)
			references = append(references, c.compareReference(r, p))
		}
	}
	c.decideAll(Rule{Metric: r.Metric, Test: r.recordedTest(), Alpha: r.Alpha, Inconclusive: "pass"}, references)
	for i := range verdicts {
		if k, compared := index[verdicts[i].reference.labels()]; compared {
			verdicts[i].addReference(&references[k], c.expectedReason(&references[k]))
		}
	}
}

// compareReference compares a reference with what was recorded of it. The margin forgives rounding at least.
func (c *checker) compareReference(r indexedRule, p labelledCell) Verdict {
	v := r.newVerdict(p)
	entry, _ := c.Baseline.entryOf(p.dataset, p.algorithm)
	record := entry.Metrics[r.Metric]
	present, err := c.meter.measure(p.cell, r.Metric)
	switch {
	case err != nil:
		return v.withStatus(Incomplete, "%s", err)
	case record.Mean == nil:
		return v.withStatus(Incomplete, "the baseline does not have it"+acceptAgain)
	}
	v.Higher = present.higher
	rule := r.Rule
	rule.Test = r.recordedTest()
	if record.Tolerance != nil {
		rule.Margin = *record.Tolerance
	}
	v = v.compareWith(rule, rule.Margin, present.mergeBlocks(), c.recorded(p, r.Metric))
	v.Margin = max(v.Margin, roundingMargin(v.Reference.Mean))
	return v
}

// addReference adds what became of the verdict's reference since it was recorded; reason says why that may be worse, "" if it may not.
func (v *Verdict) addReference(ref *Verdict, reason string) {
	if !ref.Fails() {
		return
	}
	words := fmt.Sprintf("the reference %s, compared with its own record: %s", v.Against, ref.Words)
	switch {
	case reason != "":
		v.Notes = append(v.Notes, words+", which is expected: "+reason)
	case v.Fails() && (v.Status == Regression || ref.Status != Regression):
		v.Notes = append(v.Notes, words)
	default:
		v.Notes = append(v.Notes, v.Words)
		v.Status, v.Tolerated, v.Words = ref.Status, false, words
	}
}
