package reports

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/comparison"
	"tenfold/reports/digits"
	"tenfold/reports/figure"
	"tenfold/reports/page"
	"tenfold/reports/selection"
	"tenfold/reports/table"
)

// View is a run for pages that show it part by part, instead of one document. Its methods may not be called from several goroutines
// at once.
type View struct{ r *report }

// NewView returns the view of a run. Nothing is rendered yet.
func NewView(c Config, in Input) *View { return &View{prepare(c, in)} }

// Cells returns the cells of the run, for families those of single tasks.
func (v *View) Cells() []*cells.Cell { return v.r.single }

// Averaged returns the cells with one for the tasks of each family.
func (v *View) Averaged() []*cells.Cell { return v.r.cells }

// Source returns the source of what the rows do not hold.
func (v *View) Source() cells.Source { return v.r.Source }

// Lead returns a line on what was run.
func (v *View) Lead() string { return v.r.lead() }

// mostTabled is the number of cells above which tables show only the best of each algorithm, and mostTables the number of these
// tables.
const (
	mostTabled = 400
	mostTables = 20
)

// Tables returns the comparison tables of the run; for very many cells, tables of the best of each algorithm. Problems are listed
// after them.
func (v *View) Tables() []page.Block {
	r := *v.r
	r.problems = nil
	var note string
	if len(r.cells) > mostTabled {
		r.single, note = r.bestCells()
		r.Tables = nil
	}
	r.build()
	var out []page.Block
	if note != "" {
		out = append(out, page.Text(note))
	}
	for _, g := range r.grids {
		if note != "" && g.Detail {
			continue
		}
		out = append(out, page.Table{Grid: g})
	}
	if note != "" {
		dropRepeatedLegends(out)
	}
	if n := len(out); note != "" && n > mostTables+1 {
		out = append(out[:mostTables+1], page.Text(andMore(n-mostTables-1)+" tables."))
	}
	return slices.Concat(out, r.warningList(), problemList(r.problems))
}

// bestCells returns the best cell of each algorithm on each data set, for families with its tasks.
func (r *report) bestCells() (best []*cells.Cell, note string) {
	metric := ""
	for _, m := range r.Metrics {
		if !cells.OfCell(m) { // these take long to measure
			metric = m
			break
		}
	}
	for _, d := range cells.ByDataset(r.cells) {
		for _, b := range cells.BestOfEach(r.Source, d.Cells, metric) {
			if b.Averaged {
				best = append(best, b.Tasks...)
			} else {
				best = append(best, b.Cell)
			}
		}
	}
	by := ""
	if metric != "" {
		by = " by " + metric
	}
	return best, fmt.Sprintf("Of %s, the best of each algorithm%s.", digits.Count(len(r.cells), "cell"), by)
}

// Failures lists the units that did not end well.
func (v *View) Failures() []page.Block { return failureList(v.r.single) }

// Methods lists the programs that are engines of the run: what they ran, and by which code.
func (v *View) Methods() []page.Block { return methodList(v.r.Methods) }

// Data shows the facts about the data sets; of families, those of all their tasks.
func (v *View) Data() []page.Block { return v.r.dataSets().details() }

// Folds returns a line for each fold of a cell, or task of an average, with its metrics, and the errors.
func (v *View) Folds(c *cells.Cell) []page.Block { return v.r.details().foldBlocks(c) }

// Identity returns what a cell's results depend on, its parameters, and the commands that run it again.
func (v *View) Identity(c *cells.Cell) []page.Block {
	return append(identityBlocks(c), v.r.details().commands(c))
}

// Fit shows how the fits of a cell ended and what the engine reported of them.
func (v *View) Fit(c *cells.Cell) ([]page.Block, error) {
	g, errs := v.r.fits().table([]*cells.Cell{c})
	if g == nil || len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return []page.Block{page.Table{Grid: g}}, nil
}

// Points returns the metrics of a cell at the sizes along its path, and those of its outputs, if it has any.
func (v *View) Points(c *cells.Cell) ([]page.Block, error) {
	points, err := cells.AtPoints(v.r.Source, []*cells.Cell{c}, results.PointDim)
	if err != nil || len(points) == 1 && points[0] == c {
		return nil, err
	}
	grids, err := comparison.Build(comparison.Config{Rows: results.PointDim, Test: comparison.None}, comparison.Input{Cells: points, Source: v.r.Source, Metrics: v.r.Metrics, Labels: v.r.Labels})
	var out []page.Block
	for _, g := range grids {
		g.Title = ""
		out = append(out, page.Table{Grid: g})
	}
	return out, err
}

// Path returns the path of a fit, nil if it recorded none.
func (v *View) Path(c *cells.Cell, row *results.Row) (page.Block, error) {
	points, err := v.r.Source.Path(row)
	if err != nil || len(points) < 2 {
		return nil, err
	}
	chart := figure.PathOf(c, row, points, true)
	var svg bytes.Buffer
	if err := chart.Live(&svg); err != nil {
		return nil, err
	}
	return page.Figure{Alt: chart.Alt(), Caption: chart.Caption, SVG: svg.Bytes()}, nil
}

// Frequency shows how often, how early and how strongly the folds of a cell selected features, up to a maximum number of features.
func (v *View) Frequency(c *cells.Cell, most int) ([]page.Block, error) {
	f, err := selection.FrequencyOf(v.r.Source, c)
	if errors.Is(err, cells.ErrNotKept) {
		return []page.Block{page.Text("The selected features were not kept.")}, nil
	}
	if err != nil || len(f.Features) == 0 {
		return nil, err
	}
	f.Keep(most)
	g := featureSection{v.r.best(), most}.featureTable(chosenCell{Best: cells.Best{Cell: c, Of: 1}, Frequency: f})
	g.Title = ""
	removeLinks(g)
	return []page.Block{page.Table{Grid: g}}, nil
}

// removeLinks removes the keys from a table on the page of its own cell.
func removeLinks(g *table.Grid) {
	for _, rows := range [][]table.Row{g.Rows, g.Footer} {
		for _, r := range rows {
			for j := range r.Slots {
				r.Slots[j].Keys = nil
			}
		}
	}
}

// Ledger shows why a fit of a cell selected its features, in bits; nothing if its engine does not minimise description lengths.
func (v *View) Ledger(c *cells.Cell, row *results.Row) ([]page.Block, error) {
	if !hasLedger(c) {
		return nil, nil
	}
	first := *c // the ledger is that of the first fold that selected a feature
	first.Rows = slices.Clone(c.Rows)
	if i := slices.Index(first.Rows, row); i > 0 {
		first.Rows = slices.Insert(slices.Delete(first.Rows, i, i+1), 0, row)
	}
	l, err := selection.LedgerOf(v.r.Source, &first)
	switch {
	case errors.Is(err, cells.ErrNotKept):
		return nil, nil
	case err != nil:
		return nil, err
	case l == nil:
		return []page.Block{page.Text("No feature was worth its bits.")}, nil
	}
	g := ledgerTable(&first, l)
	g.Title = fmt.Sprintf("Repeat %d, fold %d", l.Row.Repeat, l.Row.Fold)
	removeLinks(g)
	return []page.Block{page.Table{Grid: g}}, nil
}

// Selected shows what one fit selected, in order of entry, up to a maximum number of features.
func (v *View) Selected(row *results.Row, most int) ([]page.Block, error) {
	selected, err := cells.Selection(v.r.Source, row)
	if errors.Is(err, cells.ErrNotKept) {
		return nil, nil
	}
	if err != nil || len(selected) == 0 {
		return nil, err
	}
	return []page.Block{page.Table{Grid: selectionTable(selected, most)}}, nil
}
