package progress

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestTransfer(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	m := NewTransfer(&out)
	show := func() string { // as the clock does
		m.mu.Lock()
		defer m.mu.Unlock()
		out.Reset()
		m.showLine()
		return out.String()
	}
	if text := show(); text != "" {
		t.Errorf("before anything: %q", text)
	}
	m.Begin("a.gz")
	if text := show(); text != "" {
		t.Errorf("before the first byte: %q", text)
	}
	m.At(1<<20, 10<<20)
	if text := show(); text != "a.gz: 1.0 MiB of 10.0 MiB\n" {
		t.Errorf("%q", text)
	}
	m.begun = m.begun.Add(-2 * time.Second)
	m.At(3<<20, 10<<20) // what was there before does not count for the rate
	if text := show(); !strings.HasPrefix(text, "a.gz: 3.0 MiB of 10.0 MiB, ") || !strings.HasSuffix(text, " left\n") {
		t.Errorf("%q", text)
	}
	m.At(1<<20, -1) // from the start again
	if text := show(); text != "a.gz: 1.0 MiB\n" {
		t.Errorf("%q", text)
	}
	m.Say("cut")
	m.Close()
	if text := out.String(); !strings.HasSuffix(text, "cut\n") {
		t.Errorf("%q", text)
	}
}

func TestBytes(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1 << 10: "1.0 KiB", 1<<20 - 1: "1.0 MiB", 3 << 29: "1.5 GiB", 1 << 50: "1024.0 TiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
