package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts plays the sessions in testdata/script, each in a folder of its own with small.yaml in it: a user's commands as
// processes, with what they print and how they end. There is one a command at least.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("runner/cli/testdata", "script"),
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			bin := filepath.Join(e.WorkDir, ".bin")
			if err := os.Mkdir(bin, 0o755); err != nil {
				return err
			}
			if err := os.Symlink(self, filepath.Join(bin, "tenfold")); err != nil {
				return err
			}
			e.Setenv("PATH", bin+string(os.PathListSeparator)+e.Getenv("PATH"))
			e.Setenv("TENFOLD_TEST_MAIN", "1")
			e.Setenv("TENFOLD_CACHE", filepath.Join(e.WorkDir, ".cache"))
			return os.WriteFile(filepath.Join(e.WorkDir, "small.yaml"), []byte(small), 0o644)
		},
	})
}

// played elsewhere: by tests of their own beside this one.
var played = map[string]bool{"help": true, "fit": true, "predict": true, "features": true, "serve": true, "cancel": true}

// TestEveryCommandHasAScript reads the commands from the help.
func TestEveryCommandHasAScript(t *testing.T) {
	t.Parallel()
	x, _ := newTool(t)
	help, _ := x.ok("--help")
	found := regexp.MustCompile(`(?m)^  ([a-z]+) +[A-Z]`).FindAllStringSubmatch(help, -1)
	if len(found) < 20 {
		t.Fatalf("%d commands in:\n%s", len(found), help)
	}
	for _, m := range found {
		if _, err := os.Stat(filepath.Join("runner/cli/testdata", "script", m[1]+".txtar")); err != nil && !played[m[1]] {
			t.Errorf("tenfold %s has no session: %v", m[1], err)
		}
	}
}
