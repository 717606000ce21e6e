package sanitize

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"":                                 "",
		"plain, ünïcode 日本 🙂\n\tnext":      "plain, ünïcode 日本 🙂\n\tnext",
		"\x1b[2J\x1b]0;title\x07":          `\x1b[2J\x1b]0;title\x07`,
		"over\rwritten\b":                  `over\rwritten\x08`,
		"\u009b31mred":                     `\u009b31mred`,
		"\xff\x9b2J":                       `\xff\x9b2J`,
		"user\u202etxt.exe \u2066x\u2069.": `user\u202etxt.exe \u2066x\u2069.`,
		"\x00\x7f":                         `\x00\x7f`,
		"the replacement \ufffd stays":     "the replacement \ufffd stays",
		"a\u2028b":                         `a\u2028b`,
		"a\u200e\u200f\u061c\u200b\ufeffb": `a\u200e\u200f\u061c\u200b\ufeffb`,
		"a\U000e0041b":                     `a\U000e0041b`,
		"می\u200cخواهم \u0600١ 👩\u200d🔬":  "می\u200cخواهم \u0600١ 👩\u200d🔬",
		"right to left is no crime: שלום": "right to left is no crime: שלום",
	} {
		if got := Text(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	if got, want := Line("a\n::error::b\t\x1b"), `a\n::error::b\t\x1b`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzWriter: text comes out as Text says wherever it is divided, and nothing is left that acts.
func FuzzWriter(f *testing.F) {
	f.Add("a\x1b[2J日本\u202e\xff", uint8(3))
	f.Add("\xf0\x9f\x99\x82\xf0\x9f", uint8(1))
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		var out bytes.Buffer
		w := Writer(&out)
		rest := text
		for len(rest) > 0 {
			n := min(len(rest), int(size)+1)
			if m, err := w.Write([]byte(rest[:n])); m != n || err != nil {
				t.Fatal(m, err)
			}
			rest = rest[n:]
		}
		got, want := out.String(), Text(text)
		if held := w.(*writer).held; held != "" {
			want = strings.TrimSuffix(want, Text(held))
		}
		if got != want || !utf8.ValidString(got) || strings.ContainsFunc(got, acts) {
			t.Errorf("%q in pieces of %d: got %q, want %q", text, size+1, got, want)
		}
	})
}

func TestMessage(t *testing.T) {
	long := strings.Repeat("é", 300)
	for in, want := range map[string]string{
		`found "a", expected "b"`:                                     `found "a", expected "b"`,
		`found "` + long + `", expected "b"`:                          `found "` + long[:400] + `…", expected "b"`,
		`found "` + strings.Repeat(`\"`, 300) + `" in "` + long + `"`: `found "` + strings.Repeat(`\"`, 200) + `…" in "` + long[:400] + `…"`,
		`a quote (") alone` + "\n" + long + "\n" + `and another (")`:  `a quote (") alone` + "\n" + long + "\n" + `and another (")`,
		strings.Repeat(`"a", `, 300):                                  strings.Repeat(`"a", `, 300),
	} {
		if got := Message(in); got != want {
			t.Errorf("%q\ngot  %q\nwant %q", in, got, want)
		}
	}
}
