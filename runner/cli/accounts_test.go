package cli_test

import (
	_ "embed"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

//go:embed testdata/accounts.txt
var accountsOfTrials string

// found are the words about rows and columns in what validate prints, and the numbers that were found.
var found = regexp.MustCompile(`(?m)^data set .*: rows: (?:\d+ of )?(\d+)(?: \(.*\))?; columns: (?:\d+ of )?(\d+)(?:[ ,].*)?$`)

// TestAccountsOfTrials: of every file of the trials, tenfold accounts for as many rows and columns as other programs see there, or refuses
// it and says why. Check, which every data set passes, compares the numbers found with those accounted for.
func TestAccountsOfTrials(t *testing.T) {
	folder := os.Getenv("TENFOLD_TRIALS")
	if folder == "" {
		t.Skip("TENFOLD_TRIALS names no folder of trials")
	}
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	t.Setenv("TENFOLD_DATA", "")
	lines := strings.Split(strings.TrimSpace(accountsOfTrials), "\n")[1:]
	refused := 0
	for _, line := range lines {
		fields := strings.Split(line, "\t")
		file, rows, columns, why := filepath.Join(folder, filepath.FromSlash(fields[0])), fields[1], fields[2], fields[3]
		spec := file
		if filepath.Ext(file) != ".yaml" {
			spec = filepath.Join(t.TempDir(), "new.yaml")
			if _, errs, code := invoke(t, "init", "-y", file, "-o", spec); code != 0 {
				if refused++; why == "" || !strings.Contains(errs, why) {
					t.Errorf("%s: init says %s, expected %q", fields[0], errs, why)
				}
				continue
			}
		}
		out, errs, code := invoke(t, "validate", spec)
		if code != 0 {
			if refused++; why == "" || !strings.Contains(errs, why) {
				t.Errorf("%s: validate says %s, expected %q", fields[0], errs, why)
			}
			continue
		}
		if got := found.FindStringSubmatch(out); got == nil || got[1] != rows || got[2] != columns {
			t.Errorf("%s: %s rows and %s columns, and validate says\n%s", fields[0], rows, columns, out)
		}
	}
	t.Logf("%d files, %d of them refused", len(lines), refused)
}
