package reports

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/page"
	"tenfold/reports/selection"
	"tenfold/reports/table"
)

// picked is the best cell of an algorithm with what its folds selected.
type picked struct {
	cells.Best
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
	sets := cells.ByDataset(r.cells)
	best := make([][]cells.Best, min(len(sets), most))
	for i := range best {
		best[i] = cells.BestOfEach(r.Source, sets[i].Cells, r.metric())
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
		blocks = append(blocks, r.agreement(sets[i].Label, all)...)
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
	sayOnce(blocks)
	if more > 0 {
		blocks = append(blocks, page.Text(fmt.Sprintf("The first %d of %d algorithms that selected features.", tables, tables+more)))
	}
	if left := len(sets) - len(best); left > 0 {
		blocks = append(blocks, page.Text(fmt.Sprintf("The first %d of %s.", len(best), digits.Count(len(sets), "data set"))))
	}
	return blocks, nil
}

// sayOnce leaves each sentence of the legends to the first table that has it.
func sayOnce(blocks []page.Block) {
	said := map[string]bool{}
	for _, b := range blocks {
		if t, ok := b.(page.Table); ok {
			t.Legend = slices.DeleteFunc(t.Legend, func(sentence string) bool {
				again := said[sentence]
				said[sentence] = true
				return again
			})
		}
	}
}

// readSelections reads what the section is about in the order of the file, in which it is read fastest; the source keeps it.
func (r *report) readSelections(best [][]cells.Best) error {
	wanted := map[*cells.Cell]bool{}
	for _, b := range slices.Concat(best...) {
		wanted[b.Cell] = true
	}
	for _, c := range r.cells {
		if !wanted[c] {
			continue
		}
		if c.Averaged && c.Dense() {
			continue // nothing is shown of what tasks select by themselves
		}
		for _, row := range c.Fits() {
			if _, err := r.Source.Selected(row); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *report) pick(best []cells.Best) ([]picked, error) {
	out := make([]picked, len(best))
	for i, b := range best {
		if out[i].Best = b; b.Averaged {
			continue // a feature of one task is none of another
		}
		f, err := selection.FrequencyOf(r.Source, b.Cell)
		if err != nil && !errors.Is(err, cells.ErrNotKept) {
			return nil, err
		}
		out[i] = picked{b, f, err}
	}
	return out, nil
}

// metric is the first of the file, by which algorithms with a grid show their best cell; "" without one.
func (r *report) metric() string {
	if len(r.Metrics) == 0 {
		return ""
	}
	return r.Metrics[0]
}

// point tells which of its grid points the cell is, "" where it has one.
func (r *report) point(b cells.Best) string {
	switch {
	case b.Of == 1:
		return ""
	case r.metric() != "":
		return fmt.Sprintf("The best of %d grid points by %s.", b.Of, r.metric())
	}
	return fmt.Sprintf("The first of %d grid points.", b.Of)
}

// flips marks coefficients whose sign is not the same on all folds.
const flips = " ‡"

const (
	foldsLegend       = "folds: that selected the feature."
	coefficientLegend = "coefficient, sd (standard deviation) and mean rank are over these; rank 0 entered first."
)

// featureTable lists the features that most folds selected.
func (r *report) featureTable(p picked) *table.Grid {
	all := p.Frequency.Features
	shown := all[:min(r.Features, len(all))]
	g := &table.Grid{Title: p.DatasetLabel() + ", " + p.AlgorithmLabel() + p.Caveats().Marks(), Corner: "feature"}
	columns := featureColumns(p.Frequency, shown)
	for _, c := range columns {
		g.Columns = append(g.Columns, c.name)
	}
	for _, f := range shown {
		texts := make([]string, len(columns))
		for j, c := range columns {
			texts[j] = c.text(f)
		}
		g.Rows = append(g.Rows, textRow(f.Name, texts, p.Key))
	}
	if p.Frequency.Folds > 1 {
		g.Legend = append(g.Legend, foldsLegend, coefficientLegend)
	}
	g.Legend = append(g.Legend, cells.Legend([]*cells.Cell{p.Cell})...)
	if slices.ContainsFunc(shown, func(f selection.Feature) bool { return f.Flips }) {
		g.Notes = append(g.Notes, "‡: positive on some folds and negative on others.")
	}
	switch {
	case p.Dense():
		g.Notes = append(g.Notes, "All columns are selected: those of most folds come first, then the largest coefficients.")
	case p.Frequency.Folds > 1:
		g.Notes = append(g.Notes, fmt.Sprintf("In all %d folds: %s; in at least half of them: %d; in one only: %d; in any: %d.",
			p.Frequency.Folds, digits.Count(p.All, "feature"), p.Half, p.Once, p.Any))
	}
	if len(all) > len(shown) {
		g.Notes = append(g.Notes, fmt.Sprintf("The first %d of %d.", len(shown), len(all)))
	}
	if point := r.point(p.Best); point != "" {
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
			text := digits.Format("%.4g", f.Coefficient.Mean)
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
		{featureColumn{"sd", func(f selection.Feature) string { return digits.Format("%.3g", f.Coefficient.SD) }},
			func(f selection.Feature) bool { return f.Folds > 1 }},
		{featureColumn{"mean rank", func(f selection.Feature) string { return digits.Format("%.3g", f.Rank) }},
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
