package status

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// FuzzRead reads what processes, of other versions perhaps, left in a run's folder: it says something, or is passed over.
func FuzzRead(f *testing.F) {
	now := time.Now()
	text, err := json.Marshal(Status{Host: "h", PID: 7, Started: now, Updated: now, Total: 3, Done: 1, State: StateRunning, Running: []Running{{Name: "a", Since: now, Usual: 2}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	for _, s := range []string{"", "null", "[]", "{}", `{"state":"running","running":null,"total":-1,"done":9223372036854775807}`, `{"state":"ended","started":"0001-01-01T00:00:00Z"}`, `{"updated":1}`, string(text[:40])} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		run := t.TempDir()
		if err := os.Mkdir(filepath.Join(run, folder), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(run, folder, "h-7.json"), content, 0o600); err != nil {
			t.Fatal(err)
		}
		all, err := Read(run)
		if err != nil || len(all) > 1 {
			t.Fatal(all, err)
		}
		for _, s := range all {
			s.Alive(now)
			for _, r := range s.Running {
				r.Slow(now)
			}
		}
		if err := Clear(run); err != nil {
			t.Error(err)
		}
	})
}

// TestClockLeaps: a process whose clock, or whose reader's, is far ahead or behind is not taken for alive for ever.
func TestClockLeaps(t *testing.T) {
	now := time.Now()
	for ahead, alive := range map[time.Duration]bool{0: true, 5 * time.Second: true, -5 * time.Second: true, time.Hour: false, -time.Hour: false, 1000 * time.Hour: false} {
		s := Status{State: StateRunning, Updated: now.Add(ahead)}
		if s.Alive(now) != alive {
			t.Errorf("%s ahead: alive %v", ahead, !alive)
		}
	}
}
