package boosting

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

func view(x [][]float64, y data.Target) *data.View {
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), y), nil)
}

func BenchmarkDense(b *testing.B) {
	v := enginetest.Interactions(30_000, 100)
	v.Matrix().Col(0)
	for _, depth := range []int{4, 6} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("depth %d, %d workers", depth, workers), func(b *testing.B) {
				e := with(func(e *Boosted) { e.Trees, e.MaxDepth = 100, depth })
				enginetest.Measure(b, func() (engines.Model, error) {
					return e.Fit(b.Context(), engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: workers})
				})
			})
		}
	}
}
