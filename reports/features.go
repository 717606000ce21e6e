package reports

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/page"
	"tenfold/reports/selection"
	"tenfold/reports/table"
)

// bestCells chooses a cell to represent each algorithm.
type bestCells struct {
	source cells.Source
	metric string // of the best grid point; "" for the first point
}

// choose returns the best cell of each algorithm among those of one data set.
func (b bestCells) choose(cs []*cells.Cell) []cells.Best {
	return cells.BestOfEach(b.source, cs, b.metric)
}

// note returns the grid point of a cell, "" without one.
func (b bestCells) note(c cells.Best) string {
	switch {
	case c.Of == 1:
		return ""
	case b.metric != "":
		return fmt.Sprintf("The best of %d grid points by %s.", c.Of, b.metric)
	}
	return fmt.Sprintf("The first of %d grid points.", c.Of)
}

// featureSection shows, for each data set, how stable the selections of its algorithms are, how far they agree, and the features
// that most folds selected.
type featureSection struct {
	bestCells
	most int // features listed of each algorithm; 0 for no section
}

// chosenCell is the best cell of an algorithm with what its folds selected.
type chosenCell struct {
	cells.Best
	selection.Frequency
	err error // why that is not known
}

// blocks returns the blocks of the section; none without selections that can be read.
func (s featureSection) blocks(all []*cells.Cell) ([]page.Block, error) {
	if s.most == 0 {
		return nil, nil
	}
	sets := cells.ByDataset(all)
	best := make([][]cells.Best, min(len(sets), mostLines))
	for i := range best {
		best[i] = s.choose(sets[i].Cells)
	}
	if err := s.preload(all, slices.Concat(best...)); err != nil {
		return nil, fmt.Errorf("selected features: %w", err)
	}
	var blocks []page.Block
	tables, more := 0, 0
	for i := range best {
		chosen, err := s.readFrequencies(best[i])
		if err != nil {
			return nil, fmt.Errorf("selected features: %w", err)
		}
		blocks = append(blocks, s.agreement(sets[i].Label, chosen)...)
		for _, c := range chosen {
			switch {
			case len(c.Frequency.Features) == 0:
			case tables == mostLines:
				more++
			default:
				tables++
				blocks = append(blocks, page.Table{Grid: s.featureTable(c)})
			}
		}
	}
	dropRepeatedLegends(blocks)
	if more > 0 {
		blocks = append(blocks, page.Text(fmt.Sprintf("The first %d of %d algorithms that selected features.", tables, tables+more)))
	}
	if left := len(sets) - len(best); left > 0 {
		blocks = append(blocks, page.Text(fmt.Sprintf("The first %d of %s.", len(best), digits.Count(len(sets), "data set"))))
	}
	return blocks, nil
}

// preload reads the selections of the best cells in the order of the file, in which reading is fastest; the source caches them.
func (s featureSection) preload(all []*cells.Cell, best []cells.Best) error {
	wanted := map[*cells.Cell]bool{}
	for _, b := range best {
		wanted[b.Cell] = true
	}
	for _, c := range all {
		if !wanted[c] || c.Averaged && c.Dense() { // the selections of single tasks are not shown
			continue
		}
		for _, row := range c.Fits() {
			if row.Features > cells.MaxKept {
				continue // it is read when it is shown
			}
			if _, err := s.source.Selected(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// readFrequencies reads what the folds of each cell selected; for an average nothing, since tasks do not share features.
func (s featureSection) readFrequencies(best []cells.Best) ([]chosenCell, error) {
	out := make([]chosenCell, len(best))
	for i, b := range best {
		if out[i].Best = b; b.Averaged {
			continue
		}
		f, err := selection.FrequencyOf(s.source, b.Cell)
		if err != nil && !errors.Is(err, cells.ErrNotKept) {
			return nil, err
		}
		f.Keep(s.most)
		out[i] = chosenCell{b, f, err}
	}
	return out, nil
}

// rankColumn is shown if some column entered after another.
const rankColumn = "mean rank"

// flips marks a coefficient that is positive on some folds and negative on others.
const flips = " ‡"

const (
	foldsLegend       = "folds: the number of folds that selected the feature."
	coefficientLegend = "coefficient and sd (standard deviation) are over these."
	rankLegend        = "mean rank is over these; rank 0 entered first."
	outputLegend      = "output: a feature has a line for each output that chose it."
)

// featureTable lists the features that most folds selected, the first s.most of them.
func (s featureSection) featureTable(c chosenCell) *table.Grid {
	shown := c.Frequency.Features
	g := &table.Grid{Title: c.DatasetLabel() + ", " + c.AlgorithmLabel() + c.Caveats().Marks(), Corner: "feature"}
	fillTable(g, featureColumns(c.Frequency.Folds), shown, func(f selection.Feature) string { return f.Name }, c.Key)
	if c.Frequency.Folds > 1 {
		g.Legend = append(g.Legend, foldsLegend, coefficientLegend)
		if slices.Contains(g.Columns, rankColumn) {
			g.Legend = append(g.Legend, rankLegend)
		}
	}
	lines, counted := "", ""
	if c.Outputs {
		g.Legend = append(g.Legend, outputLegend)
		lines, counted = " lines", "; each counts once, whichever outputs chose it"
	}
	g.Legend = append(g.Legend, cells.Legend([]*cells.Cell{c.Cell})...)
	if slices.ContainsFunc(shown, func(f selection.Feature) bool { return f.Flips }) {
		g.Notes = append(g.Notes, "‡: positive on some folds and negative on others.")
	}
	switch {
	case c.Dense():
		g.Notes = append(g.Notes, "All columns are selected: those of most folds come first, then the largest coefficients.")
	case c.Frequency.Folds > 1:
		g.Notes = append(g.Notes, fmt.Sprintf("In all %d folds: %s; in at least half of them: %d; in one only: %d; in any: %d%s.",
			c.Frequency.Folds, digits.Count(c.All, "feature"), c.Half, c.Once, c.Any, counted))
	}
	if c.Listed > len(shown) {
		g.Notes = append(g.Notes, fmt.Sprintf("The first %d of %d%s.", len(shown), c.Listed, lines))
	}
	if note := s.note(c.Best); note != "" {
		g.Notes = append(g.Notes, note)
	}
	return g
}

// featureColumns returns the columns of a table of features that were selected on up to this many folds.
func featureColumns(folds int) []column[selection.Feature] {
	return []column[selection.Feature]{
		{name: "folds", text: func(f selection.Feature) string { return fmt.Sprintf("%d/%d", f.Folds, folds) }},
		{name: "coefficient", text: func(f selection.Feature) string {
			text := digits.Format("%.4g", f.Coefficient.Mean)
			if f.Flips {
				text += flips
			}
			return text
		}},
		{"sd", func(f selection.Feature) string { return digits.Format("%.3g", f.Coefficient.SD) }, func(f selection.Feature) bool { return f.Folds > 1 }},
		{rankColumn, func(f selection.Feature) string { return digits.Format("%.3g", f.Rank) }, func(f selection.Feature) bool { return f.Rank > 0 }},
		wordColumn("output", func(f selection.Feature) string { return f.Output }),
		wordColumn("class", func(f selection.Feature) string { return f.Class }),
	}
}

// selectionTable lists what one fit selected, in order of entry, up to a limit.
func selectionTable(selected []results.Selected, most int) *table.Grid {
	rank := func(s results.Selected) float64 {
		if s.Rank < 0 {
			return math.Inf(1)
		}
		return float64(s.Rank)
	}
	slices.SortStableFunc(selected, func(a, b results.Selected) int {
		return cmp.Or(strings.Compare(a.Output, b.Output), cmp.Compare(rank(a), rank(b)), cmp.Compare(math.Abs(b.Coefficient), math.Abs(a.Coefficient)))
	})
	g := &table.Grid{Corner: "feature"}
	shown := selected[:min(most, len(selected))]
	fillTable(g, selectionColumns(), shown, func(s results.Selected) string { return s.Feature })
	if len(selected) > len(shown) {
		g.Notes = append(g.Notes, fmt.Sprintf("The first %d of %d; selections.parquet has all.", len(shown), len(selected)))
	}
	return g
}

func selectionColumns() []column[results.Selected] {
	return []column[results.Selected]{
		{"rank", func(s results.Selected) string {
			if s.Rank < 0 {
				return digits.Missing
			}
			return fmt.Sprint(s.Rank)
		}, func(s results.Selected) bool { return s.Rank > 0 }},
		wordColumn("output", func(s results.Selected) string { return s.Output }),
		wordColumn("class", func(s results.Selected) string { return s.Class }),
		{name: "coefficient", text: func(s results.Selected) string { return digits.Format("%.5g", s.Coefficient) }},
		{"score at entry", func(s results.Selected) string { return digits.Format("%.5g", s.Score) }, func(s results.Selected) bool { return !math.IsNaN(s.Score) && s.Score != 0 }},
		{"net bits", func(s results.Selected) string {
			if s.Bits == nil {
				return digits.Missing
			}
			return formatBits(s.Bits.Net())
		}, func(s results.Selected) bool { return s.Bits != nil }},
	}
}
