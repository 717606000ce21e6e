package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/page"
	"tenfold/reports/table"
)

// mostLines is the number of lines of a list, or tables of a section, beyond which the rest is only counted.
const mostLines = 50

// limitedList returns a list of the first mostLines lines, nothing if there are none.
func limitedList(lines page.List) []page.Block {
	switch {
	case len(lines) == 0:
		return nil
	case len(lines) > mostLines:
		lines = append(lines[:mostLines:mostLines], page.Point{Text: andMore(len(lines) - mostLines)})
	}
	return []page.Block{lines}
}

// andMore says how many are left out.
func andMore(n int) string { return fmt.Sprintf("… and %d more", n) }

// shorten cuts s to so many characters, the last of them an ellipsis.
func shorten(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// formatRange writes the smallest and the largest value, "89 … 91", or "90" where they are equal.
func formatRange[T any](rows []T, value func(T) int64) string {
	if len(rows) == 0 {
		return digits.Missing
	}
	low, high := value(rows[0]), value(rows[0])
	for _, r := range rows {
		low, high = min(low, value(r)), max(high, value(r))
	}
	if low == high {
		return strconv.FormatInt(low, 10)
	}
	return fmt.Sprintf("%d … %d", low, high)
}

// dropRepeatedLegends leaves each sentence of the legends to the first table that has it.
func dropRepeatedLegends(blocks []page.Block) {
	dropRepeated(blocks, func(string) bool { return true })
}

// explainMarksOnce leaves each explanation of a mark of caveats, such as † or §, to the first table that has it.
func explainMarksOnce(blocks []page.Block) {
	dropRepeated(blocks, func(sentence string) bool {
		mark, _ := utf8.DecodeRuneInString(sentence)
		return strings.ContainsRune(cells.AllMarks, mark)
	})
}

// dropRepeated leaves each sentence of the legends for which is reports true to the first table that has it.
func dropRepeated(blocks []page.Block, is func(sentence string) bool) {
	seen := map[string]bool{}
	for i, b := range blocks {
		t, ok := b.(page.Table)
		if !ok {
			continue
		}
		g := *t.Grid
		g.Legend = slices.DeleteFunc(slices.Clone(g.Legend), func(sentence string) bool {
			repeated := seen[sentence] && is(sentence)
			seen[sentence] = true
			return repeated
		})
		t.Grid = &g
		blocks[i] = t
	}
}

// textRow returns a row of a table; its slots link to the cells of these keys.
func textRow(label string, texts []string, keys ...string) table.Row {
	row := table.Row{Label: label, Slots: make([]table.Slot, len(texts))}
	for i, text := range texts {
		row.Slots[i] = table.Slot{Text: text, Keys: keys}
	}
	return row
}

// column is a column of a table that has a row of text for each item.
type column[T any] struct {
	name string
	text func(T) string
	has  func(T) bool // whether the column has a text for the item; nil for always
}

// wordColumn returns a column that is empty for some items.
func wordColumn[T any](name string, word func(T) string) column[T] {
	return column[T]{name, word, func(item T) bool { return word(item) != "" }}
}

// fillTable gives a table a row for each item, and the columns that are not empty for all items.
func fillTable[T any](g *table.Grid, columns []column[T], items []T, label func(T) string, keys ...string) {
	columns = slices.DeleteFunc(columns, func(c column[T]) bool { return c.has != nil && !slices.ContainsFunc(items, c.has) })
	for _, c := range columns {
		g.Columns = append(g.Columns, c.name)
	}
	for _, item := range items {
		texts := make([]string, len(columns))
		for j, c := range columns {
			texts[j] = c.text(item)
		}
		g.Rows = append(g.Rows, textRow(label(item), texts, keys...))
	}
}
