package results

import (
	"errors"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
)

const (
	batchRows = 1024    // handed to the encoder at a time
	groupRows = 100_000 // of a row group: what is encoded, or decoded, at once
)

// schema is a flat Parquet schema that keeps the order of its columns (a parquet.Group sorts them by name).
type schema struct {
	parquet.Group
	fields []parquet.Field
}

func (s schema) Fields() []parquet.Field { return s.fields }

type field struct {
	parquet.Node
	name string
}

func (f field) Name() string                           { return f.name }
func (f field) Value(base reflect.Value) reflect.Value { return base.FieldByName(f.name) }

func schemaOf[R any](name string, columns []column[R]) *parquet.Schema {
	s := schema{}
	for _, c := range columns {
		s.fields = append(s.fields, field{c.node, c.name})
	}
	return parquet.NewSchema(name, s)
}

// tableWriter writes rows column by column, in row groups of bounded size.
type tableWriter[R any] struct {
	columns []column[R]
	parquet *parquet.Writer
	values  [][]parquet.Value // by column, not yet handed over
	grouped int               // rows of the present row group that were handed over
}

func newTableWriter[R any](w io.Writer, name string, columns []column[R]) *tableWriter[R] {
	return &tableWriter[R]{
		columns: columns,
		parquet: parquet.NewWriter(w, schemaOf(name, columns), parquet.Compression(&parquet.Snappy)),
		values:  make([][]parquet.Value, len(columns)),
	}
}

func (w *tableWriter[R]) add(r *R) error {
	for k, c := range w.columns {
		v := c.get(r)
		defined := 0
		if c.node.Optional() && !v.IsNull() {
			defined = 1
		}
		w.values[k] = append(w.values[k], v.Level(0, defined, k))
	}
	if len(w.values[0]) < batchRows {
		return nil
	}
	return w.flush()
}

func (w *tableWriter[R]) flush() error {
	w.grouped += len(w.values[0])
	for k, c := range w.parquet.ColumnWriters() {
		if len(w.values[k]) == 0 {
			break
		}
		if _, err := c.WriteRowValues(w.values[k]); err != nil {
			return err
		}
		clear(w.values[k])
		w.values[k] = w.values[k][:0]
	}
	if w.grouped < groupRows {
		return nil
	}
	w.grouped = 0
	return w.parquet.Flush()
}

func (w *tableWriter[R]) close() error { return errors.Join(w.flush(), w.parquet.Close()) }
