package data_test

import (
	"fmt"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/prepare"
)

func TestTruthOfAFold(t *testing.T) {
	d := enginetest.Dataset(enginetest.Matrix([]float64{0, 1, 1}, []float64{0, 1, 2}, []float64{1, 0, 0}), enginetest.Real("y", 1, 1, 2), enginetest.Real("z", 1, 2, 3))
	d.Truth = []data.True{{0, 0, 1}, {0, 1, 2}, {2, 1, 3}}
	p, err := prepare.Recipe{Cutoff: 1, Constant: "drop"}.Fit(d, []int32{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(p.View(nil).Truth()); got != "[{-1 0 2} {1 0 3}]" { // column 0 and target y were left out
		t.Errorf("got %s", got)
	}
	if enginetest.View(full(), nil).Truth() != nil {
		t.Error("a truth out of nothing")
	}
	if s := (data.Subset{Rows: []int32{0, 1}}).Of(d); fmt.Sprint(s.Truth) != "[{1 1 3}]" {
		t.Errorf("of a subset: %v", s.Truth)
	}
}
