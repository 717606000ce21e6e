package plan

import (
	"reflect"
	"testing"

	"tenfold/engines/prepare"
	"tenfold/io/results"
	"tenfold/runner/execute"
)

// TestExplain: every ingredient of a key has a field, so that a changed key always shows a field that changed.
func TestExplain(t *testing.T) {
	t.Parallel()
	was := example
	unit := FrozenUnit{Unit: was.Key(), FoldDigest: was.Fold, Seed: was.Seed, After: was.After}
	before := &Frozen{Cells: []FrozenCell{{
		Dataset: "set", Algorithm: "a", KeySchema: was.Schema, DatasetDigest: was.Dataset, Recipe: was.Recipe,
		Engine: was.Engine, Revision: was.Revision, Params: was.Params, Units: []FrozenUnit{unit},
	}}}
	for _, c := range []struct {
		field  string
		change func(*Ingredients)
	}{
		{"", func(*Ingredients) {}},
		{"data set", func(in *Ingredients) { in.Dataset = "d2" }},
		{"preparation", func(in *Ingredients) { in.Recipe.Cutoff = 4 }},
		{"preparation", func(in *Ingredients) { in.Recipe.Missing = "mean" }},
		{"preparation", func(in *Ingredients) { in.Recipe.Scale = "sd" }},
		{"preparation", func(in *Ingredients) { in.Recipe.Unseen = "error" }},
		{"fold", func(in *Ingredients) { in.Fold = "f2" }},
		{"engine", func(in *Ingredients) { in.Engine = "ridge" }},
		{"revision of the engine", func(in *Ingredients) { in.Revision = 2 }},
		{"seed", func(in *Ingredients) { in.Seed = 43 }},
		{"params.epsilon", func(in *Ingredients) { in.Params = `{"epsilon":0.2}` }},
		{"params.epsilon", func(in *Ingredients) { in.Params = `{}` }},
		{"params.patience", func(in *Ingredients) { in.Params = `{"epsilon":0.1,"patience":5}` }},
		{"path.at", func(in *Ingredients) { in.Path = "[10,100]" }},
		{"revision of the metrics", func(in *Ingredients) { in.Metrics = 1 }},
		{"builds on", func(in *Ingredients) { in.After = []string{"k"} }},
		{"format of keys", func(in *Ingredients) { in.Schema = 2 }},
	} {
		is := example
		c.change(&is)
		u := &Unit{Unit: execute.Unit{Label: results.Label{Dataset: "set", Algorithm: "a", Unit: is.Key()}}, Ingredients: is}
		old, fields := before.Explain(u)
		if old != example.Key() {
			t.Errorf("%s: compared with %q", c.field, old)
		}
		var changed []string
		for _, f := range fields {
			if !f.Same {
				changed = append(changed, f.Name)
			}
		}
		if len(changed) > 1 || (c.field == "") != (len(changed) == 0) || len(changed) == 1 && changed[0] != c.field {
			t.Errorf("changed %q, shown %q", c.field, changed)
		}
	}
	recipe := reflect.TypeFor[prepare.Recipe]()
	for i := range recipe.NumField() {
		var r prepare.Recipe
		f := reflect.ValueOf(&r).Elem().Field(i)
		if f.Kind() == reflect.Struct {
			f = f.Field(0)
		}
		switch {
		case f.Kind() == reflect.Bool:
			f.SetBool(true)
		case f.CanInt():
			f.SetInt(7)
		case f.CanFloat():
			f.SetFloat(7)
		default:
			f.SetString("seven")
		}
		if recipeText(r) == recipeText(prepare.Recipe{}) {
			t.Errorf("field %s of a recipe does not show", recipe.Field(i).Name)
		}
	}
	if old, fields := (&Frozen{}).Explain(&Unit{Ingredients: example}); old != "" || len(fields) == 0 || fields[0].Is != "d1" {
		t.Errorf("nothing earlier: %q %v", old, fields)
	}
}
