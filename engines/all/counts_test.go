package all

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// ofCounts returns rows of counts with exposures, of which some columns tell.
func ofCounts() (x [][]float64, counts, exposure []float64) {
	rng := rand.New(rand.NewPCG(5, 8))
	for range 60 {
		row := make([]float64, 6)
		for j := range row {
			row[j] = rng.NormFloat64()
		}
		t := [...]float64{0.25, 0.5, 1}[rng.IntN(3)]
		mean, count, p := t*math.Exp(1.3+0.7*row[0]-0.5*row[2]), 0.0, rng.Float64()
		for q := math.Exp(-mean); p > q && count < 50; q *= mean / count { // by inversion
			p -= q
			count++
		}
		x, counts, exposure = append(x, row), append(counts, count), append(exposure, t)
	}
	return x, counts, exposure
}

// forCounts calls do for each engine that takes counts with what it predicts of the rows of a data set, and the columns that it selects.
func forCounts(t *testing.T, do func(t *testing.T, name string, fit func(d *data.Dataset) (eta []float64, selected []int32))) {
	t.Parallel()
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	for name, k := range set {
		e := k.Defaults()
		if n := e.Needs(); !n.Rates || n.Truth || n.Watch || name == "boruta" { // boruta takes its time, and is forests
			continue
		}
		t.Run(name, func(t *testing.T) {
			do(t, name, func(d *data.Dataset) ([]float64, []int32) {
				v := enginetest.View(d, nil)
				m, err := e.Fit(t.Context(), engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 2)), Workers: 2, Divide: enginetest.Divide})
				if err != nil {
					t.Fatal(err)
				}
				eta := make([]float64, v.Len())
				m.Predict(eta, v.Inputs())
				return eta, engines.ColumnsOf(m, v.Columns())
			})
		})
	}
}

// An exposure is a weight of the rate: counts with exposures are fitted as rates with these for weights.
func TestExposuresAreWeights(t *testing.T) {
	x, counts, exposure := ofCounts()
	exposed := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Count("y", counts...))
	exposed.Exposure = exposure
	rates := make([]float64, len(counts))
	for i, y := range counts {
		rates[i] = y / exposure[i]
	}
	weighted := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Count("y", rates...))
	weighted.Weight = exposure
	forCounts(t, func(t *testing.T, name string, fit func(d *data.Dataset) ([]float64, []int32)) {
		eta, selected := fit(exposed)
		other, otherwise := fit(weighted)
		for i := range eta {
			if !(math.Abs(eta[i]-other[i]) <= 1e-9*max(1, math.Abs(eta[i]))) && eta[i] != other[i] {
				t.Fatalf("row %d: %v, as rates %v (columns %v and %v)", i, eta[i], other[i], selected, otherwise)
			}
		}
	})
}

// With exposures in another unit rates are in that unit, and nothing else differs.
func TestUnitOfExposures(t *testing.T) {
	x, counts, exposure := ofCounts()
	const days = 365.25
	year := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Count("y", counts...))
	day := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Count("y", counts...))
	year.Exposure = exposure
	for _, t := range exposure {
		day.Exposure = append(day.Exposure, t*days)
	}
	forCounts(t, func(t *testing.T, name string, fit func(d *data.Dataset) ([]float64, []int32)) {
		eta, _ := fit(year)
		other, _ := fit(day)
		for i := range eta {
			if !(math.Abs(eta[i]-other[i]-math.Log(days)) <= 1e-3) {
				t.Fatalf("row %d: %v in years, %v in days", i, eta[i], other[i])
			}
		}
	})
}
