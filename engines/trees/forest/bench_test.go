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
	v := enginetest.Interactions(30_000, 100)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("%d workers", workers), func(b *testing.B) {
			e := with(func(e *Forest) { e.Trees = 50 })
			enginetest.Measure(b, func() (engines.Model, error) {
				return e.Fit(b.Context(), engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: workers})
			})
		})
	}
}
