package sequential

import (
	"math/rand/v2"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/ridge/logistic"
)

// BenchmarkForward searches for 10 of 200 columns of 500 rows: each set of columns is fitted on five inner folds.
func BenchmarkForward(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := make([][]float64, 500), make([]float64, 500)
	for i := range x {
		sum := rng.NormFloat64()
		for j := range 200 {
			v := rng.NormFloat64()
			if x[i] = append(x[i], v); j < 15 {
				sum += v * (1 - 0.05*float64(j))
			}
		}
		if sum > 0 {
			y[i] = 1
		}
	}
	v := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 2, y...)), nil)
	e := around(logistic.Kind.Defaults(), func(o *Options) { o.Size, o.K = "10", 5 })
	fits := 0.0
	for b.Loop() {
		run := runOn(v)
		run.Workers = 1
		_, fitted, err := e.Choose(b.Context(), run)
		if err != nil {
			b.Fatal(err)
		}
		fits = 5 * float64(fitted.Evaluated)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/fits, "µs/fit")
}
