package response

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
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
	enginetest.Exp(got)
	if !(math.Abs(got[1]-1/(1+math.Exp(-2))) <= 1e-15) || !(math.Abs(got[0]+got[1]-1) <= 1e-15) || !m.(engines.Reporter).Fitted().Probabilities {
		t.Errorf("scores %v, %+v", got, m.(engines.Reporter).Fitted())
	}
}

// What cannot be fitted is refused, by the name of the target; a row by its id, also where targets are on some rows.
func TestRefusals(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	on := func(target data.Target, rows ...int32) data.Target {
		target.Rows = append([]int32{}, rows...)
		return target
	}
	for _, c := range []struct {
		name    string
		loss    string
		targets []data.Target
		want    string
	}{
		{"three levels", Auto, []data.Target{enginetest.Class("c", 3, 0, 1, 2, 1)}, "target c has 3 levels, expected numbers or classes of two levels"},
		{"one level", Squared, []data.Target{enginetest.Class("c", 1, 0, 0, 0, 0)}, "target c has 1 levels"},
		{"no row", Auto, []data.Target{on(enginetest.Real("y"))}, "target y has no training row"},
		{"not a number", Auto, []data.Target{enginetest.Real("y", 1, 2, nan, 4)}, "row 2: target y is NaN, expected a finite number"},
		{"too large", Auto, []data.Target{enginetest.Real("y", 1, 1e200, 3, 4)}, "target y: the sum of its squares is no finite number"},
		{"infinite, on some rows", Auto, []data.Target{on(enginetest.Real("y", 1, inf), 1, 3)}, "row 3: target y is +Inf, expected a finite number"},
		{"constant", Auto, []data.Target{enginetest.Real("y", 1, 2, 3, 4), enginetest.Real("z", 7, 7, 7, 7)}, "target z is constant (7 in all 4 training rows)"},
		{"other rows", Auto, []data.Target{on(enginetest.Real("y", 1, 2), 0, 1), on(enginetest.Real("z", 1, 2), 0, 2)}, "targets y and z are defined on different rows"},
		{"some rows and all", Auto, []data.Target{enginetest.Real("y", 1, 2, 3, 4), on(enginetest.Real("z", 1, 2), 0, 2)}, "targets y and z are defined on different rows"},
		{"a class and a number", Auto, []data.Target{enginetest.Real("y", 1, 2, 3, 4), enginetest.Class("c", 2, 0, 1, 0, 1)}, "target c is a class, y a number"},
		{"a number and a class", Auto, []data.Target{enginetest.Class("c", 2, 0, 1, 0, 1), enginetest.Real("y", 1, 2, 3, 4)}, "target c is a class, y a number"},
		{"logistic of a number alone", Logistic, []data.Target{enginetest.Real("y", 1, 2, 3, 4)}, "target y is a number: logistic regression takes classes of two levels"},
		{"logistic of a number", Logistic, []data.Target{enginetest.Class("c", 2, 0, 1, 0, 1), enginetest.Real("y", 1, 2, 3, 4)}, "target y is a number: logistic regression takes classes of two levels"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := enginetest.Matrix([]float64{1}, []float64{2}, []float64{3}, []float64{4})
			set := enginetest.Dataset(x, c.targets...)
			p, err := prepare.Recipe{}.Fit(set, nil) // unlike enginetest.View, it takes values that readers refuse
			if err != nil {
				t.Fatal(err)
			}
			_, err = Read(p.View(nil), c.loss)
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// One loss for all targets: what the parameter says, or what their type asks for.
func TestLoss(t *testing.T) {
	number, class := enginetest.Real("y", 1, 2), enginetest.Class("c", 2, 0, 1)
	for _, c := range []struct {
		loss    string
		targets []data.Target
		want    string
	}{
		{Auto, []data.Target{number, number}, Squared},
		{Auto, []data.Target{class, class}, Logistic},
		{Squared, []data.Target{class}, Squared},
		{Squared, []data.Target{class, number}, Squared},
		{Logistic, []data.Target{class}, Logistic},
	} {
		x := enginetest.Matrix([]float64{1}, []float64{2})
		r, err := Read(enginetest.View(enginetest.Dataset(x, c.targets...), nil), c.loss)
		if err != nil || r.Loss != c.want {
			t.Errorf("%s of %d targets: %+v, %v, want %s", c.loss, len(c.targets), r, err, c.want)
		}
	}
	for loss, want := range map[string]data.Type{Auto: data.Any, Squared: data.Any, Logistic: data.Class} {
		if got := Type(loss); got != want {
			t.Errorf("%s takes targets of type %v, want %v", loss, got, want)
		}
		if err := CheckLoss("loss", loss); err != nil {
			t.Error(err)
		}
	}
	var field *param.FieldError
	if err := CheckLoss("loss", "hinge"); !errors.As(err, &field) || !strings.Contains(err.Error(), "loss") {
		t.Errorf("hinge: %v", err)
	}
}
