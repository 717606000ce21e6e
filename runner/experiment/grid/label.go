package grid

import (
	"fmt"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/registry"
	"tenfold/io/results"
	"tenfold/io/strictyaml"
)

// Params turns a point into columns of results. Values take the type of the parameter that they set, so that a column does not
// mix integers and fractions; a list or mapping keeps its text in the file.
func (p Point) Params(prefix string, params []registry.Param) []results.Param {
	var out []results.Param
	for _, s := range p {
		value := writtenValue(s.Value)
		for _, param := range params {
			if param.Name == s.Key.Value {
				value = typedValue(param.Value, value)
			}
		}
		out = append(out, results.Param{Name: prefix + s.Key.Value, Value: value})
	}
	return out
}

// typedValue returns a parameter's value as a string, int64, float64 or bool; for other types it returns written.
func typedValue(param, written any) any {
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

// writtenValue returns the natural value of a scalar, and the text of a list or mapping: [a, b] or {k: v}.
func writtenValue(n *yaml.Node) any {
	if n.Kind == yaml.ScalarNode {
		return strictyaml.Natural(n)
	}
	var parts []string
	for i := 0; i < len(n.Content); i++ {
		part := fmt.Sprint(writtenValue(n.Content[i]))
		if n.Kind == yaml.MappingNode {
			i++
			part += ": " + fmt.Sprint(writtenValue(n.Content[i]))
		}
		parts = append(parts, part)
	}
	if text := strings.Join(parts, ", "); n.Kind == yaml.MappingNode {
		return "{" + text + "}"
	} else {
		return "[" + text + "]"
	}
}
