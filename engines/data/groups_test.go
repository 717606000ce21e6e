package data

import "testing"

// Two groups of the reference case data_features, seed 7; the whole case runs in io/tuples.
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
