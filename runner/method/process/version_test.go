//go:build unix

package process

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tenfold/runner/method/declaration"
)

// TestVersionIsBounded: of what the version command prints, little is kept: a command that goes on printing is ended, and a first line
// that is no version is an error. Lines after the first are read and left out.
func TestVersionIsBounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		command     []string
		want, error string
	}{
		{[]string{"sh", "-c", "echo; echo ' 1.2 '; seq 20000"}, "1.2", ""},
		{[]string{"sh", "-c", "echo 1.2; seq 20000 >&2"}, "1.2", ""},
		{[]string{"yes", "1.2"}, "", `version "yes 1.2": it printed more than 1048576 bytes`},
		{[]string{"sh", "-c", "trap '' PIPE; while :; do echo 12345678901234567890123456789012345678901234567890; done"}, "", "it printed more than 1048576 bytes"},
		{[]string{"sh", "-c", "tr '\\0' x < /dev/zero"}, "", "it printed more than 1048576 bytes"},
		{[]string{"sh", "-c", "head -c 5000 /dev/zero | tr '\\0' x"}, "", "printed a first line of 5000 bytes, expected at most 4096"},
	} {
		t.Run(fmt.Sprint(c.command), func(t *testing.T) {
			t.Parallel()
			d := declaration.Declaration{Name: "m", Version: c.command, Folder: t.TempDir()}
			begin := time.Now()
			got, err := AskVersion(t.Context(), &d)
			if text := fmt.Sprint(err); got != c.want || (c.error == "") != (err == nil) || !strings.Contains(text, c.error) {
				t.Errorf("got %q, error %v", got, err)
			}
			if time.Since(begin) > versionLimit/2 {
				t.Errorf("it took %v", time.Since(begin))
			}
		})
	}
}
