package figure

import "testing"

func TestWide(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   bool
	}{{[]float64{1, 100}, true}, {[]float64{1, 30}, false}, {[]float64{0, 1, 100}, true}, {[]float64{-1, 100}, false}, {[]float64{0, 5}, false}, {nil, false}} {
		if got := needsLogAxis(c.values); got != c.want {
			t.Errorf("%v: %v", c.values, got)
		}
	}
}
