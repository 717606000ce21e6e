package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestKilledHost: when tenfold is killed, what its methods have started ends at once.
func TestKilledHost(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "started")
	c := exec.Command(os.Args[0], startsAndDies, file)
	if err := c.Run(); err == nil || c.ProcessState.ExitCode() != -1 {
		t.Fatalf("it ended with %v", err)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range strings.Fields(string(content)) {
		pid, _ := strconv.Atoi(word)
		for begin := time.Now(); !gone(pid); time.Sleep(10 * time.Millisecond) {
			if time.Since(begin) > 2*time.Second {
				t.Fatalf("process %d goes on", pid)
			}
		}
	}
}
