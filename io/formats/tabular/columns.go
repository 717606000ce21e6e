package tabular

import (
	"context"
	"path"
	"strings"

	"tenfold/io/source"
)

// Value is a cell of a table that is no data set. It is valid only while a column takes it.
type Value struct{ cell }

// Missing reports whether the cell is empty, or says that its value is missing.
func (v Value) Missing() bool { return v.missing() }

// Number in the cell; ok when it is a finite one.
func (v Value) Number() (x float64, ok bool) { return v.number() }

// Text of the cell, "" where there is none.
func (v Value) Text() string {
	if s, ok := v.cell.(*stored); ok && s.IsNull() {
		return ""
	}
	return v.text()
}

// taker is a sink of a table that is no data set.
type taker func(Value) error

func (t taker) addCell(c cell) error { return t(Value{c}) }

// Scan reads a table that is no data set, for a role of an input: Parquet where its name ends so, tabs between cells where it ends in
// .tsv, else CSV with a row of names. bind gives a function for each column, nil for one to pass over; each gets its cells in order of
// row, those of a Parquet file column by column. Scan returns the number of rows. Errors say where in the file they are.
func Scan(ctx context.Context, in source.Input, role string, bind func(header []string) ([]func(Value) error, error)) (rows int, err error) {
	content, file, err := in.Bytes(role)
	if err != nil {
		return 0, err
	}
	read := Text{Header: true, Delimiter: ","}.scanRows
	switch strings.ToLower(path.Ext(strings.TrimSuffix(file, ".gz"))) {
	case ".parquet":
		read = parquetScan(in)
	case ".tsv":
		read = Text{Header: true, Delimiter: "\t"}.scanRows
	}
	return read(ctx, file, content, func(header []string) ([]sink, error) {
		takers, err := bind(header)
		if err != nil {
			return nil, err
		}
		sinks := make([]sink, len(header))
		for k, t := range takers {
			if t != nil {
				sinks[k] = taker(t)
			}
		}
		return sinks, nil
	})
}
