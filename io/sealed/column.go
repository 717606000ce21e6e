package sealed

import (
	"encoding/json"
	"math"
	"time"

	"github.com/parquet-go/parquet-go"

	"tenfold/io/flat"
)

// Column is one column of a Table whose rows are made from an R: its name, its type in the file, and the conversions. NULL stands
// for values that mean "none" in memory (see the constructors): a NaN is never stored.
type Column[R any] struct {
	Name string
	Node parquet.Node
	Get  func(*R) parquet.Value
	Set  func(*R, parquet.Value, *Texts) // gets NULL if the file has no such column
}

// Texts keeps one copy of each text that a column repeats. Most texts repeat the one before, or, in the rows of a fold from cell to
// cell, the one that followed it the first time.
type Texts struct {
	list   []string       // in order of appearance
	number map[string]int // of each
	last   int            // number of the previous text
}

// Intern returns the text of a value, "" of NULL: the same copy for equal texts.
func (t *Texts) Intern(v parquet.Value) string {
	if v.IsNull() {
		return ""
	}
	b := v.ByteArray()
	for k := t.last; k < len(t.list) && k <= t.last+1; k++ {
		if t.list[k] == string(b) {
			t.last = k
			return t.list[k]
		}
	}
	k, ok := t.number[string(b)]
	if !ok {
		if t.number == nil {
			t.number = map[string]int{}
		}
		k = len(t.list)
		t.list = append(t.list, string(b))
		t.number[t.list[k]] = k
	}
	t.last = k
	return t.list[k]
}

// String returns a column of strings.
func String[R any](name string, field func(*R) *string) Column[R] {
	return Column[R]{
		Name: name, Node: flat.Text(),
		Get: func(r *R) parquet.Value { return flat.TextValue(*field(r)) },
		Set: func(r *R, v parquet.Value, t *Texts) { *field(r) = t.Intern(v) },
	}
}

// OptionalText returns a column of strings in which "" is NULL.
func OptionalText[R any](name string, field func(*R) *string) Column[R] {
	return NullWhere(func(r *R) bool { return *field(r) == "" }, String(name, field))
}

// Value returns a column of values that Parquet holds as encode makes them; null is what NULL stands for.
func Value[R, V any](name string, node parquet.Node, field func(*R) *V, null V, encode func(V) parquet.Value, decode func(parquet.Value) V) Column[R] {
	return Column[R]{
		Name: name, Node: node,
		Get: func(r *R) parquet.Value { return encode(*field(r)) },
		Set: func(r *R, v parquet.Value, _ *Texts) {
			if *field(r) = null; !v.IsNull() {
				*field(r) = decode(v)
			}
		},
	}
}

// Float returns a column of numbers in which NaN is NULL.
func Float[R any](name string, field func(*R) *float64) Column[R] {
	return Value(name, flat.Number(), field, math.NaN(), flat.NumberValue, parquet.Value.Double)
}

// Seconds returns a column of seconds that is never NULL: NaN is written as 0.
func Seconds[R any](name string, field func(*R) *float64) Column[R] {
	return Value(name, parquet.Leaf(parquet.DoubleType), field, 0, func(x float64) parquet.Value {
		if math.IsNaN(x) {
			x = 0
		}
		return parquet.DoubleValue(x)
	}, parquet.Value.Double)
}

// NullWhere makes a column NULL in the rows for which is returns true.
func NullWhere[R any](is func(*R) bool, c Column[R]) Column[R] {
	get := c.Get
	c.Node = parquet.Optional(c.Node)
	c.Get = func(r *R) parquet.Value {
		if is(r) {
			return parquet.NullValue()
		}
		return get(r)
	}
	return c
}

// Duration returns a column of durations in seconds, in which 0 is NULL.
func Duration[R any](name string, field func(*R) *time.Duration) Column[R] {
	return NullWhere(func(r *R) bool { return *field(r) == 0 }, Value(name, parquet.Leaf(parquet.DoubleType), field, 0,
		func(d time.Duration) parquet.Value { return parquet.DoubleValue(d.Seconds()) },
		func(v parquet.Value) time.Duration {
			return time.Duration(math.Round(v.Double() * float64(time.Second)))
		}))
}

// Int32 returns a column of numbers of 32 bits.
func Int32[R any](name string, field func(*R) *int32) Column[R] {
	return Value(name, parquet.Int(32), field, 0, parquet.Int32Value, parquet.Value.Int32)
}

// Ordinal returns a column of numbers from 0, in which -1 is NULL.
func Ordinal[R any](name string, field func(*R) *int32) Column[R] {
	return NullWhere(func(r *R) bool { return *field(r) < 0 }, Value(name, parquet.Int(32), field, -1, parquet.Int32Value, parquet.Value.Int32))
}

// Int64 returns a column of numbers of 64 bits.
func Int64[R any](name string, field func(*R) *int64) Column[R] {
	return Value(name, parquet.Int(64), field, 0, parquet.Int64Value, parquet.Value.Int64)
}

// Bool returns a column of truth values.
func Bool[R any](name string, field func(*R) *bool) Column[R] {
	return Value(name, parquet.Leaf(parquet.BooleanType), field, false, parquet.BooleanValue, parquet.Value.Boolean)
}

// Time returns a column of instants to the microsecond, UTC, in which the zero time is NULL.
func Time[R any](name string, field func(*R) *time.Time) Column[R] {
	return NullWhere(func(r *R) bool { return field(r).IsZero() }, Value(name, parquet.Timestamp(parquet.Microsecond), field, time.Time{},
		func(t time.Time) parquet.Value { return parquet.Int64Value(t.UnixMicro()) },
		func(v parquet.Value) time.Time { return time.UnixMicro(v.Int64()).UTC() }))
}

// JSON returns a column of lists as JSON, in which an empty list is NULL. A text that is not such a list is read as an empty
// one. Rows with the same text share the list.
func JSON[R, T any](name string, field func(*R) *[]T, parse func([]byte) ([]T, error)) Column[R] {
	known := map[string][]T{}
	return Column[R]{
		Name: name, Node: parquet.Optional(flat.Text()),
		Get: func(r *R) parquet.Value {
			b, err := json.Marshal(*field(r))
			if err != nil || len(*field(r)) == 0 {
				return parquet.NullValue()
			}
			return parquet.ByteArrayValue(b)
		},
		Set: func(r *R, v parquet.Value, _ *Texts) {
			if v.IsNull() {
				*field(r) = nil
				return
			}
			b := v.ByteArray()
			list, ok := known[string(b)]
			if !ok {
				var err error
				if list, err = parse(b); err != nil {
					list = nil
				}
				if len(known) == mostDocuments {
					clear(known)
				}
				known[string(b)] = list
			}
			*field(r) = list
		},
	}
}

// mostDocuments limits the texts that a column remembers.
const mostDocuments = 1 << 16
