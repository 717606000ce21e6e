package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/page"
	"tenfold/reports/table"
)

// feature is one feature over the folds that selected it.
type feature struct {
	name, output, class string
	folds               int
	rank, coefficient   float64 // sums
	ranked              bool
}

// features lists, for each algorithm and data set, the features that most folds selected; of an algorithm with a grid,
// those of its best cell by the first metric.
func (r *report) features() ([]page.Block, error) {
	if r.Features == 0 {
		return nil, nil
	}
	names, of := r.byDataset()
	var blocks []page.Block
	for _, d := range names {
		for _, b := range r.bestCells(of[d]) {
			g, err := r.featureTable(b.Cell)
			if err != nil {
				return nil, err
			}
			if g != nil {
				switch {
				case b.of > 1 && len(r.Metrics) > 0:
					g.Notes = append(g.Notes, fmt.Sprintf("The best of %d grid points by %s.", b.of, r.Metrics[0]))
				case b.of > 1:
					g.Notes = append(g.Notes, fmt.Sprintf("The first of %d grid points.", b.of))
				}
				blocks = append(blocks, page.Table{Grid: g})
			}
		}
	}
	return blocks, nil
}

// bestCell is the best by the first metric of so many cells of an algorithm; the first where the file has no metric.
type bestCell struct {
	*cells.Cell
	of int
}

// bestCells is one cell for each algorithm.
func (r *report) bestCells(cs []*cells.Cell) []bestCell {
	var out []bestCell
	at := map[string]int{}
	for _, c := range cs {
		i, ok := at[c.Algorithm]
		if !ok {
			at[c.Algorithm] = len(out)
			out = append(out, bestCell{c, 1})
			continue
		}
		if out[i].of++; r.better(c, out[i].Cell) {
			out[i].Cell = c
		}
	}
	return out
}

func (r *report) better(a, b *cells.Cell) bool {
	if len(r.Metrics) == 0 || a.Trouble() != "" {
		return false
	}
	m := r.Metrics[0]
	x, y := a.Stat(m).Mean, b.Stat(m).Mean
	if math.IsNaN(x) {
		return false
	}
	return b.Trouble() != "" || math.IsNaN(y) || x != y && (x > y) == a.Higher(m)
}

func (r *report) featureTable(c *cells.Cell) (*table.Grid, error) {
	all, folds, err := r.collect(c)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b *feature) int {
		size := func(f *feature) float64 { return math.Abs(f.coefficient) / float64(f.folds) }
		return cmp.Or(cmp.Compare(b.folds, a.folds), cmp.Compare(a.meanRank(), b.meanRank()), cmp.Compare(size(b), size(a)),
			cmp.Compare(a.name, b.name), cmp.Compare(a.output, b.output))
	})
	shown := all[:min(r.Features, len(all))]
	has := func(f func(*feature) bool) bool { return slices.ContainsFunc(shown, f) }
	g := &table.Grid{Title: c.DatasetLabel() + ", " + c.AlgorithmLabel(), Corner: "feature", Columns: []string{"folds", "coefficient"}}
	ranked := has(func(f *feature) bool { return f.ranked })
	outputs := has(func(f *feature) bool { return f.output != "" })
	classes := has(func(f *feature) bool { return f.class != "" })
	for _, column := range []struct {
		name string
		want bool
	}{{"mean rank", ranked}, {"output", outputs}, {"class", classes}} {
		if column.want {
			g.Columns = append(g.Columns, column.name)
		}
	}
	for _, f := range shown {
		slots := []table.Slot{{Text: fmt.Sprintf("%d/%d", f.folds, folds)}, {Text: fmt.Sprintf("%.4g", f.coefficient/float64(f.folds))}}
		if ranked {
			slots = append(slots, table.Slot{Text: strings.Replace(fmt.Sprintf("%.3g", f.meanRank()), "+Inf", "–", 1)})
		}
		if outputs {
			slots = append(slots, table.Slot{Text: f.output})
		}
		if classes {
			slots = append(slots, table.Slot{Text: f.class})
		}
		g.Rows = append(g.Rows, table.Row{Label: f.name, Slots: slots})
	}
	if len(all) > len(shown) {
		g.Notes = append(g.Notes, fmt.Sprintf("%d of %d.", len(shown), len(all)))
	}
	return g, nil
}

// meanRank is infinite for features without an order of entry, which therefore come last.
func (f *feature) meanRank() float64 {
	if !f.ranked {
		return math.Inf(1)
	}
	return f.rank / float64(f.folds)
}

// collect sums the selections of a cell over its folds, in order of appearance.
func (r *report) collect(c *cells.Cell) (all []*feature, folds int, err error) {
	type key struct{ name, output string }
	byKey := map[key]*feature{}
	for _, row := range c.Rows {
		if row.Status != results.OK {
			continue
		}
		selected, err := r.Source.Selected(row)
		if err != nil {
			return nil, 0, err
		}
		folds++
		for _, s := range selected {
			k := key{s.Feature, s.Output}
			f := byKey[k]
			if f == nil {
				f = &feature{name: s.Feature, output: s.Output, class: s.Class, ranked: true}
				byKey[k] = f
				all = append(all, f)
			}
			f.folds++
			f.rank += float64(s.Rank)
			f.ranked = f.ranked && s.Rank >= 0
			f.coefficient += s.Coefficient
		}
	}
	return all, folds, nil
}
