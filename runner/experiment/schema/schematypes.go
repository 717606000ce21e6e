package schema

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"tenfold/engines/data/classweight"
	"tenfold/engines/param"
	"tenfold/engines/registry"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/strictyaml"
	"tenfold/runner/folds"
)

// schema is a node of a JSON Schema. All keywords mean the same in draft-07 and in 2020-12, because language servers know one or
// the other.
type schema map[string]any

func ref(name string) schema { return schema{"$ref": "#/$defs/" + name} }

func anyOf(s ...schema) schema { return schema{"anyOf": s} }

// plain lists the JSON types that a text may have: numbers, too. null is left out, although Parse reads the word as text, because
// validators see an empty value as null as well.
var plain = []string{"string", "number", "boolean"}

// Form is implemented by values that a file has in forms of their own: JSONSchema lists them, and TypeName names them for the
// reference.
type Form interface {
	JSONSchema() []map[string]any
	TypeName() string
}

// schemaTypes makes schemas of values, by the rules of decoder: each key with its doc tag, its default and, if Validate allows only
// a few words, these.
type schemaTypes struct {
	validate func() error // Validate of the outermost value that has one; nil outside it
	zeros    bool         // whether to mention defaults that are zero
}

// schemaOf describes a parameter struct. ptr points to it, with its defaults.
func schemaOf(ptr any, zeros bool) schema {
	return schemaTypes{zeros: zeros}.describeValue(reflect.ValueOf(ptr).Elem(), "")
}

// schemaOfKind describes the parameters of a kind.
func schemaOfKind[T param.Validator](k registry.Kind[T]) schema {
	s := schemaOf(defaultsOf(k), true)
	s["description"] = k.Doc
	return s
}

// defaultsOf returns a pointer to the defaults of a kind. They may be invalid: a format may have required options.
func defaultsOf[T param.Validator](k registry.Kind[T]) (defaults any) {
	_, _ = k.New(func(ptr any) error { defaults = ptr; return nil })
	return defaults
}

// describeValue describes how v is written; to is the value of its ref tag.
func (t schemaTypes) describeValue(v reflect.Value, to string) schema {
	switch value := v.Addr().Interface().(type) {
	case **yaml.Node:
		return schema{}
	case *source.Templates:
		return anyOf(schema{"type": plain}, schema{"type": "array", "items": schema{"type": plain}})
	case *source.Factors:
		return schema{"type": "object", "additionalProperties": anyOf(schema{"type": "number", "minimum": 0}, schema{"enum": []any{".inf"}})}
	case *classweight.Weights:
		return anyOf(schema{"enum": []string{classweight.None, classweight.AllAlike}}, schema{"type": "object", "additionalProperties": schema{"type": "number", "minimum": 0}})
	case *rawtext.Missing:
		texts := schema{"type": "array", "items": schema{"type": plain}}
		return anyOf(texts, schema{"type": "object", "additionalProperties": texts})
	case *time.Duration:
		return schema{"type": "string", "pattern": `^\+?([0-9.]+(ns|us|µs|ms|s|m|h))+$`}
	case *folds.Span:
		return anyOf(schema{"type": "integer", "minimum": 0}, schema{"type": "string", "pattern": `^([0-9]+[dw]?|\+?([0-9.]+(ns|us|µs|ms|s|m|h))+)$`})
	case Form:
		var forms []schema
		for _, form := range value.JSONSchema() {
			forms = append(forms, form)
		}
		return anyOf(forms...)
	}
	switch v.Kind() {
	case reflect.String:
		if to == "metric" {
			return ref("metric")
		}
		return t.describeText(v)
	case reflect.Pointer:
		return t.describeValue(reflect.New(v.Type().Elem()).Elem(), to)
	case reflect.Struct:
		return t.describeStruct(v)
	case reflect.Slice:
		entry := entrySchema(v.Type().Elem(), to)
		if _, one := v.Interface().(strictyaml.OneOrMore); one {
			return anyOf(entry, schema{"type": "array", "items": entry})
		}
		return schema{"type": "array", "items": entry}
	case reflect.Map:
		return schema{"type": "object", "additionalProperties": entrySchema(v.Type().Elem(), to)}
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.Float32, reflect.Float64:
		return schema{"type": "number"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return schema{"type": "integer"}
	}
	return schema{}
}

// entrySchema describes the entries of a list or a mapping, which have defaults and a Validate of their own.
func entrySchema(entry reflect.Type, to string) schema {
	v := reflect.New(entry)
	if section, ok := v.Interface().(interface{ SetDefaults() }); ok {
		section.SetDefaults()
	}
	return schemaTypes{}.describeValue(v.Elem(), to)
}

func (t schemaTypes) describeStruct(v reflect.Value) schema {
	if validator, ok := v.Addr().Interface().(param.Validator); ok && t.validate == nil {
		t.validate = validator.Validate
	}
	properties, required := schema{}, []string{}
	var scalar schema
	for _, f := range strictyaml.Fields(v.Type()) {
		p := t.describeValue(v.FieldByIndex(f.Index), f.Ref)
		if f.Commas {
			p = orList(p)
		}
		if doc := docOf(v, f); doc != "" {
			p["description"] = doc
		}
		if d := v.FieldByIndex(f.Index); t.worthSaying(d) {
			p["default"] = d.Interface()
		}
		properties[f.Name] = p
		if f.Required {
			required = append(required, f.Name)
		}
		if f.Scalar {
			scalar = p
		}
	}
	s := schema{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	if scalar != nil {
		return anyOf(scalar, s)
	}
	return s
}

// orList allows a list in place of a text, or of each text in a mapping.
func orList(text schema) schema {
	if entry, ok := text["additionalProperties"].(schema); ok {
		return schema{"type": "object", "additionalProperties": orList(entry)}
	}
	return anyOf(text, schema{"type": "array", "minItems": 1, "items": schema{"type": plain}})
}

// worthSaying reports whether a default means something, and can be written in a schema.
func (t schemaTypes) worthSaying(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Struct, reflect.Pointer, reflect.Interface:
		return false
	case reflect.String, reflect.Slice, reflect.Map:
		return v.Len() > 0
	}
	_, err := json.Marshal(v.Interface()) // NaN and infinities
	return err == nil && (t.zeros || !v.IsZero())
}

// unheardOf is a word that no parameter accepts.
const unheardOf = "\x00"

// describeText describes a text. If it accepts only a few words, the error of Validate for an unknown word lists them, so that
// there is no second list.
func (t schemaTypes) describeText(v reflect.Value) schema {
	if t.validate == nil {
		return schema{"type": plain}
	}
	was := v.String()
	v.SetString(unheardOf)
	err := t.validate()
	v.SetString(was)
	var words []string
	strictyaml.EachError(err, func(err error) {
		var f *param.FieldError
		if errors.As(err, &f) && strings.HasPrefix(f.Msg, `"\x00"`) {
			words = f.Words
		}
	})
	if words == nil {
		return schema{"type": plain}
	}
	return enumOf(words)
}

// enumOf accepts words, and the values as which YAML reads them without quotes: null, 0.
func enumOf(words []string) schema {
	var all []any
	for _, w := range words {
		var n yaml.Node
		if yaml.Unmarshal([]byte(w), &n) == nil && len(n.Content) == 1 {
			if bare := n.Content[0]; bare.Tag == "!!null" {
				all = append(all, nil)
			} else if bare.Kind == yaml.ScalarNode && strictyaml.Natural(bare) != any(w) {
				all = append(all, strictyaml.Natural(bare))
			}
		}
		all = append(all, w)
	}
	return schema{"enum": all}
}

// pathsBelow returns the dotted paths below an object, nested ones included, each with the place where it is described.
func (s schema) pathsBelow(place string) map[string]string {
	out := map[string]string{}
	properties, _ := s["properties"].(schema)
	for name, p := range properties {
		here := place + "/properties/" + name
		out[name] = here
		for rest, below := range p.(schema).pathsBelow(here) {
			out[name+"."+rest] = below
		}
	}
	either, _ := s["anyOf"].([]schema)
	for i, e := range either {
		for rest, below := range e.pathsBelow(place + "/anyOf/" + strconv.Itoa(i)) {
			out[rest] = below
		}
	}
	return out
}

// KeyDocumenter is implemented by a section, or an entry of one, that has lists of the values of some keys. The documentation of
// these keys follows from the lists, in place of a doc tag.
type KeyDocumenter interface {
	KeyDoc(key string) string
}

// docOf returns the documentation of a field of a section.
func docOf(v reflect.Value, f strictyaml.Field) string {
	if documenter, ok := v.Interface().(KeyDocumenter); ok {
		if doc := documenter.KeyDoc(f.Name); doc != "" {
			return doc
		}
	}
	return v.Type().FieldByIndex(f.Index).Tag.Get("doc")
}
