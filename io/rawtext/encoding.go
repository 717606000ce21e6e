package rawtext

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"

	"tenfold/engines/param"
)

// The encodings of text files.
const (
	UTF8    = "utf-8"
	Latin1  = "latin-1"
	Replace = "replace" // UTF-8; a run of invalid bytes becomes one character U+FFFD
)

// UTF16 is either order of bytes: a mark at the beginning tells which; without one the low byte is first.
const UTF16 = "utf-16"

// CheckEncoding returns an error for unknown encodings.
func CheckEncoding(name string) error {
	if codec, err := codecOf(name); err == nil && (codec != nil || name == UTF8 || name == Replace) {
		return nil
	}
	return param.OneOf("encoding", name, UTF8, Latin1, "windows-1252", "macintosh", UTF16, Replace)
}

// codecOf returns what decodes an encoding other than UTF-8; nil for that, and for names that IANA does not list or nobody decodes.
func codecOf(name string) (encoding.Encoding, error) {
	switch name {
	case "", UTF8, Replace:
		return nil, nil
	case Latin1:
		name = "iso-8859-1"
	case UTF16:
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), nil
	}
	return ianaindex.IANA.Encoding(name)
}

// Decode returns the content of a text file as UTF-8, without a byte order mark. The encoding is "" for UTF-8 in a format that
// knows no other. Binary content is an error, and so is a byte that is invalid in the encoding, with its place.
func Decode(content []byte, encoding, file string) ([]byte, error) {
	err := checkText(content, encoding)
	if err == nil {
		content, err = DecodeMember(content, encoding)
	}
	if err != nil {
		return nil, Named(file, err)
	}
	return content, nil
}

// DecodeMember does what Decode does, for a file from Input.Members, which puts the name before every error. It accepts any bytes as text.
func DecodeMember(content []byte, encoding string) ([]byte, error) {
	codec, err := codecOf(encoding)
	if err != nil {
		return nil, err
	}
	if codec != nil {
		text, err := codec.NewDecoder().Bytes(content)
		if err != nil {
			return nil, fmt.Errorf("as %s: %w", encoding, err)
		}
		text = withoutMark(text)
		if offset := bytes.Index(text, []byte("\ufffd")); offset >= 0 {
			return nil, AtByte(text, offset, "a byte here is no character of %s; is the encoding another one?", encoding)
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
		choice = fmt.Sprintf(" (say encoding: %s, or another: %s, macintosh, %s)", likelyEncoding(content), Latin1, Replace)
	}
	offset := firstInvalid(content)
	return nil, AtByte(content, offset, "found byte %#x, expected UTF-8 text%s", content[offset], choice)
}

// LikelyEncoding guesses the encoding of a text: UTF-8 if it is valid, UTF-16 if a mark says so or every other byte is zero, else
// windows-1252, or macintosh if most of its bytes from 0x80 on are letters of that and not of the other, or latin-1 where windows-1252 lacks
// one of them; Replace if it is damaged UTF-8.
func LikelyEncoding(content []byte) string {
	begin := content[:min(len(content), 1<<10)]
	switch {
	case hasMark16(begin), len(begin) > 3 && begin[0] != 0 && begin[1] == 0 && begin[2] != 0 && begin[3] == 0:
		return UTF16
	case utf8.Valid(withoutMark(content)):
		return UTF8
	}
	return likelyEncoding(content)
}

// likelyEncoding guesses the encoding of a text that is not UTF-8: one with a byte a character that has all of its bytes, or Replace if most
// of what is no ASCII is UTF-8, some of which is damaged.
func likelyEncoding(content []byte) string {
	windows, mac, undefined := 0, 0, 0
	sound, damaged := 0, 0
	for rest := content; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		switch rest = rest[size:]; {
		case r == utf8.RuneError && size == 1:
			damaged++
		case size > 1:
			sound++
		}
	}
	if sound > 10*damaged {
		return Replace
	}
	for _, c := range content {
		if strings.IndexByte("\x81\x8d\x8f\x90\x9d", c) >= 0 { // of no character in windows-1252
			undefined++
		}
		switch {
		case strings.IndexByte("\x87\x88\x8a\x8d\x8e\x8f\x90\x94\x96\x97\x9a\x9e\x9f\xd5", c) >= 0: // áàäçéèêîñóöûü’
			mac++
		case c >= 0xc0, c >= 0x91 && c <= 0x97, c == 0x80, c == 0x85:
			windows++
		}
	}
	switch {
	case mac > windows:
		return "macintosh"
	case undefined > 0:
		return Latin1
	}
	return "windows-1252"
}

// firstInvalid returns the index of the first byte that is not UTF-8. There must be one.
func firstInvalid(content []byte) (offset int) {
	for {
		r, size := utf8.DecodeRune(content[offset:])
		if r == utf8.RuneError && size == 1 {
			return offset
		}
		offset += size
	}
}

// Plain returns the content of a text file without a byte order mark. Bytes that are not UTF-8 are left to the reader; content that is
// no text is an error, which names the file.
func Plain(content []byte, file string) ([]byte, error) {
	if err := checkText(content, ""); err != nil {
		return nil, Named(file, err)
	}
	return withoutMark(content), nil
}

func hasMark16(begin []byte) bool {
	return bytes.HasPrefix(begin, []byte("\xff\xfe")) || bytes.HasPrefix(begin, []byte("\xfe\xff"))
}

func withoutMark(content []byte) []byte { return bytes.TrimPrefix(content, []byte("\ufeff")) }

// checkText returns an error if the first bytes show that content is not text; the error says what it is.
func checkText(content []byte, encoding string) error {
	begin := content[:min(len(content), 1<<10)]
	switch {
	case bytes.HasPrefix(begin, []byte("PK\x03\x04")) && bytes.Contains(content, []byte("xl/workbook.xml")):
		return errors.New("a workbook of Excel; say format: xlsx")
	case bytes.HasPrefix(begin, []byte("PK\x03\x04")):
		return errors.New("a zip archive; say which of its files with {path: ..., member: ...}")
	case bytes.HasPrefix(begin, []byte("PAR1")):
		return errors.New("a Parquet file; say format: parquet")
	case strings.HasPrefix(strings.ToLower(encoding), UTF16):
		return nil
	case hasMark16(begin) && encoding == "":
		return errors.New("text in UTF-16; save it as UTF-8")
	case hasMark16(begin):
		return errors.New("text in UTF-16: say encoding: utf-16, or save it as UTF-8")
	case bytes.IndexByte(begin, 0) >= 0:
		return fmt.Errorf("no text: it has a zero byte among its first %d, expected none; it may be of another format, or damaged", len(begin))
	}
	return nil
}
