package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/runner/cli"
	"tenfold/runner/method/laws"
)

// TestMethodCheck: the method of method init for a shell keeps all laws; one that is spoilt does not, and the exit code says so.
func TestMethodCheck(t *testing.T) {
	t.Parallel()
	x, dir := tool{t, t.TempDir()}, t.TempDir()
	x.ok("method", "init", "first", "--shell", "--dir", dir)
	spec, code := filepath.Join(dir, "first.yaml"), filepath.Join(dir, "methods", "first.sh")
	if exit, _, errs := x.run("method", "check", spec); exit != cli.ExitInvalid || !strings.Contains(errs, "--allow-methods") {
		t.Errorf("without consent: %d\n%s", exit, errs)
	}
	out, _ := x.ok("method", "check", spec, "first", "--allow-methods")
	wants(t, out, "first: ", " 0 fail", "passes   again", "passes   writes", "noted    unknown")
	content, err := os.ReadFile(code)
	if err != nil {
		t.Fatal(err)
	}
	put(t, code, strings.Replace(string(content), "size=$(", "size=3 && : $(", 1))
	exit, out, errs := x.run("method", "check", spec, "--allow-methods", "--format", "json")
	var found []struct {
		Method   string
		Findings []laws.Finding
	}
	if err := json.Unmarshal([]byte(out), &found); err != nil || len(found) != 1 || found[0].Method != "first" || len(found[0].Findings) != len(laws.Names()) {
		t.Fatalf("%v in %s", err, out)
	}
	var failed []string
	for _, f := range found[0].Findings {
		if f.Verdict == laws.Fails {
			failed = append(failed, f.Law)
		}
	}
	if exit != cli.ExitInvalid || strings.Join(failed, " ") != "parameters" || !strings.Contains(errs, "1 law not kept") {
		t.Errorf("exit code %d, %v\n%s", exit, failed, errs)
	}
	x.ok("method", "check", spec, "--allow-methods", "--skip", "parameters")
	for want, args := range map[string][]string{
		`no law is named "parameter"; did you mean "parameters"?`: {spec, "--allow-methods", "--skip", "parameter"},
		`declares no method frist; did you mean "first"?`:         {spec, "frist", "--allow-methods"},
		"expected text or json":                                   {spec, "--format", "xml"},
	} {
		if exit, _, errs := x.run(append([]string{"method", "check"}, args...)...); exit != cli.ExitInvalid || !strings.Contains(errs, want) {
			t.Errorf("exit code %d\ngot  %s\nwant %s", exit, errs, want)
		}
	}
}
