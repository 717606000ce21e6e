package sparse

import (
	"reflect"
	"testing"
)

// Builders appended to each other are one builder that was given all rows.
func TestBuilderAppend(t *testing.T) {
	type row struct {
		idx []int32
		val []float64
	}
	rows := []row{{[]int32{0, 2}, nil}, {nil, nil}, {[]int32{1}, []float64{3}}, {[]int32{5, 4}, []float64{1, 0}}, {[]int32{3}, nil}}
	add := func(b *Builder, rows []row) *Builder {
		for _, r := range rows {
			if err := b.Add(r.idx, r.val); err != nil {
				t.Fatal(err)
			}
		}
		return b
	}
	want := add(&Builder{}, rows).Matrix(0)
	for first := range len(rows) + 1 {
		for second := first; second <= len(rows); second++ {
			b := add(&Builder{}, rows[:first])
			b.Grow(len(rows), 10)
			b.Append(add(&Builder{}, rows[first:second]))
			if add(b, rows[second:]); b.NNZ() != want.NNZ() {
				t.Errorf("%d entries, expected %d", b.NNZ(), want.NNZ())
			}
			got := b.Matrix(0)
			for i := range rows {
				a, b := got.Row(i), want.Row(i)
				if len(a.Idx)+len(b.Idx) > 0 && !reflect.DeepEqual(a, b) {
					t.Errorf("cut at %d and %d: row %d is %v, expected %v", first, second, i, a, b)
				}
			}
			if _, cols := got.Dims(); cols != 6 {
				t.Errorf("%d columns", cols)
			}
		}
	}
}
