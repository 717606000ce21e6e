package table

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/reports/cells"
)

// hopeless warns of comparisons that could not have been significant, whatever the differences are: of folds the file's
// check tells it, of tasks only the data can.
func (b *builder) hopeless() []string {
	italics := "nothing is italic"
	if slices.ContainsFunc(b.contenders, func(p *place) bool { return p.similar }) { // there are enough, but few on which the two differ
		italics = "italics say nothing"
	}
	if least, over := leastOf(b.verdicts, b.Alpha); least >= b.Alpha {
		return []string{fmt.Sprintf("no comparison can be significant, so that there are no marks and "+italics+": p-values of this test over so few %s do not go below %.2g; take another test", over, least)}
	}
	var few remarks
	b.overcorrected(&few, b.compared, b.verdicts, "comparisons", "compare fewer, or take another test")
	if least, over := leastOf(b.rivals, b.Alpha); least >= b.Alpha {
		few.add(fmt.Sprintf("no difference to the best can be significant, so that %s: p-values of this test over so few %s do not go below %.2g; take another test", italics, over, least), "")
		return few.list()
	}
	b.overcorrected(&few, b.contenders, b.rivals, "comparisons with the best", "nothing is italic there")
	for p := range b.down {
		if p.against == nil || p.against.blind {
			continue
		}
		if least, ok := p.against.smallest(); ok && least >= b.Alpha {
			few.add(fmt.Sprintf("so few %s differ at all that no test of ranks or signs can find anything", cells.Over([]*cells.Cell{p.against.cell})),
				fmt.Sprintf("%s (%d of %d, p ≥ %.2g)", b.where(p), p.against.result.Differ, p.against.result.N, least))
		}
	}
	return few.list()
}

// overcorrected says where the number of folds, or the correction, leaves no chance to a comparison.
func (b *builder) overcorrected(few *remarks, places []*place, vs []verdict, of, so string) {
	n := sizes(vs)
	all := !slices.ContainsFunc(vs, func(v verdict) bool { return v.tells() })
	for i, v := range vs {
		if !v.blind {
			continue
		}
		with := fmt.Sprintf("with Holm's correction for %d %s", n[v.family], of)
		if v.least() >= b.Alpha {
			with = "of the " + of
		}
		few.add(fmt.Sprintf("%s no single one can be significant: p-values of this test (%s) do not go below %.2g; %s", with, v.words(), v.least(), so),
			ifAny(!all, b.where(places[i])))
	}
}

// leastOf some comparisons is the smallest p-value that any of them could have, and over what the tests are; 0 where none of
// them has a test that says something.
func leastOf(vs []verdict, alpha float64) (least float64, over string) {
	var compared []*cells.Cell
	differ := ""
	for _, v := range vs {
		p, ok := v.smallest()
		if !ok {
			continue
		}
		if compared = append(compared, v.cell); len(compared) == 1 || p < least {
			least = p
		}
		if p >= alpha && v.test.Smallest(v.result.N) < alpha {
			differ = " that differ"
		}
	}
	return least, cells.Over(compared) + differ
}

// smallest is the p-value that a comparison could have at best; false where there is none, or its differences do not vary.
func (v *verdict) smallest() (p float64, ok bool) {
	switch {
	case v.err != nil || v.result.Constant:
		return 0, false
	case v.test.Smallest == nil:
		return 0, true
	}
	return v.test.Smallest(v.result.Differ), true
}

// partial warns of means over some folds only, because the metric does not apply to the others.
func (b *builder) partial() []string {
	var places remarks
	for p := range b.each {
		for i, metric := range p.shown {
			n := p.stats[i].N
			if p.trouble == "" && n != 0 && n != p.folds() && !cells.OfCell(metric) {
				places.add(fmt.Sprintf("%s does not apply to every %s, and its means are over the others", metric, strings.TrimSuffix(cells.Over(p.cells), "s")), fmt.Sprintf("%s (%d of %d)", b.where(p), n, p.folds()))
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
