package reports

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/reports/cells"
	"tenfold/reports/page"
	"tenfold/reports/selection"
	"tenfold/reports/table"
)

// picked is the best cell of an algorithm with what its folds selected.
type picked struct {
	bestCell
	selection.Frequency
	err error // why that is not known
}

// features shows, for each data set, how stable the selections of its algorithms are, how far they agree, and the features
// that most folds selected; of an algorithm with a grid, those of its best cell by the first metric. What cannot be read is
// a problem of the report, which goes on without the section.
func (r *report) features() ([]page.Block, error) {
	if r.Features == 0 {
		return nil, nil
	}
	names, of := r.byDataset()
	best := make([][]bestCell, min(len(names), most))
	for i := range best {
		best[i] = r.bestCells(of[names[i]])
	}
	if err := r.readSelections(best); err != nil {
		r.problems = append(r.problems, fmt.Errorf("selected features: %w", err))
		return nil, nil
	}
	var blocks []page.Block
	tables, more := 0, 0
	for i := range best {
		all, err := r.pick(best[i])
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, r.agreement(names[i], all)...)
		for _, p := range all {
			switch {
			case len(p.Frequency.Features) == 0:
			case tables == most:
				more++
			default:
				tables++
				blocks = append(blocks, page.Table{Grid: r.featureTable(p)})
			}
		}
	}
	if more > 0 {
		blocks = append(blocks, page.Text(fmt.Sprintf("Features of the first %d algorithms; %d more have some.", tables, more)))
	}
	if left := len(names) - len(best); left > 0 {
		blocks = append(blocks, page.Text(andMore(left)+" data sets"))
	}
	return blocks, nil
}

// readSelections reads what the section is about in the order of the file, in which it is read fastest; the source keeps it.
func (r *report) readSelections(best [][]bestCell) error {
	wanted := map[*cells.Cell]bool{}
	for _, b := range slices.Concat(best...) {
		wanted[b.Cell] = true
	}
	for _, c := range r.cells {
		if !wanted[c] {
			continue
		}
		for _, row := range c.Finished() {
			if _, err := r.Source.Selected(row); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *report) pick(best []bestCell) ([]picked, error) {
	out := make([]picked, len(best))
	for i, b := range best {
		f, err := selection.FrequencyOf(r.Source, b.Cell)
		if err != nil && !errors.Is(err, cells.ErrNotKept) {
			return nil, err
		}
		out[i] = picked{b, f, err}
	}
	return out, nil
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
	mean := func(c *cells.Cell) float64 { return cells.Measure(r.Source, []*cells.Cell{c}, m).Mean }
	x, y := mean(a), mean(b)
	if math.IsNaN(x) {
		return false
	}
	return b.Trouble() != "" || math.IsNaN(y) || x != y && (x > y) == a.Higher(m)
}

// point tells which of its grid points the cell is, "" where it has one.
func (r *report) point(b bestCell) string {
	switch {
	case b.of == 1:
		return ""
	case len(r.Metrics) > 0:
		return fmt.Sprintf("The best of %d grid points by %s.", b.of, r.Metrics[0])
	}
	return fmt.Sprintf("The first of %d grid points.", b.of)
}

// flips marks coefficients whose sign is not the same on all folds.
const flips = " ‡"

// featureTable lists the features that most folds selected.
func (r *report) featureTable(p picked) *table.Grid {
	all := p.Frequency.Features
	shown := all[:min(r.Features, len(all))]
	g := &table.Grid{Title: p.DatasetLabel() + ", " + p.AlgorithmLabel(), Corner: "feature"}
	columns := featureColumns(p.Frequency, shown)
	for _, c := range columns {
		g.Columns = append(g.Columns, c.name)
	}
	for _, f := range shown {
		texts := make([]string, len(columns))
		for j, c := range columns {
			texts[j] = c.text(f)
		}
		g.Rows = append(g.Rows, line(f.Name, texts, p.Key))
	}
	if slices.ContainsFunc(shown, func(f selection.Feature) bool { return f.Flips }) {
		g.Legend = append(g.Legend, "‡: positive on some folds and negative on others.")
	}
	if p.Frequency.Folds > 1 {
		g.Notes = append(g.Notes, fmt.Sprintf("In all %d folds: %s; in at least half of them: %d; in one only: %d; in any: %d.",
			p.Frequency.Folds, plural(p.All, "feature"), p.Half, p.Once, p.Any))
	}
	if len(all) > len(shown) {
		g.Notes = append(g.Notes, fmt.Sprintf("%d of %d.", len(shown), len(all)))
	}
	if point := r.point(p.bestCell); point != "" {
		g.Notes = append(g.Notes, point)
	}
	return g
}

// featureColumn is a column of a feature table.
type featureColumn struct {
	name string
	text func(selection.Feature) string
}

// featureColumns are those in which these features have something to say.
func featureColumns(of selection.Frequency, shown []selection.Feature) []featureColumn {
	out := []featureColumn{
		{"folds", func(f selection.Feature) string { return fmt.Sprintf("%d/%d", f.Folds, of.Folds) }},
		{"coefficient", func(f selection.Feature) string {
			text := number("%.4g", f.Coefficient.Mean)
			if f.Flips {
				text += flips
			}
			return text
		}},
	}
	for _, c := range []struct {
		featureColumn
		has func(selection.Feature) bool
	}{
		{featureColumn{"sd", func(f selection.Feature) string { return number("%.3g", f.Coefficient.SD) }},
			func(f selection.Feature) bool { return f.Folds > 1 }},
		{featureColumn{"mean rank", func(f selection.Feature) string { return number("%.3g", f.Rank) }},
			func(f selection.Feature) bool { return !math.IsNaN(f.Rank) }},
		{featureColumn{"output", func(f selection.Feature) string { return f.Output }},
			func(f selection.Feature) bool { return f.Output != "" }},
		{featureColumn{"class", func(f selection.Feature) string { return f.Class }},
			func(f selection.Feature) bool { return f.Class != "" }},
	} {
		if slices.ContainsFunc(shown, c.has) {
			out = append(out, c.featureColumn)
		}
	}
	return out
}
