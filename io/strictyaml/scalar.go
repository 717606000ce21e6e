package strictyaml

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

func (d *Decoder) decodeScalar(n *yaml.Node, v reflect.Value, name string) {
	var expected string
	ok := n.Kind == yaml.ScalarNode
	switch v.Kind() {
	case reflect.String:
		expected = "text"
		if ok {
			v.SetString(n.Value) // numbers too: 0200020000 is a template and 1 a class label
		}
	case reflect.Bool:
		expected = "true or false"
		if ok = ok && n.Tag == "!!bool"; ok {
			v.SetBool(strings.EqualFold(n.Value, "true"))
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		expected = "an integer"
		var x int64
		if x, ok = Integer(n); ok {
			if ok = !v.OverflowInt(x); ok {
				v.SetInt(x)
			} else {
				expected = fmt.Sprintf("an integer of %d bits", v.Type().Bits())
			}
		}
	case reflect.Float32, reflect.Float64:
		expected = "a finite number"
		var x float64
		if x, ok = Number(n); ok {
			v.SetFloat(x)
		}
	default: // a parameter type that a file cannot hold is a mistake in our own code
		panic(fmt.Sprintf("%s: no decoding into %s", name, v.Type()))
	}
	if !ok {
		d.Add(n, "%s: expected %s, found %s", name, expected, Describe(n))
	}
}

// decodeAny decodes into the natural Go value: string, int64, float64, bool, []any or map[string]any.
func (d *Decoder) decodeAny(n *yaml.Node, name string) any {
	switch n.Kind {
	case yaml.SequenceNode:
		var out []any
		d.decodeList(n, reflect.ValueOf(&out).Elem(), name, Owner{})
		return out
	case yaml.MappingNode:
		var out map[string]any
		d.decodeMap(n, reflect.ValueOf(&out).Elem(), name, Owner{})
		return out
	}
	return Natural(n)
}

// Natural returns a scalar's value as YAML reads it: bool, int64, float64 or string.
func Natural(n *yaml.Node) any {
	if n.Tag == "!!bool" {
		return strings.EqualFold(n.Value, "true")
	}
	if x, ok := Integer(n); ok {
		return x
	}
	if x, ok := Number(n); ok {
		return x
	}
	return n.Value
}

// Integer parses a whole number. It rejects a leading zero, because YAML readers differ on whether it means octal.
func Integer(n *yaml.Node) (int64, bool) {
	digits := strings.TrimLeft(n.Value, "+-")
	if n.Kind != yaml.ScalarNode || n.Tag != "!!int" || len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9' {
		return 0, false
	}
	x, err := strconv.ParseInt(n.Value, 0, 64)
	return x, err == nil
}

// Number parses a finite number.
func Number(n *yaml.Node) (float64, bool) {
	if x, ok := Integer(n); ok {
		return float64(x), true
	}
	if n.Kind != yaml.ScalarNode || n.Tag != "!!float" && n.Tag != "!!int" {
		return 0, false
	}
	x, err := strconv.ParseFloat(strings.ReplaceAll(n.Value, "_", ""), 64)
	return x, err == nil && !math.IsInf(x, 0) && !math.IsNaN(x)
}

// Describe describes, for messages, what the file has at a node.
func Describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Tag == "!!null":
		return "nothing"
	case n.Tag == "!!str":
		return strconv.Quote(n.Value)
	}
	return n.Value
}
