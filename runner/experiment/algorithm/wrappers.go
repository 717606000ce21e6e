package algorithm

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/schema"
	"tenfold/runner/imported"
	"tenfold/runner/method/declaration"
	"tenfold/runner/tune"
)

// Wrappers holds the wrappers that an experiment file may ask for.
type Wrappers engines.Wrappers

// sections returns all keys beside params: those of the list, and tune, which wraps most of them.
func (l Wrappers) sections() []engines.Wrapper {
	return append(slices.Clone(l.Around), tune.Wrapper)
}

// whole returns the wrappers that wrap tune as well.
func (l Wrappers) whole() []engines.Wrapper {
	return slices.DeleteFunc(slices.Clone(l.Around), func(w engines.Wrapper) bool { return !w.Whole })
}

// Has reports whether a gridded name belongs to a section beside the parameters.
func (l Wrappers) Has(name string) bool {
	first, _, _ := strings.Cut(name, ".")
	return slices.ContainsFunc(l.sections(), func(w engines.Wrapper) bool { return w.Key() == first })
}

// CutPart splits the path of a parameter of a part, select.params.code, into part and parameter.
func (l Wrappers) CutPart(path string) (part, param string, ok bool) {
	part, rest, _ := strings.Cut(path, ".")
	param, ok = strings.CutPrefix(rest, "params.")
	return part, param, ok && l.Pair.Has(part)
}

// ofAlgorithm returns the keys of an algorithm besides those of algorithmEntry.
func (l Wrappers) ofAlgorithm() []schema.Key {
	out := keysOf(l.sections())
	for i, name := range l.Pair.Keys {
		out = append(out, schema.Key{Name: name, Doc: l.Pair.Docs[i]})
	}
	return out
}

// ofPart returns the wrappers whose keys may stand in a part of an algorithm.
func (l Wrappers) ofPart() []engines.Wrapper {
	return slices.DeleteFunc(l.sections(), func(w engines.Wrapper) bool { return w.Apart })
}

func keysOf(wrappers []engines.Wrapper) (out []schema.Key) {
	for _, w := range wrappers {
		k := schema.Key{Name: w.Key(), Doc: w.Kind.Doc}
		if k.Type = "word"; w.Section() {
			k.Type = ""
		} else if w.On == "" {
			k.Type = "word or map"
		}
		out = append(out, k)
	}
	return out
}

// entryWith returns a pointer to a new struct with the keys of E and more keys, whose values stay nodes.
func entryWith[E any](more []schema.Key) any {
	node := reflect.TypeFor[*yaml.Node]()
	fields := []reflect.StructField{{Name: "Own", Type: reflect.TypeFor[E](), Tag: `yaml:",inline"`}}
	for i, k := range more {
		tag := fmt.Sprintf("yaml:%q is:%q doc:%q", k.Name, k.Type, k.Doc)
		fields = append(fields, reflect.StructField{Name: "Key" + strconv.Itoa(i), Type: node, Tag: reflect.StructTag(tag)})
	}
	return reflect.New(reflect.StructOf(fields)).Interface()
}

// decodeEntry decodes a mapping with the keys of E and more keys; beside holds the values of the latter.
func decodeEntry[E any](d *Reader, n *yaml.Node, more []schema.Key, o strictyaml.Owner) (keys E, beside map[string]*yaml.Node, ok bool) {
	entry := entryWith[E](more)
	ok = d.DecodeInto(n, entry, o)
	beside = map[string]*yaml.Node{}
	fields := reflect.ValueOf(entry).Elem()
	for i, k := range more {
		if node := fields.Field(i + 1).Interface().(*yaml.Node); node != nil {
			beside[k.Name] = node
		}
	}
	return fields.Field(0).Interface().(E), beside, ok
}

// Describe adds the mappings of algorithms to those of a file whose wrappers are known.
func Describe(f *schema.File) {
	l := Wrappers(f.Wrappers)
	f.Algorithm, f.Part = entryWith[algorithmEntry](l.ofAlgorithm()), entryWith[partEntry](keysOf(l.ofPart()))
	f.Path, f.Defaults, f.Limits = &pathEntry{}, &Inherited{}, &LimitsEntry{}
	f.Method, f.MethodFile = &methodEntry{Declaration: declaration.Defaults()}, &methodFile{}
	f.Where, f.Import, f.Sections, f.InParts = new(Where), &imported.Files{}, l.sections(), l.ofPart()
}
