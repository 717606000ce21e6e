package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/page"
	"tenfold/reports/table"
)

// most is how many lines a list of fits or failures has before the rest is only counted.
const most = 50

func (r *report) lead() string {
	algorithms := distinct(r.Rows, func(row *results.Row) string { return row.Algorithm })
	datasets := distinct(r.Rows, func(row *results.Row) string { return cmp.Or(row.Family, row.Dataset) })
	tasks := ""
	if n := len(distinct(r.Rows, func(row *results.Row) string { return ifTask(row, row.Dataset) })); n > 0 {
		tasks = " with " + digits.Count(n, "task")
	}
	return fmt.Sprintf("Experiment %s: %s%s, %s, %s, %s.", r.Name, digits.Count(len(datasets), "data set"), tasks,
		digits.Count(len(algorithms), "algorithm"), digits.Count(len(r.cells), "cell"), digits.Count(len(r.Rows), "fit"))
}

// ifTask is the text for the row of a task, "" for others.
func ifTask(row *results.Row, text string) string {
	if row.Task == "" {
		return ""
	}
	return text
}

// distinct values in order of appearance, without the empty one.
func distinct(rows []results.Row, of func(*results.Row) string) []string {
	var out []string
	seen := map[string]bool{"": true}
	last := ""
	for i := range rows {
		v := of(&rows[i])
		if v == last {
			continue // most are as the one before
		}
		if last = v; !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

// data is a table of the data sets and what was measured on them.
func (r *report) data() []page.Block {
	g := &table.Grid{Corner: "dataset", Columns: []string{"training rows", "test rows", "columns", "folds"}}
	var facts []page.Block
	for _, d := range cells.ByDataset(r.cells) {
		rows := fits(d.Cells)
		folds := strconv.Itoa(d.Cells[0].Folds)
		if c := d.Cells[0]; c.Averaged {
			folds = digits.Count(c.Folds, "task")
			if n := span(c.Tasks, func(t *cells.Cell) int64 { return int64(t.Folds) }); n != "1" && len(c.Tasks) > 0 {
				folds += " × " + n
			}
		}
		g.Rows = append(g.Rows, table.Row{Label: d.Label, Slots: []table.Slot{
			{Text: span(rows, func(row *results.Row) int64 { return row.RowsTrain })},
			{Text: span(rows, func(row *results.Row) int64 { return row.RowsTest })},
			{Text: span(rows, func(row *results.Row) int64 { return row.Columns })},
			{Text: folds}}})
		measured := &table.Grid{Corner: d.Label, Columns: []string{"measured"}, Facts: true}
		for _, f := range slices.Concat(r.factsAbout(d.Cells[0].Dataset), factsOf(rows, longestSet, func(row *results.Row) []data.Fact { return row.Prepared })) {
			measured.Rows = append(measured.Rows, table.Row{Label: f.Name, Slots: []table.Slot{{Text: shorten(f.Value, longestSet)}}})
		}
		if len(measured.Rows) > 0 {
			facts = append(facts, page.Table{Grid: measured})
		}
	}
	return append([]page.Block{page.Table{Grid: g}}, facts...)
}

// factsAbout is what the reader of a data set measured; of a family, of all its tasks.
func (r *report) factsAbout(dataset string) []data.Fact {
	var of [][]data.Fact
	for _, s := range r.Data {
		if cmp.Or(s.Family, s.Name) == dataset {
			of = append(of, s.Facts)
		}
		if s.Name == dataset {
			return s.Facts
		}
	}
	return together(of, longestSet)
}

// fits of some cells that ended well.
func fits(cs []*cells.Cell) []*results.Row {
	var out []*results.Row
	for _, c := range cs {
		out = append(out, c.Fits()...)
	}
	return out
}

// span is "90" or "89 … 91".
func span[T any](rows []T, of func(T) int64) string {
	if len(rows) == 0 {
		return digits.Missing
	}
	low, high := of(rows[0]), of(rows[0])
	for _, r := range rows {
		low, high = min(low, of(r)), max(high, of(r))
	}
	if low == high {
		return strconv.FormatInt(low, 10)
	}
	return fmt.Sprintf("%d … %d", low, high)
}

// failures lists the units that did not end well, with the first line of their errors.
func (r *report) failures() []page.Block {
	var lines page.List
	for _, c := range r.single {
		for _, row := range c.Rows {
			if row.Status == results.OK {
				continue
			}
			text, _, _ := strings.Cut(row.Error, "\n")
			line := fmt.Sprintf("%s, %s, repeat %d, fold %d: %s", c.DatasetLabel(), c.AlgorithmLabel(), row.Repeat, row.Fold, row.Status)
			if text != "" {
				line += ": " + text
			}
			lines = append(lines, page.Point{Text: line, Cell: c.Key})
		}
	}
	return limited(lines)
}

// skipped are the cells of the experiment file whose engine cannot use the data set, with the reason.
func (r *report) skipped() []page.Block {
	var lines page.List
	for _, s := range r.Skipped {
		lines = append(lines, page.Point{Text: fmt.Sprintf("%s, %s: %s", s.Cell.DatasetLabel(), s.Cell.AlgorithmLabel(), s.Why)})
	}
	return limited(lines)
}

func limited(lines page.List) []page.Block {
	switch {
	case len(lines) == 0:
		return nil
	case len(lines) > most:
		lines = append(lines[:most:most], page.Point{Text: andMore(len(lines) - most)})
	}
	return []page.Block{lines}
}

func andMore(n int) string { return fmt.Sprintf("… and %d more", n) }

// notShown tells which parts of the report could not be made.
func (r *report) notShown() []page.Block {
	var lines page.List
	for _, err := range r.problems {
		lines = append(lines, page.Point{Text: err.Error()})
	}
	return limited(lines)
}

// provenance is the part that may differ between equal experiments: software, machine, and times.
func (r *report) provenance() []page.Block {
	var lines page.List
	add := func(what string, values []string) {
		if len(values) > 0 {
			lines = append(lines, page.Point{Text: what + " " + strings.Join(values, ", ")})
		}
	}
	if r.Digest != "" {
		add("digest", []string{r.Digest})
	}
	add("tenfold", distinct(r.Rows, func(row *results.Row) string { return row.Version }))
	add("commit", distinct(r.Rows, func(row *results.Row) string {
		if row.Commit != "" && row.Dirty {
			return row.Commit + " (with uncommitted changes)"
		}
		return row.Commit
	}))
	add("machine", distinct(r.Rows, func(row *results.Row) string { return row.Machine }))
	var blocks []page.Block
	if len(lines) > 0 {
		blocks = append(blocks, lines)
	}
	if g := r.times(); len(g.Rows) > 0 {
		blocks = append(blocks, page.Table{Grid: g})
	}
	return blocks
}

// times of the cells, as means over folds.
func (r *report) times() *table.Grid {
	g := &table.Grid{Corner: "mean seconds a fold", Columns: []string{"fit", "predict", "processor"}}
	var shown []*cells.Cell
	more := 0
	for _, c := range r.cells {
		rows := c.Finished()
		switch {
		case len(rows) == 0:
		case len(g.Rows) == most:
			more++
		default:
			shown = append(shown, c)
			g.Rows = append(g.Rows, textRow(c.DatasetLabel()+", "+c.AlgorithmLabel()+c.Caveats().Marks(), []string{
				seconds(rows, func(row *results.Row) float64 { return row.SecondsFit }),
				seconds(rows, func(row *results.Row) float64 { return row.SecondsPredict }),
				seconds(rows, func(row *results.Row) float64 { return row.CPUSeconds }),
			}, c.Key))
		}
	}
	g.Legend = cells.Legend(shown)
	if more > 0 {
		g.Notes = []string{andMore(more)}
	}
	return g
}

func seconds(rows []*results.Row, of func(*results.Row) float64) string {
	sum := 0.0
	for _, r := range rows {
		sum += of(r)
	}
	return digits.Format("%.3g", sum/float64(len(rows)))
}
