package data

import (
	"hash/fnv"
	"slices"
	"testing"
)

func TestGroupBy(t *testing.T) {
	g := GroupBy("customer", []string{"b", "a", "b", "", "a"})
	if want := []int32{0, 1, 0, 2, 1}; g.Name != "customer" || !slices.Equal(g.Of, want) {
		t.Errorf("got %q %v, want customer %v", g.Name, g.Of, want)
	}
	for k, text := range []string{"b\n", "a\n", "\n"} {
		h := fnv.New64a()
		h.Write([]byte(text))
		if g.Key[k] != h.Sum64() {
			t.Errorf("key of %q: got %x, want %x", text, g.Key[k], h.Sum64())
		}
	}
}

func TestNumberedFeatures(t *testing.T) {
	f := NumberedFeatures(9, 3)
	for j, want := range []string{"9", "10", "11"} {
		if got := f.Name(j); got != want {
			t.Errorf("column %d: got %q, want %q", j, got, want)
		}
	}
	if f.Len() != 3 {
		t.Errorf("got %d columns, want 3", f.Len())
	}
}
