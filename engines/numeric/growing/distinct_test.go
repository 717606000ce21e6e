package growing

import (
	"slices"
	"testing"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/sparse"
)

// TestDistinctColumns: equal columns of ones share a place, empty ones too; columns of numbers have one each.
func TestDistinctColumns(t *testing.T) {
	t.Parallel()
	ones := sparse.New(6, []int{0, 3, 6, 8}, []int32{0, 1, 3, 0, 2, 3, 1, 2}, nil) // 0 = 3, 4 = 5 = nothing
	distinct, place := distinctColumns(ones)
	if !slices.Equal(distinct, []int32{0, 1, 2, 4}) || !slices.Equal(place, []int32{0, 1, 2, 0, 3, 3}) {
		t.Error(distinct, place)
	}
	numbers := sparse.New(2, []int{0, 2}, []int32{0, 1}, []float64{2, 2})
	distinct, place = distinctColumns(numbers)
	if !slices.Equal(distinct, []int32{0, 1}) || !slices.Equal(place, []int32{0, 1}) {
		t.Error(distinct, place)
	}
}

// TestSubtractAll: four vectors at a time give the bits of one after the other.
func TestSubtractAll(t *testing.T) {
	t.Parallel()
	for n := range 10 {
		z, want := []float64{1, -0.3, 1e-9}, []float64{1, -0.3, 1e-9}
		var a []float64
		var v [][]float64
		for s := range n {
			a = append(a, 0.1*float64(s+1))
			v = append(v, []float64{1 / float64(s+3), 0.7 * float64(s), -1 / float64(s+7)})
			dense.AddTo(want, v[s], -a[s])
		}
		subtractAll(z, a, v)
		if !slices.Equal(z, want) {
			t.Errorf("%d vectors: %v, one by one %v", n, z, want)
		}
	}
}
