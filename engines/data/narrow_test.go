package data_test

import (
	"slices"
	"testing"

	"tenfold/engines/data"
)

// Some columns of some sequences are still sequences: a decoder makes rows of the columns kept, and none of a true label that
// it was not given.
func TestNarrowSequences(t *testing.T) {
	d := tagged()
	train := prepare(t, d, data.Recipe{Beam: 3}, nil).View([]int32{3, 4, 5})
	narrow := train.Narrow([]int32{0, 3, 7})
	steps, err := narrow.Inputs().Steps()
	if err != nil || steps == nil || steps.Len() != 1 || steps.Beam != 3 {
		t.Fatalf("%+v %v", steps, err)
	}
	var before []int32
	for i := range 3 {
		if row := steps.Row(nil, i, before).Idx; !slices.Equal(row, narrow.Row(i).Idx) {
			t.Errorf("row %d after %v: columns %v, trained on %v", i, before, row, narrow.Row(i).Idx)
		}
		before = append(before, int32(d.Targets[0].Values[3+i]))
	}
	if row := steps.Row(nil, 2, []int32{0, 0}).Idx; !slices.Equal(row, []int32{0}) {
		t.Errorf("after other labels: columns %v", row)
	}
	if _, err := narrow.Sub([]int32{0, 1}).Inputs().Steps(); err == nil {
		t.Error("a part of a sequence passes for a whole one")
	}
}
