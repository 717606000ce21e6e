package dense

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// However columns came and went, solutions are those of a matrix factored at once.
func TestCholesky(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	const n = 30
	all, _ := drawn(rng, n)
	product := func(i, j int) float64 { return all.Row(max(i, j))[min(i, j)] }
	var f Cholesky
	var columns []int
	for range 300 {
		j := rng.IntN(n)
		if k := slices.Index(columns, j); k >= 0 {
			f.Remove(k)
			columns = slices.Delete(columns, k, k+1)
		} else {
			v := make([]float64, len(columns))
			for k, i := range columns {
				v[k] = product(i, j)
			}
			l := f.SolveTransposed(v)
			f.Append(l, product(j, j)-Dot(l, l))
			columns = append(columns, j)
		}
		if f.Len() != len(columns) {
			t.Fatalf("%d columns, want %d", f.Len(), len(columns))
		}
		h, v := NewTriangle(len(columns)), make([]float64, len(columns))
		for k, i := range columns {
			v[k] = rng.NormFloat64()
			for l, other := range columns[:k+1] {
				h.Row(k)[l] = product(i, other)
			}
		}
		got := f.Solve(v)
		if !h.Factor(context.Background()) {
			t.Fatal("no factor")
		}
		h.Solve(v)
		for k := range v {
			if !near(got[k], v[k]) {
				t.Fatalf("%d columns: entry %d of the solution is %v, want %v", len(columns), k, got[k], v[k])
			}
		}
	}
}
