// Package hosttest finds the programs that tests start.
package hosttest

import (
	"os"
	"os/exec"
	"testing"
)

// Programs reports whether tests may start other programs, and hundreds of processes: TENFOLD_PROGRAMS is set.
func Programs() bool { return os.Getenv("TENFOLD_PROGRAMS") != "" }

// NeedPrograms skips a test unless Programs. It takes what the test starts, in words.
func NeedPrograms(tb testing.TB, what string) {
	tb.Helper()
	if !Programs() {
		tb.Skipf("%s: TENFOLD_PROGRAMS is not set", what)
	}
}

// Find returns the path of the first of the named programs that is here and, where there are arguments, ends well with them.
// It skips the test if there is none, or not Programs. It takes what the test starts, in words.
func Find(tb testing.TB, what string, args []string, names ...string) string {
	tb.Helper()
	NeedPrograms(tb, what)
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err == nil && (len(args) == 0 || exec.Command(path, args...).Run() == nil) {
			return path
		}
	}
	tb.Skipf("%s: not here", what)
	return ""
}
