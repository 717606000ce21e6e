package constant

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/penalized/hazards"
)

func TestSuite(t *testing.T) {
	t.Run("mean", func(t *testing.T) { enginetest.Suite(t, Mean{}) })
	t.Run("majority", func(t *testing.T) { enginetest.Suite(t, Majority{}) })
	t.Run("hazard", func(t *testing.T) { enginetest.Suite(t, Hazard{}) })
}

func TestScores(t *testing.T) {
	x := enginetest.Matrix([]float64{1}, []float64{0}, []float64{1}, []float64{0})
	partly := enginetest.Real("partly", 10, 20)
	partly.Rows = []int32{1, 3}
	for _, c := range []struct {
		name    string
		engine  engines.Engine
		targets []data.Target
		weight  []float64
		rows    []int32
		want    []float64
	}{
		{"mean", Mean{}, []data.Target{enginetest.Real("y", 1, 2, 3, 10)}, nil, nil, []float64{4}},
		{"weighted mean", Mean{}, []data.Target{enginetest.Real("y", 1, 2, 3, 10)}, []float64{1, 1, 1, 5}, nil, []float64{7}},
		{"mean of the view's rows", Mean{}, []data.Target{enginetest.Real("y", 1, 2, 3, 10)}, nil, []int32{2, 0}, []float64{2}},
		{"mean of several targets", Mean{}, []data.Target{enginetest.Real("y", 1, 2, 3, 10), partly}, []float64{1, 3, 1, 1}, nil, []float64{20. / 6, 12.5}},
		{"shares", Majority{}, []data.Target{enginetest.Class("c", 3, 2, 0, 2, 0)}, nil, nil, []float64{0.5, 0, 0.5}},
		{"weighted shares", Majority{}, []data.Target{enginetest.Class("c", 2, 1, 0, 1, 0)}, []float64{2, 1, 4, 1}, nil, []float64{0.25, 0.75}},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := enginetest.Dataset(x, c.targets...)
			set.Weight = c.weight
			m, err := c.engine.Fit(context.Background(), engines.Run{Train: enginetest.View(set, c.rows)})
			if err != nil {
				t.Fatal(err)
			}
			got := make([]float64, m.Outputs())
			m.Predict(got, enginetest.View(set, []int32{1}).Inputs())
			if m.(engines.Reporter).Fitted().Probabilities {
				enginetest.Exp(got)
			}
			if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-15*b }) {
				t.Errorf("got %v, want %v", got, c.want)
			}
			if len(m.Coefs()) > 0 {
				t.Errorf("coefficients %v in a model without columns", m.Coefs())
			}
		})
	}
}

func TestNoTrainingRow(t *testing.T) {
	partly := enginetest.Real("partly", 10)
	partly.Rows = []int32{0}
	set := enginetest.Dataset(enginetest.Matrix([]float64{1}, []float64{2}), partly)
	if _, err := (Mean{}).Fit(context.Background(), engines.Run{Train: enginetest.View(set, []int32{1})}); err == nil {
		t.Error("a mean of no rows was not refused")
	}
}

// Without columns, rows share the hazard that Cox regression has where its penalty leaves none.
func TestHazard(t *testing.T) {
	x := enginetest.Random(4, 24, 3, 0.5, false)
	times := make([]float64, 24)
	for i := range times {
		times[i] = float64(1 + i*7%11) // with ties
	}
	target := enginetest.Survival("t", times...)
	target.Rows = []int32{0, 1, 2, 3, 5, 8, 9, 10, 13, 17, 20, 23}
	target.Values, target.Events = times[:12], target.Events[:12]
	view := enginetest.View(enginetest.Dataset(x, target), nil)
	run := engines.Run{Train: view, Workers: 1}
	cox := hazards.CoxKind.Defaults().(hazards.Cox)
	cox.Ratio = 1
	want, err := cox.Fit(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	got, err := For(view).Fit(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	a, b := make([]float64, view.Len()), make([]float64, view.Len())
	got.Predict(a, view.Inputs())
	want.Predict(b, view.Inputs())
	if !slices.Equal(a, b) || len(got.Coefs()) > 0 {
		t.Errorf("outputs %v, want %v", a, b)
	}
	hazard, reference := got.(engines.Reporter).Fitted().Baseline, want.(engines.Reporter).Fitted().Baseline
	for _, at := range []float64{0, 1, 4.5, 11, 99} {
		if h := hazard.At(at); !(math.Abs(h-reference.At(at)) <= 1e-14) {
			t.Errorf("hazard at %v: %v, want %v", at, h, reference.At(at))
		}
	}
	target.Events = make([]int8, 12)
	if _, err := (Hazard{}).Fit(t.Context(), engines.Run{Train: enginetest.View(enginetest.Dataset(x, target), nil)}); err == nil || !strings.Contains(err.Error(), "target t: ") {
		t.Errorf("without an event: %v", err)
	}
}
