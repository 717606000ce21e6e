package plan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/prepare"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/method/declaration"
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

// withoutWords returns words without those that also occur in others.
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
				out = append(out, declaration.Facts(m)...)
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

// difference gives the first ingredient that differs between two units, in the words of an experiment file; "" if none does.
func difference(was, is Ingredients) string {
	switch {
	case was.Schema != is.Schema: // other fields may have changed their meaning
		return "results of another version of tenfold"
	case was.Dataset != is.Dataset:
		return "the data set changed"
	case was.Recipe != is.Recipe:
		return "the preparation of the data changed"
	case was.Engine != is.Engine: // and with it the seed
		return fmt.Sprintf("engine: %s was %s", is.Engine, was.Engine)
	case was.Seed != is.Seed:
		return "the seed changed"
	case was.Fold != is.Fold:
		return "the rows of the fold changed"
	case was.Revision != is.Revision:
		return fmt.Sprintf("engine %s was revised (%d, was %d)", is.Engine, is.Revision, was.Revision)
	case was.Metrics != is.Metrics:
		return fmt.Sprintf("the metrics were revised (%d, was %d)", is.Metrics, was.Metrics)
	case was.Params != is.Params:
		return changedParams(was.Params, is.Params)
	case was.Path != is.Path:
		return fmt.Sprintf("path.at is %s, was %s", cmp.Or(is.Path, "not there"), cmp.Or(was.Path, "not there"))
	case was.Inner != is.Inner:
		return fmt.Sprintf("inner folds are %s, were %s", cmp.Or(is.Inner, "plain"), cmp.Or(was.Inner, "plain"))
	case was.Stage != is.Stage:
		return fmt.Sprintf("stage %s was %s", is.Stage, was.Stage)
	case !slices.Equal(was.After, is.After):
		return "a result that it builds on changed"
	}
	return ""
}

// changedParams lists the parameters whose values differ; a missing one shows as "default".
func changedParams(was, is string) string {
	old, now := map[string]any{}, map[string]any{}
	if json.Unmarshal([]byte(was), &old) != nil || json.Unmarshal([]byte(is), &now) != nil {
		return "changed"
	}
	var before, after []json.RawMessage
	old, now = withoutMethods(old, &before).(map[string]any), withoutMethods(now, &after).(map[string]any)
	methods := changedMethods(before, after)
	var changed []string
	for _, name := range sortedKeys(old, now) {
		if a, b := paramText(old, name), paramText(now, name); a != b {
			changed = append(changed, fmt.Sprintf("%s is %s, was %s", name, abridge(b), abridge(a)))
		}
	}
	out := ""
	const most = 3
	if n := len(changed); n > most {
		changed = append(changed[:most], fmt.Sprintf("and %d more", n-most))
	}
	if len(changed) > 0 {
		out = "params: " + strings.Join(changed, ", ")
	}
	return strings.Join(slices.DeleteFunc([]string{methods, out}, func(s string) bool { return s == "" }), "; ")
}

// withoutMethods returns a decoded JSON value without the identities of external methods in it (experiment.IdentityKey), and appends
// these to found. Texts that hold JSON, such as candidates of tune, are searched, too.
func withoutMethods(v any, found *[]json.RawMessage) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if name != algorithm.IdentityKey {
				out[name] = withoutMethods(v[name], found)
			} else if b, err := json.Marshal(v[name]); err == nil {
				*found = append(*found, b)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = withoutMethods(v[i], found)
		}
		return out
	case string:
		var inner any
		if strings.Contains(v, algorithm.IdentityKey) && json.Unmarshal([]byte(v), &inner) == nil {
			if b, err := json.Marshal(withoutMethods(inner, found)); err == nil {
				return string(b)
			}
		}
	}
	return v
}

// changedMethods says how the identities of methods differ, each difference once.
func changedMethods(was, is []json.RawMessage) string {
	var out []string
	for i := range min(len(was), len(is)) {
		if text := declaration.Difference(was[i], is[i]); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "method: " + strings.Join(out, "; ")
}

func paramText(params map[string]any, name string) string {
	v, ok := params[name]
	if !ok {
		return "default"
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// abridge shortens a value for a line.
func abridge(text string) string {
	const most = 60
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return text
}

func sortedKeys(maps ...map[string]any) []string {
	var out []string
	for _, m := range maps {
		for k := range m {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
