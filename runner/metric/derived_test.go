package metric

import (
	"math"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest/oracle"
	"tenfold/io/results"
)

func checkKappa(t *testing.T, c oracle.Case) {
	var in struct {
		Classes          int
		Y, Yhat, Weights []float64
	}
	var options struct{ Disagreement string }
	var want struct{ Kappa *float64 }
	c.Parts(t, &in, &options, &want)
	name := "kappa:" + options.Disagreement
	if options.Disagreement == "none" {
		name = "kappa"
	}
	m, ok := Find(name)
	if !ok {
		t.Fatalf("no metric %s", name)
	}
	got := m.Score(&Outcome{Type: data.Class, Levels: make([]string, in.Classes), Test: Side{Truth: in.Y, Prediction: in.Yhat, Weight: in.Weights}})
	switch {
	case want.Kappa != nil:
		oracle.Near(t, name, got, *want.Kappa, 1e-9)
	case got == got:
		t.Errorf("%s is %v, expected none", name, got)
	}
}

// Metrics with a parameter that follow from stored predictions are those of the rows, by output, each of its own type of target.
func TestFromPredictions(t *testing.T) {
	p := results.Predictions{
		Output: []string{"grade", "grade", "grade", "grade", "size", "size", "life"},
		Truth:  []float64{0, 1, 2, 2, 5, 1, 9}, Prediction: []float64{0, 2, 2, 0, 3, 4, 1}, Weight: []float64{1, 1, 2, 1, 1, 3, 1},
		TruthLabel: []string{"a", "b", "c", "c", "", "", results.Event}, PredictionLabel: []string{"a", "c", "c", "a", "", "", ""},
	}
	for name, want := range map[string]float64{
		"kappa:linear": 1 - 3.0/(5*(1*(3.0/5*2)+1*(2.0/5+3.0/5)+3*(2.0/5*2))/5), // by rows of the truth
		"quantile:0.9": (0.9*2 + 3*0.1*3) / 4,
		"quantile:0.5": (0.5*2 + 3*0.5*3) / 4,
	} {
		got := derive(name, &results.Outcome{Predictions: p})
		if len(got) != 1 || got[0].Point != -1 || !(math.Abs(got[0].Value-want) <= 1e-12) {
			t.Errorf("%s: %+v, want %v", name, got, want)
		}
	}
	for _, name := range []string{"kappa:cubic", "kappa:", "quantile:0", "quantile:1", "quantile:x", "quantile"} {
		if _, ok := Find(name); ok {
			t.Errorf("%s is a metric", name)
		}
	}
}
