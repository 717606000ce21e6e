package byclass

import (
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/data/classweight"
	"tenfold/engines/trees/boosting"
)

// An engine of numbers, classes and counts takes classes alone with class weights, which have the levels that are named and two that count.
func TestNeeds(t *testing.T) {
	e := Wrapper.Wrap(boosting.Kind.Defaults(), classweight.Weights{Of: map[string]float64{"ill": 2, "odd": 0}})
	n := e.Needs()
	for _, target := range []data.Type{data.Real, data.Class, data.Survival, data.Count} {
		if n.Takes(target) != (target == data.Class) {
			t.Errorf("%s: taken is %v", target, n.Takes(target))
		}
	}
	if n.MinLevels != 3 || len(n.Named) != 2 || n.Targets() != "class" {
		t.Errorf("%+v, targets %s", n, n.Targets())
	}
}
