package pruning_test

import (
	"math/rand/v2"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare/pruning"
)

// BenchmarkCorrelated compares 2,000 dense columns of 500 rows with each other.
func BenchmarkCorrelated(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	var m sparse.Builder
	const columns = 2000
	row := make([]float64, columns)
	for range 500 {
		for j := range row {
			row[j] = rng.NormFloat64()
			if j > 0 {
				row[j] += float64(0.98 * row[j-1])
			}
		}
		if err := m.Add(data.Numbers(columns), row); err != nil {
			b.Fatal(err)
		}
	}
	x := m.Matrix(columns)
	for _, rule := range []string{pruning.First, pruning.Mean} {
		b.Run(rule, func(b *testing.B) {
			for b.Loop() {
				if _, err := (pruning.Correlated{Cutoff: 0.95, Rule: rule}).Drop(x, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
