package reports

import (
	"fmt"
	"io"

	"tenfold/io/sanitize"
	"tenfold/reports/page"
	"tenfold/reports/table"
)

// RawCSV is the format csv for programs: texts that spreadsheets would take for formulas stay as they are.
const RawCSV = "raw csv"

// WriteGrids renders tables outside the report of a run, with accompanying text: as markdown, html, latex or csv. The last two have
// the tables alone.
func WriteGrids(w io.Writer, format, title string, grids []*table.Grid, notes []string) error {
	switch format {
	case "latex", "csv", "tsv", RawCSV:
		return writeTables(w, format, grids)
	case "html":
		doc := page.Document{Title: title}
		var blocks []page.Block
		for _, g := range grids {
			blocks = append(blocks, page.Table{Grid: g})
		}
		var list page.List
		for _, n := range notes {
			list = append(list, page.Point{Text: n})
		}
		if len(list) > 0 {
			blocks = append(blocks, list)
		}
		doc.Sections = []page.Section{{Title: "Differences", Blocks: blocks}}
		return page.HTML(sanitize.Writer(w), doc)
	}
	if err := printGrids(w, grids, (*table.Grid).Markdown); err != nil {
		return err
	}
	for i, n := range notes {
		if i == 0 && len(grids) > 0 {
			fmt.Fprintln(w)
		}
		if _, err := fmt.Fprintf(w, "- %s\n", table.Escape(n)); err != nil {
			return err
		}
	}
	return nil
}

// writeTables writes tables alone, as latex or csv.
func writeTables(w io.Writer, format string, grids []*table.Grid) error {
	if format == "latex" {
		return table.LaTeX(w, grids)
	}
	if format == "tsv" {
		return table.CSV(sanitize.NewTSV(w, false), grids)
	}
	return table.CSV(sanitize.NewCSV(w, format == RawCSV), grids)
}

// printGrids writes tables below each other, by one of their methods.
func printGrids(w io.Writer, grids []*table.Grid, write func(*table.Grid, io.Writer) error) error {
	for i, g := range grids {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if g.Title != "" {
			sanitize.Fprintf(w, "%s\n\n", g.Title)
		}
		if err := write(g, w); err != nil {
			return err
		}
	}
	return nil
}
