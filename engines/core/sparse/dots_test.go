package sparse

import (
	"math"
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
