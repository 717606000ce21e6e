package forest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// BenchmarkDense grows trees on normal values, 30,000 × 100, of two levels that depend on a product, a square and noise.
func BenchmarkDense(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	x, y := make([][]float64, 30_000), make([]float64, 30_000)
	for i := range x {
		x[i] = make([]float64, 100)
		for j := range x[i] {
			x[i][j] = rng.NormFloat64()
		}
		if x[i][0]*x[i][1]+x[i][2]+0.5*x[i][3]*x[i][3]-0.5+rng.NormFloat64() > 0 {
			y[i] = 1
		}
	}
	v := view(x, enginetest.Class("y", 2, y...))
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("%d workers", workers), func(b *testing.B) {
			before := enginetest.CPU()
			for b.Loop() {
				if _, err := with(func(e *Forest) { e.Trees = 50 }).Fit(b.Context(), engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: workers}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((enginetest.CPU()-before)/float64(b.N), "cpu-s/op")
		})
	}
}
