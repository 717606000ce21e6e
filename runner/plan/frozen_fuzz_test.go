package plan

import (
	"encoding/json"
	"reflect"
	"testing"

	"tenfold/io/results"
	"tenfold/runner/execute"
)

// FuzzParseFrozen reads plans of earlier runs, as somebody may have edited them: they are refused, or else explained, listed
// and written again without a loss.
func FuzzParseFrozen(f *testing.F) {
	unit := FrozenUnit{Unit: example.Key(), Fold: 1, FoldDigest: example.Fold, Seed: example.Seed, After: []string{"a", "b"}}
	whole := &Frozen{
		Schema: frozenSchema, Path: "x.yaml", Name: "x", Seed: 7, Experiment: "tenfold: 1\n", Metrics: []string{"accuracy"}, Sections: json.RawMessage(`{"report":{}}`),
		Datasets: []FrozenSet{{Name: "d/t", Family: "d", Task: "t", FamilyDigest: "w", Format: "csv", Digest: "e", Rows: 3, Folds: []FrozenFold{{Train: 2, Test: 1}}}},
		Cells: []FrozenCell{{
			Key: "k", Dataset: "d/t", Algorithm: "a", Grid: []GridValue{{"epsilon", 0.1}, {"code", "ric"}, {"x", nil}}, KeySchema: 1, Recipe: example.Recipe,
			Engine: "ols", Params: `{"epsilon":0.1,"list":[1,{"a":null}]}`, Units: []FrozenUnit{unit},
		}},
	}
	text, err := json.Marshal(whole)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	for _, s := range []string{"", "null", "[]", "{}", `{"schema":2}`, `{"schema":1}`, `{"schema":2,"cells":[null,{"units":[null]}],"datasets":[{}]}`, `{"schema":2,"cells":[{"params":"nul","grid":[{"value":{"a":[]}}],"units":[{}]}]}`, `{"schema":2,"sections":`} {
		f.Add([]byte(s))
	}
	now := &Unit{Unit: execute.Unit{Label: results.Label{Dataset: "d/t", Algorithm: "a", Grid: []results.Param{{Name: "epsilon", Value: 0.1}}}}, Ingredients: example}
	f.Fuzz(func(t *testing.T, content []byte) {
		plan, err := ParseFrozen(content)
		if (plan == nil) == (err == nil) {
			t.Fatalf("%v, %v", plan, err)
		}
		if err != nil {
			return
		}
		plan.Explain(now)
		plan.indexUnits().nearest(now)
		plan.Provenance()
		for _, d := range plan.Datasets {
			d.About()
		}
		dir := t.TempDir()
		if err := plan.Write(dir); err != nil {
			t.Fatal(err)
		}
		again, err := ReadFrozen(dir)
		if err != nil {
			t.Fatal(err)
		}
		one, _ := json.Marshal(plan)
		if two, _ := json.Marshal(again); !reflect.DeepEqual(one, two) {
			t.Errorf("%s\nthen %s", one, two)
		}
	})
}
