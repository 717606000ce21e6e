// Package page renders a report, which is a document of sections, as Markdown and as one self-contained HTML file.
package page

import (
	"io"

	"tenfold/reports/table"
)

// Document is a report.
type Document struct {
	Title    string
	Lead     string // one line on what was run
	Sections []Section
	Links    table.Links // addresses of pages on cells; nil for none
	Prefix   string      // of the ids of tables and figures, for pages with several documents
}

// Section is a section of a document. It is left out if it has no blocks.
type Section struct {
	Title  string
	Blocks []Block
	Brief  string // replaces the blocks in Markdown; "" for the blocks themselves
}

// Block is a part of a section: Text, List, Table, Figure, Facts, Code or Details.
type Block interface {
	markdown(w io.Writer) error
	html(w *writer) error
}

// Text is a paragraph.
type Text string

// List is a list of points.
type List []Point

// Point is a point of a list.
type Point struct {
	Text string
	Cell string // key of the cell that it is about, "" for none
}

// Table is a table, with a heading if it has a title.
type Table struct {
	*table.Grid
	Most int // rows that Markdown shows; 0 for all
}

// Figure is shown by its file in Markdown and inline in HTML.
type Figure struct {
	File    string // relative to the report, without its ending; .svg and .png are there
	Alt     string // what it shows, in words
	Caption string
	SVG     []byte // an SVG element, which describes itself to screen readers
}

// Facts holds named values under a heading of their own.
type Facts struct {
	Title string // "" for none
	Items []Fact
	Long  bool // values are long: one below the other
}

// Fact is a named value.
type Fact struct {
	Name, Value string
	Marked      bool // stands out
}

// Code is text shown verbatim, such as commands.
type Code string

// Details holds blocks behind a summary line, which opens them.
type Details struct {
	ID     string // anchor
	Title  string
	Aside  string // shown small after the title
	Blocks []Block
}
