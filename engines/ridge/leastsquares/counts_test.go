package leastsquares

import (
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// ofCounts asks the suite for counts.
type ofCounts struct{ Ridge }

func (ofCounts) Needs() engines.Needs {
	return engines.Needs{Target: data.Count, Rates: true, Tasks: true}
}

func TestSuiteOfCounts(t *testing.T) {
	for _, scale := range []string{"sd", "none"} {
		e := RidgeKind.Defaults().(Ridge)
		e.Scale = scale
		t.Run(scale, func(t *testing.T) { enginetest.Suite(t, ofCounts{e}) })
	}
}

// At the minimum the derivatives of half the deviance are −λ times the coefficients, whatever the scale of the columns.
func TestConditionsOfCounts(t *testing.T) {
	x := [][]float64{{1, 0.5}, {0.25, -1}, {-2, 0}, {0, 2}, {1, 1}, {-1, 0.75}, {0.5, -0.5}, {2, -1}}
	counts, exposure := []float64{3, 0, 1, 2, 7, 1, 0, 4}, []float64{1, 0.5, 2, 1, 1.5, 3, 1, 0.25}
	set := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Count("y", counts...))
	set.Exposure = exposure
	v := enginetest.View(set, nil)
	for scale, factor := range map[string]func(j int) float64{
		"none": func(int) float64 { return 1 },
		"sd":   func(j int) float64 { return variance(x, exposure, j) },
		"unit": func(j int) float64 { return variance(x, exposure, j) * 10.25 },
	} {
		m, err := Ridge{Lambda: 2, Scale: scale, Tol: 1e-13}.Fit(t.Context(), engines.Run{Train: v, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		eta := make([]float64, len(x))
		m.Predict(eta, v.Inputs())
		for _, c := range m.Coefs() {
			slope := 0.0
			for i, row := range x {
				slope += row[c.Feature] * (exposure[i]*math.Exp(eta[i]) - counts[i])
			}
			if want := -2 * factor(c.Feature) * c.Value; !(math.Abs(slope-want) <= 1e-5) {
				t.Errorf("scale %s, column %d: %v, want %v", scale, c.Feature, slope, want)
			}
		}
	}
}

// variance returns that of a column whose rows have weights, which sum to 10.25.
func variance(x [][]float64, weight []float64, j int) (v float64) {
	mean := 0.0
	for i, row := range x {
		mean += weight[i] * row[j] / 10.25
	}
	for i, row := range x {
		v += weight[i] * (row[j] - mean) * (row[j] - mean) / 10.25
	}
	return v
}
