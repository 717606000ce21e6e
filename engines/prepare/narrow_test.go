package prepare_test

import (
	"fmt"
	"slices"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/prepare"
)

// Some columns of some sequences are still sequences: a decoder makes rows of the columns kept, and none of a true label that
// it was not given.
func TestNarrowSequences(t *testing.T) {
	d := tagged()
	train := fitted(t, d, prepare.Recipe{Beam: 3}, nil).View([]int32{3, 4, 5})
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

func TestOneVsRest(t *testing.T) {
	some := enginetest.Class("some", 3, 2, 0, 1)
	some.Rows = []int32{1, 2, 4}
	x := enginetest.Matrix([]float64{1, 0}, []float64{0, 2}, []float64{3, 0}, []float64{0, 4}, []float64{5, 0})
	for _, c := range []struct {
		name   string
		target data.Target
		level  int
		want   string
	}{
		{"first", enginetest.Class("y", 3, 0, 1, 2, 1, 0), 0, "[1 0 1]"},
		{"positive before", enginetest.Class("y", 3, 0, 1, 2, 1, 0), 1, "[0 0 0]"},
		{"last", enginetest.Class("y", 3, 0, 1, 2, 1, 0), 2, "[0 1 0]"},
		{"of two", enginetest.Class("y", 2, 0, 1, 1, 1, 0), 0, "[1 0 1]"},
		{"the only one", enginetest.Class("y", 1, 0, 0, 0, 0, 0), 0, "[1 1 1]"},
		{"defined on some rows", some, 0, "[0 1]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := enginetest.Dataset(x, c.target, enginetest.Real("other", 1, 2, 3, 4, 5))
			d.Weight = []float64{1, 2, 3, 4, 5}
			p, err := prepare.Recipe{}.Fit(d, nil)
			if err != nil {
				t.Fatal(err)
			}
			v := p.View([]int32{4, 2, 0})
			before, y := v.Target(0)
			was := fmt.Sprint(before, y)
			one := v.OneVsRest(c.level)
			at, y := one.Target(0)
			info := one.TargetInfo(0)
			if fmt.Sprint(y) != c.want || fmt.Sprint(info.Levels) != fmt.Sprintf("[rest l%d]", c.level) || info.Positive != 1 || info.Name != c.target.Name {
				t.Errorf("%v of %v, positive %d, want %s", y, info.Levels, info.Positive, c.want)
			}
			if fmt.Sprint(at) != fmt.Sprint(before) {
				t.Errorf("defined on %v, before on %v", at, before)
			}
			if one.Matrix() != v.Matrix() || v.OneVsRest(0).Matrix() != v.Matrix() {
				t.Error("the matrix is laid out twice")
			}
			_, other := one.Target(1)
			if fmt.Sprint(other, one.Weights()) != "[5 3 1] [5 3 1]" || one.Sub([]int32{2}).ID(0) != "0" || one.Features() != v.Features() {
				t.Errorf("the rest of the view changed: %v, %v", other, one.Weights())
			}
			now, y := v.Target(0)
			if fmt.Sprint(now, y) != was || len(v.TargetInfo(0).Levels) != len(c.target.Levels) {
				t.Error("the view itself changed")
			}
		})
	}
}
