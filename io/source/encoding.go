package source

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"tenfold/engines/param"
)

// The encodings of text files.
const (
	UTF8    = "utf-8"
	Latin1  = "latin-1"
	Replace = "replace" // UTF-8; a run of invalid bytes becomes one character U+FFFD
)

// CheckEncoding returns an error for unknown encodings.
func CheckEncoding(encoding string) error {
	return param.OneOf("encoding", encoding, UTF8, Latin1, Replace)
}

// Decode returns the content of a text file as UTF-8, without a byte order mark. The encoding is "" for UTF-8 in a format that
// knows no other. Binary content is an error, and so is a byte that is invalid in the encoding, with its place.
func Decode(content []byte, encoding, file string) ([]byte, error) {
	err := checkText(content)
	if err == nil {
		content, err = DecodeMember(content, encoding)
	}
	if err != nil {
		return nil, Named(file, err)
	}
	return content, nil
}

// DecodeMember is Decode for a file from Input.Members, which puts the name before every error. It accepts any bytes as text.
func DecodeMember(content []byte, encoding string) ([]byte, error) {
	if encoding == Latin1 {
		text := make([]byte, 0, len(content)+len(content)/16)
		for _, c := range content {
			text = utf8.AppendRune(text, rune(c))
		}
		return text, nil
	}
	text := withoutMark(content)
	switch {
	case utf8.Valid(text):
		return text, nil
	case encoding == Replace:
		return bytes.ToValidUTF8(text, []byte("\ufffd")), nil
	}
	choice := ""
	if encoding != "" {
		choice = fmt.Sprintf(" (or say encoding: %s, or %s)", Latin1, Replace)
	}
	at := firstInvalid(content)
	return nil, AtByte(content, at, "found byte %#x, expected UTF-8 text%s", content[at], choice)
}

// firstInvalid returns the index of the first byte that is not UTF-8. There must be one.
func firstInvalid(content []byte) (at int) {
	for {
		r, size := utf8.DecodeRune(content[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
}

// Text returns the content of the text file of a role, without a byte order mark, and its name. Bytes that are not UTF-8 are left
// to the reader.
func Text(in Input, role string) (content []byte, file string, err error) {
	if content, file, err = in.Bytes(role); err != nil {
		return nil, "", err
	}
	if err := checkText(content); err != nil {
		return nil, "", Named(file, err)
	}
	return withoutMark(content), file, nil
}

func withoutMark(content []byte) []byte { return bytes.TrimPrefix(content, []byte("\ufeff")) }

// checkText returns an error if the first bytes show that content is not text; the error says what it is.
func checkText(content []byte) error {
	begin := content[:min(len(content), 1<<10)]
	switch {
	case bytes.HasPrefix(begin, []byte("PK\x03\x04")):
		return errors.New("a zip archive; say which of its files with {path: ..., member: ...}")
	case bytes.HasPrefix(begin, []byte("PAR1")):
		return errors.New("a Parquet file; say format: parquet")
	case bytes.HasPrefix(begin, []byte("\xff\xfe")), bytes.HasPrefix(begin, []byte("\xfe\xff")):
		return errors.New("text in UTF-16; save it as UTF-8")
	case bytes.IndexByte(begin, 0) >= 0:
		return fmt.Errorf("no text: it has a zero byte among its first %d", len(begin))
	}
	return nil
}
