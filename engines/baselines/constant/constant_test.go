package constant

import (
	"context"
	"math"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

func TestSuite(t *testing.T) {
	t.Run("mean", func(t *testing.T) { enginetest.Suite(t, Mean{}) })
	t.Run("majority", func(t *testing.T) { enginetest.Suite(t, Majority{}) })
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
