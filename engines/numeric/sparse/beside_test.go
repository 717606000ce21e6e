package sparse

import (
	"reflect"
	"testing"
)

// Columns follow those of the matrix, whose rows may lie apart; one with values makes the ones of the others values.
func TestBeside(t *testing.T) {
	whole := New(2, []int{0, 2, 2, 3}, []int32{0, 1, 1}, nil)
	for _, m := range []*Matrix{whole, whole.pickRows([]int32{0, 1, 2}, 0)} {
		ones := m.Beside([]Vec{{Idx: []int32{2, 0}}, {}, {Idx: []int32{1}}})
		if want := New(5, []int{0, 3, 4, 6}, []int32{0, 1, 2, 4, 1, 2}, nil); !ones.Binary() || !sameRows(ones, want) {
			t.Errorf("%v, expected %v", ones, want)
		}
		numbers := m.Beside([]Vec{{Idx: []int32{2, 1}, Val: []float64{7, 0}}})
		if want := New(3, []int{0, 2, 3, 5}, []int32{0, 1, 2, 1, 2}, []float64{1, 1, 0, 1, 7}); !sameRows(numbers, want) {
			t.Errorf("%v, expected %v", numbers, want)
		}
	}
}

func sameRows(a, b *Matrix) bool {
	n, cols := a.Dims()
	if rows, columns := b.Dims(); n != rows || cols != columns {
		return false
	}
	for i := range n {
		if !reflect.DeepEqual(a.Row(i), b.Row(i)) {
			return false
		}
	}
	return true
}
