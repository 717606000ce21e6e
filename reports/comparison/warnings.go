package comparison

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/prepare/pooled"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/judge"
	"tenfold/reports/paired"
)

// hopelessWarnings warns of comparisons that could not have been significant, whatever the differences: for folds the check of the
// file reports it, for tasks only the data can.
func (b *builder) hopelessWarnings() []string {
	var few remarks
	for _, v := range slices.Concat(b.verdicts, b.rivals) {
		if v.Err == nil && v.Test.Name == paired.NameNadeauBengio && v.Result.N == 2 {
			few.addRemark("two folds are too few for a t-test: it has one degree of freedom, finds next to nothing, and what it finds says little", "")
		}
	}
	italics := "nothing is italic"
	if slices.ContainsFunc(b.contenders, func(p *place) bool { return p.similar }) { // there are enough, but few on which the two differ
		italics = "italics say nothing"
	}
	if least, over := leastOf(b.verdicts, b.Alpha); least >= b.Alpha {
		return []string{fmt.Sprintf("no comparison can be significant, so that there are no marks and "+italics+": p-values of this test over so few %s do not go below %.2g; take another test", over, least)}
	}
	b.warnOvercorrected(&few, b.compared, b.verdicts, "comparisons", "compare fewer, or take another test")
	if least, over := leastOf(b.rivals, b.Alpha); least >= b.Alpha {
		few.addRemark(fmt.Sprintf("no difference to the best can be significant, so that %s: p-values of this test over so few %s do not go below %.2g; take another test", italics, over, least), "")
		return few.listAll()
	}
	b.warnOvercorrected(&few, b.contenders, b.rivals, "comparisons with the best", "nothing is italic there")
	for p := range b.byColumn {
		if p.against == nil || p.against.Blind {
			continue
		}
		if least, ok := p.against.ReachableP(); ok && least >= b.Alpha {
			few.addRemark(fmt.Sprintf("so few %s differ at all that no test of ranks or signs can find anything", cells.Over([]*cells.Cell{p.against.Cell})),
				fmt.Sprintf("%s (%d of %d, p ≥ %.2g)", b.describePlace(p), p.against.Result.Differ, p.against.Result.N, least))
		}
	}
	return few.listAll()
}

// warnOvercorrected says where the number of folds, or the correction, makes significance impossible.
func (b *builder) warnOvercorrected(few *remarks, places []*place, vs []judge.Verdict, compared, so string) {
	n := familySizes(vs)
	all := !slices.ContainsFunc(vs, func(v judge.Verdict) bool { return v.IsInformative() })
	for i, v := range vs {
		if !v.Blind {
			continue
		}
		with := fmt.Sprintf("with Holm's correction for %d %s", n[v.Family], compared)
		if v.MinP() >= b.Alpha {
			with = "of the " + compared
		}
		few.addRemark(fmt.Sprintf("%s no single one can be significant: p-values of this test (%s) do not go below %.2g; %s", with, v.TestName(), v.MinP(), so),
			ifAny(!all, b.describePlace(places[i])))
	}
}

// leastOf returns the smallest p-value that any of some comparisons could have, and what the tests are over; 0 if none of them has
// an informative test.
func leastOf(vs []judge.Verdict, alpha float64) (least float64, over string) {
	var compared []*cells.Cell
	differ, rows := "", false
	for _, v := range vs {
		p, ok := v.ReachableP()
		if !ok {
			continue
		}
		if compared = append(compared, v.Cell); len(compared) == 1 || p < least {
			least = p
		}
		if p >= alpha && v.Test.Smallest(v.Result.N) < alpha {
			differ = " that differ"
		}
		rows = rows || v.Test.Rows != nil
	}
	if rows {
		return least, "groups of rows"
	}
	return least, cells.Over(compared) + differ
}

// partialWarnings warns of metrics without a value, of means over some folds only, because the metric has none on the others, and of
// infinite ones.
func (b *builder) partialWarnings() []string {
	var places remarks
	for p := range b.byRow {
		for i, metric := range p.shown {
			if p.trouble != "" || cells.OfCell(metric) {
				continue
			}
			m, over, properties := p.stats[i], cells.Over(p.cells), b.in.Source.Metric(metric)
			switch m.State() {
			case results.Absent:
				places.addRemark(fmt.Sprintf("%s: %s has no value%s", digits.Missing, metric, ifAny(properties.None != "", " ("+properties.None+")")), b.describePlace(p))
			case results.Incomplete:
				places.addRemark(fmt.Sprintf("[n/N]: %s has a value on n of N %s%s; such a mean is over these, and not compared with means over all", metric, over, ifAny(properties.None != "", " ("+properties.None+")")),
					fmt.Sprintf("%s (%d of %d)", b.describePlace(p), m.N, m.Of))
			case results.Infinite:
				places.addRemark(fmt.Sprintf("∞: %s is infinite on some %s%s, and so is the mean", metric, over, ifAny(properties.Infinite != "", " ("+properties.Infinite+")")), b.describePlace(p))
			}
		}
	}
	return places.listAll()
}

// mixedWarnings warns of places that hold several cells, which differ in a dimension that the table hides.
func (b *builder) mixedWarnings() []string {
	var places remarks
	for p := range b.byRow {
		if len(p.cells) > 1 {
			places.addRemark("several cells in one place, which differ in "+strings.Join(cells.Differing(p.cells), ", "), b.describePlace(p))
		}
	}
	return places.listAll()
}

// countedWarnings names data sets whose test errors contain more than errors of predictions.
func (b *builder) countedWarnings() []string {
	var few remarks
	seen := map[string]bool{}
	for p := range b.byRow {
		for _, c := range p.cells {
			if label := c.DatasetLabel(b.shown...); !seen[label] && slices.ContainsFunc(c.Fits(), func(r *results.Row) bool { return r.CountedOverFew() }) {
				seen[label] = true
				few.addRemark("responses of training rows are "+pooled.FewCounted+", those of test rows over all rows: test errors measure the difference, too, which no fit can learn, as the notes of the fits say", label)
			}
		}
	}
	return few.listAll()
}

// remarks holds remarks, each with the places it is about, in order of appearance.
type remarks struct {
	order []string
	about map[string][]string
}

// addRemark adds a remark about a place; "" for one about the whole table.
func (r *remarks) addRemark(what, where string) {
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

// listAll writes each remark with the first of its places and the number of further ones.
func (r *remarks) listAll() []string {
	var out []string
	for _, what := range r.order {
		if places := r.about[what]; len(places) > 0 {
			what += "; see " + firstOf(places, 1)
		}
		out = append(out, what)
	}
	return out
}

// firstOf returns the first places of a list, and the number of further ones.
func firstOf(places []string, most int) string {
	if more := len(places) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(places[:most], ", "), more)
	}
	return strings.Join(places, ", ")
}
