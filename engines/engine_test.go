package engines_test

import (
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
)

func TestBoth(t *testing.T) {
	for _, c := range []struct {
		a, b, want engines.Needs
		apart      bool
	}{
		{a: engines.Needs{Tasks: true, Counts: true}, b: engines.Needs{Target: data.Class, Levels: 2, Inner: true},
			want: engines.Needs{Target: data.Class, Levels: 2, Counts: true, Inner: true}},
		{a: engines.Needs{Target: data.Real, Tasks: true, Truth: true}, b: engines.Needs{Tasks: true, Levels: 2, FeatureClasses: true},
			want: engines.Needs{Target: data.Real, Tasks: true, Truth: true, FeatureClasses: true}}, // numbers have no levels
		{a: engines.Needs{Binary: true, Sizes: engines.Sizes{Limit: "features"}}, b: engines.Needs{Watch: true}, want: engines.Needs{Binary: true, Watch: true}},
		{a: engines.Needs{Target: data.Real}, b: engines.Needs{Target: data.Class}, apart: true},
	} {
		for _, turned := range []bool{false, true} {
			a, b := c.a, c.b
			if turned {
				a, b = b, a
			}
			if got, ok := a.Both(b); ok == c.apart || ok && got != c.want {
				t.Errorf("%+v and %+v: %+v, %v, want %+v", a, b, got, ok, c.want)
			}
		}
	}
}
