package spec

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"

	"tenfold/engines/registry"
	"tenfold/io/source"
)

// What a source was told, apart from its experiment file: to read other files as it does.

// SourceOptions returns the options of a source that differ from its format's defaults, as JSON: a mapping like a data set entry.
func SourceOptions(format source.Kind, src source.Source) ([]byte, error) {
	return json.Marshal(registry.Tree(src, format.Defaults()))
}

// NewSource makes a source of a format with such options; where is for messages. Each of sets, path=value, changes the options
// first.
func NewSource(format source.Kind, options []byte, sets []string, where string) (source.Source, error) {
	d := &decoder{problems: newProblems(where, linesOf(options), sets), unnamed: map[*yaml.Node]bool{}}
	root := d.parseYAML(options)
	if root == nil {
		return nil, d.err()
	}
	for i := range sets {
		d.applySet(root, i)
	}
	src, _ := configure(d, format, root, owner{noun: "option", of: "format " + format.Name})
	return src, d.err()
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
