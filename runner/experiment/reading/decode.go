// Package reading decodes values of experiment files from their nodes, in the forms that these files have beside YAML's own (named lists
// of templates, factors, sizes), and collects mistakes with their places, and the names that a file uses. It does not know the sections.
// Decoder is the place to begin; Configure makes an engine, a format or a wrapper of its parameters.
package reading

import (
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/data/classweight"
	"tenfold/io/files"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/strictyaml"
)

// Decoder decodes values of a file, and keeps the names that they use. The tags ref of fields say what a text, or each of a list of texts, names: "algorithm",
// "dataset", "metric" or "parameter", an "axis" (one of the last two), or a "label" of a table: one of the first two, with or without a
// grid point, or a value of a grid; "algorithm-label" and "dataset-label" may have a grid point.
type Decoder struct {
	*Collector
	Templates map[string][]string
	unnamed   map[*yaml.Node]bool // scalars in place of a list of templates that the file does not define
	Uses      []Use
}

// NewDecoder returns a decoder of the content of a file and of --set arguments.
func NewDecoder(file string, content []byte, sets []string) *Decoder {
	return &Decoder{Collector: NewCollector(file, content, sets), unnamed: map[*yaml.Node]bool{}}
}

// values returns the decoder of values in the file.
func (d *Decoder) values() *strictyaml.Decoder {
	return &strictyaml.Decoder{Problems: &d.Problems, Special: d.decodeSpecial, Ref: d.addUses}
}

// DecodeInto decodes a node over the value that ptr points to, and reports whether there were no mistakes.
func (d *Decoder) DecodeInto(n *yaml.Node, ptr any, o strictyaml.Owner) bool {
	return d.values().Decode(n, ptr, o)
}

// decodeSpecial decodes values that the file has in forms of their own, and reports whether ptr points to one.
func (d *Decoder) decodeSpecial(n *yaml.Node, ptr any, name string) bool {
	switch p := ptr.(type) {
	case *source.Templates:
		d.namedList(n, p, name)
	case *source.Factors:
		d.decodeFactors(n, p, name)
	case *rawtext.Missing:
		d.decodeMissing(n, p, name)
	case *classweight.Weights:
		d.decodeClassWeights(n, p)
	case *map[string]files.Ref:
		if n.Kind == yaml.MappingNode {
			return false
		}
		d.Add(n, "%s: expected a mapping of roles to files, such as {all: table.csv}, found %s", name, strictyaml.Describe(n))
	default:
		return false
	}
	return true
}

// namedList decodes a list of templates. A scalar names a list of the section templates; an unknown name is kept, because the
// format may know it (see addInvalid).
func (d *Decoder) namedList(n *yaml.Node, to *source.Templates, name string) {
	if n.Kind != yaml.ScalarNode {
		d.values().List(n, (*[]string)(to), name)
		return
	}
	if list, ok := d.Templates[n.Value]; ok {
		*to = slices.Clone(list)
		return
	}
	d.unnamed[n] = true
	*to = source.Templates{n.Value}
}

// decodeFactors decodes a mapping of names to factors, in the order of the file.
func (d *Decoder) decodeFactors(n *yaml.Node, to *source.Factors, name string) {
	if n.Kind != yaml.MappingNode {
		d.Add(n, "%s: expected a mapping of names of columns to factors, found %s", name, strictyaml.Describe(n))
		return
	}
	*to = nil
	for i := 0; i+1 < len(n.Content); i += 2 {
		node := n.Content[i+1]
		x, ok := strictyaml.Number(node)
		if node.Kind == yaml.ScalarNode && strings.EqualFold(strings.TrimPrefix(node.Value, "+"), ".inf") {
			x, ok = math.Inf(1), true
		}
		if !ok || x < 0 {
			d.Add(node, "%s: expected a factor of 0 or more, or .inf, found %s", strictyaml.Join(name, n.Content[i].Value), strictyaml.Describe(node))
			continue
		}
		*to = append(*to, source.Factor{Pattern: n.Content[i].Value, Value: x})
	}
}

// decodeClassWeights decodes a word, or a mapping of levels to factors.
func (d *Decoder) decodeClassWeights(n *yaml.Node, to *classweight.Weights) {
	*to = classweight.Weights{}
	switch {
	case n.Kind == yaml.ScalarNode && n.Value == classweight.AllAlike:
		to.Balanced = true
	case n.Kind == yaml.MappingNode && len(n.Content) > 0:
		to.Of = map[string]float64{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			factor, ok := strictyaml.Number(n.Content[i+1])
			if to.Of[n.Content[i].Value] = factor; !ok || factor < 0 {
				d.Add(n.Content[i+1], "class_weight.%s: expected a factor of 0 or more, found %s", n.Content[i].Value, strictyaml.Describe(n.Content[i+1]))
			}
		}
	default:
		d.Add(n, "class_weight: expected %s, %s, or factors by level, as in {ill: 5}, found %s", classweight.None, classweight.AllAlike, strictyaml.Describe(n))
	}
}

// decodeMissing decodes a list of texts, or a mapping of names of columns to lists, in the order of the file.
func (d *Decoder) decodeMissing(n *yaml.Node, to *rawtext.Missing, name string) {
	*to = nil
	add := func(pattern string, n *yaml.Node) {
		texts := []string{}
		d.values().List(n, &texts, strictyaml.Join(name, pattern))
		*to = append(*to, rawtext.MissingTexts{Pattern: pattern, Texts: texts})
	}
	if n.Kind != yaml.MappingNode {
		add("", n)
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		add(n.Content[i].Value, n.Content[i+1])
	}
}
