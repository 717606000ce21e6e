package dense

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestEachRow: products with rows of a matrix are those with each of them, to the bit, wherever the rows begin.
func TestEachRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	for n := range 75 {
		for _, rows := range []int{0, 1, 3, 4, 9, 64} {
			t.Run(fmt.Sprint(n, "x", rows), func(t *testing.T) {
				values, start := numbers(rng, 2*n*rows+1), make([]int, rows)
				for i := range start {
					start[i] = rng.IntN(n*rows + 2)
				}
				w, r := numbers(rng, n), numbers(rng, rows)
				got, want := numbers(rng, rows), make([]float64, rows)
				DotEachRow(got, values, start, w)
				for i, s := range start {
					want[i] = dotPlain(values[s:s+n], w)
				}
				if !slices.EqualFunc(got, want, sameBits) {
					t.Errorf("DotEachRow %v, row by row %v", got, want)
				}
				got, want = slices.Clone(w), slices.Clone(w)
				AddEachRow(got, values, start, r)
				for i, s := range start {
					addToPlain(want, values[s:s+n], r[i])
				}
				if !slices.EqualFunc(got, want, sameBits) {
					t.Errorf("AddEachRow %v, row by row %v", got, want)
				}
			})
		}
	}
}
