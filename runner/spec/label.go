package spec

import (
	"fmt"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/kind"
	"tenfold/io/results"
)

// label turns a point into result columns. Values take the type of the parameter they set, so that a column does not
// mix integers with fractions; what is not a plain value keeps its text in the file.
func (p point) label(prefix string, params []kind.Param) []results.Param {
	var out []results.Param
	for _, s := range p {
		value := written(s.value)
		for _, param := range params {
			if param.Name == s.key.Value {
				value = typed(param.Value, value)
			}
		}
		out = append(out, results.Param{Name: prefix + s.key.Value, Value: value})
	}
	return out
}

// typed is a parameter's value as a string, int64, float64 or bool; other types leave it as written.
func typed(param, written any) any {
	if text, ok := param.(fmt.Stringer); ok {
		return text.String()
	}
	switch v := reflect.ValueOf(param); v.Kind() {
	case reflect.Bool:
		return v.Bool()
	case reflect.String:
		return v.String()
	case reflect.Float32, reflect.Float64:
		return v.Float()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int()
	}
	return written
}

// written is a scalar's natural value, and the text of anything else: [a, b] or {k: v}.
func written(n *yaml.Node) any {
	if n.Kind == yaml.ScalarNode {
		return natural(n)
	}
	var parts []string
	for i := 0; i < len(n.Content); i++ {
		part := fmt.Sprint(written(n.Content[i]))
		if n.Kind == yaml.MappingNode {
			i++
			part += ": " + fmt.Sprint(written(n.Content[i]))
		}
		parts = append(parts, part)
	}
	if text := strings.Join(parts, ", "); n.Kind == yaml.MappingNode {
		return "{" + text + "}"
	} else {
		return "[" + text + "]"
	}
}
