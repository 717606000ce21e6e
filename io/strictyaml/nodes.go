package strictyaml

import (
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Entry returns the key and value of a mapping entry, nil if there is none.
func Entry(m *yaml.Node, name string) (key, value *yaml.Node) {
	if m == nil || m.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == name {
			return m.Content[i], m.Content[i+1]
		}
	}
	return nil, nil
}

// Find follows a dotted name of nested keys and list indices, and returns the last node that exists on the way.
func Find(n *yaml.Node, path string) *yaml.Node {
	name, rest, _ := strings.Cut(path, ".")
	if n.Kind == yaml.SequenceNode {
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(n.Content) {
			return Find(n.Content[i], rest)
		}
		return n
	}
	if _, v := Entry(n, name); v != nil {
		return Find(v, rest)
	}
	return n
}
