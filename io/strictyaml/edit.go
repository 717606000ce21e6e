package strictyaml

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// What is done with nodes: looking into mappings, and making others of them. Only removeEntry and removePath change one.

// RemoveEntry deletes a mapping entry and reports whether it was there.
func RemoveEntry(m *yaml.Node, name string) bool {
	for i := 0; m != nil && m.Kind == yaml.MappingNode && i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == name {
			m.Content = append(m.Content[:i:i], m.Content[i+2:]...)
			return true
		}
	}
	return false
}

// WithValue returns a copy of a mapping with a value at a dotted path; only what lies on the path is copied. New keys get the place
// of key.
func WithValue(m *yaml.Node, path string, key, value *yaml.Node) *yaml.Node {
	name, rest, nested := strings.Cut(path, ".")
	out := EmptyMapping(key)
	if m != nil && m.Kind == yaml.MappingNode {
		*out = *m
		out.Content = append([]*yaml.Node(nil), m.Content...)
	}
	k, old := Entry(out, name)
	if nested {
		value = WithValue(old, rest, key, value)
	}
	if k == nil {
		made := *key
		made.Value, made.Tag = name, "!!str"
		out.Content = append(out.Content, &made, value)
		return out
	}
	for i := range out.Content {
		if out.Content[i] == k {
			out.Content[i+1] = value
		}
	}
	return out
}

// EmptyMapping returns a mapping without keys, at the place of a node.
func EmptyMapping(place *yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: place.Line, Column: place.Column}
}

// IsSet reports whether a dotted path has a value.
func IsSet(m *yaml.Node, path string) bool {
	name, rest, nested := strings.Cut(path, ".")
	_, v := Entry(m, name)
	return v != nil && (!nested || v.Kind != yaml.MappingNode || IsSet(v, rest))
}

// KeyAt returns the key that a dotted path leads to, nil if there is none.
func KeyAt(m *yaml.Node, path string) *yaml.Node {
	name, rest, nested := strings.Cut(path, ".")
	key, v := Entry(m, name)
	if nested {
		return KeyAt(v, rest)
	}
	return key
}

// RemovePath removes the entry that a dotted path leads to.
func RemovePath(m *yaml.Node, path string) {
	name, rest, nested := strings.Cut(path, ".")
	if !nested {
		RemoveEntry(m, name)
		return
	}
	if _, v := Entry(m, name); v != nil {
		RemovePath(v, rest)
	}
}

// MergeUnder returns a mapping with missing entries taken from another one; nested mappings are merged likewise.
func MergeUnder(m, from *yaml.Node) *yaml.Node {
	if m == nil {
		return from
	}
	if from == nil || m.Kind != yaml.MappingNode || from.Kind != yaml.MappingNode {
		return m
	}
	out := *m
	out.Content = append([]*yaml.Node(nil), m.Content...)
	for i := 0; i+1 < len(from.Content); i += 2 {
		key, val := from.Content[i], from.Content[i+1]
		if k, value := Entry(m, key.Value); k == nil {
			out.Content = append(out.Content, key, val)
		} else if merged := MergeUnder(value, val); merged != value {
			for j := range out.Content {
				if out.Content[j] == k {
					out.Content[j+1] = merged
				}
			}
		}
	}
	return &out
}

// WithoutKey returns a mapping without one of its keys.
func WithoutKey(m *yaml.Node, name string) *yaml.Node {
	if key, _ := Entry(m, name); key == nil {
		return m
	}
	out := *m
	RemoveEntry(&out, name)
	return &out
}
