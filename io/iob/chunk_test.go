package iob

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Tag{"O": {}, "B-NP": {Begin: true, Type: "NP"}, "I-B-X": {Inside: true, Type: "B-X"}} {
		if got, ok := Parse(text); !ok || got != want || got.String() != text {
			t.Errorf("%s: %+v %v, want %+v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "o", "B", "I", "B-", "I-", "E-NP", "NN"} {
		if got, ok := Parse(text); ok {
			t.Errorf("%q: %+v, want a refusal", text, got)
		}
	}
	for texts, want := range map[string]bool{"B-X O": true, "O O": false, "B-X NN": false, "I-X": true} {
		if _, ok := ParseAll(strings.Fields(texts)); ok != want {
			t.Errorf("%s: %v", texts, ok)
		}
	}
}

func TestBegins(t *testing.T) {
	for _, c := range []struct {
		tags, begins string // + begins, ! begins with I, . does not
	}{
		{"B-X I-X O B-X B-X", "+..++"},
		{"I-X I-X O I-X B-X I-X", "!..!+."}, // IOB1
		{"B-X I-Y I-Y B-Y O O", "+!.+.."},
		{"O I-X O", ".!."},
	} {
		before, got := Tag{}, ""
		for _, text := range strings.Fields(c.tags) {
			tag, _ := Parse(text)
			switch {
			case tag.Loose(before):
				got += "!"
			case tag.Begins(before):
				got += "+"
			default:
				got += "."
			}
			before = tag
		}
		if got != c.begins {
			t.Errorf("%s: %s, want %s", c.tags, got, c.begins)
		}
	}
}
