package execute

import (
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/io/results"
)

// weighing is a model with importances in place of coefficients.
type weighing struct{ *engines.Linear }

func (weighing) Coefs() []engines.Coef { return nil }
func (weighing) Selected() []int32     { return []int32{0, 2} }
func (weighing) Importances() []engines.Coef {
	return []engines.Coef{{Feature: 0, Rank: 1, Score: 0.25}, {Feature: 2, Rank: 0, Score: 0.5}}
}

// Importances are recorded in their order, of no output and without a coefficient.
func TestImportancesAreRecorded(t *testing.T) {
	t.Parallel()
	x := enginetest.Matrix([]float64{1, 0, 1}, []float64{0, 1, 1}, []float64{1, 1, 0})
	train := enginetest.View(enginetest.Dataset(x, enginetest.Class("y", 3, 0, 1, 2)), nil)
	var o results.Outcome
	addSelected(&o, weighing{}, train)
	if o.Nonzero != 0 || o.Features != 2 || len(o.Selected) != 2 {
		t.Fatalf("%+v", o)
	}
	for k, want := range []results.Selected{{Rank: 0, Feature: "x2", Score: 0.5}, {Rank: 1, Feature: "x0", Score: 0.25}} {
		got := o.Selected[k]
		if !math.IsNaN(got.Coefficient) {
			t.Errorf("%s has the coefficient %v", got.Feature, got.Coefficient)
		}
		if got.Coefficient = 0; got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}
