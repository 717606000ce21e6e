package gate

import (
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/kind"
	"tenfold/io/plain"
	"tenfold/io/results"
	"tenfold/reports/paired"
)

// fields reads a mapping: each key is handed to take, which tells whether it knows it. known are the names that it
// knows, for the message.
func (r *reader) fields(n *yaml.Node, what string, known []string, take func(key, value *yaml.Node) bool) {
	if n.Kind != yaml.MappingNode || n.Style&yaml.TaggedStyle != 0 {
		r.bad(n, "%s: found %s, expected a mapping", what, found(n))
		return
	}
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch line, twice := first[key.Value]; {
		case key.Kind != yaml.ScalarNode || key.Tag == "!!merge" || key.Style&yaml.TaggedStyle != 0:
			r.bad(key, "%s: found %s as a key, expected a name", what, found(key))
		case twice:
			r.bad(key, "%s: key %q appears twice, first on line %d", what, key.Value, line)
		default:
			first[key.Value] = key.Line
			if !take(key, value) {
				r.bad(key, "unknown key %q of %s%s", key.Value, what, kind.Choices(key.Value, known))
			}
		}
	}
}

// field is the key and the value of a mapping; nil where it has none.
func field(n *yaml.Node, name string) (key, value *yaml.Node) {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// named reads a mapping whose keys are free.
func (r *reader) named(n *yaml.Node, what string, take func(key, value *yaml.Node)) {
	r.fields(n, what, nil, func(key, value *yaml.Node) bool {
		switch {
		case key.Value == "":
			r.bad(key, "%s: found an empty name", what)
			return true
		case plain.Line(key.Value) != key.Value:
			r.bad(key, "%s: found a name with characters that cannot be seen, %q", what, key.Value)
			return true
		}
		take(key, value)
		return true
	})
}

func (r *reader) margin(n *yaml.Node, what string) paired.Margin {
	var m paired.Margin
	r.fields(n, what, []string{keyRelative, keyAbsolute}, func(key, v *yaml.Node) bool {
		switch key.Value {
		case keyRelative:
			m.Relative = r.optional(v, what+": "+key.Value)
		case keyAbsolute:
			m.Absolute = r.optional(v, what+": "+key.Value)
		default:
			return false
		}
		return true
	})
	for _, x := range []*float64{m.Relative, m.Absolute} {
		if x != nil && *x < 0 {
			r.bad(n, "%s: found %v, expected at least 0", what, *x)
		}
	}
	if n.Kind == yaml.MappingNode && (m.Relative == nil) == (m.Absolute == nil) {
		r.bad(n, "%s: expected one of %s and %s", what, keyRelative, keyAbsolute)
	}
	return m
}

func (r *reader) list(n *yaml.Node, what string, each func(*yaml.Node)) {
	if n.Kind != yaml.SequenceNode || n.Style&yaml.TaggedStyle != 0 {
		r.bad(n, "%s: found %s, expected a list", what, found(n))
		return
	}
	for _, v := range n.Content {
		each(v)
	}
}

func (r *reader) numbers(n *yaml.Node, what string) []float64 {
	var out []float64
	r.list(n, what, func(v *yaml.Node) {
		x, _ := r.number(v, what)
		out = append(out, x)
	})
	return out
}

func (r *reader) optional(n *yaml.Node, what string) *float64 {
	x, ok := r.number(n, what)
	if !ok {
		return nil
	}
	return &x
}

func (r *reader) number(n *yaml.Node, what string) (float64, bool) {
	if n.Kind == yaml.ScalarNode && n.Style == 0 && (n.Tag == "!!float" || n.Tag == "!!int") {
		if x, err := strconv.ParseFloat(n.Value, 64); err == nil && results.Finite(x) {
			return x, true
		}
	}
	r.bad(n, "%s: found %s, expected a finite number", what, found(n))
	return 0, false
}

func (r *reader) text(n *yaml.Node, what string) string {
	// A digest that happens to look like a number is text all the same.
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || n.Style&yaml.TaggedStyle != 0 || strings.TrimSpace(n.Value) == "" {
		r.bad(n, "%s: found %s, expected text", what, found(n))
		return ""
	}
	return n.Value
}

func (r *reader) flag(n *yaml.Node, what string) bool {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" || n.Style != 0 {
		r.bad(n, "%s: found %s, expected true or false", what, found(n))
	}
	return n.Value == "true"
}

// found describes a node for a message.
func found(n *yaml.Node) string {
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		return "the tag " + n.Tag
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.AliasNode:
		return "an alias"
	case n.Tag == "!!null":
		return "nothing"
	}
	return strconv.Quote(shorten(n.Value))
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}
