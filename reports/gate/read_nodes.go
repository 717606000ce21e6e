package gate

import (
	"cmp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/suggest"
	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/reports/paired"
)

// field is a key of a mapping; read gets its value, and what the value is called in messages.
type field struct {
	key  string
	read func(v *yaml.Node, what string)
}

func (r *reader) text(key string, to *string) field {
	return field{key, func(v *yaml.Node, what string) { *to = r.readText(v, what) }}
}

func (r *reader) flag(key string, to *bool) field {
	return field{key, func(v *yaml.Node, what string) { *to = r.readFlag(v, what) }}
}

func (r *reader) number(key string, to *float64) field {
	return field{key, func(v *yaml.Node, what string) { *to, _ = r.readNumber(v, what) }}
}

func (r *reader) optional(key string, to **float64) field {
	return field{key, func(v *yaml.Node, what string) {
		if x, ok := r.readNumber(v, what); ok {
			*to = &x
		}
	}}
}

func (r *reader) numbers(key string, to *[]float64) field {
	return field{key, func(v *yaml.Node, what string) {
		r.readList(v, what, func(v *yaml.Node) {
			x, _ := r.readNumber(v, what)
			*to = append(*to, x)
		})
	}}
}

func (r *reader) texts(key string, to *[]string) field {
	return field{key, func(v *yaml.Node, what string) {
		r.readList(v, what, func(v *yaml.Node) { *to = append(*to, r.readText(v, what)) })
	}}
}

// node is a field that is read later.
func node(key string, to **yaml.Node) field {
	return field{key, func(v *yaml.Node, _ string) { *to = v }}
}

// readFields reads a mapping that has these keys and no others.
func (r *reader) readFields(n *yaml.Node, what string, fields []field) {
	r.readMapping(n, what, func(key, v *yaml.Node) {
		var known []string
		for _, f := range fields {
			if f.key == key.Value {
				f.read(v, what+": "+f.key)
				return
			}
			known = append(known, f.key)
		}
		r.addMistake(key, "unknown key %q of %s%s", key.Value, what, suggest.Choices(key.Value, known))
	})
}

// readMapping gives take the keys of a mapping with their values.
func (r *reader) readMapping(n *yaml.Node, what string, take func(key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode || n.Style&yaml.TaggedStyle != 0 {
		r.addMistake(n, "%s: found %s, expected a mapping", what, nodeText(n))
		return
	}
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch line, twice := first[key.Value]; {
		case key.Kind != yaml.ScalarNode || key.Tag == "!!merge" || key.Style&yaml.TaggedStyle != 0:
			r.addMistake(key, "%s: found %s as a key, expected a name", what, nodeText(key))
		case twice:
			r.addMistake(key, "%s: key %q appears twice, first on line %d", what, key.Value, line)
		default:
			first[key.Value] = key.Line
			take(key, value)
		}
	}
}

// findValue returns the value of a key; nil if there is none.
func findValue(n *yaml.Node, key string) *yaml.Node {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// valueOr returns the value of a key, or the mapping itself without one, as a place for messages.
func valueOr(n *yaml.Node, key string) *yaml.Node { return cmp.Or(findValue(n, key), n) }

// readNamed reads a mapping whose keys are free.
func (r *reader) readNamed(n *yaml.Node, what string, take func(key, value *yaml.Node)) {
	r.readMapping(n, what, func(key, value *yaml.Node) {
		switch {
		case key.Value == "":
			r.addMistake(key, "%s: found an empty name", what)
		case sanitize.Line(key.Value) != key.Value:
			r.addMistake(key, "%s: found a name with characters that cannot be seen, %q", what, key.Value)
		default:
			take(key, value)
		}
	})
}

func (r *reader) readMargin(n *yaml.Node, what string) paired.Margin {
	var m paired.Margin
	r.readFields(n, what, []field{r.optional(keyRelative, &m.Relative), r.optional(keyAbsolute, &m.Absolute)})
	for _, x := range []*float64{m.Relative, m.Absolute} {
		if x != nil && *x < 0 {
			r.addMistake(n, "%s: found %v, expected at least 0", what, *x)
		}
	}
	if n.Kind == yaml.MappingNode && (m.Relative == nil) == (m.Absolute == nil) {
		r.addMistake(n, "%s: expected one of %s and %s", what, keyRelative, keyAbsolute)
	}
	return m
}

func (r *reader) readList(n *yaml.Node, what string, each func(*yaml.Node)) {
	if n.Kind != yaml.SequenceNode || n.Style&yaml.TaggedStyle != 0 {
		r.addMistake(n, "%s: found %s, expected a list", what, nodeText(n))
		return
	}
	for _, v := range n.Content {
		each(v)
	}
}

func (r *reader) readNumber(n *yaml.Node, what string) (float64, bool) {
	if n.Kind == yaml.ScalarNode && n.Style == 0 && (n.Tag == "!!float" || n.Tag == "!!int") {
		if x, err := strconv.ParseFloat(n.Value, 64); err == nil && results.Finite(x) {
			return x, true
		}
	}
	r.addMistake(n, "%s: found %s, expected a finite number", what, nodeText(n))
	return 0, false
}

func (r *reader) readText(n *yaml.Node, what string) string {
	// A digest that looks like a number is text, too.
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || n.Style&yaml.TaggedStyle != 0 || strings.TrimSpace(n.Value) == "" {
		r.addMistake(n, "%s: found %s, expected text", what, nodeText(n))
		return ""
	}
	return n.Value
}

func (r *reader) readFlag(n *yaml.Node, what string) bool {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" || n.Style != 0 {
		r.addMistake(n, "%s: found %s, expected true or false", what, nodeText(n))
	}
	return n.Value == "true"
}

// nodeText describes a node for a message.
func nodeText(n *yaml.Node) string {
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
