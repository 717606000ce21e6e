package sparse

import (
	"math"
	"slices"
	"testing"
)

func TestDots(t *testing.T) {
	w := make([][]float64, 7)
	for l := range w {
		for i := range 9 {
			w[l] = append(w[l], 1/float64(3+l+i*i))
		}
	}
	for name, v := range map[string]Vec{
		"values": {Idx: []int32{0, 2, 5, 8}, Val: []float64{0.1, -3, 7.7, 2}},
		"ones":   {Idx: []int32{1, 2, 3, 7}},
		"long":   {Idx: []int32{0, 1, 2, 4, 5, 7, 8}, Val: []float64{0.1, 4, -3, 5, 7.7, 2, 1}},
		"all":    {Idx: []int32{0, 1, 2, 3, 4, 5, 6, 7, 8}},
		"empty":  {},
	} {
		for k := range len(w) + 1 {
			dst := make([]float64, k)
			v.Dots(dst, w[:k])
			for l, got := range dst {
				if want := v.Dot(w[l]); !(math.Abs(got-want) <= 1e-14) {
					t.Errorf("%s, vector %d of %d: %v, want %v", name, l, k, got, want)
				}
			}
		}
	}
}

// TestAddColumns: the bits of one column after the other, of matrices with and without zeros.
func TestAddColumns(t *testing.T) {
	const rows, cols = 13, 11
	for _, zeros := range []bool{false, true} {
		var b Builder
		for i := range rows {
			var idx []int32
			var val []float64
			for j := range cols {
				if zeros && (i+j)%3 == 0 {
					continue
				}
				idx, val = append(idx, int32(j)), append(val, 1/float64(1+i+3*j*j))
			}
			if err := b.Add(idx, val); err != nil {
				t.Fatal(err)
			}
		}
		m := b.Matrix(cols)
		columns, a := []int32{1, 2, 4, 5, 7, 8, 10}, []float64{0.3, 0, -7, 1e-9, 2, 1.5, -0.1}
		for n := range len(columns) + 1 {
			got, want := make([]float64, rows), make([]float64, rows)
			for i := range rows {
				got[i], want[i] = float64(i), float64(i)
			}
			m.AddColumns(got, columns[:n], a)
			for k, j := range columns[:n] {
				m.Col(int(j)).AddTo(want, a[k])
			}
			if !slices.Equal(got, want) {
				t.Errorf("zeros %v, %d columns: %v, want %v", zeros, n, got, want)
			}
		}
	}
}
