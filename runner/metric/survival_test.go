package metric

import (
	"math"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/numeric/survival"
	"tenfold/io/results"
)

// followed is an outcome of survival: ten training rows, six test rows, a baseline.
func followed() *Outcome {
	return &Outcome{
		Type:     data.Survival,
		Train:    Side{Truth: []float64{1, 2, 2, 3, 4, 5, 6, 7, 8, 9}, Events: []int8{1, 0, 1, 1, 0, 1, 1, 0, 1, 0}, Prediction: []float64{2, 0, 1, 1, 0, 1, 0, 0, -1, -2}},
		Test:     Side{Truth: []float64{1.5, 2.5, 3, 4.5, 6.5, 8}, Events: []int8{1, 1, 0, 1, 0, 1}, Prediction: []float64{2, 0.5, 1, -1, 0, -2}},
		Baseline: &survival.Baseline{Time: []float64{1, 2, 3, 5, 6, 8}, Hazard: []float64{0.05, 0.1, 0.2, 0.3, 0.5, 0.9}},
	}
}

// Metrics at a time come out of kept predictions and curves as they come out of the rows, to the last bit; and so does the loss of rows.
func TestAtTimes(t *testing.T) {
	t.Parallel()
	o := followed()
	kept := &results.Outcome{}
	p := &kept.Predictions
	p.Truth, p.Prediction, p.Curves = o.Test.Truth, o.Test.Prediction, []results.Curve{CurveOf(o, "")}
	for _, e := range o.Test.Events {
		p.Row, p.Output, p.TruthLabel = append(p.Row, "r"), append(p.Output, ""), append(p.TruthLabel, [...]string{results.Censored, results.Event}[e])
	}
	for _, name := range []string{"auc:2.5", "auc:5", "brier:2", "brier:6", "calibration:4", "calibration:0.5"} {
		m, ok := Find(name)
		if !ok || m.Name != name || m.Target != data.Survival || !m.Both {
			t.Fatalf("%s: %+v", name, m)
		}
		want := m.Score(o)
		if got := derive(name, kept); math.IsNaN(want) || len(got) != 1 || got[0].Value != want || got[0].Higher != bool(m.Better) {
			t.Errorf("%s: %+v, want %v", name, got, want)
		}
	}
	for _, name := range []string{"auc:100", "brier:9.5", "calibration:10"} { // beyond the last training time
		if m, _ := Find(name); !math.IsNaN(m.Score(o)) || derive(name, kept) != nil {
			t.Errorf("%s has a value", name)
		}
	}
	known := p.Curves[0].Known()
	if whole := o.known(); known.Horizon != whole.Horizon || known.Last != whole.Last {
		t.Errorf("up to %v of %v, want %v of %v", known.Horizon, known.Last, whole.Horizon, whole.Last)
	}
	a, b := known.BrierLosses(p.Truth, o.Test.Events, p.Prediction), o.known().BrierLosses(p.Truth, o.Test.Events, p.Prediction)
	for i := range a {
		if a[i] != b[i] || a[i] < 0 {
			t.Errorf("row %d: %v, want %v", i, a[i], b[i])
		}
	}
	o.Baseline = nil
	if c := CurveOf(o, "").Known(); c.Baseline != nil {
		t.Error("a baseline out of nothing")
	}
	for _, name := range []string{"brier:2", "calibration:4", "integrated_brier"} {
		if m, _ := Find(name); !math.IsNaN(m.Score(o)) {
			t.Errorf("%s without a baseline", name)
		}
	}
}
