package shard

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzRead reads plans of shards: they are refused with their file's name, or have shards.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"", "null", "{}", `{"schema":1}`, `{"schema":1,"shards":[{}]}`, `{"schema":1,"shards":[null,{"units":["a","b"]}]}`, `{"schema":2,"shards":[{}]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "1.json")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := ReadFile(path)
		if (p == nil) == (err == nil) {
			t.Fatal(p, err)
		}
		if err == nil {
			for i := -1; i <= len(p.Shards); i++ {
				if s, err := p.Shard(i); (s == nil) == (err == nil) {
					t.Error(i, s, err)
				}
			}
		}
	})
}
