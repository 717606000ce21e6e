package experiment

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/registry"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/experiment/reading"
)

// What a source was told, apart from its experiment file: to read other files as it does.

// SourceOptions returns the options of a source that differ from its format's defaults, as JSON: a mapping like a data set entry.
func SourceOptions(format source.Kind, src source.Source) ([]byte, error) {
	root := registry.Tree(src, format.Defaults())
	for _, p := range registry.Params(src, format.Defaults()) {
		written, special := asWritten(p.Value)
		if !special || reflect.DeepEqual(p.Value, p.Default) {
			continue
		}
		node, path := root, strings.Split(p.Name, ".")
		for _, key := range path[:len(path)-1] {
			node = node[key].(map[string]any)
		}
		node[path[len(path)-1]] = written
	}
	return json.Marshal(root)
}

// asWritten returns the value of an option that experiment files have as a mapping, as JSON has it in place of a file: in its order,
// infinite factors as ".inf". own is false for all other values.
func asWritten(value any) (written any, special bool) {
	var all orderedMapping
	switch list := value.(type) {
	case source.Factors:
		for _, f := range list {
			all = append(all, entry{f.Pattern, f.Value})
			if math.IsInf(f.Value, 1) {
				all[len(all)-1].value = ".inf"
			}
		}
		return all, true
	case rawtext.Missing:
		for _, m := range list {
			all = append(all, entry{m.Pattern, m.Texts})
		}
		return all, true
	}
	return nil, false
}

// orderedMapping is written as a mapping in its order.
type orderedMapping []entry

type entry struct {
	key   string
	value any
}

// MarshalJSON writes the mapping.
func (m orderedMapping) MarshalJSON() ([]byte, error) {
	out := []byte("{")
	for k, e := range m {
		key, err := json.Marshal(e.key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(e.value)
		if err != nil {
			return nil, err
		}
		if k > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, key...), ':'), value...)
	}
	return append(out, '}'), nil
}

// NewSource makes a source of a format with such options; where is for messages. Each of sets, path=value, changes the options
// first.
func NewSource(format source.Kind, options []byte, sets []string, where string) (source.Source, error) {
	d := &decoder{Reader: algorithm.NewReader(reading.NewDecoder(where, options, sets), engines.Wrappers{})}
	root := d.Parse(options)
	if root == nil {
		return nil, d.Err()
	}
	for i, set := range sets {
		d.applySet(root, i, set)
	}
	src, _ := reading.Configure(d.Decoder, format, root, strictyaml.Owner{Noun: "option", Of: "format " + format.Name})
	return src, d.Err()
}

// Shared returns the options of one format that another one has, too, with the same meaning; left names the others.
func Shared(to source.Kind, options []byte) (shared []byte, left []string, err error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(options, &all); err != nil {
		return nil, nil, fmt.Errorf("options: %w", err)
	}
	some := map[string]json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		some[name] = all[name]
		text, err := json.Marshal(some)
		if err != nil {
			return nil, nil, err
		}
		if _, err := NewSource(to, text, nil, name); err != nil {
			delete(some, name)
			left = append(left, name)
		}
	}
	shared, err = json.Marshal(some)
	return shared, left, err
}
