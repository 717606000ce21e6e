package tablefile

import (
	"context"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// Records is a file of JSON objects, one a row: a line each (JSON Lines), or one array of them.
type Records struct {
	Digits `yaml:",inline"`
}

// jsonCell is a value of a record: as it is written, or the text of a string.
type jsonCell struct {
	kind    jsonKind
	as      string
	dialect *rawtext.Dialect // of texts
	objects bool             // a list of objects
}

func (c *jsonCell) Missing() bool { return c.kind == jsonNull || strings.TrimSpace(c.as) == "" }
func (c *jsonCell) Text() string  { return c.as }
func (c *jsonCell) Number() (float64, bool) {
	switch c.kind {
	case jsonTruth:
		return map[bool]float64{true: 1}[c.as == "true"], true
	case jsonText:
		return c.dialect.Number(c.as)
	}
	return rawtext.ParseNumber(c.as)
}

// nested says what is wrong with a value that is no cell.
func (c *jsonCell) nested() string {
	if c.objects {
		return "is a list of objects, expected a number, a text, true, false or null; where these are the rows, make them a file of their own, as jq -c '.KEY[]' does"
	}
	return "is nested, expected a number, a text, true, false or null"
}

// mostKeys is how many different keys the records of a file may have, and one more for each 64 bytes.
const mostKeys = 1 << 18

// keysOf returns the keys of the records, and how many records have each, of how many. They are in the order of the records: a key that
// is new in one comes behind the key before it there.
func keysOf(ctx context.Context, file string, content []byte) (keys []string, have map[string]int, records int, err error) {
	type known struct {
		records, last int // that have the key, and the last of them
		behind        *known
		key           string
	}
	begin := &known{}
	all := map[string]*known{}
	r := newRecordReader(file, content)
	for {
		more, err := r.next()
		if err != nil {
			return nil, nil, 0, err
		}
		if !more {
			break
		}
		if records++; records%(1<<12) == 0 && ctx.Err() != nil {
			return nil, nil, 0, ctx.Err()
		}
		before := begin
		for {
			key, more, err := r.key()
			if err != nil {
				return nil, nil, 0, err
			}
			if !more {
				break
			}
			k := all[key]
			switch {
			case k == nil && len(all) == mostKeys+len(content)/64:
				return nil, nil, 0, r.fail("the key %q is number %d, expected at most %d keys in files of this size", rawtext.Beginning(key), len(all)+1, len(all))
			case k == nil:
				k = &known{key: key, behind: before.behind}
				before.behind, all[key] = k, k
			case k.last == records:
				return nil, nil, 0, r.fail("the key %q is in the record twice", key)
			}
			k.records++
			k.last, before = records, k
			if _, err := r.value(); err != nil {
				return nil, nil, 0, err
			}
		}
	}
	have = make(map[string]int, len(all))
	for k := begin.behind; k != nil; k = k.behind {
		keys = append(keys, k.key)
		have[k.key] = k.records
	}
	return keys, have, records, nil
}

// Lacking says, given how many of so many records have each key, which keys some lack.
func Lacking(have map[string]int, records int) (texts []string) {
	for _, key := range slices.Sorted(maps.Keys(have)) {
		if n := records - have[key]; n > 0 {
			texts = append(texts, fmt.Sprintf("%s in %d of %d", key, n, records))
		}
	}
	return texts
}

// Scanner returns what reads such files of an input. It notes in facts, unless that is nil, which keys records lack.
func (r Records) Scanner(in source.Input, facts *[]data.Fact) Scanner {
	return func(ctx context.Context, file string, content []byte, bind Bind) (int, error) {
		rows, have, err := r.scanFile(ctx, in, file, content, bind, nil)
		if err == nil && facts != nil {
			if lacking := Lacking(have, rows); len(lacking) > 0 {
				*facts = append(*facts, data.Fact{Name: "keys that records of " + path.Base(file) + " lack, which are missing there", Value: source.Abridge(lacking)})
			}
		}
		return rows, err
	}
}

// scanFile reads a file twice: for the keys, which are the columns, and for the values. A key that a record does not have is missing
// there. Nested values are an error; if refused is not nil, the reason goes there instead, by key. It also returns how many records have
// each key.
func (o Records) scanFile(ctx context.Context, in source.Input, file string, content []byte, bind Bind, refused map[string]string) (rows int, have map[string]int, err error) {
	if content, err = rawtext.Decode(content, rawtext.UTF8, file); err != nil {
		return 0, nil, err
	}
	keys, have, rows, err := keysOf(ctx, file, content)
	if err != nil {
		return 0, nil, err
	}
	if rows == 0 {
		return 0, nil, fmt.Errorf("%s: no records, expected an object such as {\"dose\": 1.5} in each line", file)
	}
	const each = 8 // bytes a cell
	if n := int64(rows) * int64(min(len(keys), math.MaxInt32)); n > 0 {
		if err := source.Allow(in, each*n, file, "%d records with %d different keys", rows, len(keys)); err != nil {
			return 0, nil, err
		}
	}
	sinks, err := bind(slices.Clone(keys))
	if err != nil {
		return 0, nil, err
	}
	column := make(map[string]int, len(keys))
	for k, key := range keys {
		column[key] = k
	}
	r := newRecordReader(file, content)
	dialect := o.Dialect()
	r.cell.dialect = &dialect
	absent := &jsonCell{kind: jsonNull}
	last := make([]int, len(keys)) // record that had the key
	for n := 1; n <= rows; n++ {
		if n%(1<<12) == 0 && ctx.Err() != nil {
			return 0, nil, ctx.Err()
		}
		if _, err := r.next(); err != nil {
			return 0, nil, err
		}
		for {
			key, more, err := r.key()
			if err != nil {
				return 0, nil, err
			}
			if !more {
				break
			}
			c, err := r.value()
			if err != nil {
				return 0, nil, err
			}
			k := column[key]
			if last[k] = n; sinks[k] == nil {
				continue
			}
			if c.kind == jsonNested && refused != nil {
				refused[key] = c.nested()
				c = absent
			}
			if err := r.hand(c, sinks[k], key); err != nil {
				return 0, nil, err
			}
		}
		for k, s := range sinks {
			if s != nil && last[k] != n {
				if err := r.hand(absent, s, keys[k]); err != nil {
					return 0, nil, err
				}
			}
		}
	}
	return rows, have, nil
}

// hand gives a cell of the record to a sink.
func (r *recordReader) hand(c *jsonCell, s Sink, key string) error {
	if c.kind == jsonNested {
		return r.fail("the value of %q %s; list it under columns.drop, or flatten it (pandas: json_normalize)", key, c.nested())
	}
	if err := s.AddCell(c); err != nil {
		return r.fail("column %q: %w", key, err)
	}
	return nil
}

// Look reads a file of records that is no data set. Keys with nested values come with a reason, by name, and without these
// values. It also returns how many records have each key.
func (r Records) Look(ctx context.Context, in source.Input, role string, bind Columns) (rows int, have map[string]int, refused map[string]string, err error) {
	content, file, err := in.Bytes(role)
	if err != nil {
		return 0, nil, nil, err
	}
	refused = map[string]string{}
	rows, have, err = r.scanFile(ctx, in, file, content, bindTakers(bind), refused)
	return rows, have, refused, err
}
