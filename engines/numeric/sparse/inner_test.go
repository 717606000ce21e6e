package sparse

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Every product is what the definition says, on ones and on numbers, weighted or not, whatever the order of joining.
func TestInner(t *testing.T) {
	for seed := range uint64(6) { // 4 and 5: every column has all its entries
		rng := rand.New(rand.NewPCG(seed, 3))
		const rows, cols = 60, 40
		var b Builder
		var weight []float64
		for range rows {
			var idx []int32
			var val []float64
			for j := range int32(cols) {
				if seed >= 4 || rng.Float64() < 0.3 && j != 7 {
					idx, val = append(idx, j), append(val, rng.NormFloat64())
				}
			}
			if seed == 0 || seed == 2 {
				val = nil
			}
			if err := b.Add(idx, val); err != nil {
				t.Fatal(err)
			}
			if seed >= 2 && seed != 4 {
				weight = append(weight, rng.Float64())
			}
		}
		x := b.Matrix(cols)
		p, order, entries := NewInner(x, weight), rng.Perm(cols), 0
		for n, j := range order {
			p.Join(t.Context(), 1, int32(j))
			if p.Len() != n+1 {
				t.Fatalf("%d columns after %d", p.Len(), n+1)
			}
		}
		for k, j := range order {
			got, moved := make([]float64, cols), make([]float64, cols)
			p.AddTo(got, 1, k)
			p.AddTo(moved, -0.5, k)
			for l, other := range order {
				want := 0.0
				dense := make([]float64, rows)
				x.Col(other).AddTo(dense, 1)
				for e, i := range x.Col(j).Idx {
					m := 1.0
					if weight != nil {
						m = weight[i]
					}
					want += x.Col(j).At(e) * m * dense[i]
				}
				if !(math.Abs(got[l]-want) <= 1e-12) || !(math.Abs(moved[l]+want/2) <= 1e-12) {
					t.Errorf("seed %d: places %d and %d: %v and %v, want %v", seed, k, l, got[l], moved[l], want)
				}
				if shared(x.Col(j), x.Col(other)) {
					entries++
				}
			}
		}
		if p.Entries() != entries {
			t.Errorf("seed %d: %d entries, counted %d", seed, p.Entries(), entries)
		}
	}
}

// shared reports whether two columns have entries in one row.
func shared(a, b Vec) bool {
	return slices.ContainsFunc(a.Idx, func(i int32) bool { return slices.Contains(b.Idx, i) })
}
