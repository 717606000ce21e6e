package response

import (
	"fmt"
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// A number has one output, a class two; coefficients of a class are its second level's, and targets on some rows are read there.
func TestModel(t *testing.T) {
	x := enginetest.Matrix([]float64{1}, []float64{2}, []float64{3}, []float64{4})
	number, class := enginetest.Real("a", 1, 5), enginetest.Class("b", 2, 0, 1)
	number.Rows, class.Rows = []int32{1, 3}, []int32{1, 3}
	view := enginetest.View(enginetest.Dataset(x, number, class, number), nil)
	r, err := Read(view, Squared)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(r.ByRow()); got != "[1 0 1 5 1 5]" || r.Train.Len() != 2 || r.Train.Row(0).At(0) != 2 {
		t.Errorf("responses %s on %d rows", got, r.Train.Len())
	}
	links := r.Links()
	if got := fmt.Sprint(links.Output(0), links.Output(1), links.Output(2), links.Outputs()); got != "0 2 3 4" {
		t.Errorf("outputs %s", got)
	}
	m := r.Model([]float64{10, 0.25, 20}, []engines.Coef{{Output: 1, Value: 0.5}, {Output: 2, Value: 1}}, engines.Fitted{})
	if got := fmt.Sprint(m.Outputs(), m.Coefs()[0].Output, m.Coefs()[1].Output); got != "4 2 3" {
		t.Errorf("outputs %s", got)
	}
	scores := make([]float64, 8)
	m.Predict(scores, r.Train.Inputs())
	if got := fmt.Sprint(scores); got != "[10 -0.25 1.25 22 10 -1.25 2.25 24]" {
		t.Errorf("scores %s", got)
	}
}

func TestLogistic(t *testing.T) {
	x := enginetest.Matrix([]float64{1}, []float64{2})
	r, err := Read(enginetest.View(enginetest.Dataset(x, enginetest.Class("b", 2, 0, 1)), nil), Auto)
	if err != nil || r.Loss != Logistic {
		t.Fatalf("%+v, %v", r, err)
	}
	m := r.Model([]float64{0}, []engines.Coef{{Value: 1}}, engines.Fitted{})
	got := make([]float64, 2)
	m.(engines.Scorer).Score(got, x.Row(1))
	if math.Abs(got[1]-1/(1+math.Exp(-2))) > 1e-15 || math.Abs(got[0]+got[1]-1) > 1e-15 || !m.(engines.Reporter).Fitted().Probabilities {
		t.Errorf("scores %v, %+v", got, m.(engines.Reporter).Fitted())
	}
}
