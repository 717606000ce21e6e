package experiment

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/registry"
	"tenfold/io/results"
	"tenfold/io/strictyaml"
)

// labelParams turns a point into columns of results. Values take the type of the parameter that they set, so that a column does not
// mix integers and fractions; a list or mapping keeps its text in the file.
func (p point) labelParams(prefix string, params []registry.Param) []results.Param {
	var out []results.Param
	for _, s := range p {
		value := writtenValue(s.value)
		for _, param := range params {
			if param.Name == s.key.Value {
				value = typedValue(param.Value, value)
			}
		}
		out = append(out, results.Param{Name: prefix + s.key.Value, Value: value})
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

// checkLabels reports two data sets, or two algorithms, that would have the same label in tables, baselines and metrics.json:
// points of grids, and names that look like such points.
func (d *decoder) checkLabels(f *File) {
	type place struct {
		name string
		node *yaml.Node
	}
	check := func(what string, seen map[string]place, label string, e Entry, name string) {
		_, at := strictyaml.Entry(e.node, "name")
		was, again := seen[label]
		switch {
		case !again:
			seen[label] = place{name, at}
		case was.node == at && d.Count > 0: // points of one entry that has mistakes
		case was.node == at && at != nil:
			_, grid := strictyaml.Entry(e.node, "grid")
			d.Add(cmp.Or(grid, at), "grid: two points would both be called %q in results, which show six digits", label)
		case at != nil && was.name != name: // equal names are a mistake of their own
			place := ""
			if was.node.Line > 0 { // not by --set
				place = fmt.Sprintf(", on line %d,", was.node.Line)
			}
			d.Add(at, "%s %q%s and this one would both be called %q in results", what, was.name, place, label)
		}
	}
	datasets, algorithms := map[string]place{}, map[string]place{}
	for _, s := range f.Datasets {
		label, _ := results.Labels(s.Name, "", s.Grid, results.Brief)
		check("data set", datasets, label, s.Entry, s.Name)
	}
	for _, a := range f.Algorithms {
		_, label := results.Labels("", a.Name, a.Grid, results.Brief)
		check("algorithm", algorithms, label, a.Entry, a.Name)
	}
}
