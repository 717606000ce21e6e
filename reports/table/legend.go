package table

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/reports/cells"
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
		if yes {
			g.Legend = append(g.Legend, fmt.Sprintf(format, args...))
		}
	}
	withBest, withBaseline := b.describe(b.rivals), b.describe(b.verdicts)
	add(best, "bold: the best.")
	add(similar, "italic: not significantly worse than the best (%s%s).", withBest, b.correction(b.rivals))
	what := "no difference to " + b.Baseline + " is significant"
	if marked {
		what = "v better, * worse than " + b.Baseline
	}
	if similar && withBaseline == withBest {
		withBaseline = "the same test"
	}
	add(tested(b.verdicts) > 0, "%s (%s%s).", what, withBaseline, b.correction(b.verdicts))
	add(optimistic, "%s", cells.OptimisticLegend)
	errors := b.hasErrors()
	add(errors && b.text.shows("se"), "±: %s.", overWhat("standard error", b.resampled))
	add(errors && (b.text.shows("low") || b.text.shows("high")), "low and high: %s.", overWhat("95 % interval", b.resampled))
	if b.wantsTest() && slices.ContainsFunc(slices.Collect(b.each), func(p *place) bool { return cells.OfCell(p.primary) }) {
		g.Notes = append(g.Notes, "Stability is measured on all folds together, so there is no test of it.")
	}
	g.Warnings = slices.Concat(b.mixed(), b.partial(), b.undefined.list(), b.judge.warnings.list())
}

func ifAny(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}

func overWhat(errors string, resampled bool) string {
	if resampled {
		return "bootstrap " + errors + " over the test rows of one fold (by group where rows have groups)"
	}
	return errors + " over folds"
}

// describe names the tests behind some verdicts, "" where there are none.
func (b *builder) describe(vs []verdict) string {
	var names []string
	for _, v := range vs {
		if v.err != nil {
			continue
		}
		if n := fmt.Sprintf(v.test.legend, v.result.N); !slices.Contains(names, n) {
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

// corrected tells whether the p-values of a family are adjusted.
func (b *builder) corrected(vs []verdict) bool { return b.Correction != None && tested(vs) > 1 }

func (b *builder) correction(vs []verdict) string {
	return ifAny(b.corrected(vs), fmt.Sprintf(", Holm over %d comparisons", tested(vs)))
}

// partial warns of means over some folds only, because the metric does not apply to the others.
func (b *builder) partial() []string {
	var places remarks
	for p := range b.each {
		for i, metric := range p.shown {
			n := p.stats[i].N
			if p.trouble == "" && n != 0 && n != p.folds() && !cells.OfCell(metric) {
				places.add(metric+" does not apply to every fold, and its means are over the others", fmt.Sprintf("%s (%d of %d)", b.where(p), n, p.folds()))
			}
		}
	}
	return places.list()
}

// mixed warns of places that hold several cells, which differ in a dimension that the table hides.
func (b *builder) mixed() []string {
	var places remarks
	for p := range b.each {
		if len(p.cells) > 1 {
			places.add("several cells in one place, which differ in "+strings.Join(cells.Differing(p.cells), ", "), b.where(p))
		}
	}
	return places.list()
}

// remarks are things to say, each with the places it is about, in order of appearance.
type remarks struct {
	order []string
	about map[string][]string
}

// add a remark about a place; "" for one about the whole table.
func (r *remarks) add(what, where string) {
	if r.about == nil {
		r.about = map[string][]string{}
	}
	if _, ok := r.about[what]; !ok {
		r.order = append(r.order, what)
		r.about[what] = nil
	}
	if where != "" {
		r.about[what] = append(r.about[what], where)
	}
}

// list writes each remark with the first of its places and how many more there are.
func (r *remarks) list() []string {
	var out []string
	for _, what := range r.order {
		if places := r.about[what]; len(places) > 0 {
			what += "; see " + firstOf(places, 1)
		}
		out = append(out, what)
	}
	return out
}

// firstOf is the first places of a list, and how many more there are.
func firstOf(places []string, most int) string {
	if more := len(places) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(places[:most], ", "), more)
	}
	return strings.Join(places, ", ")
}
