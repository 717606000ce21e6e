// Package flat writes flat Parquet files, whose columns keep their order.
package flat

import (
	"math"
	"reflect"
	"unsafe"

	"github.com/parquet-go/parquet-go"
)

// Column of a file that is made of an R a row.
type Column[R any] struct {
	Name string
	Node parquet.Node // its type: plain values, which may be optional
	Get  func(*R) parquet.Value
}

// Text returns the type of texts that tend to repeat.
func Text() parquet.Node { return parquet.Encoded(parquet.String(), &parquet.RLEDictionary) }

// TextValue shares the bytes of a text, which nothing downstream changes.
func TextValue(s string) parquet.Value {
	return parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(s), len(s)))
}

// Number returns the type of numbers of which some may be missing.
func Number() parquet.Node { return parquet.Optional(parquet.Leaf(parquet.DoubleType)) }

// NumberValue returns a number as a value of Parquet, NULL for NaN: files have no NaN.
func NumberValue(x float64) parquet.Value {
	if math.IsNaN(x) {
		return parquet.NullValue()
	}
	return parquet.DoubleValue(x)
}

// schema returns that of some columns, in order (a parquet.Group sorts them by name).
func schema[R any](name string, columns []Column[R]) *parquet.Schema {
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
