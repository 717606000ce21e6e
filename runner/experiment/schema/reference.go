package schema

import (
	"cmp"
	"encoding"
	"reflect"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"tenfold/io/files"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/strictyaml"
	"tenfold/runner/folds"
)

// Section is a mapping of experiment files with its keys, for the reference.
type Section struct {
	Name string // dotted path from the outline of the file, "" for the outline itself
	List bool   // whether the file has a list of such mappings
	Keys []Key
}

// Key is a key of a mapping. Names of nested keys are joined by dots.
type Key struct {
	Name, Type, Doc string
	Default         any // nil if it needs no mention
	Required        bool
}

// Reference lists the keys of the file, those of the sections that others own last. Keys of engines and formats are described by these.
func (f File) Reference() []Section {
	var out []Section
	add := func(name string, list bool, ptr any) {
		out = append(out, listSections(name, list, reflect.ValueOf(ptr).Elem())...)
	}
	add("", false, f.Root)
	add("datasets", true, f.Dataset)
	add("datasets.files.ROLE", false, &files.Ref{})
	add("datasets.family", false, f.Family)
	add("folds", false, &folds.Spec{})
	add("algorithms", true, f.Algorithm)
	add("algorithms.path", false, f.Path)
	add("algorithms.import", false, f.Import)
	add("algorithms."+strings.Join(f.Wrappers.Pair.Keys[:], ", algorithms."), false, f.Part)
	joint := f.Wrappers.Joint.Kind
	selector := f.Wrappers.Pair.Keys[0]
	add("algorithms."+selector+", with "+joint.Name, false, defaultsOf(joint))
	add("defaults", false, f.Defaults)
	add("limits", false, f.RunLimits)
	add("budget", false, f.Budget)
	add("failures", false, f.Failures)
	if f.Others == nil {
		return out
	}
	all := reflect.ValueOf(f.Others).Elem()
	for _, f := range strictyaml.Fields(all.Type()) {
		v := all.FieldByIndex(f.Index)
		if v.Kind() == reflect.Slice {
			out = append(out, listSections(f.Name, true, defaultEntry(v.Type().Elem()))...)
		} else {
			out = append(out, listSections(f.Name, false, v)...)
		}
	}
	return out
}

// defaultEntry returns an entry of a list with its defaults.
func defaultEntry(entry reflect.Type) reflect.Value {
	v := reflect.New(entry)
	if section, ok := v.Interface().(interface{ SetDefaults() }); ok {
		section.SetDefaults()
	}
	return v.Elem()
}

// listSections returns the section of a struct, followed by those of the lists of structs in it.
func listSections(name string, list bool, v reflect.Value) []Section {
	s := Section{Name: name, List: list}
	var below []Section
	var walk func(prefix string, v reflect.Value)
	walk = func(prefix string, v reflect.Value) {
		for _, f := range strictyaml.Fields(v.Type()) {
			value := v.FieldByIndex(f.Index)
			tag := v.Type().FieldByIndex(f.Index).Tag
			key := Key{Name: prefix + f.Name, Type: cmp.Or(tag.Get("is"), typeOf(value.Type())), Doc: docOf(v, f), Required: f.Required}
			if f.Commas && value.Kind() == reflect.String {
				key.Type = textOrList
			}
			if (schemaTypes{}).worthSaying(value) {
				key.Default = value.Interface()
			}
			s.Keys = append(s.Keys, key)
			switch {
			case value.Kind() == reflect.Struct && key.Type == aMapping:
				walk(key.Name+".", value)
			case value.Kind() == reflect.Slice && value.Type().Elem().Kind() == reflect.Struct:
				below = append(below, listSections(name+"."+key.Name, true, defaultEntry(value.Type().Elem()))...)
			}
		}
	}
	walk("", v)
	return append([]Section{s}, below...)
}

const (
	aMapping   = "mapping"
	textOrList = "text or list"
)

// typeOf names, for the reference, how a value of a type is written. A node is a mapping, unless the tag "is" of its field says
// otherwise.
func typeOf(t reflect.Type) string {
	switch reflect.Zero(t).Interface().(type) {
	case yaml.Node:
		return aMapping
	case source.Templates:
		return "name or list"
	case source.Factors:
		return aMapping
	case rawtext.Missing:
		return "list or mapping"
	case time.Duration:
		return "duration"
	}
	if form, ok := reflect.New(t).Interface().(Form); ok {
		return form.TypeName()
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return "text"
	}
	if t.Implements(reflect.TypeFor[strictyaml.OneOrMore]()) {
		return textOrList
	}
	switch t.Kind() {
	case reflect.Pointer:
		return typeOf(t.Elem())
	case reflect.Struct:
		for _, f := range strictyaml.Fields(t) {
			if f.Scalar {
				return "text or mapping"
			}
		}
		return aMapping
	case reflect.Slice:
		return "list"
	case reflect.Map:
		return aMapping
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "yes/no"
	case reflect.Float64:
		return "number"
	}
	return "integer"
}
