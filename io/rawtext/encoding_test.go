package rawtext

import (
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	for _, c := range []struct{ content, encoding, want, err string }{
		{"\ufeffété\n", UTF8, "été\n", ""},
		{"\xe9t\xe9", Latin1, "été", ""},
		{"a\ufffd\nb\xe9\n", UTF8, "", "f:2:2: found byte 0xe9, expected UTF-8 text (say encoding: windows-1252, or another: latin-1, macintosh, replace)"},
		{"\xe9", "", "", "f:1:1: found byte 0xe9, expected UTF-8 text"},
		{"\ufeffa\r\n\ufeffb", "", "a\r\n\ufeffb", ""},
		{"PK\x03\x04\x14", Latin1, "", "f: a zip archive; say which of its files with {path: ..., member: ...}"},
		{"PAR1\x15", UTF8, "", "f: a Parquet file; say format: parquet"},
		{"\xff\xfea\x00", Replace, "", "f: text in UTF-16: say encoding: utf-16, or save it as UTF-8"},
		{"\xfe\xff\x00a", "", "", "f: text in UTF-16; save it as UTF-8"},
		{"\xff\xfea\x00\xe9\x00", UTF16, "aé", ""},
		{"\xfe\xff\x00a\x00\xe9", UTF16, "aé", ""},
		{"a\x91\x92", "windows-1252", "a‘’", ""},
		{"a\n\x81b", "windows-1252", "", "f:2:1: a byte here is no character of windows-1252; is the encoding another one?"},
		{"\x8e\x9f", "macintosh", "éü", ""},
		{"a\x00b", UTF8, "", "f: no text: it has a zero byte among its first 3, expected none; it may be of another format, or damaged"},
		{strings.Repeat("a", 1024) + "\x00", UTF8, strings.Repeat("a", 1024) + "\x00", ""},
		{"", UTF8, "", ""},
		{"\ufeffa\xe9\xe9b\ufffd\xff", Replace, "a\ufffdb\ufffd\ufffd", ""},
	} {
		got, err := Decode([]byte(c.content), c.encoding, "f")
		if string(got) != c.want || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%q as %s: %q, %v", c.content, c.encoding, got, err)
		}
	}
	if _, err := DecodeMember([]byte("\ufeffa\nb\xe9"), UTF8); err == nil || !strings.Contains(err.Error(), "line 2, column 2: found byte 0xe9, expected UTF-8") {
		t.Errorf("%v", err)
	}
	for content, want := range map[string]string{
		"caf\xe9": "windows-1252", "\x8e\x9f": "macintosh", "\xe9\xe8\xea\x81": Latin1, strings.Repeat("é", 11) + "\xe9": Replace, strings.Repeat("é", 10) + "\xe9": "windows-1252",
	} {
		if got := LikelyEncoding([]byte(content)); got != want {
			t.Errorf("%q is likely %s, expected %s", content, got, want)
		}
	}
	if err := CheckEncoding("windows-1522"); err == nil || !strings.Contains(err.Error(), `did you mean "windows-1252"`) {
		t.Errorf("%v", err)
	}
}
