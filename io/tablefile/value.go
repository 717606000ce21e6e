package tablefile

import (
	"context"
	"path"
	"slices"
	"strings"

	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/workbook"
)

// Value is a cell of a table that is no data set. It is valid only while a column takes it.
type Value struct{ cell Cell }

// Missing reports whether the cell is empty, or says that its value is missing.
func (v Value) Missing() bool {
	switch v.cell.(type) {
	case *Written:
		return v.cell.Missing() || slices.Contains(rawtext.Usual, strings.TrimSpace(v.cell.Text()))
	case *sheetCell:
		return v.cell.Missing() || slices.Contains(UsualInSheets, strings.TrimSpace(v.cell.Text()))
	}
	return v.cell.Missing()
}

// Number returns the number in the cell; ok when it is a finite one.
func (v Value) Number() (x float64, ok bool) { return v.cell.Number() }

// Text returns that of the cell, "" where there is none.
func (v Value) Text() string {
	if s, ok := v.cell.(*stored); ok && s.IsNull() {
		return ""
	}
	return v.cell.Text()
}

// IsTime reports whether the cell is declared to be a date or a time.
func (v Value) IsTime() bool { return IsTime(v.cell) }

// IsText reports whether the cell is declared to be a text, though it may have the digits of a number.
func (v Value) IsText() bool {
	switch c := v.cell.(type) {
	case *sheetCell:
		return c.value.Kind == workbook.Text
	case *jsonCell:
		return c.kind == jsonText
	}
	return false
}

// IsTyped reports whether the cell is a number, a truth value or a date by its type, however it is written.
func (v Value) IsTyped() bool {
	switch v.cell.(type) {
	case *sheetCell, *jsonCell:
		return !v.IsText()
	}
	return false
}

// Refused says why a data set would refuse the cell whatever its column is for, "" if it would not.
func (v Value) Refused() string {
	if c, ok := v.cell.(*sheetCell); ok && c.value.Kind == workbook.NoValue && !c.Missing() {
		return "has " + c.as
	}
	return ""
}

// IsTime reports whether a cell is declared to be a date or a time.
func IsTime(c Cell) bool {
	switch c := c.(type) {
	case *stored:
		return c.layout != ""
	case *sheetCell:
		return c.value.Kind == workbook.Date
	}
	return false
}

// taker is a sink of a table that is no data set.
type taker func(Value) error

func (t taker) AddCell(c Cell) error { return t(Value{c}) }

// Columns returns a function for each column of a header, nil for one to pass over.
type Columns func(header []string) ([]func(Value) error, error)

// Scan reads a table that is no data set, for a role of an input: Parquet, the only sheet of an Excel workbook or JSON records where its
// name ends so, tabs between cells where it ends in .tsv, else CSV with a row of names. bind gives a function for each column, nil for one to pass over; each gets its cells in order of
// row, those of a Parquet file column by column. Scan returns the number of rows. Errors say where in the file they are.
func Scan(ctx context.Context, in source.Input, role string, bind Columns) (rows int, err error) {
	content, file, err := in.Bytes(role)
	if err != nil {
		return 0, err
	}
	read := Text{Header: true, Dialect: rawtext.Commas}.Scan
	switch strings.ToLower(path.Ext(strings.TrimSuffix(file, ".gz"))) {
	case ".parquet":
		read = ParquetScanner(in)
	case ".xlsx":
		read = Sheet{Header: true, Digits: Points}.Scanner(in, false, nil)
	case ".jsonl":
		read = Records{Digits: Points}.Scanner(in, nil)
	case ".tsv":
		read = Text{Header: true, Dialect: rawtext.Tabs}.Scan
	}
	return read(ctx, file, content, bindTakers(bind))
}

func bindTakers(bind Columns) Bind {
	return func(header []string) ([]Sink, error) {
		takers, err := bind(header)
		if err != nil {
			return nil, err
		}
		sinks := make([]Sink, len(header))
		for k, t := range takers {
			if t != nil {
				sinks[k] = taker(t)
			}
		}
		return sinks, nil
	}
}

// Look reads a table of text that is no data set, as Scan does: with names from the first row where t.Header is set, each column in order
// of row. It also returns the number of rows that end in a delimiter which the first does not have.
func (t Text) Look(ctx context.Context, file string, text []byte, bind Columns) (rows, trailing int, err error) {
	return t.ScanText(ctx, file, text, bindTakers(bind))
}

// LookParquet reads a Parquet file that is no data set. Columns that the reader of data sets refuses come without cells, and with the
// reason, by name.
func LookParquet(ctx context.Context, in source.Input, role string, bind Columns) (rows int, refused map[string]string, err error) {
	content, file, err := in.Bytes(role)
	if err != nil {
		return 0, nil, err
	}
	refused = map[string]string{}
	rows, err = scanParquet(ctx, in, file, content, bindTakers(bind), refused)
	return rows, refused, err
}
