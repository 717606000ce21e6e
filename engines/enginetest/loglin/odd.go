package loglin

import (
	"math"
	"math/rand/v2"

	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
)

// OddRows returns rows of at most 30 columns with their classes: full or sparse, with equal, constant or far columns, weights or nil, and
// classes that columns separate.
func OddRows(rng *rand.Rand) (x *sparse.Matrix, y []int32, weight []float64, classes int) {
	rows, columns := 20+rng.IntN(1000), 1+rng.IntN(30)
	classes = 2 + rng.IntN(4)
	entries := make([][]float64, rows)
	y = make([]int32, rows)
	share := []float64{1, 0.1}[rng.IntN(2)]
	truth := make([]float64, columns*classes)
	for k := range truth {
		truth[k] = rng.NormFloat64() * []float64{0.3, 3}[rng.IntN(2)]
	}
	kind := rng.IntN(4)
	for i := range entries {
		entries[i] = make([]float64, columns)
		best, most := 0, math.Inf(-1)
		for j := range entries[i] {
			if rng.Float64() < share {
				entries[i][j] = rng.NormFloat64()
			}
			switch {
			case kind == 1 && j > 0 && j%3 == 0:
				entries[i][j] = entries[i][j-1]
			case kind == 2 && j%5 == 0:
				entries[i][j] = 1e3
			case kind == 3 && share == 1:
				entries[i][j] = 1e4 + entries[i][j]
			}
		}
		for c := range classes {
			score := rng.NormFloat64()
			for j, v := range entries[i] {
				score += float64(truth[j*classes+c] * math.Mod(v, 1e3))
			}
			if score > most {
				best, most = c, score
			}
		}
		y[i] = int32(best)
	}
	if rng.IntN(2) == 0 {
		for range entries {
			weight = append(weight, float64(1+rng.IntN(3)))
		}
	}
	return enginetest.Matrix(entries...).Filled(), y, weight, classes
}
