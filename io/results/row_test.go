package results

import (
	"testing"

	"tenfold/engines"
)

// What a selection did not reach is no mark of the model on its columns.
func TestUnconverged(t *testing.T) {
	for note, want := range map[string]bool{
		engines.NotConverged + ": after 3 iterations":                           true,
		"refit: " + engines.NotConverged + ": after 3 iterations":               true,
		engines.OfSelection + engines.NotConverged + ": the duality gap is 0.1": false,
		"2 weights are at the limit":                                            false,
	} {
		if got := (&Outcome{Notes: []string{note}}).Unconverged(); got != want {
			t.Errorf("%q: %v", note, got)
		}
	}
}
