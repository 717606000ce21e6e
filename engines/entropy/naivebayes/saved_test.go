package naivebayes

import (
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/model/softmax"
)

func TestKept(t *testing.T) {
	kept := engines.Models{SavedAs: Restore, softmax.SavedAs: softmax.Restore, engines.LinearKind: engines.RestoreLinear}
	for _, event := range []string{multinomial, bernoulli, complement} {
		m, on, err := enginetest.Fitted(with(func(e *NaiveBayes) { e.Event = event }), engines.Needs{Target: data.Class, Counts: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := enginetest.Kept(m, kept, on); err != nil {
			t.Errorf("%s: %v", event, err)
		}
	}
	const state = `{"weights":{"kind":"log-linear","state":{"bias":[0,1],"coefs":{"feature":[],"value":[]},"fitted":{"best":-1}}},"presence":true,"probabilities":false}`
	enginetest.Damaged(t, kept, SavedAs, state, data.NewFeatures([]string{"a"}), []enginetest.Damage{
		{`"log-linear"`, `"linear"`, "its weights are a model of kind linear, expected log-linear"},
		{`"log-linear"`, `"strange"`, `a model of kind "strange" is not known here`},
		{`,"probabilities":false`, ``, `"probabilities" is missing`},
	})
}
