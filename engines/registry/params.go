package registry

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Param describes one parameter of a kind. Parameters are the exported fields of its struct that have a yaml tag;
// a doc tag says what they mean, with unit and range, a tag simpler which values make simpler models, a tag rows how a value goes with the
// number of rows, and a tag resource that more of it is more work. A field tagged key:"-" does not influence results (a memory
// limit, say) and stays out of keys; one tagged key:"WORD" does so only where its value is that word.
type Param struct {
	Name    string
	Doc     string
	Type    string // number, integer, word, yes/no, list, map
	Value   any
	Default any
	InKey   bool
	// Rows says how a value goes with the number of rows for the penalty to stay as strong: "times" of a penalty beside a sum over rows,
	// "over" of the weight of such a sum; "" if it does not.
	Rows     string
	Resource bool   // an integer, of which more is more work and mostly a better model: "yes"
	Simpler  string // which values make simpler models: smaller or larger, "0 last" where 0 stands for no limit; "" for none
}

// Complexity returns a number that is smaller for values of simpler models, and whether the parameter declares which these are.
func (p Param) Complexity() (x float64, declared bool) {
	direction, zero, _ := strings.Cut(p.Simpler, ",")
	v := reflect.ValueOf(p.Value)
	switch {
	case p.Simpler == "":
		return 0, false
	case v.CanInt():
		x = float64(v.Int())
	case v.CanFloat():
		x = v.Float()
	default:
		return 0, false
	}
	switch {
	case zero != "" && x == 0:
		return math.Inf(1), true
	case direction == "larger":
		return -x, true
	}
	return x, true
}

// OnShare returns the value that on a share of the rows is as strong as x is on all. Values of 0 and below stay: they stand for a rule of the
// engine, which goes by the rows it gets.
func (p Param) OnShare(x, share float64) float64 {
	if x <= 0 {
		return x
	}
	switch p.Rows {
	case "times":
		return float64(x * share)
	case "over":
		return x / share
	}
	return x
}

// Params lists the parameters of a configured value in order of declaration; nested structs, and what interfaces hold, are joined by dots, in a list of
// interfaces by number.
// A struct that writes itself as text is one parameter.
func Params(value, defaults any) []Param {
	return params("", reflect.ValueOf(value), reflect.ValueOf(defaults), true)
}

func params(prefix string, v, d reflect.Value, inKey bool) []Param {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v, d = v.Elem(), d.Elem()
	}
	structType := v.Type()
	out := make([]Param, 0, structType.NumField())
	for i := range structType.NumField() {
		f := structType.Field(i)
		name, opts, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		keyed := inKey && f.Tag.Get("key") != "-"
		if strings.Contains(opts, "inline") {
			out = append(out, params(prefix, v.Field(i), d.Field(i), keyed)...)
			continue
		}
		if !f.IsExported() || name == "" || name == "-" {
			continue
		}
		if (f.Type.Kind() == reflect.Struct || f.Type.Kind() == reflect.Interface) && !f.Type.Implements(asText) {
			out = append(out, params(prefix+name+".", v.Field(i), d.Field(i), keyed)...)
			continue
		}
		if f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Interface {
			for k := range v.Field(i).Len() {
				out = append(out, params(prefix+name+"."+strconv.Itoa(k)+".", v.Field(i).Index(k), d.Field(i).Index(k), keyed)...)
			}
			continue
		}
		out = append(out, Param{
			Name: prefix + name, Doc: f.Tag.Get("doc"), Type: typeName(f.Type),
			Value: v.Field(i).Interface(), Default: d.Field(i).Interface(), InKey: keyed && counts(f.Tag.Get("key"), v.Field(i)),
			Simpler: f.Tag.Get("simpler"), Rows: f.Tag.Get("rows"), Resource: f.Tag.Get("resource") != "",
		})
	}
	return out
}

// counts reports whether a value is part of keys: if its field is tagged with a word, only that word is; "" stands for any.
func counts(word string, v reflect.Value) bool {
	return word == "" || v.Kind() == reflect.String && v.String() == word
}

// asText is implemented by structs that are a single parameter, written as text, such as a duration.
var asText = reflect.TypeFor[encoding.TextMarshaler]()

func typeName(t reflect.Type) string {
	if t.Implements(asText) {
		return "word"
	}
	switch t.Kind() {
	case reflect.Float64, reflect.Float32:
		return "number"
	case reflect.Bool:
		return "yes/no"
	case reflect.String:
		return "word"
	case reflect.Slice, reflect.Array:
		return "list"
	case reflect.Map:
		return "map"
	case reflect.Pointer:
		return typeName(t.Elem())
	}
	return "integer"
}

// Canonical returns the JSON object, keys sorted, of the parameters that determine results and differ from their defaults. Keys of results
// are hashes over it, so that a default written out changes nothing.
func Canonical(value, defaults any) string {
	return encode(Params(value, defaults), func(p Param) bool {
		return p.InKey && !same(p.Value, p.Default)
	})
}

// same treats an empty list or map as one that was not given.
func same(a, b any) bool {
	return reflect.DeepEqual(a, b) || empty(a) && empty(b)
}

func empty(v any) bool {
	r := reflect.ValueOf(v)
	return (r.Kind() == reflect.Slice || r.Kind() == reflect.Map) && r.Len() == 0
}

// Resolved returns the JSON object, keys sorted, of all parameters, defaults included.
func Resolved(value any) string {
	return encode(Params(value, value), func(Param) bool { return true })
}

func encode(ps []Param, want func(Param) bool) string {
	ps = slices.DeleteFunc(ps, func(p Param) bool { return !want(p) })
	slices.SortStableFunc(ps, func(a, b Param) int { return strings.Compare(a.Name, b.Name) })
	b := []byte{'{'}
	for i, p := range ps {
		if i > 0 {
			b = append(b, ',')
		}
		val, err := json.Marshal(entries(p.Value, want))
		if err != nil { // JSON has no word for NaN and infinities
			val = strconv.AppendQuote(nil, fmt.Sprint(p.Value))
		}
		b = append(append(strconv.AppendQuote(b, p.Name), ':'), val...)
	}
	return string(append(b, '}'))
}

// Tree returns the parameters that differ from their defaults as they stand in an experiment file: as nested maps.
func Tree(value, defaults any) map[string]any {
	return tree(value, defaults, func(p Param) bool { return !reflect.DeepEqual(p.Value, p.Default) })
}

func tree(value, defaults any, want func(Param) bool) map[string]any {
	root := map[string]any{}
	for _, p := range Params(value, defaults) {
		if !want(p) {
			continue
		}
		node, path := root, strings.Split(p.Name, ".")
		for _, key := range path[:len(path)-1] {
			if node[key] == nil {
				node[key] = map[string]any{}
			}
			node = node[key].(map[string]any)
		}
		node[path[len(path)-1]] = entries(p.Value, want)
	}
	return root
}

// entries returns a list of structs as their parameters, and any other value as it is.
func entries(value any, want func(Param) bool) any {
	list := reflect.ValueOf(value)
	if list.Kind() != reflect.Slice || list.Type().Elem().Kind() != reflect.Struct || list.Type().Elem().Implements(asText) {
		return value
	}
	out := []any{}
	for i := range list.Len() {
		defaults := reflect.New(list.Type().Elem())
		if setter, ok := defaults.Interface().(interface{ SetDefaults() }); ok {
			setter.SetDefaults()
		}
		out = append(out, tree(list.Index(i).Interface(), defaults.Elem().Interface(), want))
	}
	return out
}
