// Package sanitize makes text safe to look at. Names and messages have parts that come from data files, of strangers perhaps:
// what would command a terminal, or turn the reading order around, is shown and not obeyed.
package sanitize

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns s with every character that acts and is not seen written as in Go (\x1b, \u202e), and bytes that are no UTF-8
// likewise: control characters except tabs and line feeds, and characters without a shape, such as those that set the direction of
// text. Other text stays as it is.
func Text(s string) string {
	for i, r := range s {
		if acts(r) || r == utf8.RuneError {
			return string(appendText([]byte(s[:i]), s[i:]))
		}
	}
	return s
}

// Line returns Text of one line: tabs and line feeds are shown, too.
func Line(s string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(Text(s))
}

// longest is how many characters of something in quotes a message shows.
const longest = 200

// quoted is text in quotes, on one line, of more than that.
var quoted = regexp.MustCompile(fmt.Sprintf(`("(?:[^"\\\n]|\\.){%d})(?:[^"\\\n]|\\.)+"`, longest))

// Message returns s with what it quotes from a file cut at 200 characters: a cell, or a line that is one token, may be of any length.
func Message(s string) string {
	if len(s) <= longest {
		return s
	}
	return quoted.ReplaceAllString(s, `$1…"`)
}

func appendText(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1, r < utf8.RuneSelf && acts(r):
			dst = appendByte(dst, s[i])
		case acts(r):
			dst = appendRune(dst, r)
		default:
			dst = append(dst, s[i:i+size]...)
		}
		i += size
	}
	return dst
}

func appendByte(dst []byte, b byte) []byte {
	if b == '\r' {
		return append(dst, `\r`...)
	}
	return fmt.Appendf(dst, `\x%02x`, b)
}

func appendRune(dst []byte, r rune) []byte {
	if r > 0xffff {
		return fmt.Appendf(dst, `\U%08x`, r)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}

// joiners shape the letters and emoji beside them, which some languages need.
const joiners = "\u200c\u200d"

// acts reports whether a character is not seen itself, but changes what is: a control character, a separator of lines, or a format
// character (Unicode's Cf) that has no shape.
func acts(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || ' ' <= r && r < 0x7f:
		return false
	case r < 0xa0, r == 0x2028, r == 0x2029:
		return true
	}
	return unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) && !strings.ContainsRune(joiners, r)
}

// Writer returns a writer that passes on Text to w. A character may be divided between two writes.
func Writer(w io.Writer) io.Writer { return &writer{out: w} }

type writer struct {
	out  io.Writer
	held string // the beginning of a character
	buf  []byte
}

func (w *writer) Write(p []byte) (int, error) {
	text := w.held + string(p)
	whole := len(text) - divided(text)
	w.held = strings.Clone(text[whole:])
	w.buf = appendText(w.buf[:0], text[:whole])
	if _, err := w.out.Write(w.buf); err != nil {
		return 0, err
	}
	return len(p), nil
}

// divided returns the number of bytes at the end that may begin a character.
func divided(s string) int {
	for n := 1; n < utf8.UTFMax && n <= len(s); n++ {
		if b := s[len(s)-n]; utf8.RuneStart(b) {
			if b >= utf8.RuneSelf && !utf8.FullRuneInString(s[len(s)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}
