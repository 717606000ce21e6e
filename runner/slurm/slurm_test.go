//go:build unix

package slurm

import (
	"fmt"
	"testing"
)

// TestCommandsPrintBounded: a command that goes on printing is ended.
func TestCommandsPrintBounded(t *testing.T) {
	t.Parallel()
	if out, err := runCommand(t.Context(), "1 2\n", "cat"); out != "1 2\n" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
	for _, command := range []string{"yes", "yes >&2"} {
		if _, err := runCommand(t.Context(), "", "sh", "-c", command); fmt.Sprint(err) != "sh: it printed more than 33554432 bytes" {
			t.Errorf("%s: %v", command, err)
		}
	}
}
