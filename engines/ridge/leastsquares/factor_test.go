package leastsquares

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
)

// TestFactors: ridge with factors is ridge on columns divided by their roots; and a column with the factor 0 is orthogonal to the residual.
func TestFactors(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 4))
	factor := []float64{2, 0, 0.5, 1, 0}
	var x, scaled [][]float64
	var y []float64
	for range 30 {
		row, own := make([]float64, 5), make([]float64, 3)
		for j := range row {
			row[j] = rng.NormFloat64()
		}
		for k, j := range []int{0, 2, 3} {
			own[k] = row[j] / math.Sqrt(factor[j])
		}
		x, scaled, y = append(x, row), append(scaled, own), append(y, row[0]-row[1]+rng.NormFloat64())
	}
	fit := func(v *data.View, width int) []float64 {
		m, err := Ridge{Lambda: 3, Scale: "none", Tol: 1e-13}.Fit(t.Context(), engines.Run{Train: v, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		w := make([]float64, width)
		for _, c := range m.Coefs() {
			w[c.Feature] = c.Value
		}
		return append(w, engines.Biases(m)...)
	}
	set := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...))
	penalised := fit(enginetest.Treated(set, data.Treatment{Factor: factor}).Narrow([]int32{0, 2, 3}), 3)
	roots := fit(enginetest.View(enginetest.Dataset(enginetest.Matrix(scaled...), enginetest.Real("y", y...)), nil), 3)
	for k, j := range []int{0, 2, 3} {
		oracle.Near(t, "coefficient", penalised[k], roots[k]/math.Sqrt(factor[j]), 1e-9)
	}
	w := fit(enginetest.Treated(set, data.Treatment{Factor: factor}), 5)
	for j, f := range factor {
		g := 0.0
		for i, row := range x {
			r := y[i] - w[5]
			for k, v := range row {
				r -= w[k] * v
			}
			g += row[j] * r
		}
		oracle.Near(t, "gradient", g, 3*f*w[j], 1e-8)
	}
}
