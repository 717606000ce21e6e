package cli_test

import (
	_ "embed"
	"fmt"
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

// TestAccountsAreTold: init, validate, run and the report say the same of what is used of a file; run says nothing where all is.
func TestAccountsAreTold(t *testing.T) {
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	t.Setenv("TENFOLD_DATA", "")
	t.Chdir(t.TempDir())
	gaps, whole := "Id,a,b,site,note,kind\n", "a,b,kind\n"
	for i := range 40 {
		kind := []string{"oak", "ash"}[i%2]
		whole += fmt.Sprintf("0.%d,0.%d,%s\n", i*i%7, i*i%11, kind)
		if i == 3 || i == 4 {
			kind = ""
		}
		gaps += fmt.Sprintf("t%d,0.%d,0.%d,7,seen %d times,%s\n", i, i*i%7, i*i%11, i, kind)
	}
	const rows, columns = "38 of 40 (2 without a response)", "3 of 6 (id: Id; target: kind; dropped: note), the same in every row: site"
	put(t, "gaps.csv", gaps)
	put(t, "whole.csv", whole)
	x := tool{t, t.TempDir()}
	_, errs := x.ok("init", "-y", "gaps.csv")
	wants(t, errs, "\nrows     "+rows+"\ncolumns  "+columns+"\n")
	out, _ := x.ok("validate", "gaps.yaml")
	wants(t, out, "data set gaps: rows: "+rows+"; columns: "+columns+"\n")
	_, errs = x.ok("run", "gaps.yaml")
	wants(t, errs, "gaps: rows: "+rows+"; columns: "+columns+"\n")
	report, err := os.ReadFile("runs/gaps/report.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"rows": rows, "columns": columns} {
		if !regexp.MustCompile(`\n\| ` + name + ` +\| ` + regexp.QuoteMeta(value) + ` *\|\n`).Match(report) {
			t.Errorf("no %s %s in %s", name, value, report)
		}
	}
	x.ok("init", "-y", "whole.csv")
	if _, errs = x.ok("run", "whole.yaml"); strings.Contains(errs, "rows:") {
		t.Errorf("all is used, and run says %s", errs)
	}
}
