package rawtext

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "",
		"a":                       "1:a",
		"a\nb\r\n\nc\r\r\nd\re\n": "1:a 2:b 3: 4:c 5:d\re",
		"\n\n":                    "1: 2:",
		"\r":                      "1:",
	} {
		var got []string
		lines := LinesOf([]byte(text), "f")
		for lines.Next() {
			got = append(got, fmt.Sprintf("%d:%s", lines.Number, lines.Line))
		}
		if strings.Join(got, " ") != want || len(lines.Line) > 0 || lines.Next() {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// An error has its place, once the file is known.
func TestPlaces(t *testing.T) {
	cause := errors.New("bad")
	at := func(file string) *Lines {
		lines := LinesOf([]byte("a\nb c\n"), file)
		lines.Next()
		lines.Next()
		return lines
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{at("f").Errorf("%w", cause), "f:2: bad"},
		{at("f").ErrorAt(2, "%w", cause), "f:2:3: bad"},
		{Named("a:b", at("").Errorf("%w", cause)), "a:b:2: bad"},
		{Named("f", at("").ErrorAt(2, "%w", cause)), "f:2:3: bad"},
		{at("").ErrorAt(0, "%w", cause), "line 2, column 1: bad"},
		{Named("f", AtByte([]byte("a\nb c\n"), 4, "%w", cause)), "f:2:3: bad"},
		{Named("f", AtByte([]byte("abc"), 0, "%w", cause)), "f:1:1: bad"},
		{Named("f", errors.Join(AtLine(1, "%w", cause), AtLine(3, "worse"))), "f:1: bad\nf:3: worse"},
		{Named("f", cause), "f: bad"},
	} {
		if c.err.Error() != c.want || !errors.Is(c.err, cause) {
			t.Errorf("got %q, want %q", c.err, c.want)
		}
	}
}

func TestBeginning(t *testing.T) {
	long := strings.Repeat("é", 31)
	for text, want := range map[string]string{"a b": "a b", long[:60]: long[:60], long: long[:60] + "…", "x" + long: "x" + long[:58] + "…"} {
		if got := Beginning(text); got != want || Beginning([]byte(text)) != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
