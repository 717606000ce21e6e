// Package tablefile reads the cells of tables from files: text with delimiters, Parquet, sheets of Excel, records of JSON. It names the
// columns, and hands the cells of each to a sink, in order of row; what a column is for, the sink knows.
package tablefile

import (
	"context"
	"slices"
	"strings"

	"tenfold/engines/param"
)

// Cell is one value of a table. It is valid only while a sink takes it.
type Cell interface {
	Missing() bool                // nothing is there
	Number() (x float64, ok bool) // ok when it is a finite number
	Text() string
}

// Sink takes the cells of one column, in order of row, over all files.
type Sink interface{ AddCell(c Cell) error }

// Bind returns a sink for each column of a header, nil for one to pass over.
type Bind func(header []string) ([]Sink, error)

// Scanner reads one file. It asks bind for sinks, fills each in order of row, and returns the number of rows. It says in errors where in the
// file a sink refused a cell.
type Scanner func(ctx context.Context, file string, content []byte, bind Bind) (rows int, err error)

// declared is a sink to which some texts are missing values.
type declared struct {
	Sink
	texts []string
	words bool // all of them begin with letters and the like, as numbers do not
}

// DeclareMissing returns a sink that hands cells to s, those with one of the texts as missing.
func DeclareMissing(s Sink, texts []string) Sink {
	return &declared{s, texts, !slices.ContainsFunc(texts, func(text string) bool { return beginsNumber(text) })}
}

func beginsNumber(text string) bool { return text != "" && text[0] <= '9' && text[0] > ' ' }

func (d *declared) AddCell(c Cell) error {
	text := c.Text()
	if d.words && beginsNumber(text) {
		return d.Sink.AddCell(c)
	}
	if text = strings.TrimSpace(text); text != "" && slices.Contains(d.texts, text) {
		return d.Sink.AddCell(absent{c})
	}
	return d.Sink.AddCell(c)
}

// absent is a cell whose text stands for a missing value.
type absent struct{ Cell }

func (absent) Missing() bool { return true }

// TextFound is the error about a text in a column of numbers that no option speaks of.
type TextFound struct{ Err error }

// Error returns what was found, and what was expected.
func (t TextFound) Error() string { return t.Err.Error() }

// checkNames checks the names of columns that a file without a header has.
func checkNames(header bool, names []string) error {
	if name, twice := FirstRepeated(names); twice {
		return param.Errorf("names", "%q is there twice", name)
	}
	return param.Require("names", len(names) == 0 || !header, "are for files without a row of names: say header: false")
}

// FirstRepeated returns the first of the names that is there twice; a column may do without a name, which is then left out.
func FirstRepeated(names []string) (string, bool) {
	seen := make(map[string]bool, len(names))
	for _, n := range names {
		if seen[n] {
			return n, true
		}
		seen[n] = n != "" // columns without a name have to be left out
	}
	return "", false
}
