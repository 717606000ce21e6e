package schema

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"tenfold/engines/all"
	"tenfold/engines/param"
	"tenfold/io/formats"
	"tenfold/io/strictyaml"
)

// TestWords tells the schema that the words which a parameter allows are the same whatever another parameter says: it knows
// those that are allowed beside defaults.
func TestWords(t *testing.T) {
	t.Parallel()
	es, err := all.Engines()
	if err != nil {
		t.Fatal(err)
	}
	fs, err := formats.Formats()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for name, k := range es {
		_, _ = k.New(func(ptr any) error { found += checkWords(t, name, ptr); return nil })
	}
	for name, k := range fs {
		_, _ = k.New(func(ptr any) error { found += checkWords(t, name, ptr); return nil })
	}
	if found < 50 {
		t.Errorf("%d parameters with words, expected more", found)
	}
}

func checkWords(t *testing.T, name string, ptr any) int {
	types := schemaTypes{validate: ptr.(param.Validator).Validate}
	var texts []reflect.Value
	var words [][]any
	eachText(reflect.ValueOf(ptr).Elem(), func(v reflect.Value) {
		if enum, ok := types.describeText(v)["enum"].([]any); ok {
			texts, words = append(texts, v), append(words, enum)
		}
	})
	for i, v := range texts {
		was := v.String()
		for _, w := range words[i] {
			if v.SetString(fmt.Sprint(w)); types.validate() != nil {
				continue
			}
			for j, other := range texts {
				if now, _ := types.describeText(other)["enum"].([]any); j != i && !slices.Equal(now, words[j]) {
					t.Errorf("%s: beside %v, %v are allowed, else %v", name, w, now, words[j])
				}
			}
		}
		v.SetString(was)
	}
	return len(texts)
}

func eachText(v reflect.Value, yield func(reflect.Value)) {
	if v.Kind() == reflect.String {
		yield(v)
	}
	if v.Kind() == reflect.Struct {
		for _, f := range strictyaml.Fields(v.Type()) {
			eachText(v.FieldByIndex(f.Index), yield)
		}
	}
}
