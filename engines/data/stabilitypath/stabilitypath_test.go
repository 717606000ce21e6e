package stabilitypath

import (
	"reflect"
	"testing"

	"tenfold/engines/data"
)

// A stability path comes back from its fact, whatever names there are.
func TestStabilityPath(t *testing.T) {
	want := Path{Halves: 100, Least: 75, Lines: []Line{
		{"x1", []int{90, 95, 95, 100}}, {"a column 3:4", []int{0, 0, 7, 7}}, {"sex=f, m", []int{0, 0, 0, 1}},
	}}
	got, ok := Read([]data.Fact{{Name: "other", Value: "1"}, want.Fact()})
	if !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v, from %q", got, want, want.Fact().Value)
	}
	if _, ok := Read([]data.Fact{{Name: "other", Value: "1"}}); ok {
		t.Error("a path without a fact")
	}
}
