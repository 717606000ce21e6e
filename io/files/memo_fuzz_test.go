package files

import (
	"os"
	"testing"
)

// FuzzRecall: a remembered checksum that somebody changed is none, or else says what it is for.
func FuzzRecall(f *testing.F) {
	now := stamp{Size: 8, Modified: 1_600_000_000_000_000_000, Changed: 7}
	m := newMemo(f.TempDir(), "/data/f", "m")
	m.remember(now, sum("x"))
	text, err := os.ReadFile(m.file)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	for _, s := range []string{"", "null", "{}", `{"sha256":"x"}`, `[{"path":"/data/f"}]`, string(text) + "x"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		m := newMemo(t.TempDir(), "/data/f", "m")
		if _, ok := m.recall(now); ok {
			t.Fatal("recalled from nothing")
		}
		put(t, m.file, content)
		if digest, ok := m.recall(now); ok != (len(digest) == 64) {
			t.Errorf("%q, %v", digest, ok)
		}
		if _, ok := m.recall(stamp{Size: 9}); ok && now.Size != 9 {
			if digest, _ := m.recall(now); digest != "" {
				t.Error("one memo for two versions of a file")
			}
		}
	})
}
