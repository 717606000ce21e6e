// Package predictions writes what a model says of rows: CSV, or Parquet.
package predictions

import (
	"bufio"
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"tenfold/io/flat"
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

// NewCSV writes a row of names, then the rows. Numbers have as many digits as it takes to read them back exactly.
func NewCSV(w io.Writer) Writer {
	b := bufio.NewWriterSize(w, 1<<16)
	return &text{buffer: b, csv: csv.NewWriter(b)}
}

type text struct {
	buffer *bufio.Writer
	csv    *csv.Writer
	begun  bool
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

func (t *text) Close() error {
	t.csv.Flush()
	if err := t.csv.Error(); err != nil {
		return err
	}
	return t.buffer.Flush()
}

// NewParquet writes a Parquet file.
func NewParquet(w io.Writer) Writer { return &table{to: bufio.NewWriterSize(w, 1<<16)} }

type table struct {
	to      *bufio.Writer
	parquet *parquet.GenericWriter[any]
}

// batch is how many rows are handed to the encoder at a time, and groups of how many rows a file has.
const (
	batch  = 1024
	groups = 100_000
)

func (t *table) Write(columns []Column, rows int) error {
	if t.parquet == nil {
		t.parquet = parquet.NewGenericWriter[any](t.to, schema(columns), parquet.Compression(&parquet.Snappy))
	}
	values := make([]parquet.Value, batch)
	for first := 0; first < rows; first += batch {
		some := values[:min(batch, rows-first)]
		for k, out := range t.parquet.ColumnWriters() {
			for i := range some {
				some[i] = columns[k].value(first+i, k)
			}
			if _, err := out.WriteRowValues(some); err != nil {
				return err
			}
		}
		if first/groups != (first+batch)/groups {
			if err := t.parquet.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *table) Close() error {
	if t.parquet == nil {
		t.parquet = parquet.NewGenericWriter[any](t.to, schema(nil))
	}
	if err := t.parquet.Close(); err != nil {
		return err
	}
	return t.to.Flush()
}

func schema(columns []Column) *parquet.Schema {
	all := make([]flat.Column, len(columns))
	for k, c := range columns {
		all[k] = flat.Column{Name: c.Name, Node: parquet.Encoded(parquet.String(), &parquet.RLEDictionary)}
		if c.Text == nil {
			all[k].Node = parquet.Optional(parquet.Leaf(parquet.DoubleType))
		}
	}
	return flat.Schema("predictions", all)
}

func (c *Column) value(i, column int) parquet.Value {
	if c.Text != nil {
		return parquet.ByteArrayValue([]byte(c.Text(i)))
	}
	x := c.Number(i)
	if math.IsNaN(x) {
		return parquet.NullValue()
	}
	return parquet.DoubleValue(x).Level(0, 1, column)
}
