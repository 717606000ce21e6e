package sparse_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/core/sparse"
)

// Columns with all their entries are those of the rows, also where rows are shared with a larger matrix, and their kernels give the
// bits that kernels by index give.
func TestFullColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const rows, cols = 71, 45
	ptr, idx, val := []int{0}, []int32{}, []float64{}
	for range rows {
		for j := range int32(cols) {
			idx, val = append(idx, j), append(val, r.NormFloat64())
		}
		ptr = append(ptr, len(idx))
	}
	all := sparse.New(cols, ptr, idx, val)
	for name, m := range map[string]*sparse.Matrix{"whole": all, "range": all.Range(3, 68), "picked": all.Pick([]int32{0, 5, 6, 40, 70})} {
		if got, want := byColumn(m), dense(m); !slices.EqualFunc(got, want, slices.Equal[[]float64]) {
			t.Fatalf("%s: columns are not the rows turned", name)
		}
		n, _ := m.Dims()
		w := make([]float64, n+1) // one more, so that kernels go by index
		for i := range w {
			w[i] = r.NormFloat64()
		}
		for j := range cols {
			col := m.Col(j)
			if got, want := col.Dot4(w[:n]), col.Dot4(w); got != want {
				t.Fatalf("%s: column %d: Dot4 %v, by index %v", name, j, got, want)
			}
			got, want := slices.Clone(w), slices.Clone(w)
			col.AddTo(got[:n], 0.3)
			col.AddTo(want, 0.3)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: column %d: AddTo differs", name, j)
			}
		}
	}
}
