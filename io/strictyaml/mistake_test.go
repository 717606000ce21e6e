package strictyaml

import (
	"strings"
	"testing"
)

// TestLongLine: of a line that fills screens, the part around the place is shown, with the caret below it.
func TestLongLine(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 1000) + "b" + strings.Repeat("c", 1000)
	for _, c := range []struct {
		line   string
		column int
		want   string // what stands above the caret
		width  int
	}{
		{long, 1001, "b", 202}, {long, 1, "a", 101}, {long, 2001, "c", 102}, {long, 2002, "", 101}, {"short", 3, "o", 5}, {strings.Repeat("x", 200), 150, "x", 200},
	} {
		_, text, _ := strings.Cut(Mistake{File: "f", Line: 1, Column: c.column, Source: c.line, Msg: "m"}.Error(), "\n    ")
		shown, caret, _ := strings.Cut(text, "\n    ")
		at, line := strings.Index(caret, "^"), []rune(shown)
		if got := string(line[min(at, len(line)):min(at+1, len(line))]); got != c.want || len(line) != c.width {
			t.Errorf("column %d of %d: the caret is below %q, %d characters are shown, want %q and %d", c.column, len(c.line), got, len(line), c.want, c.width)
		}
	}
}

// TestMistakes: in the order of their places, those without one first and as they are.
func TestMistakes(t *testing.T) {
	t.Parallel()
	ms := Mistakes{{File: "f", Line: 3, Column: 2, Source: "ab\tc", Msg: "late"}, {File: "f", Line: 1, Column: 9, Source: " ", Msg: "blank"}, {File: "--set x=1", Msg: "said"}, {File: "f", Line: 3, Column: 1, Msg: "first"}}
	ms.Sort()
	if got, want := ms.Error(), "--set x=1: said\nf:1:9: blank\nf:3:1: first\nf:3:2: late\n    ab\tc\n     ^"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
