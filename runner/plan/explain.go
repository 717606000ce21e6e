package plan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/prepare"
	"tenfold/runner/method"
)

// Field is one ingredient of a unit's key: its value when an outcome was stored, and its value now.
type Field struct {
	Name, Was, Is string
	Same          bool
}

// Explain compares the ingredients of a unit's key, field by field, with those of the corresponding unit of an earlier
// plan. was is the earlier key, "" if there is none; the fields then only have values of now.
func (f *Frozen) Explain(u *Unit) (was string, fields []Field) {
	old, _ := f.indexUnits().nearest(u)
	is := u.Ingredients.facts()
	if old == nil {
		for _, now := range is {
			fields = append(fields, Field{Name: now.Name, Is: now.Value})
		}
		return "", fields
	}
	before := map[string]string{}
	var names []string
	for _, e := range old.facts() {
		before[e.Name] = e.Value
		names = append(names, e.Name)
	}
	for _, now := range is {
		value, had := before[now.Name]
		if !had {
			value = "default"
		}
		delete(before, now.Name)
		same := value == now.Value
		if now.Name == buildsOn && !same { // only the keys that differ: there may be many
			value, now.Value = withoutWords(value, now.Value), withoutWords(now.Value, value)
		}
		fields = append(fields, Field{now.Name, value, now.Value, same})
	}
	for _, name := range names {
		if value, left := before[name]; left {
			fields = append(fields, Field{name, value, "default", false})
		}
	}
	return old.Key(), fields
}

// buildsOn names the keys of the units that a unit builds on.
const buildsOn = "builds on"

// withoutWords returns the words that are not among others.
func withoutWords(words, others string) string {
	but := strings.Fields(others)
	return strings.Join(slices.DeleteFunc(strings.Fields(words), func(w string) bool { return slices.Contains(but, w) }), " ")
}

// recipeText describes a recipe. It uses reflection to name every field, also later ones: recipes that differ must not
// look the same.
func recipeText(r prepare.Recipe) string {
	var out []string
	fields := reflect.ValueOf(r)
	for i := range fields.NumField() {
		if f := fields.Field(i); !f.IsZero() {
			value := strings.ReplaceAll(fmt.Sprint(f), "\n", " ") // lists print one element per line
			out = append(out, strings.ToLower(fields.Type().Field(i).Name)+" "+value)
		}
	}
	return cmp.Or(strings.Join(out, ", "), "none")
}

// facts lists every ingredient as text, with one entry for each parameter.
func (in Ingredients) facts() []data.Fact {
	out := []data.Fact{
		{Name: "data set", Value: in.Dataset}, {Name: "preparation", Value: recipeText(in.Recipe)}, {Name: "fold", Value: in.Fold},
		{Name: "engine", Value: in.Engine}, {Name: "revision of the engine", Value: fmt.Sprint(in.Revision)},
		{Name: "seed", Value: fmt.Sprint(in.Seed)},
	}
	var params map[string]any
	if json.Unmarshal([]byte(in.Params), &params) == nil {
		var methods []json.RawMessage
		params = withoutMethods(params, &methods).(map[string]any)
		seen := map[string]bool{} // candidates of tune repeat it
		for _, m := range methods {
			if !seen[string(m)] {
				seen[string(m)] = true
				out = append(out, method.Facts(m)...)
			}
		}
		for _, name := range sortedKeys(params) {
			out = append(out, data.Fact{Name: "params." + name, Value: paramText(params, name)})
		}
	}
	if in.Path != "" {
		out = append(out, data.Fact{Name: "path.at", Value: in.Path})
	}
	if in.Metrics != 0 {
		out = append(out, data.Fact{Name: "revision of the metrics", Value: fmt.Sprint(in.Metrics)})
	}
	if in.Inner != "" {
		out = append(out, data.Fact{Name: "inner folds", Value: in.Inner})
	}
	if in.Stage != "" {
		out = append(out, data.Fact{Name: "stage", Value: in.Stage})
	}
	if len(in.After) > 0 {
		out = append(out, data.Fact{Name: buildsOn, Value: strings.Join(in.After, " ")})
	}
	return append(out, data.Fact{Name: "format of keys", Value: fmt.Sprint(in.Schema)})
}
