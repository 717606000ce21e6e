package source

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"tenfold/engines/kind"
)

// The encodings of text files.
const (
	UTF8    = "utf-8"
	Latin1  = "latin-1"
	Replace = "replace" // UTF-8 in which a run of bytes that are none reads as the one character U+FFFD
)

// CheckEncoding refuses other words.
func CheckEncoding(encoding string) error {
	return kind.OneOf("encoding", encoding, UTF8, Latin1, Replace)
}

// Decode is the content of a file as UTF-8, without a byte order mark. Bytes that are not in the encoding are an error
// with their line.
func Decode(content []byte, encoding, file string) ([]byte, error) {
	text, bad := decode(content, encoding)
	if bad >= 0 {
		return nil, fmt.Errorf("%s:%d: found byte %#x, expected UTF-8 text (or say encoding: %s)", file, line(content, bad), content[bad], Latin1)
	}
	return text, nil
}

// DecodeMember is Decode for a file that Input.Members hands out, whose name comes before every error.
func DecodeMember(content []byte, encoding string) ([]byte, error) {
	text, bad := decode(content, encoding)
	if bad >= 0 {
		return nil, AtLine(line(content, bad), "found %#x as byte %d of the file (from 0), expected UTF-8 text (or say encoding: %s, or %s)",
			content[bad], bad, Latin1, Replace)
	}
	return text, nil
}

// decode gives the text, or the place of the first byte that is not in the encoding, -1 for none.
func decode(content []byte, encoding string) (text []byte, bad int) {
	if encoding == Latin1 {
		out := make([]byte, 0, len(content)+len(content)/16)
		for _, c := range content {
			out = utf8.AppendRune(out, rune(c))
		}
		return out, -1
	}
	text = bytes.TrimPrefix(content, []byte("\ufeff"))
	switch {
	case utf8.Valid(text):
		return text, -1
	case encoding == Replace:
		return bytes.ToValidUTF8(text, []byte("\ufffd")), -1
	}
	for at := 0; ; {
		r, size := utf8.DecodeRune(content[at:])
		if r == utf8.RuneError && size == 1 {
			return nil, at
		}
		at += size
	}
}

func line(content []byte, at int) int { return 1 + bytes.Count(content[:at], []byte{'\n'}) }
