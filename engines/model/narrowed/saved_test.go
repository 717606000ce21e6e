package narrowed

import (
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/kernels/svm"
	"tenfold/engines/model/softmax"
	"tenfold/engines/ridge/leastsquares"
)

var kept = engines.Models{
	SavedAs: Restore, engines.LinearKind: engines.RestoreLinear, engines.SharesKind: engines.RestoreShares, softmax.SavedAs: softmax.Restore, svm.SavedAs: svm.Restore,
}

func TestKept(t *testing.T) {
	entered := bare{[]engines.Coef{{Feature: 2, Value: 1, Rank: 1, Score: 0.5, Bits: &engines.Bits{Saved: 3}}, {Feature: 5, Value: 1, Rank: 0}}}
	for name, c := range map[string]struct {
		e      Engine
		target data.Type
	}{
		"coefficients": {Engine{gives(entered), leastsquares.RidgeKind.Defaults()}, data.Real},
		"kernels":      {Engine{gives(entered), svm.Kind.Defaults()}, data.Class},
		"nothing":      {Engine{gives(bare{}), svm.Kind.Defaults()}, data.Class},
	} {
		m, on, err := enginetest.Fitted(c.e, engines.Needs{Target: c.target})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := enginetest.Kept(m, kept, on); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := engines.Save(fitted(t, Engine{gives(entered), gives(bare{})}, runOn(number(9, 6)))); err == nil {
		t.Error("a model was kept whose part cannot be")
	}
}

func TestDamaged(t *testing.T) {
	const linear = `{"bias":[0.5,1],"coefs":{"feature":[1,2],"output":[0,1],"value":[1,-2],"rank":[0,-1]},"fitted":{"best":-1}}`
	enginetest.Damaged(t, kept, SavedAs, `{"columns":[0,1,3],"entry":{"feature":[1],"value":[2]},"selection":{"best":-1},"model":{"kind":"linear","state":`+linear+`}}`, data.NumberedFeatures(0, 4), []enginetest.Damage{
		{"[0,1,3]", "[0,1,4]", "number 2 of those picked is 4"},
		{"[0,1,3]", "[0,1]", "coefficient 1 is of column 2, and there are 2"},
		{"\"linear\"", "\"strange\"", "a model of kind \"strange\" is not known here"},
		{"\"selection\":{\"best\":-1},", "", "\"selection\" is missing"},
		{"{\"feature\":[1],\"value\":[2]}", "{\"feature\":[1],\"value\":[]}", "0 values for 1 coefficients"},
	})
}
