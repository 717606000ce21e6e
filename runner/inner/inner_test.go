package inner

import (
	"math"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// As many inner folds as the most frequent class has rows, which a note says; views of fewer targets have the same columns.
func TestFewerInnerFolds(t *testing.T) {
	t.Parallel()
	x := make([][]float64, 7)
	for i := range x {
		x[i] = []float64{float64(i), math.Sqrt(float64(i)), 1}
	}
	set := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 3, 0, 0, 0, 1, 1, 2, 2))
	for _, c := range []struct {
		set  *data.Dataset
		want int
	}{{set, 3}, {enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", 0, 0, 0, 1, 1, 2, 2)), 5}} {
		var notes []string
		innerFolds, err := Divide(t.Context(), engines.Run{Train: enginetest.View(c.set, nil), Warn: func(n string) { notes = append(notes, n) }}, engines.InnerFolds{K: 5, Repeats: 1}, 1)
		if err != nil || len(innerFolds) != c.want || len(notes) != (5-c.want)/2 {
			t.Errorf("%d inner folds, %v, notes %q", len(innerFolds), err, notes)
		}
		for _, p := range innerFolds {
			first := 0
			for _, i := range p.Held {
				if i < 3 {
					first++
				}
			}
			if c.want == 3 && first != 1 {
				t.Errorf("%d of 3 rows of a class in %d", first, p.Held)
			}
		}
	}
	set.Targets = append(set.Targets, enginetest.Real("z", 1, 2, 3, 4, 5, 6, 7))
	train, validate := Fold{Fitted: []int32{0, 2, 4}, Held: []int32{1, 3}, targets: []int{1}}.Views(enginetest.View(set, nil))
	for _, v := range []*data.View{train, validate} {
		_, columns, values := v.Matrix().Rows()
		if v.Targets() != 1 || v.TargetInfo(0).Name != "z" || v.Columns() != 3 || !slices.Equal(columns[len(columns)-3:], []int32{0, 1, 2}) || values[len(values)-3] != math.Trunc(values[len(values)-3]) {
			t.Errorf("targets %d, columns %v, values %v", v.Targets(), columns, values)
		}
	}
}
