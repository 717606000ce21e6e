package entropy_test

import (
	"fmt"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/entropy"
)

// Rows without the target, and weights, as a view gives them.
func TestRead(t *testing.T) {
	x := enginetest.Matrix([]float64{1, 0}, []float64{0, 1}, []float64{1, 1}, []float64{1, 0})
	target := enginetest.Class("y", 4, 2, 0, 1)
	target.Rows = []int32{0, 2, 3}
	set := enginetest.Dataset(x, target)
	set.Weight = []float64{1, 5, 2, 3}
	p, err := entropy.Read(t.Context(), enginetest.View(set, nil))
	if err != nil {
		t.Fatal(err)
	}
	if p.Rows() != 2 || p.Weight != 6 {
		t.Errorf("%d rows of weight %v, want 2 of 6", p.Rows(), p.Weight)
	}
	first, err := p.Candidates(t.Context(), 1, true)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(first); got != "[{{-1 0} 2 6 2 2} {{-1 1} 3 6 3 3} {{-1 2} 1 6 1 1} {{0 0} 2 6 2 2} {{0 1} 3 6 3 3} {{0 2} 1 6 1 1} {{1 0} 2 2 2 2}]" {
		t.Errorf("candidates %s", got)
	}
	if notes := p.Unseen([]string{"a", "b", "c", "d"}); len(notes) != 1 || p.Unseen([]string{"a", "b", "c"}) != nil {
		t.Errorf("notes %q", notes)
	}
	target.Rows, target.Values = []int32{0}, []float64{1}
	set = enginetest.Dataset(x, target)
	if _, err := entropy.Read(t.Context(), enginetest.View(set, []int32{1, 2})); err == nil {
		t.Error("no training row was accepted")
	}
}
