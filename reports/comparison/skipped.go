package comparison

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/table"
)

// Skipped is a cell of the experiment file without a result: its engine cannot use the data set, one of them is missing, or the
// file runs the algorithm on other data sets.
type Skipped struct {
	Cell  *cells.Cell
	Where []string // globs of the data sets on which the algorithm runs, if the data set matches none of them; else nil
}

// leftOut is a skipped cell with the table's labels, without the parameters that it averages over.
type leftOut struct {
	Skipped
	dataset string // label, with these parameters
}

// skippedHere returns the skipped cells that belong to the table.
func (b *builder) skippedHere() (out []leftOut) {
	for _, s := range b.in.Skipped {
		if !s.Cell.MatchesAll(b.Filter) {
			continue
		}
		dataset := s.Cell.DatasetLabel()
		if len(b.overDims) > 0 {
			average := *s.Cell
			average.Grid = slices.DeleteFunc(slices.Clone(s.Cell.Grid), func(p results.Param) bool { return slices.Contains(b.overDims, p.Name) })
			s.Cell = &average
		}
		if b.labelOf(b.byDims, s.Cell, "") == b.group {
			out = append(out, leftOut{s, dataset})
		}
	}
	return out
}

// addSkipped writes skipped cells in their places, in new rows below the others if their algorithms have none, and returns those
// written. It records means that lack one for a warning.
func (b *builder) addSkipped(g *table.Grid) (shown []Skipped) {
	lacks := map[*place][]string{}
	for _, s := range b.skippedHere() {
		for _, m := range b.metricsOnAxes() {
			label := b.labelOf(b.rowDims, s.Cell, m)
			i := slices.IndexFunc(g.Rows, func(r table.Row) bool { return r.Label == label })
			j := slices.Index(b.columns, b.labelOf(b.columnDims, s.Cell, m))
			if j < 0 {
				continue
			}
			if i < 0 {
				i = len(g.Rows)
				g.Rows = append(g.Rows, table.Row{Label: label, Slots: make([]table.Slot, len(b.columns))})
			}
			if i < len(b.places) && b.places[i][j] != nil {
				p := b.places[i][j]
				if !slices.Contains(lacks[p], s.dataset) {
					lacks[p] = append(lacks[p], s.dataset)
				}
			} else {
				g.Rows[i].Slots[j].Text = "skipped"
				shown = append(shown, s.Skipped)
			}
		}
	}
	for p := range b.byRow {
		if len(lacks[p]) > 0 && p.trouble == "" {
			b.partial = append(b.partial, fmt.Sprintf("%s (without %s)", b.describePlace(p), firstOf(lacks[p], 3)))
		}
	}
	return shown
}

// addSkippedColumns adds the columns of data sets that are missing, which have no cell at all, and returns the skipped cells in
// them, and those without a place: neither their row nor their column has a cell.
func (b *builder) addSkippedColumns(g *table.Grid) (shown, absent []Skipped) {
	first := len(g.Columns)
	for _, s := range b.skippedHere() {
		for _, m := range b.metricsOnAxes() {
			label := b.labelOf(b.columnDims, s.Cell, m)
			if slices.Contains(b.columns, label) {
				continue
			}
			i := slices.IndexFunc(g.Rows, func(r table.Row) bool { return r.Label == b.labelOf(b.rowDims, s.Cell, m) })
			if i < 0 {
				absent = append(absent, s.Skipped)
				continue
			}
			j := slices.Index(g.Columns[first:], label)
			if j < 0 {
				j = len(g.Columns) - first
				g.Columns = append(g.Columns, label)
				for _, rows := range [][]table.Row{g.Rows, g.Footer} {
					for k := range rows {
						rows[k].Slots = append(rows[k].Slots, table.Slot{})
					}
				}
			}
			g.Rows[i].Slots[first+j].Text = "skipped"
			shown = append(shown, s.Skipped)
		}
	}
	return shown, absent
}

// lackingWarnings names the means over fewer data sets than their neighbours.
func (b *builder) lackingWarnings() []string {
	if len(b.partial) == 0 {
		return nil
	}
	return []string{"means over fewer data sets than there are, as cells were skipped: " + firstOf(b.partial, 6)}
}

// skippedTexts says why cells are skipped, after a word for them: a line for those whose reason the report states, and one for each
// choice of data sets.
func skippedTexts(word string, skipped []Skipped) (out []string) {
	var choices []string
	names := map[string][]string{}
	for _, s := range skipped {
		if s.Where == nil {
			if len(out) == 0 {
				out = []string{word + ": the engine cannot use the data set, or one of them is not there; the report says why under Skipped."}
			}
			continue
		}
		choice, name := strings.Join(s.Where, ", "), s.Cell.AlgorithmName()
		if names[choice] == nil {
			choices = append(choices, choice)
		}
		if !slices.Contains(names[choice], name) {
			names[choice] = append(names[choice], name)
		}
	}
	for _, choice := range choices {
		out = append(out, fmt.Sprintf("%s: the experiment file asks for %s on other data sets only (datasets: %s).", word, strings.Join(names[choice], ", "), choice))
	}
	return out
}
