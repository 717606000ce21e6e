package source

import (
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	for _, c := range []struct{ content, encoding, want, err string }{
		{"\ufeffété\n", UTF8, "été\n", ""},
		{"\xe9t\xe9", Latin1, "été", ""},
		{"a\ufffd\nb\xe9\n", UTF8, "", "f:2: found byte 0xe9, expected UTF-8 text (or say encoding: latin-1)"},
		{"", UTF8, "", ""},
		{"\ufeffa\xe9\xe9b\ufffd\xff", Replace, "a\ufffdb\ufffd\ufffd", ""},
	} {
		got, err := Decode([]byte(c.content), c.encoding, "f")
		if string(got) != c.want || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%q as %s: %q, %v", c.content, c.encoding, got, err)
		}
	}
	if _, err := DecodeMember([]byte("\ufeffa\nb\xe9"), UTF8); err == nil || !strings.Contains(err.Error(), "line 2: found 0xe9 as byte 6 of the file (from 0), expected UTF-8") {
		t.Errorf("%v", err)
	}
	if err := CheckEncoding("latin1"); err == nil || !strings.Contains(err.Error(), `did you mean "latin-1"`) {
		t.Errorf("%v", err)
	}
}
