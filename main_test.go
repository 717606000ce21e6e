package main

import (
	"strings"
	"testing"

	"tenfold/runner/cli/app"
)

// TestProgram: the parts fit together, all engines are there, and exit codes are those of the command line. What commands do is
// tested in runner/cli.
func TestProgram(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"version", app.ExitOK, "tenfold"},
		{"describe engine stagewise", app.ExitOK, "epsilon"},
		{"describe format csv", app.ExitOK, "columns"},
		{"validate experiments/quickstart.yaml", app.ExitOK, "quickstart"},
		{"rum", app.ExitInvalid, "run"},
	} {
		var out, errs strings.Builder
		if code := run(t.Context(), &out, &errs, strings.Fields(c.args)); code != c.code || !strings.Contains(out.String()+errs.String(), c.says) {
			t.Errorf("tenfold %s: exit code %d, expected %d and %q in:\n%s%s", c.args, code, c.code, c.says, out.String(), errs.String())
		}
	}
}
