package table

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
)

// explain says what marks mean, and warns of what a reader would misread.
func (b *builder) explain(g *Grid) {
	var best, similar, optimistic, marked bool
	for p := range b.each {
		best, similar = best || p.best, similar || p.similar
	}
	for s := range g.slots {
		optimistic, marked = optimistic || s.Optimistic, marked || s.Mark != ""
	}
	add := func(yes bool, format string, args ...any) {
		if text := fmt.Sprintf(format, args...); yes && text != "" {
			g.Legend = append(g.Legend, text)
		}
	}
	withBest, withBaseline := b.describe(b.rivals), b.describe(b.verdicts)
	add(best, "bold: the best.")
	add(similar, "italic: not significantly worse than the best (%s%s).", withBest, b.correction(b.rivals))
	what := "no difference to " + b.baseline + " is significant"
	if marked {
		what = "v better, * worse than " + b.baseline
	}
	if similar && withBaseline == withBest {
		withBaseline = "the same test"
	}
	add(slices.ContainsFunc(b.verdicts, func(v verdict) bool { return v.tells() }), "%s (%s%s).", what, withBaseline, b.correction(b.verdicts))
	add(b.ofRecords(), "%s", b.recordLegend())
	add(optimistic, "%s", cells.OptimisticLegend)
	add(true, "%s", b.unconverged())
	for _, text := range b.averages() {
		add(true, "%s", text)
	}
	add(b.text.shows("se"), "%s", b.uncertainty("±", "standard error", "se"))
	add(b.text.shows("low") || b.text.shows("high"), "%s", b.uncertainty("low and high", "95 % interval", "low", "high"))
	add(b.text.pools(), "%s", b.pooling())
	if len(b.verdicts) > 0 {
		g.Notes = append(append(g.Notes, b.score()), b.losses()...)
	}
	if b.wantsTest() && slices.ContainsFunc(slices.Collect(b.each), func(p *place) bool { return cells.OfCell(p.primary) }) {
		g.Notes = append(g.Notes, "Stability is measured on all folds together, so there is no test of it.")
	}
	g.Warnings = slices.Concat(b.mixed(), b.partial(), b.undefined.list(), b.hopeless(), b.judge.warnings.list())
}

// unconverged counts the fits behind § that did not converge, "" where all did.
func (b *builder) unconverged() string {
	n, of := 0, 0
	seen := map[*cells.Cell]bool{}
	for p := range b.each {
		for _, c := range p.cells {
			if did, all := c.Unconverged(); did > 0 && p.trouble == "" && !seen[c] {
				seen[c] = true
				n, of = n+did, of+all
			}
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("§: %d of %s did not converge; their notes say how far they were.", n, digits.Count(of, "fit"))
}

// averages says which data sets are means over tasks, or over data sets themselves.
func (b *builder) averages() []string {
	var out []string
	for p := range b.each {
		for _, c := range p.cells {
			dims := []string{results.TaskDim}
			if c.OverGrid {
				dims = b.overDims
			}
			which := ""
			for _, d := range dims {
				if b.filters(d) {
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

// uncertainty says what the errors are that some statistics of the cell text show, "" where they show none.
func (b *builder) uncertainty(mark, what string, stats ...string) string {
	var kinds []string
	for p := range b.each {
		for _, part := range b.text.parts {
			name := p.name(part.metric)
			if p.trouble != "" || part.micro || !slices.Contains(stats, part.stat) || math.IsNaN(p.stat(name).SE) {
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

// pooling says what micro averages are.
func (b *builder) pooling() string {
	var all []*cells.Cell
	for p := range b.each {
		all = append(all, p.cells...)
	}
	over := cells.Over(all)
	return fmt.Sprintf("micro: over all test rows of all %s, each counting once, and its error that of a ratio over %[1]s; marks and tests go by the means over %[1]s.", over)
}

// errorOf a metric is over folds or tasks, or where there are none to take it over something else.
func (b *builder) errorOf(p *place, metric, what string) string {
	over := cells.Over(p.cells)
	switch {
	case over == "tasks":
		return what + " over tasks, which can share rows"
	case cells.OfCell(metric):
		return "asymptotic " + what + " of the stability (Nogueira, Sechidis & Brown 2018)"
	case b.resampled:
		return "bootstrap " + what + " over the test rows of one fold (by group where rows have groups)"
	}
	return what + " over " + over
}

// score sums up the comparisons with the baseline.
func (b *builder) score() string {
	var all record
	blind := 0
	var why []string // there are no tests
	single := b.ofRecords()
	for _, v := range b.verdicts {
		all.add(v)
		single = single && !v.cell.Averaged
		if v.blind {
			blind++
		}
		if v.err != nil && !slices.Contains(why, v.err.Error()) {
			why = append(why, v.err.Error())
		}
	}
	var parts []string
	switch {
	case single && all.total() > 0:
		parts = append(parts, fmt.Sprintf("%d won, %d tied, %d lost", all.won, all.tied, all.lost)+
			ifAny(all.tested > 0, fmt.Sprintf(" (%d significantly better, %d worse)", all.better, all.worse)))
	case all.tested > 0:
		parts = append(parts, fmt.Sprintf("%d better, %d the same, %d worse", all.better, all.tested-all.better-all.worse, all.worse))
	}
	if n := len(b.verdicts) - tested(b.verdicts); n > 0 {
		parts = append(parts, fmt.Sprintf("%d not tested (%s)", n, firstOf(why, 1)))
	}
	if blind > 0 {
		parts = append(parts, fmt.Sprintf("%d that the test cannot tell apart", blind))
	}
	return fmt.Sprintf("Against %s: %s.", b.baseline, strings.Join(parts, ", "))
}

// describe names the tests behind some verdicts, "" where there are none.
func (b *builder) describe(vs []verdict) string {
	var names []string
	for _, v := range vs {
		if v.err != nil {
			continue
		}
		if n := v.words(); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return fmt.Sprintf("%s; two-sided, α = %g", strings.Join(names, "; "), b.Alpha)
}

// tested counts the comparisons that have a p-value.
func tested(vs []verdict) int {
	n := 0
	for _, v := range vs {
		if v.err == nil {
			n++
		}
	}
	return n
}

// sizes of the families that have tests: how many comparisons are corrected together.
func sizes(vs []verdict) map[family]int {
	n := map[family]int{}
	for _, v := range vs {
		if v.err == nil {
			n[v.family]++
		}
	}
	return n
}

// corrected tells whether p-values are adjusted.
func (b *builder) corrected(vs []verdict) bool {
	return b.Correction != None && len(vs) > 0 && slices.Max(append(slices.Collect(maps.Values(sizes(vs))), 0)) > 1
}

// correction says over what p-values are adjusted, "" where they are not.
func (b *builder) correction(vs []verdict) string {
	if !b.corrected(vs) {
		return ""
	}
	n := sizes(vs)
	metrics, columns := map[string]bool{}, map[int]bool{}
	for f := range n {
		metrics[f.metric], columns[f.column] = true, true
	}
	each := "metric"
	switch {
	case len(columns) > 1 && len(metrics) > len(columns):
		each = "metric and column"
	case len(columns) > 1:
		each = "column"
	}
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
