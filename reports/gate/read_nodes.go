package gate

import (
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/suggest"
	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/reports/paired"
)

// readFields reads a mapping: take gets each key and reports whether it knows it. known lists the keys for messages.
func (r *reader) readFields(n *yaml.Node, what string, known []string, take func(key, value *yaml.Node) bool) {
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
			if !take(key, value) {
				r.addMistake(key, "unknown key %q of %s%s", key.Value, what, suggest.Choices(key.Value, known))
			}
		}
	}
}

// findField returns the key and the value of a field; nil if there is none.
func findField(n *yaml.Node, name string) (key, value *yaml.Node) {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// readNamed reads a mapping whose keys are free.
func (r *reader) readNamed(n *yaml.Node, what string, take func(key, value *yaml.Node)) {
	r.readFields(n, what, nil, func(key, value *yaml.Node) bool {
		switch {
		case key.Value == "":
			r.addMistake(key, "%s: found an empty name", what)
			return true
		case sanitize.Line(key.Value) != key.Value:
			r.addMistake(key, "%s: found a name with characters that cannot be seen, %q", what, key.Value)
			return true
		}
		take(key, value)
		return true
	})
}

func (r *reader) readMargin(n *yaml.Node, what string) paired.Margin {
	var m paired.Margin
	r.readFields(n, what, []string{keyRelative, keyAbsolute}, func(key, v *yaml.Node) bool {
		switch key.Value {
		case keyRelative:
			m.Relative = r.readOptional(v, what+": "+key.Value)
		case keyAbsolute:
			m.Absolute = r.readOptional(v, what+": "+key.Value)
		default:
			return false
		}
		return true
	})
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

func (r *reader) readNumbers(n *yaml.Node, what string) []float64 {
	var out []float64
	r.readList(n, what, func(v *yaml.Node) {
		x, _ := r.readNumber(v, what)
		out = append(out, x)
	})
	return out
}

func (r *reader) readOptional(n *yaml.Node, what string) *float64 {
	x, ok := r.readNumber(n, what)
	if !ok {
		return nil
	}
	return &x
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
