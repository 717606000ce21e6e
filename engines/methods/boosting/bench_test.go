package boosting

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// normal is rows of so many normal columns, and two levels that depend on a product and a square.
func normal(rows, columns int) *data.View {
	rng := rand.New(rand.NewPCG(1, 1))
	x, y := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = make([]float64, columns)
		for j := range x[i] {
			x[i][j] = rng.NormFloat64()
		}
		if x[i][0]*x[i][1]+x[i][2]+0.5*x[i][3]*x[i][3]-0.5+rng.NormFloat64() > 0 {
			y[i] = 1
		}
	}
	return view(x, enginetest.Class("y", 2, y...))
}

func view(x [][]float64, y data.Target) *data.View {
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), y), nil)
}

func BenchmarkDense(b *testing.B) {
	v := normal(30_000, 100)
	v.Matrix().Col(0)
	for _, depth := range []int{4, 6} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("depth %d, %d workers", depth, workers), func(b *testing.B) {
				e := with(func(e *Boosted) { e.Trees, e.MaxDepth = 100, depth })
				before := enginetest.CPU()
				for b.Loop() {
					if _, err := e.Fit(b.Context(), engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: workers}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric((enginetest.CPU()-before)/float64(b.N), "cpu-s/op")
			})
		}
	}
}
