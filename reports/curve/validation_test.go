package curve

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"tenfold/engines/searches"
)

// searched returns a search over candidates on two inner folds of 10 rows that hold out 10, the first of which is chosen.
func searched(kind, parameter string, candidates ...searches.Attempt) searches.Record {
	candidates[0].Chosen = true
	stage := searches.Stage{Metric: "test_mse", Folds: []searches.Rows{{Fitted: 10, Held: 10}, {Fitted: 10, Held: 10}}, Attempts: candidates}
	return searches.Record{Kind: kind, Parameter: parameter, Stages: []searches.Stage{stage}}
}

func attempt(text string, number float64, values ...float64) searches.Attempt {
	return searches.Attempt{Candidate: text, Number: number, Values: values, Kept: true}
}

// The mean over fits stands at values that all of them have; its error is that of two inner folds which share rows: sd·√(1/2 + 1).
func TestValidationOfOne(t *testing.T) {
	v, err := ValidationOf([]searches.Record{
		searched("tune", "lambda", attempt("lambda=1", 1, 1, 3), attempt("lambda=0.1", 0.1, 4, 4), attempt("lambda=10", 10, math.NaN(), 4)),
		searched("tune", "lambda", attempt("lambda=1", 1, 3, 5), attempt("lambda=0.1", 0.1, 6, 6), attempt("lambda=10", 10, 5, 4)),
	}, "")
	if err != nil || v.Parameter != "lambda" || v.Metric != "test_mse" || len(v.Lines) != 1 || v.Placed || v.Points {
		t.Fatalf("%+v, %v", v, err)
	}
	mean := v.Lines[0].Mean
	if len(mean) != 2 || mean[0].X != 0.1 || mean[0].Mean != 5 || mean[1].Mean != 3 || !(math.Abs(mean[1].SE-math.Sqrt(2*1.5)) <= 1e-12) {
		t.Errorf("means %+v", mean)
	}
	if one := v.Lines[0].Fits[1]; len(one) != 3 || !one[1].Chosen || one[0].Chosen {
		t.Errorf("the second fit %+v", one)
	}
}

// Paths whose values differ between fits are averaged from their largest value on; other parameters make lines, up to six, or points.
func TestValidationOfSeveral(t *testing.T) {
	v, err := ValidationOf([]searches.Record{
		searched("tune", "lambda", attempt("", 8, 1, 1), attempt("", 4, 2, 2), attempt("", 2, 5, 5)),
		searched("tune", "lambda", attempt("", 2, 3, 3), attempt("", 1, 4, 4)),
	}, "")
	if err != nil || !v.Placed || fmt.Sprintf("%.9g %.9g", v.Lines[0].Mean[1].X, v.Lines[0].Mean[1].Mean) != "4 2" || len(v.Lines[0].Mean) != 2 {
		t.Errorf("%+v, %v", v, err)
	}
	grid := func(others int) (all []searches.Attempt) {
		for i := range others {
			for _, x := range []float64{1, 2, 3} {
				all = append(all, attempt(fmt.Sprintf("kind=k%d, c=%g", i, x), math.NaN(), x, x))
			}
		}
		return all
	}
	if v, err = ValidationOf([]searches.Record{searched("tune", "", grid(2)...)}, ""); err != nil || v.Parameter != "c" || len(v.Lines) != 2 || v.Lines[1].Label != "kind=k1" {
		t.Errorf("%+v, %v", v, err)
	}
	many := grid(8)
	slices.Reverse(many)
	if v, err = ValidationOf([]searches.Record{searched("tune", "", many...)}, ""); err != nil || len(v.Lines) != 1 || v.Lines[0].Label != "kind=k7" || v.Others != 7 {
		t.Errorf("of eight combinations that of the choice: %+v, %v", v, err)
	}
	if v, err = ValidationOf([]searches.Record{searched("tune", "", attempt("a=1, b=5", math.NaN(), 1, 1), attempt("a=2, b=4", math.NaN(), 2, 2))}, "b"); err != nil || !v.Points || len(v.Lines[0].Mean) != 2 {
		t.Errorf("drawn points: %+v, %v", v, err)
	}
	if _, err = ValidationOf([]searches.Record{searched("tune", "", attempt("kind=a", math.NaN(), 1, 1))}, ""); err == nil {
		t.Error("words make no curve")
	}
}

// Of a halving the last rung is shown, of a sequential search the best set of each size.
func TestValidationOfStages(t *testing.T) {
	halving := searched("halving", "lambda", attempt("", 1, 1, 1), attempt("", 2, 2, 2))
	halving.Stages = append([]searches.Stage{{Metric: "test_mse", Folds: halving.Stages[0].Folds, Attempts: []searches.Attempt{attempt("", 3, 0, 0)}}}, halving.Stages...)
	v, err := ValidationOf([]searches.Record{halving}, "")
	if err != nil || len(v.Lines[0].Mean) != 2 {
		t.Errorf("%+v, %v", v, err)
	}
	sequential := searched("sequential", "size", attempt("+a", 1, 1, 1))
	lost := attempt("+b", 1, 2, 2)
	lost.Kept = false
	sequential.Stages[0].Attempts = append(sequential.Stages[0].Attempts, lost)
	sequential.Stages = append(sequential.Stages, searches.Stage{Metric: "test_mse", Folds: halving.Stages[0].Folds, Attempts: []searches.Attempt{attempt("+b", 2, 0, 0)}})
	if v, err = ValidationOf([]searches.Record{sequential}, ""); err != nil || len(v.Lines[0].Mean) != 2 || v.Lines[0].Mean[0].Mean != 1 {
		t.Errorf("%+v, %v", v, err)
	}
}
