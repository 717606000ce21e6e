package stagewise

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
)

// listed columns in a fact, at most.
const shown = 20

// fitted tells about a walk whose best point is the model (spec 4.13).
func (e Stagewise) fitted(w *walk) engines.Fitted {
	f := engines.Fitted{
		Stop: w.stop, Iterations: w.turn, Evaluated: w.evaluated, Best: w.best.turn,
		Optimistic: e.Choose == "test", Facts: w.facts(),
	}
	if w.held != nil {
		f.Facts = append(f.Facts, w.heldFacts("test")...)
	}
	if w.alarm {
		f.Notes = append(f.Notes, fmt.Sprintf("rounding drifted: a correlation was off by %.3g, more than 1e-6·ε·g; lower drift_every", w.drift))
	}
	return f
}

// fittedTwice tells about a refit and the search that set its length.
func (e Stagewise) fittedTwice(search, refit *walk) engines.Fitted {
	f := e.fitted(refit)
	f.Stop = search.stop
	f.Iterations += search.turn
	f.Evaluated += search.evaluated
	f.Facts = append(f.Facts, search.heldFacts("validation")...)
	if refit.turn < search.best.turn {
		f.Notes = append(f.Notes, fmt.Sprintf("the refit on all training rows ended after %d of %d turns (%s)", refit.turn, search.best.turn, refit.stop))
	}
	return f
}

func (w *walk) facts() []data.Fact {
	rows, p := w.d.x.Dims()
	facts := []data.Fact{
		{Name: "rows", Value: fmt.Sprint(rows)},
		{Name: "columns", Value: fmt.Sprint(p)},
		{Name: "stored entries", Value: fmt.Sprint(w.d.x.NNZ())},
		{Name: "constant columns", Value: w.names(w.d.constant())},
		{Name: "identical columns", Value: w.identical()},
		{Name: "turns", Value: fmt.Sprint(w.turn)},
		{Name: "steps", Value: fmt.Sprint(w.path.steps)},
		{Name: "skipped turns", Value: fmt.Sprint(w.skipped)},
		{Name: "features entered", Value: fmt.Sprintf("%d (%d by the step chosen)", len(w.entries), w.best.entered)},
		{Name: "nonzero coefficients at the end of the path", Value: fmt.Sprint(w.nonzero)},
		{Name: "RSS", Value: number(w.best.rss)},
	}
	if w.d.tss > 0 {
		facts = append(facts, data.Fact{Name: "R²", Value: number(1 - w.best.rss/w.d.tss)})
	}
	facts = append(facts, data.Fact{Name: "distinct features looked at", Value: fmt.Sprint(w.look.seen())})
	if g, ok := w.c.(*gaussian); ok {
		columns, entries := g.gram.Built()
		facts = append(facts,
			data.Fact{Name: "Gram columns computed", Value: fmt.Sprintf("%d, with %d entries", columns, entries)},
			data.Fact{Name: "Gram entries touched", Value: fmt.Sprint(g.touched)})
		if g.blocks != nil && g.blocks.query > 0 {
			facts = append(facts, data.Fact{Name: "blocks looked into per turn", Value: fmt.Sprintf("%.2f of %d", float64(g.blocks.rescans)/float64(g.blocks.query), len(g.blocks.list))})
		}
	}
	return append(facts, data.Fact{Name: "largest drift of a correlation", Value: fmt.Sprintf("%.3g", w.drift)})
}

func (w *walk) heldFacts(part string) []data.Fact {
	return []data.Fact{
		{Name: part + " MSE at the start", Value: number(w.initial)},
		{Name: "best " + part + " MSE", Value: fmt.Sprintf("%s at turn %d", number(w.best.error), w.best.turn)},
	}
}

func number(x float64) string { return fmt.Sprintf("%.6g", x) }

// names is how many columns there are, and the first few by name.
func (w *walk) names(columns []int32) string {
	if len(columns) == 0 {
		return "0"
	}
	list := make([]string, 0, shown)
	for _, j := range columns[:min(len(columns), shown)] {
		list = append(list, w.featureName(int(j)))
	}
	return fmt.Sprintf("%d: %s", len(columns), strings.Join(list, ", ")+ellipsis(len(columns)))
}

func ellipsis(n int) string {
	if n > shown {
		return ", …"
	}
	return ""
}

// identical describes the groups of equal columns: only the lowest of a group ever moves.
func (w *walk) identical() string {
	groups := w.d.duplicates()
	if len(groups) == 0 {
		return "0 groups"
	}
	var list []string
	total := 0
	for q, group := range groups {
		total += len(group)
		if q < shown {
			var equal []string
			for _, j := range group[:min(len(group), shown)] {
				equal = append(equal, w.featureName(int(j)))
			}
			list = append(list, strings.Join(equal, " = ")+ellipsis(len(group)))
		}
	}
	return fmt.Sprintf("%d in %d groups: %s", total, len(groups), strings.Join(list, ", ")+ellipsis(len(groups)))
}

// duplicates are the groups of columns that vary and are equal, entry by entry, each in rising order, by first column.
func (d *design) duplicates() [][]int32 {
	first := make(map[uint64]int32, len(d.column)) // the lowest column of each hash
	others := map[uint64][]int32{}
	for j, k := range d.position {
		if k < 0 {
			continue
		}
		id := d.cols.Hash(j)
		if _, ok := first[id]; ok {
			others[id] = append(others[id], int32(j))
		} else {
			first[id] = int32(j)
		}
	}
	var groups [][]int32
	for id, more := range others {
		groups = append(groups, d.classes(append([]int32{first[id]}, more...))...)
	}
	slices.SortFunc(groups, func(a, b []int32) int { return int(a[0] - b[0]) })
	return groups
}

// classes sorts columns of equal hash into groups of equal ones and returns those of two or more.
func (d *design) classes(columns []int32) [][]int32 {
	var groups [][]int32
	for _, j := range columns {
		at := slices.IndexFunc(groups, func(g []int32) bool { return d.cols.Equal(int(g[0]), int(j)) })
		if at < 0 {
			groups = append(groups, []int32{j})
		} else {
			groups[at] = append(groups[at], j)
		}
	}
	return slices.DeleteFunc(groups, func(g []int32) bool { return len(g) < 2 })
}
