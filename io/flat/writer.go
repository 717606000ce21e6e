package flat

import (
	"io"

	"github.com/parquet-go/parquet-go"
)

const (
	batch  = 1024    // rows handed to the encoder at a time
	groups = 100_000 // rows of a group, after which the next one begins: what is encoded, or decoded, at once
)

// MostRows is how many rows a group of a Writer can have.
const MostRows = groups + batch

// Writer takes rows, and writes them column by column, in groups of bounded size.
type Writer[R any] struct {
	columns []Column[R]
	parquet *parquet.GenericWriter[any]
	rows    []R // not yet handed to the encoder
	values  []parquet.Value
	grouped int // rows of the present group that were handed over
}

// NewWriter returns what writes a file with these columns to w.
func NewWriter[R any](w io.Writer, name string, columns []Column[R]) *Writer[R] {
	return &Writer[R]{
		columns: columns,
		parquet: parquet.NewGenericWriter[any](w, schema(name, columns), parquet.Compression(&parquet.Snappy)),
		rows:    make([]R, 0, batch),
		values:  make([]parquet.Value, batch),
	}
}

// Stamp sets an entry of the file's footer.
func (w *Writer[R]) Stamp(key, value string) { w.parquet.SetKeyValueMetadata(key, value) }

// Add adds a row, and writes the rows so far if they are a batch.
func (w *Writer[R]) Add(r R) error {
	if w.rows = append(w.rows, r); len(w.rows) < batch {
		return nil
	}
	return w.Flush()
}

// Flush asks the columns for the values of all rows that were added.
func (w *Writer[R]) Flush() error {
	if len(w.rows) == 0 {
		return nil
	}
	for k, out := range w.parquet.ColumnWriters() {
		values, c := w.values[:len(w.rows)], &w.columns[k]
		optional := c.Node.Optional()
		for i := range w.rows {
			if values[i] = c.Get(&w.rows[i]); optional && !values[i].IsNull() {
				values[i] = values[i].Level(0, 1, k)
			}
		}
		if _, err := out.WriteRowValues(values); err != nil {
			return err
		}
	}
	w.grouped += len(w.rows)
	clear(w.rows)
	if w.rows = w.rows[:0]; w.grouped < groups {
		return nil
	}
	w.grouped = 0
	return w.parquet.Flush()
}

// Close ends the file; what it was written to stays open.
func (w *Writer[R]) Close() error {
	if err := w.Flush(); err != nil {
		return err
	}
	return w.parquet.Close()
}
