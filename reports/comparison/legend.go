package comparison

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/judge"
	"tenfold/reports/table"
)

// addLegend explains the marks, and warns of what a reader could misread.
func (b *builder) addLegend(g *table.Grid) {
	var best, similar bool
	for p := range b.byRow {
		best, similar = best || p.best, similar || p.similar
	}
	add := func(yes bool, format string, args ...any) {
		if text := fmt.Sprintf(format, args...); yes && text != "" {
			g.Legend = append(g.Legend, text)
		}
	}
	add(true, "%s", b.metricsText())
	withBest, withBaseline := b.describeTests(b.rivals), b.describeTests(b.verdicts)
	add(best, "bold: the best.")
	add(similar, "italic: not significantly worse than the best (%s%s).", withBest, b.correctionText(b.rivals))
	b.addCompared(g, similar)
	what := "no difference to " + b.baseline + " is significant"
	if g.HasMarks() {
		what = "v better, * worse than " + b.baseline
	}
	if similar && withBaseline == withBest {
		withBaseline = "the same test"
	}
	add(slices.ContainsFunc(b.verdicts, func(v judge.Verdict) bool { return v.IsInformative() }), "%s (%s%s).", what, withBaseline, b.correctionText(b.verdicts))
	add(b.ofRecords(), "%s", b.recordLegend())
	blind := slices.ContainsFunc(b.verdicts, func(v judge.Verdict) bool { return v.Blind })
	add(!b.ofRecords() && len(b.countRows()) > 0, "%s: how many of the column are significantly better than %s, neither, significantly worse%s.",
		countsLabel, b.baseline, ifAny(blind, "; without those that the test cannot tell apart"))
	var shown []*cells.Cell
	for p := range b.byRow {
		if p.trouble == "" && p.measureOf(p.primary).N > 0 {
			shown = append(shown, p.cells...)
		}
	}
	for _, text := range slices.Concat(cells.Legend(shown), b.averagesText()) {
		add(true, "%s", text)
	}
	add(b.showsSelections(), "%s", cells.KeptLegend(shown))
	add(b.text.ShowsStatistic("se"), "%s", b.uncertaintyText("±", "standard error", "se"))
	add(b.text.ShowsStatistic("low") || b.text.ShowsStatistic("high"), "%s", b.uncertaintyText("low and high", "95 % interval", "low", "high"))
	add(b.text.HasPooled(), "%s", b.poolingText())
	if len(b.verdicts) > 0 {
		g.Notes = append(append(g.Notes, b.recordText()), b.lossWarnings()...)
	}
	g.Notes = append(g.Notes, b.gridEnds()...)
	if b.wantsTest() && slices.ContainsFunc(slices.Collect(b.byRow), func(p *place) bool { return cells.OfCell(p.primary) }) {
		g.Notes = append(g.Notes, "Stability is measured on all folds together, so there is no test of it.")
	}
	g.Warnings = slices.Concat(b.mixedWarnings(), b.lackingWarnings(), b.partialWarnings(), b.countedWarnings(), b.undefined.listAll(), b.hopelessWarnings(), b.bases.warnings.listAll())
}

// addCompared says which tests the marks come from, and what the errors are, for a description of methods. similar reports whether some
// number is marked as not significantly worse than the best.
func (b *builder) addCompared(g *table.Grid, similar bool) {
	add := func(from string, vs []judge.Verdict) {
		text := b.describeTests(vs)
		if b.isCorrected(vs) {
			text += ", p-values corrected by Holm's procedure for the comparisons of a table in a metric"
		}
		g.Compared = append(g.Compared, fmt.Sprintf("Differences from %s were tested by the %s.", from, text))
	}
	if b.describeTests(b.verdicts) != "" {
		add(b.baseline, b.verdicts)
	}
	if similar {
		add("the best of each column", b.rivals)
	}
	for _, text := range []string{b.uncertaintyText("After ± stands", "standard error", "se"), b.uncertaintyText("Intervals", "95 % interval", "low", "high")} {
		if text != "" {
			g.Compared = append(g.Compared, strings.Replace(text, "stands: ", "stands the ", 1))
		}
	}
}

// showsSelections reports whether some metric shown is about what models select.
func (b *builder) showsSelections() bool {
	for p := range b.byRow {
		if slices.ContainsFunc(p.shown, func(m string) bool {
			return cells.OfCell(m) || m == "selected" || m == "nonzero" || m == results.UnitsMetric
		}) {
			return true
		}
	}
	return false
}

// metricsText says in words what the metrics of the table are, "" if that is not known.
func (b *builder) metricsText() string {
	var shown, parts []string
	for p := range b.byRow {
		for _, m := range p.shown {
			if !slices.Contains(shown, m) {
				shown = append(shown, m)
			}
		}
	}
	for _, m := range shown {
		words := b.in.Source.Metric(m).Axis
		if words == "" || words == m {
			continue
		}
		name := cmp.Or(b.labels[m], m)
		if b.text.IsBracketed(m) {
			name += " (in brackets)"
		}
		parts = append(parts, name+": "+words)
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + "."
}

// averagesText says which data sets are means over tasks, or over data sets themselves.
func (b *builder) averagesText() []string {
	var out []string
	for p := range b.byRow {
		for _, c := range p.cells {
			dims := []string{results.TaskDim}
			if c.OverGrid {
				dims = b.overDims
			}
			which := ""
			for _, d := range dims {
				if b.isFiltered(d) {
					which += fmt.Sprintf(" (%s)", b.Filter[d])
				}
			}
			text := fmt.Sprintf("%s: averaged over %s%s.", c.DatasetLabel(b.shown...), digits.Count(c.Folds, strings.TrimSuffix(cells.Over([]*cells.Cell{c}), "s")), which)
			if c.Averaged && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out
}

func ifAny(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}

// uncertaintyText explains the errors that some statistics of the cell text show, "" if they show none.
func (b *builder) uncertaintyText(mark, what string, stats ...string) string {
	var kinds []string
	for p := range b.byRow {
		for _, part := range b.text.Parts {
			name := p.metricName(part.Metric)
			if p.trouble != "" || part.Micro || !slices.Contains(stats, part.Stat) || math.IsNaN(p.measureOf(name).SE) {
				continue
			}
			if k := b.errorOf(p, name, what); !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	return mark + ": " + strings.Join(kinds, "; ") + "."
}

// poolingText explains micro averages.
func (b *builder) poolingText() string {
	var all []*cells.Cell
	for p := range b.byRow {
		all = append(all, p.cells...)
	}
	over := cells.Over(all)
	return fmt.Sprintf("micro: over all test rows of all %s, each counting once, and its error that of a ratio over %[1]s; marks and tests go by the means over %[1]s.", over)
}

// errorOf says what the error of a metric is over: folds or tasks, or else what.
func (b *builder) errorOf(p *place, metric, what string) string {
	over := cells.Over(p.cells)
	switch {
	case over == "tasks":
		return what + " over tasks, which can share rows"
	case cells.OfCell(metric):
		return "asymptotic " + what + " of the stability (Nogueira, Sechidis & Brown 2018)"
	case p.measureOf(metric).Resampled:
		return "bootstrap " + what + " over the test rows of one fold (by group where rows have groups)"
	case b.Interval == Spread:
		return "spread over " + over + "; no " + what + " of the performance"
	case p.measureOf(metric).Ratio > 0:
		return what + " over " + over + ", corrected for overlapping training rows (Nadeau & Bengio 2003)"
	}
	return what + " over " + over
}

// recordText sums up the comparisons with the baseline, those of each metric by themselves.
func (b *builder) recordText() string {
	metrics := b.comparedMetrics()
	parts := make([]string, len(metrics))
	for i, m := range metrics {
		var verdicts []judge.Verdict
		for _, v := range b.verdicts {
			if v.Metric == m {
				verdicts = append(verdicts, v)
			}
		}
		parts[i] = ifAny(len(metrics) > 1, cmp.Or(b.labels[m], m)+": ") + b.sumUp(verdicts)
	}
	return fmt.Sprintf("Against %s: %s.", b.baseline, strings.Join(parts, "; "))
}

// comparedMetrics returns the metrics that are compared with the baseline, in order of appearance.
func (b *builder) comparedMetrics() (out []string) {
	for _, v := range b.verdicts {
		if !slices.Contains(out, v.Metric) {
			out = append(out, v.Metric)
		}
	}
	return out
}

// sumUp counts the outcomes of comparisons with the baseline in one metric.
func (b *builder) sumUp(verdicts []judge.Verdict) string {
	var all judge.Record
	blind := 0
	var why []string // why there are no tests
	single := b.ofRecords()
	for _, v := range verdicts {
		all.Count(v)
		single = single && !v.Cell.Averaged
		if v.Blind {
			blind++
		}
		if v.Err != nil && !slices.Contains(why, v.Err.Error()) {
			why = append(why, v.Err.Error())
		}
	}
	var parts []string
	switch {
	case single && all.Total() > 0:
		parts = append(parts, fmt.Sprintf("%d won, %d tied, %d lost", all.Won, all.Tied, all.Lost)+
			ifAny(all.Tested > 0, fmt.Sprintf(" (%d significantly better, %d worse)", all.Better, all.Worse)))
	case all.Tested > 0:
		parts = append(parts, fmt.Sprintf("%d better, %d the same, %d worse", all.Better, all.Tested-all.Better-all.Worse, all.Worse))
	}
	if n := len(verdicts) - countTested(verdicts); n > 0 {
		parts = append(parts, fmt.Sprintf("%d not tested (%s)", n, firstOf(why, 1)))
	}
	if blind > 0 {
		parts = append(parts, fmt.Sprintf("%d that the test cannot tell apart", blind))
	}
	return strings.Join(parts, ", ")
}

// describeTests names the tests behind some verdicts, "" if there are none.
func (b *builder) describeTests(vs []judge.Verdict) string {
	var names []string
	for _, v := range vs {
		if v.Err != nil {
			continue
		}
		if n := v.TestName(); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return fmt.Sprintf("%s; two-sided, α = %g", strings.Join(names, "; "), b.Alpha)
}

// countTested counts the comparisons that have a p-value.
func countTested(vs []judge.Verdict) int {
	n := 0
	for _, v := range vs {
		if v.Err == nil {
			n++
		}
	}
	return n
}

// familySizes returns the sizes of the families that have tests: how many comparisons are corrected together.
func familySizes(vs []judge.Verdict) map[judge.Family]int {
	n := map[judge.Family]int{}
	for _, v := range vs {
		if v.Err == nil {
			n[v.Family]++
		}
	}
	return n
}

// isCorrected reports whether p-values are adjusted.
func (b *builder) isCorrected(vs []judge.Verdict) bool {
	return b.Correction != None && len(vs) > 0 && slices.Max(append(slices.Collect(maps.Values(familySizes(vs))), 0)) > 1
}

// correctionText says over what p-values are adjusted, "" if they are not.
func (b *builder) correctionText(vs []judge.Verdict) string {
	if !b.isCorrected(vs) {
		return ""
	}
	n := familySizes(vs)
	metrics, sets, columns := map[string]bool{}, map[string]bool{}, map[int]bool{}
	for f := range n {
		metrics[f.Metric], sets[f.Datasets], columns[f.Column] = true, true, true
	}
	var by []string
	if len(metrics) > 1 {
		by = append(by, "metric")
	}
	if len(sets) > 1 {
		by = append(by, "data set")
	}
	if len(columns) > 1 && len(metrics) <= len(columns) {
		by = []string{"column"}
	} else if len(columns) > 1 {
		by = append(by, "column")
	}
	each := strings.Join(by, " and ")
	low, high := slices.Min(slices.Collect(maps.Values(n))), slices.Max(slices.Collect(maps.Values(n)))
	many := fmt.Sprint(high)
	if low < high {
		many = fmt.Sprintf("%d to %d", low, high)
	}
	if len(n) == 1 {
		return fmt.Sprintf(", Holm over %s comparisons", many)
	}
	return fmt.Sprintf(", Holm over the %s comparisons of each %s", many, each)
}
