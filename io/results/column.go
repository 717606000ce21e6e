package results

import (
	"encoding/json"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"tenfold/engines/data"
	"tenfold/io/flat"
)

// column is one column of a table whose rows are made from an R: its name, its type in the file, and the conversions. NULL stands
// for values that mean "none" in memory (see the constructors): a NaN is never stored.
type column[R any] struct {
	name string
	node parquet.Node
	get  func(*R) parquet.Value
	set  func(*R, parquet.Value, *texts) // gets NULL if the file has no such column
}

// texts keeps one copy of each text that a column repeats. Most texts repeat the one before, or, in the rows of a fold from cell to
// cell, the one that followed it the first time.
type texts struct {
	list   []string       // in order of appearance
	number map[string]int // of each
	last   int            // number of the previous text
}

func (t *texts) intern(v parquet.Value) string {
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

// stringColumn returns a column of strings.
func stringColumn[R any](name string, at func(*R) *string) column[R] {
	return column[R]{
		name: name, node: flat.Text(),
		get: func(r *R) parquet.Value { return flat.TextValue(*at(r)) },
		set: func(r *R, v parquet.Value, t *texts) { *at(r) = t.intern(v) },
	}
}

// optionalText returns a column of strings in which "" is NULL.
func optionalText[R any](name string, at func(*R) *string) column[R] {
	return nullWhere(func(r *R) bool { return *at(r) == "" }, stringColumn(name, at))
}

// valueColumn returns a column of values that Parquet holds as encode makes them; null is what NULL stands for.
func valueColumn[R, V any](name string, node parquet.Node, at func(*R) *V, null V, encode func(V) parquet.Value, decode func(parquet.Value) V) column[R] {
	return column[R]{
		name: name, node: node,
		get: func(r *R) parquet.Value { return encode(*at(r)) },
		set: func(r *R, v parquet.Value, _ *texts) {
			if *at(r) = null; !v.IsNull() {
				*at(r) = decode(v)
			}
		},
	}
}

// floatColumn returns a column of numbers in which NaN is NULL.
func floatColumn[R any](name string, at func(*R) *float64) column[R] {
	return valueColumn(name, flat.Number(), at, math.NaN(), flat.NumberValue, parquet.Value.Double)
}

// secondsColumn returns a column of seconds that is never NULL: NaN is written as 0.
func secondsColumn[R any](name string, at func(*R) *float64) column[R] {
	return valueColumn(name, parquet.Leaf(parquet.DoubleType), at, 0, func(x float64) parquet.Value {
		if math.IsNaN(x) {
			x = 0
		}
		return parquet.DoubleValue(x)
	}, parquet.Value.Double)
}

// nullWhere makes a column NULL in the rows for which is returns true.
func nullWhere[R any](is func(*R) bool, c column[R]) column[R] {
	get := c.get
	c.node = parquet.Optional(c.node)
	c.get = func(r *R) parquet.Value {
		if is(r) {
			return parquet.NullValue()
		}
		return get(r)
	}
	return c
}

// durationColumn returns a column of durations in seconds, in which 0 is NULL.
func durationColumn[R any](name string, at func(*R) *time.Duration) column[R] {
	return nullWhere(func(r *R) bool { return *at(r) == 0 }, valueColumn(name, parquet.Leaf(parquet.DoubleType), at, 0,
		func(d time.Duration) parquet.Value { return parquet.DoubleValue(d.Seconds()) },
		func(v parquet.Value) time.Duration {
			return time.Duration(math.Round(v.Double() * float64(time.Second)))
		}))
}

func int32Column[R any](name string, at func(*R) *int32) column[R] {
	return valueColumn(name, parquet.Int(32), at, 0, parquet.Int32Value, parquet.Value.Int32)
}

// ordinalColumn returns a column of numbers from 0, in which -1 is NULL.
func ordinalColumn[R any](name string, at func(*R) *int32) column[R] {
	return nullWhere(func(r *R) bool { return *at(r) < 0 }, valueColumn(name, parquet.Int(32), at, -1, parquet.Int32Value, parquet.Value.Int32))
}

func int64Column[R any](name string, at func(*R) *int64) column[R] {
	return valueColumn(name, parquet.Int(64), at, 0, parquet.Int64Value, parquet.Value.Int64)
}

func boolColumn[R any](name string, at func(*R) *bool) column[R] {
	return valueColumn(name, parquet.Leaf(parquet.BooleanType), at, false, parquet.BooleanValue, parquet.Value.Boolean)
}

// timeColumn returns a column of instants to the microsecond, UTC, in which the zero time is NULL.
func timeColumn[R any](name string, at func(*R) *time.Time) column[R] {
	return nullWhere(func(r *R) bool { return at(r).IsZero() }, valueColumn(name, parquet.Timestamp(parquet.Microsecond), at, time.Time{},
		func(t time.Time) parquet.Value { return parquet.Int64Value(t.UnixMicro()) },
		func(v parquet.Value) time.Time { return time.UnixMicro(v.Int64()).UTC() }))
}

// jsonColumn returns a column of lists as JSON, in which an empty list is NULL. A text that is not such a list is read as an empty
// one. Rows with the same text share the list.
func jsonColumn[R, T any](name string, at func(*R) *[]T, parse func([]byte) ([]T, error)) column[R] {
	known := map[string][]T{}
	return column[R]{
		name: name, node: parquet.Optional(flat.Text()),
		get: func(r *R) parquet.Value {
			b, err := json.Marshal(*at(r))
			if err != nil || len(*at(r)) == 0 {
				return parquet.NullValue()
			}
			return parquet.ByteArrayValue(b)
		},
		set: func(r *R, v parquet.Value, _ *texts) {
			if v.IsNull() {
				*at(r) = nil
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
			*at(r) = list
		},
	}
}

// parseTexts parses a JSON list of texts.
func parseTexts(b []byte) (list []string, err error) {
	err = json.Unmarshal(b, &list)
	return list, err
}

// parseFacts parses a JSON list of facts. In a large file most of the decoding is here, so facts without escapes, which nearly all
// are, are cut out of the text as json.Marshal wrote it.
func parseFacts(b []byte) (list []data.Fact, err error) {
	const open, between, end = `{"name":"`, `","value":"`, `"}`
	text := string(b)
	rest, whole := strings.CutPrefix(text, "[")
	for whole && !strings.Contains(text, `\`) {
		var f data.Fact
		var name, value bool
		if rest, whole = strings.CutPrefix(rest, open); !whole {
			break
		}
		f.Name, rest, name = strings.Cut(rest, between)
		f.Value, rest, value = strings.Cut(rest, end)
		if both := f.Name + f.Value; !name || !value || strings.Contains(both, `"`) || !utf8.ValidString(both) || strings.ContainsFunc(both, unicode.IsControl) {
			break
		}
		list = append(list, f)
		if rest == "]" {
			return list, nil
		}
		rest, whole = strings.CutPrefix(rest, ",")
	}
	list = nil
	err = json.Unmarshal(b, &list)
	return list, err
}

// mostDocuments limits the texts that a column remembers.
const mostDocuments = 1 << 16
