// Package strictyaml reads YAML files strictly, and reports all their mistakes at once, each with its place and the line itself: text
// becomes a tree of nodes without aliases (tree.go), which is decoded over Go values by the tags of their fields (decode.go).
package strictyaml

import (
	"cmp"
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"tenfold/engines/suggest"
)

// Decoder turns nodes into Go values strictly and reports every mismatch, not just the first. Struct fields are the
// keys, by their tag yaml, as that of yaml.v3, and by a tag read:
//
//	yaml:"name"       the key; absent keys keep the value that the field has
//	yaml:",inline"    the keys of a nested struct belong to this one
//	read:"required"   must be there
//	read:"scalar"     also set by a plain scalar in place of the mapping
//	read:"commas"     names with commas between them, which may also be written as a list
//
// A list whose type has a method OneOrMore may be written as a single entry. The method SetDefaults of an entry of a list is called
// first. Maps and slices are replaced, never extended in place, since they may be shared.
type Decoder struct {
	*Problems
	// Special, if set, decodes values of types with a form of their own, and reports whether ptr points to one.
	Special func(n *yaml.Node, ptr any, name string) bool
	// Ref, if set, is called with the values of Fields that have a ref tag, which says what they name.
	Ref func(to string, n *yaml.Node)
}

// OneOrMore is implemented by list types for which a single entry may be written.
type OneOrMore interface{ OneOrMore() }

// Owner words the message about an unknown key: `unknown parameter "x" of engine ridge`.
type Owner struct {
	Noun, Of string
	Also     []string // further names to suggest
}

// Field is a key of a mapping, as the tags of a struct's field have it.
type Field struct {
	Name, Doc string
	Index     []int
	Ref       string
	Required  bool
	Scalar    bool // a scalar in place of the mapping sets it
	Commas    bool // a text of names with commas between them; may also be written as a list
}

// Fields returns the keys of a struct type.
func Fields(t reflect.Type) []Field {
	var out []Field
	for i := range t.NumField() {
		f := t.Field(i)
		name, opts, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if strings.Contains(opts, "inline") {
			for _, g := range Fields(f.Type) {
				g.Index = append([]int{i}, g.Index...)
				out = append(out, g)
			}
			continue
		}
		if !f.IsExported() || name == "" || name == "-" {
			continue
		}
		how := f.Tag.Get("read")
		out = append(out, Field{Name: name, Doc: f.Tag.Get("doc"), Index: []int{i}, Ref: f.Tag.Get("ref"),
			Required: strings.Contains(how, "required"), Scalar: strings.Contains(how, "scalar"), Commas: strings.Contains(how, "commas")})
	}
	return out
}

// Decode decodes a node over the value that ptr points to, and reports whether there were no mistakes.
func (d *Decoder) Decode(n *yaml.Node, ptr any, o Owner) bool {
	before := d.Count
	d.decodeValue(n, reflect.ValueOf(ptr).Elem(), "", o)
	return d.Count == before
}

// List decodes a list over the slice that ptr points to; name is its dotted path.
func (d *Decoder) List(n *yaml.Node, ptr any, name string) {
	d.decodeList(n, reflect.ValueOf(ptr).Elem(), name, Owner{})
}

// decodeValue decodes a node; name is the dotted path within the owner, "" for the owner itself.
func (d *Decoder) decodeValue(n *yaml.Node, v reflect.Value, name string, o Owner) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		if v.Kind() != reflect.String || n.Value != "null" {
			d.Add(n, "%s has no value", cmp.Or(name, o.Of))
			return
		}
		n.Tag = "!!str" // where a text is expected, the word null is one, as in sigma: null; an empty value and ~ are not
	}
	if d.Special != nil && d.Special(n, v.Addr().Interface(), name) {
		return
	}
	switch p := v.Addr().Interface().(type) {
	case **yaml.Node:
		*p = n
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

func (d *Decoder) decodeStruct(n *yaml.Node, v reflect.Value, name string, o Owner) {
	fields := Fields(v.Type())
	if n.Kind != yaml.MappingNode {
		if i := slices.IndexFunc(fields, func(f Field) bool { return f.Scalar }); i >= 0 && n.Kind == yaml.ScalarNode {
			d.decodeValue(n, v.FieldByIndex(fields[i].Index), name, o)
			d.ref(fields[i].Ref, n)
			return
		}
		d.Add(n, "%s: expected a mapping (%s), found %s", cmp.Or(name, o.Of), strings.Join(names(fields), ", "), Describe(n))
		return
	}
	given := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, val := n.Content[i], n.Content[i+1]
		k := slices.IndexFunc(fields, func(f Field) bool { return f.Name == key.Value })
		if k < 0 {
			near := d.addUnknown(key, name, o, names(fields))
			if k = slices.IndexFunc(fields, func(f Field) bool { return f.Name == near }); k < 0 || has(n, near) {
				continue
			}
			key.Value = near // so that mistakes below the key are reported as well
			d.Count--
		}
		f := fields[k]
		given[f.Name] = true
		if f.Commas {
			val = joinNames(val)
		}
		d.decodeValue(val, v.FieldByIndex(f.Index), Join(name, f.Name), o)
		d.ref(f.Ref, val)
	}
	for _, f := range fields {
		if f.Required && !given[f.Name] {
			what := ""
			if f.Doc != "" {
				what = " (" + f.Doc + ")"
			}
			d.Add(n, "%s: %s is missing%s", cmp.Or(name, o.Of), f.Name, what)
		}
	}
}

func has(m *yaml.Node, name string) bool {
	key, _ := Entry(m, name)
	return key != nil
}

func (d *Decoder) ref(to string, n *yaml.Node) {
	if to != "" && d.Ref != nil {
		d.Ref(to, n)
	}
}

// addUnknown reports an unknown key, and returns the known one that is nearest in spelling; "" if none is near.
func (d *Decoder) addUnknown(key *yaml.Node, name string, o Owner, have []string) string {
	if name == "" {
		have = append(slices.Clone(o.Also), have...)
		d.Add(key, "unknown %s %q of %s%s", o.Noun, key.Value, o.Of, suggest.Choices(key.Value, have))
	} else {
		d.Add(key, "unknown key %q of %s%s", key.Value, name, suggest.Choices(key.Value, have))
	}
	return suggest.Nearest(key.Value, have)
}

func (d *Decoder) decodeList(n *yaml.Node, v reflect.Value, name string, o Owner) {
	entry := func(i int) string { return fmt.Sprintf("%s[%d]", name, i) }
	if _, one := v.Interface().(OneOrMore); one && (n.Kind == yaml.ScalarNode || n.Kind == yaml.MappingNode && v.Type().Elem().Kind() == reflect.Struct) {
		entry = func(int) string { return name }
		n = &yaml.Node{Kind: yaml.SequenceNode, Line: n.Line, Column: n.Column, Content: []*yaml.Node{n}}
	}
	if n.Kind != yaml.SequenceNode {
		d.Add(n, "%s: expected a list, found %s", cmp.Or(name, o.Of), Describe(n))
		return
	}
	out := reflect.MakeSlice(v.Type(), 0, len(n.Content))
	for i, c := range n.Content {
		e := reflect.New(v.Type().Elem()).Elem()
		if entryDefaults, ok := e.Addr().Interface().(interface{ SetDefaults() }); ok {
			entryDefaults.SetDefaults()
		}
		d.decodeValue(c, e, entry(i), o)
		if e.Kind() == reflect.Pointer && e.IsNil() {
			continue // an entry without a value was reported already
		}
		out = reflect.Append(out, e)
	}
	v.Set(out)
}

func (d *Decoder) decodeMap(n *yaml.Node, v reflect.Value, name string, o Owner) {
	if n.Kind != yaml.MappingNode || v.Type().Key().Kind() != reflect.String {
		d.Add(n, "%s: expected a mapping, found %s", cmp.Or(name, o.Of), Describe(n))
		return
	}
	out := reflect.MakeMapWithSize(v.Type(), len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		e := reflect.New(v.Type().Elem()).Elem()
		d.decodeValue(n.Content[i+1], e, Join(name, n.Content[i].Value), o)
		out.SetMapIndex(reflect.ValueOf(n.Content[i].Value).Convert(v.Type().Key()), e)
	}
	v.Set(out)
}

// decodeText decodes a scalar with a function of its text. The message about an error says what is expected; if expected is "", the
// function's error does.
func (d *Decoder) decodeText(n *yaml.Node, name, expected string, set func(string) error) {
	if n.Kind != yaml.ScalarNode {
		d.Add(n, "%s: expected %s, found %s", name, cmp.Or(expected, "a single value"), Describe(n))
		return
	}
	if err := set(n.Value); err != nil {
		if expected != "" {
			err = fmt.Errorf("expected %s, found %s", expected, Describe(n))
		}
		d.Add(n, "%s: %s", name, err)
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

func names(fields []Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.Name
	}
	return out
}

// Join joins the dotted paths of a mapping and of a key in it.
func Join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
