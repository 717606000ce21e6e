package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"tenfold/engines/data"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/page"
	"tenfold/reports/table"
)

// dataSets holds the facts about the data sets of a run; a family has one entry for each task.
type dataSets []SetFacts

// section returns a table of the data sets of cells, and what was measured on each.
func (s dataSets) section(all []*cells.Cell) []page.Block {
	g := &table.Grid{Corner: "dataset", Columns: []string{"training rows", "test rows", "columns", "folds"}}
	var facts []page.Block
	for _, d := range cells.ByDataset(all) {
		var rows []*results.Row // of fits that ended well
		for _, c := range d.Cells {
			rows = append(rows, c.Fits()...)
		}
		folds := strconv.Itoa(d.Cells[0].Folds)
		if c := d.Cells[0]; c.Averaged {
			folds = digits.Count(c.Folds, "task")
			if n := formatRange(c.Tasks, func(t *cells.Cell) int64 { return int64(t.Folds) }); n != "1" && len(c.Tasks) > 0 {
				folds += " × " + n
			}
		}
		g.Rows = append(g.Rows, table.Row{Label: d.Label, Slots: []table.Slot{
			{Text: formatRange(rows, func(row *results.Row) int64 { return row.RowsTrain })},
			{Text: formatRange(rows, func(row *results.Row) int64 { return row.RowsTest })},
			{Text: formatRange(rows, func(row *results.Row) int64 { return row.Columns })},
			{Text: folds}}})
		measured := &table.Grid{Corner: d.Label, Columns: []string{"measured"}, Facts: true}
		for _, f := range slices.Concat(s.factsAbout(d.Cells[0].Dataset), rowFacts(rows, wideFactWidth, func(row *results.Row) []data.Fact { return row.Prepared })) {
			measured.Rows = append(measured.Rows, table.Row{Label: f.Name, Slots: []table.Slot{{Text: shorten(f.Value, wideFactWidth)}}})
		}
		if len(measured.Rows) > 0 {
			facts = append(facts, page.Table{Grid: measured})
		}
	}
	return append([]page.Block{page.Table{Grid: g}}, facts...)
}

// factsAbout returns the facts that the reader measured on a data set; for a family, those of all its tasks, merged.
func (s dataSets) factsAbout(dataset string) []data.Fact {
	var tasks [][]data.Fact
	for _, set := range s {
		if cmp.Or(set.Family, set.Name) == dataset {
			tasks = append(tasks, set.Facts)
		}
		if set.Name == dataset {
			return set.Facts
		}
	}
	return mergeFacts(tasks, wideFactWidth)
}

// details returns the facts about each data set, or family, behind a line that opens them.
func (s dataSets) details() []page.Block {
	var out []page.Block
	tasks := map[string]map[string]bool{}
	var names []string
	for _, d := range s {
		name := cmp.Or(d.Family, d.Name)
		if tasks[name] == nil {
			tasks[name] = map[string]bool{}
			names = append(names, name)
		}
		tasks[name][d.Task] = true
	}
	for i, name := range names {
		if i == mostLines {
			return append(out, page.Text(andMore(len(names)-mostLines)+" data sets."))
		}
		d := page.Details{ID: fmt.Sprintf("data-%d", i+1), Title: name}
		if n := len(tasks[name]); n > 1 {
			d.Aside = digits.Count(n, "task")
		}
		var facts page.Facts
		for _, f := range s.factsAbout(name) {
			facts.Items = append(facts.Items, page.Fact{Name: f.Name, Value: shorten(f.Value, wideFactWidth)})
		}
		d.Blocks = []page.Block{facts}
		out = append(out, d)
	}
	return out
}
