package data

import (
	"hash/fnv"
	"slices"
	"testing"
)

// Two groups of the reference case data_features, seed 7; the whole case runs in io/formats/tuples.
func TestUniform(t *testing.T) {
	for _, c := range []struct {
		values []string
		want   float64
	}{
		{[]string{"the", "DET", "*", "*", "world", "NOUN", "*", "*", "*", "*"}, 0.46998347227519577},
		{[]string{"offers", "VERB", "*", "*", "world", "NOUN", "the", "DET", "*", "<det"}, 0.032193684729118544},
	} {
		if got := Uniform(Key(c.values...), 7); got != c.want {
			t.Errorf("%v: got %v, want %v", c.values, got, c.want)
		}
	}
}

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
