package car

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// BenchmarkCAR scores columns that go together: few rows of many columns, and as many rows as columns.
func BenchmarkCAR(b *testing.B) {
	for _, shape := range [][2]int{{100, 20_000}, {1000, 1000}} {
		rng := rand.New(rand.NewPCG(1, 2))
		x, y := draw(rng, shape[0], shape[1]), make([]float64, shape[0])
		for i := range y {
			y[i] = x[i][0] - x[i][5] + rng.NormFloat64()
		}
		run := engines.Run{Train: enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), nil), Workers: 1}
		b.Run(fmt.Sprintf("%dx%d", shape[0], shape[1]), func(b *testing.B) {
			before := enginetest.CPU()
			for b.Loop() {
				if _, _, err := Kind.Defaults().(CAR).Choose(b.Context(), run); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((enginetest.CPU()-before)/float64(b.N), "cpu-s/op")
		})
	}
}
