package method

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestKilledHost: when tenfold is killed, what its methods have started ends at once.
func TestKilledHost(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "started")
	c := exec.Command(os.Args[0], "method", "starts, and is killed", file)
	if err := c.Run(); err == nil || c.ProcessState.ExitCode() != -1 {
		t.Fatalf("it ended with %v", err)
	}
	for _, pid := range orphans(t, file) {
		if !endsSoon(pid) {
			t.Errorf("process %d goes on", pid)
		}
	}
}

// startAndDie starts a program that writes the numbers of its processes into a file, as tenfold starts a method, and ends as tenfold
// when it is killed.
func startAndDie(file string) int {
	ours, theirs, err := newPipes()
	if err != nil {
		return 1
	}
	var s supervisors
	script := `setsid sleep 3600 & echo $! $$ > "$0.new"; mv "$0.new" "$0"; sleep 3600`
	if _, err = s.start(invocation{Path: "/bin/sh", Args: []string{"sh", "-c", script, file}, Dir: "/", files: theirs}); err != nil {
		return 1
	}
	for {
		if _, err := os.Stat(file); err == nil {
			killSelf()
		}
		time.Sleep(5 * time.Millisecond)
		ours[0].Sync() // keeps the pipes open
	}
}
