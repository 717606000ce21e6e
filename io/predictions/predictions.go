// Package predictions writes what a model says of rows: CSV, or Parquet.
package predictions

import (
	"bufio"
	"io"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"tenfold/io/flat"
	"tenfold/io/sanitize"
)

// Column of a table: of texts or of numbers, by row.
type Column struct {
	Name   string
	Text   func(i int) string  // nil where it has numbers
	Number func(i int) float64 // NaN for none
}

// Writer takes tables with the same columns, one after the other.
type Writer interface {
	Write(columns []Column, rows int) error
	Close() error
}

// NewCSV writes a row of names, then the rows. Numbers have as many digits as it takes to read them back exactly; raw texts are not
// protected from spreadsheets.
func NewCSV(w io.Writer, raw bool) Writer {
	return &text{csv: sanitize.NewCSV(w, raw)}
}

type text struct {
	csv   sanitize.CSV
	begun bool
}

func (t *text) Write(columns []Column, rows int) error {
	record := make([]string, len(columns))
	if !t.begun {
		for k, c := range columns {
			record[k] = c.Name
		}
		if err := t.csv.Write(record); err != nil {
			return err
		}
		t.begun = true
	}
	for i := range rows {
		for k, c := range columns {
			if c.Text != nil {
				record[k] = c.Text(i)
			} else if x := c.Number(i); x == x {
				record[k] = strconv.FormatFloat(x, 'g', -1, 64)
			} else {
				record[k] = ""
			}
		}
		if err := t.csv.Write(record); err != nil {
			return err
		}
	}
	return nil
}

func (t *text) Close() error { return t.csv.Flush() }

// NewParquet writes a Parquet file.
func NewParquet(w io.Writer) Writer { return &table{to: bufio.NewWriterSize(w, 1<<16)} }

type table struct {
	to      *bufio.Writer
	columns []Column
	out     *flat.Writer[int] // of numbers of rows
}

func (t *table) Write(columns []Column, rows int) error {
	t.columns = columns
	if t.out == nil {
		t.begin()
	}
	for i := range rows {
		if err := t.out.Add(i); err != nil {
			return err
		}
	}
	return t.out.Flush() // the next rows have other columns
}

// begin begins the file, whose columns are those of the table that is being written.
func (t *table) begin() {
	all := make([]flat.Column[int], len(t.columns))
	for k, c := range t.columns {
		all[k] = flat.Column[int]{Name: c.Name, Node: flat.Text(), Get: func(i *int) parquet.Value { return flat.TextValue(t.columns[k].Text(*i)) }}
		if c.Text == nil {
			all[k].Node, all[k].Get = flat.Number(), func(i *int) parquet.Value { return flat.NumberValue(t.columns[k].Number(*i)) }
		}
	}
	t.out = flat.NewWriter(t.to, "predictions", all)
}

func (t *table) Close() error {
	if t.out == nil {
		t.begin()
	}
	if err := t.out.Close(); err != nil {
		return err
	}
	return t.to.Flush()
}
