// Package flat makes schemas of flat Parquet files whose columns keep their order.
package flat

import (
	"reflect"

	"github.com/parquet-go/parquet-go"
)

// Column of a file.
type Column struct {
	Name string
	parquet.Node
}

// Schema of some columns, in order (a parquet.Group sorts them by name).
func Schema(name string, columns []Column) *parquet.Schema {
	g := group{}
	for _, c := range columns {
		g.fields = append(g.fields, field{c.Node, c.Name})
	}
	return parquet.NewSchema(name, g)
}

type group struct {
	parquet.Group
	fields []parquet.Field
}

func (g group) Fields() []parquet.Field { return g.fields }

type field struct {
	parquet.Node
	name string
}

func (f field) Name() string                           { return f.name }
func (f field) Value(base reflect.Value) reflect.Value { return base.FieldByName(f.name) }
