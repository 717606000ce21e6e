// Package table holds finished tables, and writes them: as Markdown and text (render.go), HTML, LaTeX and CSV. A Grid is texts with marks
// and notes; what its numbers are, and how they compare, those decide who fill it, such as package comparison.
package table

import (
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
)

// Grid is a finished table: rows of texts below headings, with what a reader needs to know of them.
type Grid struct {
	Title    string
	Name     string // for references to it; "" where the title does
	About    string // what it shows, if it has no title
	Corner   string // heading of the rows
	Columns  []string
	Rows     []Row
	Footer   []Row    // totals of the columns
	Legend   []string // what marks mean
	Notes    []string
	Warnings []string // what a reader could misread
	Numbers  []Number
	Compared []string // how its numbers are compared, in sentences for a description of methods

	Detail bool // tests behind the marks of the table before, for a closer look
	Facts  bool // rows are facts of different kinds: text, not sortable
}

// Row is a row of a table.
type Row struct {
	Label string
	Slots []Slot
}

// Slot is the content of one row and column.
type Slot struct {
	Text    string
	Best    bool
	Similar bool   // not significantly worse than the best
	Mark    string // v better than the baseline, * worse, "" neither
	cells.Caveats
	Keys []string
}

// Number is a statistic behind a slot, for programs.
type Number struct {
	Row, Column, Metric string
	Stat                results.Stat
	Status, Mark        string
	Optimistic          bool
	P, Adjusted         float64 // against the baseline, raw and corrected; NaN without a test
}

// HasMarks reports whether some slot, those of the footer included, is marked as better or worse than a baseline.
func (g *Grid) HasMarks() bool {
	return slices.ContainsFunc(slices.Concat(g.Rows, g.Footer), func(r Row) bool {
		return slices.ContainsFunc(r.Slots, func(s Slot) bool { return s.Mark != "" })
	})
}

// isTextual reports whether a column holds texts, aligned left, rather than numbers, aligned right: none of its slots begins with a
// number.
func (g *Grid) isTextual(column int) bool {
	some := false
	for _, rows := range [][]Row{g.Rows, g.Footer} {
		for _, r := range rows {
			text := strings.TrimLeft(r.Slots[column].Text, "+−±<>")
			if text != "" && (text[0] >= '0' && text[0] <= '9' || strings.HasPrefix(text, "∞")) {
				return g.Facts
			}
			some = some || text != "" && text != digits.Missing
		}
	}
	return some
}
