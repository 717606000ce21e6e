package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func cut(c Cutter, text string) (string, int) {
	var names []string
	n := c.Each([]byte(text), func(name []byte) { names = append(names, string(name)) })
	return strings.Join(names, "|"), n
}

func TestEach(t *testing.T) {
	for _, c := range []struct {
		cutter     Cutter
		text, want string
		tokens     int
	}{
		{Cutter{By: Words, Shortest: 1, Longest: 1}, "It's a_b, Été-2!\r\nना", "It|s|a_b|Été|2|ना", 6},
		{Cutter{By: Words, Lower: true, MinLength: 2, Shortest: 1, Longest: 1}, "A É It ÉÉ", "it|éé", 2},
		{Cutter{By: Words, Stop: map[string]bool{"the": true}, Lower: true, Shortest: 1, Longest: 2}, "The end of the day", "end|of|day|end of|of day", 3},
		{Cutter{By: Blanks, Shortest: 1, Longest: 1}, " it's  a\tb,\u00a0c\n", "it's|a|b,|c", 4},
		{Cutter{By: Blanks, Shortest: 2, Longest: 3}, "a b c", "a b|b c|a b c", 3},
		{Cutter{By: Blanks, Shortest: 2, Longest: 3}, "a", "", 1},
		{Cutter{By: Characters, Shortest: 1, Longest: 2}, " é \n b ", "é|␣|b|é␣|␣b", 3},
		{Cutter{By: Characters, Lower: true, Shortest: 3, Longest: 3}, "AbCd", "abc|bcd", 4},
		{Cutter{By: Characters, Shortest: 1, Longest: 3}, "", "", 0},
		{Cutter{By: Words, Shortest: 1, Longest: 3}, " .,", "", 0},
		{Cutter{By: Words, Shortest: 1, Longest: 1}, "whole", "whole", 1},
		{Cutter{By: Words, Shortest: 1, Longest: 1}, "az`za{AZ@ZA[09/90:_^_", "az|za|AZ|ZA|09|90|_|_", 8},
	} {
		got, n := cut(c.cutter, c.text)
		if got != c.want || n != c.tokens {
			t.Errorf("%+v of %q: %s (%d), want %s (%d)", c.cutter, c.text, got, n, c.want, c.tokens)
		}
	}
}

func FuzzEach(f *testing.F) {
	for _, s := range []string{"a b\nc", "Été\xff\xfe ␣", "İ ǅ ß"} {
		f.Add([]byte(s), Words, true)
		f.Add([]byte(s), Blanks, false)
		f.Add([]byte(s), Characters, true)
	}
	f.Fuzz(func(t *testing.T, text []byte, by string, lower bool) {
		c := Cutter{By: by, Lower: lower, Shortest: 1, Longest: 3}
		names := 0
		n := c.Each(text, func(name []byte) {
			if names++; len(name) == 0 || utf8.Valid(text) && !utf8.Valid(name) {
				t.Errorf("%q", name)
			}
		})
		if want := max(0, n) + max(0, n-1) + max(0, n-2); names != want {
			t.Errorf("%d names of %d tokens, want %d", names, n, want)
		}
	})
}

// TestBucketOf: the bucket of a name must never change, since results carry it.
func TestBucketOf(t *testing.T) {
	for name, want := range map[string]uint64{"w1": 679485, "été": 172740, "": 434630} {
		if got := bucketOf(name, 20); got != want {
			t.Errorf("%q is in bucket %d, want %d", name, got, want)
		}
	}
}
