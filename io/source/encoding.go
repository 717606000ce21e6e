package source

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"tenfold/engines/kind"
)

// The encodings of text files.
const (
	UTF8   = "utf-8"
	Latin1 = "latin-1"
)

// CheckEncoding refuses other words.
func CheckEncoding(encoding string) error { return kind.OneOf("encoding", encoding, UTF8, Latin1) }

// Decode is the content of a file as UTF-8, without a byte order mark. Bytes that are not in the encoding are an error
// with their line.
func Decode(content []byte, encoding, file string) ([]byte, error) {
	if encoding == Latin1 {
		out := make([]byte, 0, len(content)+len(content)/16)
		for _, c := range content {
			out = utf8.AppendRune(out, rune(c))
		}
		return out, nil
	}
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	if !utf8.Valid(content) {
		for at := 0; ; {
			r, size := utf8.DecodeRune(content[at:])
			if r == utf8.RuneError && size == 1 {
				return nil, fmt.Errorf("%s:%d: found byte %#x, expected UTF-8 text (or say encoding: %s)",
					file, 1+bytes.Count(content[:at], []byte{'\n'}), content[at], Latin1)
			}
			at += size
		}
	}
	return content, nil
}
