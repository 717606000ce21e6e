package results

import (
	"io"

	"github.com/parquet-go/parquet-go"

	"tenfold/io/flat"
)

const (
	batchRows = 1024    // handed to the encoder at a time
	groupRows = 100_000 // of a row group: what is encoded, or decoded, at once
)

func schemaOf[R any](name string, columns []column[R]) *parquet.Schema {
	all := make([]flat.Column, len(columns))
	for k, c := range columns {
		all[k] = flat.Column{Name: c.name, Node: c.node}
	}
	return flat.Schema(name, all)
}

// tableWriter writes rows column by column, in row groups of bounded size.
type tableWriter[R any] struct {
	columns []column[R]
	parquet *parquet.GenericWriter[any]
	rows    []R // not yet handed to the encoder
	values  []parquet.Value
	grouped int // rows of the present row group that were handed over
}

func newTableWriter[R any](w io.Writer, name string, columns []column[R]) *tableWriter[R] {
	return &tableWriter[R]{
		columns: columns,
		parquet: parquet.NewGenericWriter[any](w, schemaOf(name, columns), parquet.Compression(&parquet.Snappy)),
		rows:    make([]R, 0, batchRows),
		values:  make([]parquet.Value, batchRows),
	}
}

func (w *tableWriter[R]) add(r R) error {
	if w.rows = append(w.rows, r); len(w.rows) < batchRows {
		return nil
	}
	return w.flush()
}

func (w *tableWriter[R]) flush() error {
	if len(w.rows) == 0 {
		return nil
	}
	for k, out := range w.parquet.ColumnWriters() {
		values, c := w.values[:len(w.rows)], &w.columns[k]
		optional := c.node.Optional()
		for i := range w.rows {
			if values[i] = c.get(&w.rows[i]); optional && !values[i].IsNull() {
				values[i] = values[i].Level(0, 1, k)
			}
		}
		if _, err := out.WriteRowValues(values); err != nil {
			return err
		}
	}
	w.grouped += len(w.rows)
	clear(w.rows)
	if w.rows = w.rows[:0]; w.grouped < groupRows {
		return nil
	}
	w.grouped = 0
	return w.parquet.Flush()
}

func (w *tableWriter[R]) close() error {
	if err := w.flush(); err != nil {
		return err
	}
	return w.parquet.Close()
}
