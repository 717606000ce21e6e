package sanitize

import (
	"bytes"
	"errors"
	"testing"
)

func TestFprintf(t *testing.T) {
	var out bytes.Buffer
	Fprintf(&out, "%s: %-6s|%6.2f|%v %[2]q\n", "a\nforged: \x1b[2J", "b\tc", 1.5, errors.New("x\u202e\ny"))
	if got, want := out.String(), `a\nforged: \x1b[2J: b\tc  |  1.50|x\u202e\ny "b\tc"`+"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCSV(t *testing.T) {
	record := []string{"=1+1", "+x", "-x", "@x", "\tx", "\rx", "-0.5", "+3", "-Inf", "-1e-9", "x=1", "", "'=", "-0.5 ± 0.1", "–"}
	for raw, want := range map[bool]string{
		false: "'=1+1,'+x,'-x,'@x,'\tx,\"'\rx\",-0.5,+3,-Inf,-1e-9,x=1,,'=,'-0.5 ± 0.1,–\n",
		true:  "=1+1,+x,-x,@x,\"\tx\",\"\rx\",-0.5,+3,-Inf,-1e-9,x=1,,'=,-0.5 ± 0.1,–\n",
	} {
		var out bytes.Buffer
		w := NewCSV(&out, raw)
		if err := w.Write(record); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); got != want {
			t.Errorf("raw %v: got %q, want %q", raw, got, want)
		}
	}
	if record[0] != "=1+1" {
		t.Error("the caller's record has changed")
	}
}
