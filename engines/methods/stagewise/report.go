package stagewise

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
)

// listed columns in a fact, at most.
const maxListed = 20

// fitted describes a path whose best point is the model.
func (e Stagewise) fitted(w fitter) engines.Fitted {
	t := w.state()
	return engines.Fitted{
		Stop: t.stop, Iterations: t.iteration, Evaluated: t.evaluated, Best: t.best.turn,
		Optimistic: e.Choose == "test", Facts: append(w.facts(), w.heldFacts("test")...), Notes: w.notes(),
	}
}

// fittedByValidation tells about a refit and the search that set its length.
func (e Stagewise) fittedByValidation(search, refit fitter) engines.Fitted {
	f, s, r := e.fitted(refit), search.state(), refit.state()
	f.Stop = s.stop
	f.Iterations += s.iteration
	f.Evaluated += s.evaluated
	f.Facts = append(f.Facts, search.heldFacts("validation")...)
	if r.iteration < s.best.turn {
		f.Notes = append(f.Notes, fmt.Sprintf("the refit on all training rows ended after %d of %d turns (%s)", r.iteration, s.best.turn, r.stop))
	}
	return f
}

func (w *leastSquaresPath) facts() []data.Fact {
	facts := append(w.columnFacts(w.d), w.pathFacts()...)
	facts = append(facts, data.Fact{Name: "RSS", Value: formatNumber(w.best.loss)})
	if w.d.tss > 0 {
		facts = append(facts, data.Fact{Name: "R²", Value: formatNumber(1 - w.best.loss/w.d.tss)})
	}
	facts = append(facts, data.Fact{Name: "distinct features looked at", Value: fmt.Sprint(w.lookup.distinctSeen())})
	if g, ok := w.correlations.(*gramCorrelations); ok {
		columns, entries := g.gram.Built()
		facts = append(facts,
			data.Fact{Name: "Gram columns computed", Value: fmt.Sprintf("%d, with %d entries", columns, entries)},
			data.Fact{Name: "Gram entries touched", Value: fmt.Sprint(g.gramEntriesRead)})
		facts = append(facts, g.blocks.facts()...)
	}
	return append(facts, data.Fact{Name: "largest drift of a correlation", Value: fmt.Sprintf("%.3g", w.drift)})
}

func (w *leastSquaresPath) notes() []string {
	if !w.drifted {
		return nil
	}
	return []string{fmt.Sprintf("rounding drifted: a correlation was off by %.3g, more than 1e-6·ε·g; lower drift_every", w.drift)}
}

func (t *pathState) columnFacts(d *design) []data.Fact {
	rows, p := d.x.Dims()
	return []data.Fact{
		{Name: "rows", Value: fmt.Sprint(rows)},
		{Name: "columns", Value: fmt.Sprint(p)},
		{Name: "stored entries", Value: fmt.Sprint(d.x.NNZ())},
		{Name: "constant columns", Value: t.describeColumns(d.constantColumns())},
		{Name: "identical columns", Value: t.describeDuplicates(d)},
	}
}

func (t *pathState) pathFacts() []data.Fact {
	return []data.Fact{
		{Name: "turns", Value: fmt.Sprint(t.iteration)},
		{Name: "steps", Value: fmt.Sprint(t.path.steps)},
		{Name: "skipped turns", Value: fmt.Sprint(t.skipped)},
		{Name: "features entered", Value: fmt.Sprintf("%d (%d by the step chosen)", len(t.entered), t.best.entered)},
		{Name: "nonzero coefficients at the end of the path", Value: fmt.Sprint(t.nonzero)},
	}
}

// facts of a search that may not have been asked for.
func (b *blocks) facts() []data.Fact {
	if b == nil || b.query == 0 {
		return nil
	}
	return []data.Fact{{Name: "blocks looked into per turn", Value: fmt.Sprintf("%.2f of %d", float64(b.scans)/float64(b.query), len(b.blocks))}}
}

func (w *leastSquaresPath) heldFacts(part string) []data.Fact {
	if !w.hasHeldOut {
		return nil
	}
	return []data.Fact{
		{Name: part + " MSE at the start", Value: formatNumber(w.initialError)},
		{Name: "best " + part + " MSE", Value: fmt.Sprintf("%s at turn %d", formatNumber(w.best.error), w.best.turn)},
	}
}

func formatNumber(x float64) string { return fmt.Sprintf("%.6g", x) }

// describeColumns is how many columns there are, and the first few by name.
func (t *pathState) describeColumns(columns []int32) string {
	if len(columns) == 0 {
		return "0"
	}
	list := make([]string, 0, maxListed)
	for _, j := range columns[:min(len(columns), maxListed)] {
		list = append(list, t.featureName(int(j)))
	}
	return fmt.Sprintf("%d: %s", len(columns), strings.Join(list, ", ")+ellipsis(len(columns)))
}

func ellipsis(n int) string {
	if n > maxListed {
		return ", …"
	}
	return ""
}

// describeDuplicates describes the groups of equal columns: only the lowest of a group ever moves.
func (t *pathState) describeDuplicates(d *design) string {
	groups := d.duplicates()
	if len(groups) == 0 {
		return "0 groups"
	}
	var list []string
	total := 0
	for q, group := range groups {
		total += len(group)
		if q < maxListed {
			var equal []string
			for _, j := range group[:min(len(group), maxListed)] {
				equal = append(equal, t.featureName(int(j)))
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
		groups = append(groups, d.groupEqual(append([]int32{first[id]}, more...))...)
	}
	slices.SortFunc(groups, func(a, b []int32) int { return int(a[0] - b[0]) })
	return groups
}

// groupEqual sorts columns of equal hash into groups of equal ones and returns those of two or more.
func (d *design) groupEqual(columns []int32) [][]int32 {
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
