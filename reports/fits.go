package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/page"
	"tenfold/reports/table"
)

// mostPoints is the maximum number of grid points of an algorithm side by side.
const mostPoints = 6

// fitSection shows, for each algorithm, how its fits ended and what the engine reported of them: facts by grid points.
type fitSection struct {
	source  cells.Source
	metrics []string // of the experiment file; facts on others are left out
}

// blocks returns the blocks of the section. They lack facts that cannot be read, which the errors report.
func (s fitSection) blocks(all []*cells.Cell) (blocks []page.Block, errs []error) {
	more := 0
	for _, d := range cells.ByDataset(all) {
		var algorithms []string
		points := map[string][]*cells.Cell{}
		for _, c := range d.Cells {
			if points[c.Algorithm] == nil {
				algorithms = append(algorithms, c.Algorithm)
			}
			points[c.Algorithm] = append(points[c.Algorithm], c)
		}
		for _, a := range algorithms {
			if len(blocks) == mostLines { // nobody reads so many, and every fit's facts would have to be decoded
				more++
				continue
			}
			g, unread := s.table(points[a])
			errs = append(errs, unread...)
			if g != nil {
				g.Title = d.Label + ", " + points[a][0].AlgorithmName()
				blocks = append(blocks, page.Table{Grid: g})
			}
		}
	}
	if more > 0 {
		blocks = append(blocks, page.Text(andMore(more)+" algorithms"))
	}
	return blocks, errs
}

// table returns a table with a column for each grid point of an algorithm and a row for each fact. It is nil if the engine reported
// nothing. Facts that cannot be read are missing from it, which the errors report.
func (s fitSection) table(points []*cells.Cell) (g *table.Grid, unread []error) {
	factsOf := func(row *results.Row) []data.Fact {
		facts, err := s.source.Facts(row)
		if err != nil {
			unread = append(unread, err)
		}
		return facts
	}
	g = &table.Grid{Corner: "over " + digits.Count(points[0].Folds, strings.TrimSuffix(cells.Over(points), "s")), Facts: true}
	if len(points) > mostPoints {
		g.Notes = []string{fmt.Sprintf("The first %d of %d grid points.", mostPoints, len(points))}
		points = points[:mostPoints]
	}
	ended := table.Row{Label: "ended by"}
	for _, c := range points {
		g.Columns = append(g.Columns, cmp.Or(strings.TrimPrefix(c.AlgorithmLabel(), c.AlgorithmName()+" "), c.AlgorithmName()))
		rows := c.Fits()
		var stops []string
		for _, row := range rows {
			if row.Stop != "" && !slices.Contains(stops, row.Stop) {
				stops = append(stops, row.Stop)
			}
		}
		for _, n := range mergeNotes(rows) {
			if !slices.Contains(g.Warnings, n) {
				g.Warnings = append(g.Warnings, n)
			}
		}
		ended.Slots = append(ended.Slots, table.Slot{Text: strings.Join(stops, ", "), Caveats: c.Caveats(), Keys: []string{c.Key}})
	}
	g.Rows = []table.Row{ended}
	for j, c := range points {
		for _, f := range rowFacts(c.Fits(), max(factWidth, wideFactWidth/len(points)), factsOf) {
			if m, ok := strings.CutPrefix(f.Name, results.WithoutMetric); ok && len(s.metrics) > 0 && !slices.Contains(s.metrics, m) {
				continue // nobody asked for it
			}
			i := slices.IndexFunc(g.Rows, func(row table.Row) bool { return row.Label == f.Name })
			if i < 0 {
				i = len(g.Rows)
				g.Rows = append(g.Rows, table.Row{Label: f.Name, Slots: make([]table.Slot, len(points))})
			}
			g.Rows[i].Slots[j] = table.Slot{Text: f.Value, Keys: []string{c.Key}}
		}
	}
	if len(g.Rows) == 1 && len(g.Warnings) == 0 {
		return nil, unread
	}
	return g, unread
}

// mostNotes is the number of notes on the fits of a cell that are shown.
const mostNotes = 10

// mergeNotes returns the notes of fits, with those that differ only in their numbers merged.
func mergeNotes(rows []*results.Row) []string {
	var order []string
	alike := map[string][]string{}
	for _, row := range rows {
		for _, n := range row.Notes {
			w := withoutNumbers(n)
			if alike[w] == nil {
				order = append(order, w)
			}
			alike[w] = append(alike[w], n)
		}
	}
	var out []string
	for i, w := range order {
		if i == mostNotes {
			return append(out, andMore(len(order)-i))
		}
		text, _ := mergeNumbers(alike[w])
		out = append(out, text)
	}
	return out
}
