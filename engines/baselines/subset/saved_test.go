package subset

import (
	"encoding/json"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/model/softmax"
)

var kept = engines.Models{SavedAs: Restore, engines.LinearKind: engines.RestoreLinear, softmax.SavedAs: softmax.Restore}

func TestKept(t *testing.T) {
	for name, needs := range map[string]engines.Needs{
		"numbers": {Target: data.Real, Tasks: true, Truth: true}, "classes": {Target: data.Class, Tasks: true, Truth: true}, "ones": {Target: data.Real, Truth: true, Binary: true},
	} {
		for _, e := range []engines.Engine{OracleKind.Defaults(), RandomKind.Defaults()} {
			m, on, err := enginetest.Fitted(e, needs)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := enginetest.Kept(m, kept, on); err != nil {
				t.Errorf("%s, %T: %v", name, e, err)
			}
		}
	}
}

// unscored is a model that does not score single rows.
type unscored struct{ engines.Model }

func TestDamaged(t *testing.T) {
	const linear = `{"bias":[0.5,1],"coefs":{"feature":[1,2],"output":[0,1],"value":[1,-2],"rank":[0,-1]},"fitted":{"best":-1}}`
	models := engines.Models{"unscored": func(json.RawMessage, *data.Features, engines.Part) (engines.Model, error) { return unscored{}, nil }}
	for kind, restore := range kept {
		models[kind] = restore
	}
	enginetest.Damaged(t, models, SavedAs, `{"parts":[{"columns":[0,1,3],"model":{"kind":"linear","state":`+linear+`}}],"fitted":{"best":-1}}`, data.NumberedFeatures(0, 4), []enginetest.Damage{
		{"[0,1,3]", "[0,1,4]", "number 2 of those picked is 4"},
		{"[0,1,3]", "[0,3,1]", "number 2 of those picked is 1"},
		{"[0,1,3]", "[0,1]", "coefficient 1 is of column 2, and there are 2"},
		{"\"linear\"", "\"strange\"", "a model of kind \"strange\" is not known here"},
		{"\"linear\"", "\"unscored\"", "target 0: its model does not score single rows"},
		{",\"fitted\":{\"best\":-1}}", "}", "\"fitted\" is missing"},
	})
	if _, err := models.Restore(engines.Saved{Kind: SavedAs, State: []byte(`{"parts":[],"fitted":{"best":-1}}`)}, data.NumberedFeatures(0, 4)); err == nil || err.Error() != "model of kind on-some-columns: it is of no target" {
		t.Errorf("got %v", err)
	}
}
