package spec

import (
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"tenfold/engines/suggest"
	"tenfold/io/files"
	"tenfold/io/source"
)

// decoder turns nodes into Go values strictly and reports every mismatch, not just the first. Struct fields are the
// keys, by their yaml tag:
//
//	yaml:"name"           the key; absent keys keep the value that the field has
//	yaml:"name,required"  must be there
//	yaml:"name,scalar"    also set by a plain scalar in place of the mapping
//	yaml:",inline"        the keys of a nested struct belong to this one
//	ref:"algorithm"       the text (or each of a list of texts) names an algorithm, dataset, metric or parameter, an axis
//	                      (one of the last two), or a label of a table: one of the first two, with or without a grid
//	                      point, or a value of a grid; "algorithm-label" and "dataset-label" may have a grid point
//
// Maps and slices are replaced, never extended in place, since they may be shared with a kind's defaults.
type decoder struct {
	*problems
	wrappers   wrapperList
	templates  map[string][]string
	unnamed    map[*yaml.Node]bool // scalars in place of a list of templates that the file does not define
	uses       []nameUse
	owned      []ownedSection
	partial    bool                       // do not validate engines yet: more parameters follow
	identities map[string]json.RawMessage // of methods, by name; nil if the declaration has mistakes
	// mistakenMethods is true if the name of some method is unknown, because its file could not be read.
	mistakenMethods bool
}

// oneOrMore is implemented by list types for which a single entry may be written.
type oneOrMore interface{ OneOrMore() }

// owner words the message about an unknown key: `unknown parameter "x" of engine ridge`.
type owner struct {
	noun, of string
	also     []string // further names to suggest
}

type field struct {
	name, doc     string
	index         []int
	ref           string
	required, sub bool
	commas        bool // a text of names with commas between them; may also be written as a list
}

// fieldsOf lists the keys of a struct type; sub marks the field that a scalar in place of the mapping sets.
func fieldsOf(t reflect.Type) []field {
	var out []field
	for i := range t.NumField() {
		f := t.Field(i)
		name, opts, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if strings.Contains(opts, "inline") {
			for _, g := range fieldsOf(f.Type) {
				g.index = append([]int{i}, g.index...)
				out = append(out, g)
			}
			continue
		}
		if !f.IsExported() || name == "" || name == "-" {
			continue
		}
		out = append(out, field{name: name, doc: f.Tag.Get("doc"), index: []int{i}, ref: f.Tag.Get("ref"),
			required: strings.Contains(opts, "required"), sub: strings.Contains(opts, "scalar"), commas: strings.Contains(opts, "commas")})
	}
	return out
}

// decodeInto decodes a node over the value that ptr points to, and reports whether there were no mistakes.
func (d *decoder) decodeInto(n *yaml.Node, ptr any, o owner) bool {
	before := d.count
	d.decodeValue(n, reflect.ValueOf(ptr).Elem(), "", o)
	return d.count == before
}

// decodeValue decodes a node; name is the dotted path within the owner, "" for the owner itself.
func (d *decoder) decodeValue(n *yaml.Node, v reflect.Value, name string, o owner) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		if v.Kind() != reflect.String || n.Value != "null" {
			d.add(n, "%s has no value", cmp.Or(name, o.of))
			return
		}
		n.Tag = "!!str" // where a text is expected, the word null is one, as in sigma: null; an empty value and ~ are not
	}
	switch p := v.Addr().Interface().(type) {
	case **yaml.Node:
		*p = n
		return
	case *source.Templates:
		d.namedList(n, p, name)
		return
	case *source.Factors:
		d.decodeFactors(n, p, name)
		return
	case *source.Missing:
		d.decodeMissing(n, p, name)
		return
	case *time.Duration:
		d.decodeText(n, name, "a duration such as 10m", func(s string) (err error) { *p, err = time.ParseDuration(s); return })
		return
	case encoding.TextUnmarshaler:
		d.decodeText(n, name, "", func(s string) error { return p.UnmarshalText([]byte(s)) })
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		made := reflect.New(v.Type().Elem())
		if !v.IsNil() {
			made.Elem().Set(v.Elem())
		}
		d.decodeValue(n, made.Elem(), name, o)
		v.Set(made)
	case reflect.Struct:
		d.decodeStruct(n, v, name, o)
	case reflect.Slice:
		d.decodeList(n, v, name, o)
	case reflect.Map:
		d.decodeMap(n, v, name, o)
	case reflect.Interface:
		if v.NumMethod() == 0 {
			v.Set(reflect.ValueOf(d.decodeAny(n, name)))
		}
	default:
		d.decodeScalar(n, v, name)
	}
}

func (d *decoder) decodeStruct(n *yaml.Node, v reflect.Value, name string, o owner) {
	fields := fieldsOf(v.Type())
	if n.Kind != yaml.MappingNode {
		if i := slices.IndexFunc(fields, func(f field) bool { return f.sub }); i >= 0 && n.Kind == yaml.ScalarNode {
			d.decodeValue(n, v.FieldByIndex(fields[i].index), name, o)
			d.addUses(fields[i].ref, n)
			return
		}
		d.add(n, "%s: expected a mapping (%s), found %s", cmp.Or(name, o.of), strings.Join(fieldNames(fields), ", "), describeNode(n))
		return
	}
	given := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, val := n.Content[i], n.Content[i+1]
		at := slices.IndexFunc(fields, func(f field) bool { return f.name == key.Value })
		if at < 0 {
			near := d.addUnknown(key, name, o, fieldNames(fields))
			if at = slices.IndexFunc(fields, func(f field) bool { return f.name == near }); at < 0 || isSet(n, near) {
				continue
			}
			key.Value = near // so that mistakes below the key are reported as well
			d.count--
		}
		f := fields[at]
		given[f.name] = true
		if f.commas {
			val = joinNames(val)
		}
		d.decodeValue(val, v.FieldByIndex(f.index), joinPath(name, f.name), o)
		d.addUses(f.ref, val)
	}
	for _, f := range fields {
		if f.required && !given[f.name] {
			what := ""
			if f.doc != "" {
				what = " (" + f.doc + ")"
			}
			d.add(n, "%s: %s is missing%s", cmp.Or(name, o.of), f.name, what)
		}
	}
}

// addUnknown reports an unknown key, and returns the known one that is nearest in spelling; "" if none is near.
func (d *decoder) addUnknown(key *yaml.Node, name string, o owner, have []string) string {
	if name == "" {
		have = append(slices.Clone(o.also), have...)
		d.add(key, "unknown %s %q of %s%s", o.noun, key.Value, o.of, suggest.Choices(key.Value, have))
	} else {
		d.add(key, "unknown key %q of %s%s", key.Value, name, suggest.Choices(key.Value, have))
	}
	return suggest.Nearest(key.Value, have)
}

func (d *decoder) decodeList(n *yaml.Node, v reflect.Value, name string, o owner) {
	entry := func(i int) string { return fmt.Sprintf("%s[%d]", name, i) }
	if _, one := v.Interface().(oneOrMore); one && (n.Kind == yaml.ScalarNode || n.Kind == yaml.MappingNode && v.Type().Elem().Kind() == reflect.Struct) {
		entry = func(int) string { return name }
		n = &yaml.Node{Kind: yaml.SequenceNode, Line: n.Line, Column: n.Column, Content: []*yaml.Node{n}}
	}
	if n.Kind != yaml.SequenceNode {
		d.add(n, "%s: expected a list, found %s", cmp.Or(name, o.of), describeNode(n))
		return
	}
	out := reflect.MakeSlice(v.Type(), 0, len(n.Content))
	for i, c := range n.Content {
		e := reflect.New(v.Type().Elem()).Elem()
		if own, ok := e.Addr().Interface().(interface{ SetDefaults() }); ok {
			own.SetDefaults()
		}
		d.decodeValue(c, e, entry(i), o)
		if e.Kind() == reflect.Pointer && e.IsNil() {
			continue // an entry without a value was reported already
		}
		out = reflect.Append(out, e)
	}
	v.Set(out)
}

func (d *decoder) decodeMap(n *yaml.Node, v reflect.Value, name string, o owner) {
	if n.Kind != yaml.MappingNode || v.Type().Key().Kind() != reflect.String {
		such := ","
		if v.Type().Elem() == reflect.TypeFor[files.Ref]() {
			such = " of roles to files, such as {all: table.csv},"
		}
		d.add(n, "%s: expected a mapping%s found %s", cmp.Or(name, o.of), such, describeNode(n))
		return
	}
	out := reflect.MakeMapWithSize(v.Type(), len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		e := reflect.New(v.Type().Elem()).Elem()
		d.decodeValue(n.Content[i+1], e, joinPath(name, n.Content[i].Value), o)
		out.SetMapIndex(reflect.ValueOf(n.Content[i].Value).Convert(v.Type().Key()), e)
	}
	v.Set(out)
}

// namedList decodes a list of templates. A scalar names a list of the section templates; an unknown name is kept, because the
// format may know it (see addInvalid).
func (d *decoder) namedList(n *yaml.Node, to *source.Templates, name string) {
	if n.Kind != yaml.ScalarNode {
		d.decodeList(n, reflect.ValueOf(to).Elem(), name, owner{})
		return
	}
	if list, ok := d.templates[n.Value]; ok {
		*to = slices.Clone(list)
		return
	}
	d.unnamed[n] = true
	*to = source.Templates{n.Value}
}

// decodeFactors decodes a mapping of names to factors, in the order of the file.
func (d *decoder) decodeFactors(n *yaml.Node, to *source.Factors, name string) {
	if n.Kind != yaml.MappingNode {
		d.add(n, "%s: expected a mapping of names of columns to factors, found %s", name, describeNode(n))
		return
	}
	*to = nil
	for i := 0; i+1 < len(n.Content); i += 2 {
		at := n.Content[i+1]
		x, ok := parseNumber(at)
		if at.Kind == yaml.ScalarNode && strings.EqualFold(strings.TrimPrefix(at.Value, "+"), ".inf") {
			x, ok = math.Inf(1), true
		}
		if !ok || x < 0 {
			d.add(at, "%s: expected a factor of 0 or more, or .inf, found %s", joinPath(name, n.Content[i].Value), describeNode(at))
			continue
		}
		*to = append(*to, source.Factor{Pattern: n.Content[i].Value, Value: x})
	}
}

// decodeMissing decodes a list of texts, or a mapping of names of columns to lists, in the order of the file.
func (d *decoder) decodeMissing(n *yaml.Node, to *source.Missing, name string) {
	*to = nil
	add := func(pattern string, n *yaml.Node) {
		texts := []string{}
		d.decodeList(n, reflect.ValueOf(&texts).Elem(), joinPath(name, pattern), owner{})
		*to = append(*to, source.MissingTexts{Pattern: pattern, Texts: texts})
	}
	if n.Kind != yaml.MappingNode {
		add("", n)
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		add(n.Content[i].Value, n.Content[i+1])
	}
}

// decodeText decodes a scalar with a function of its text. The message about an error says what is expected; if expected is "", the
// function's error does.
func (d *decoder) decodeText(n *yaml.Node, name, expected string, set func(string) error) {
	if n.Kind != yaml.ScalarNode {
		d.add(n, "%s: expected %s, found %s", name, cmp.Or(expected, "a single value"), describeNode(n))
		return
	}
	if err := set(n.Value); err != nil {
		if expected != "" {
			err = fmt.Errorf("expected %s, found %s", expected, describeNode(n))
		}
		d.add(n, "%s: %s", name, err)
	}
}

// joinNames joins a list of names, or the lists in a mapping, to one text with commas; other nodes stay as they are.
func joinNames(n *yaml.Node) *yaml.Node {
	out := *n
	switch n.Kind {
	case yaml.SequenceNode:
		if len(n.Content) == 0 { // no names are not the default
			return n
		}
		names := make([]string, len(n.Content))
		for i, c := range n.Content {
			if names[i] = c.Value; c.Kind != yaml.ScalarNode {
				return n
			}
		}
		out.Kind, out.Tag, out.Value, out.Content = yaml.ScalarNode, "!!str", strings.Join(names, ", "), nil
	case yaml.MappingNode:
		out.Content = slices.Clone(n.Content)
		for i := 1; i < len(out.Content); i += 2 {
			out.Content[i] = joinNames(out.Content[i])
		}
	}
	return &out
}

func fieldNames(fields []field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.name
	}
	return out
}

func joinPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
