package asterisk

import "testing"

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"a", "a", true}, {"a", "ab", false}, {"", "", true}, {"", "a", false},
		{"T*", "T", true}, {"T*", "T1", true}, {"T*", "t1", false}, {"*", "", true},
		{"*_x", "a_x", true}, {"*_x", "a_xy", false}, {"a*b*c", "a1b2c", true}, {"a*b*c", "abbc", true},
		{"a*b*c", "acb", false}, {"ab*bc", "abc", false}, {"*b*b", "b", false}, {"a.c*", "abc", false},
	} {
		if got := Matches(c.pattern, c.name); got != c.want {
			t.Errorf("%q, %q: got %v", c.pattern, c.name, got)
		}
	}
}
