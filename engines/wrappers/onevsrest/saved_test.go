package onevsrest_test

import (
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/kernels/svm"
	"tenfold/engines/model/bylevel"
	"tenfold/engines/model/softmax"
	"tenfold/engines/ridge/logistic"
	"tenfold/engines/wrappers/onevsrest"
)

// kept are the kinds of models that these tests keep.
var kept = engines.Models{
	bylevel.SavedAs: bylevel.Restore, engines.LinearKind: engines.RestoreLinear, softmax.SavedAs: softmax.Restore, svm.SavedAs: svm.Restore,
}

func TestKept(t *testing.T) {
	for name, base := range map[string]engines.Engine{"probabilities": logistic.Kind.Defaults(), "other scores": svm.Kind.Defaults()} {
		m, on, err := enginetest.Fitted(onevsrest.Engine{Base: base}, engines.Needs{Target: data.Class, Levels: 4})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := enginetest.Kept(m, kept, on); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDamaged(t *testing.T) {
	const linear = `{"bias":[0.5,1],"coefs":{"feature":[1,2],"output":[0,1],"value":[1,-2],"rank":[0,-1]},"fitted":{"best":-1}}`
	const part = `{"kind":"linear","state":` + linear + `}`
	enginetest.Damaged(t, kept, bylevel.SavedAs, `{"parts":[null,`+part+`],"share":[0.5,0.25],"fitted":{"best":-1}}`, data.NewFeatures([]string{"a", "b", "c"}), []enginetest.Damage{
		{"null", part, ""},
		{part, "null", ""},
		{"null," + part, "", "it has no level"},
		{"null,", "", "1 levels, and shares of 2"},
		{"[0.5,0.25]", "[0.5]", "2 levels, and shares of 1"},
		{"[0.5,1]", "[0.5,1,2]", "level 1: its model, of kind linear, has 3 outputs, expected two"},
		{"\"linear\"", "\"strange\"", "level 1: a model of kind \"strange\" is not known here"},
		{"\"share\"", "\"shares\"", "unknown field"},
	})
}
