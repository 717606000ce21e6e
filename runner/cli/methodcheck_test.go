package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/runner/cli/app"
	"tenfold/runner/method/laws"
)

// TestMethodCheck: the method of method init for a shell keeps all laws; one that is spoilt does not, and the exit code says so.
func TestMethodCheck(t *testing.T) {
	t.Parallel()
	x, dir := tool{t, t.TempDir()}, t.TempDir()
	x.ok("method", "init", "first", "--shell", "--dir", dir)
	spec, code := filepath.Join(dir, "first.yaml"), filepath.Join(dir, "methods", "first.sh")
	if exit, _, errs := x.run("method", "check", spec); exit != app.ExitInvalid || !strings.Contains(errs, "--allow-methods") {
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
	if exit != app.ExitInvalid || strings.Join(failed, " ") != "parameters" || !strings.Contains(errs, "1 law not kept") {
		t.Errorf("exit code %d, %v\n%s", exit, failed, errs)
	}
	x.ok("method", "check", spec, "--allow-methods", "--skip", "parameters")
	for want, args := range map[string][]string{
		`no law is named "parameter"; did you mean "parameters"?`: {spec, "--allow-methods", "--skip", "parameter"},
		`declares no method frist; did you mean "first"?`:         {spec, "frist", "--allow-methods"},
		"expected text or json":                                   {spec, "--format", "xml"},
	} {
		if exit, _, errs := x.run(append([]string{"method", "check"}, args...)...); exit != app.ExitInvalid || !strings.Contains(errs, want) {
			t.Errorf("exit code %d\ngot  %s\nwant %s", exit, errs, want)
		}
	}
}

// TestMethodCheckOfWords: the words that algorithms give to a parameter are tried, too; here one makes predictions depend on the number
// of rows.
func TestMethodCheckOfWords(t *testing.T) {
	t.Parallel()
	x, dir := tool{t, t.TempDir()}, t.TempDir()
	put(t, filepath.Join(dir, "m.sh"), `[ "$1" = predict ] || { echo '{"selected": [0]}' > "$1/fitted.json"; exit; }
rows=$(awk '!/^%/ { print $1; exit }' "$2/$3")
grep -q '"mode":"batch"' "$2/request.json" && value=$rows
{ echo "%%MatrixMarket matrix array real general"; echo "$rows 1"; yes "${value:-1}" | head -n "$rows"; } > "$2/predictions.mtx"
`)
	spec := filepath.Join(dir, "x.yaml")
	for mode, fails := range map[string]bool{"other": false, "batch": true} {
		put(t, spec, `tenfold: 1
name: x
methods:
  - {name: m, command: [sh, m.sh], code: [m.sh], params: {mode: plain}, target: [real], output: [selected, predictions], style: calls, matrix: mtx}
datasets: [{name: d, format: synthetic, generator: tuples, rows: 60, truth: 4, noise: 0.5}]
algorithms:
  - {name: m, engine: m, grid: {mode: [plain, `+mode+`]}}
folds: {kind: kfold, k: 2}
`)
		var skip []string
		for _, l := range laws.Names() {
			if l != "answers" && l != "batch" {
				skip = append(skip, l)
			}
		}
		exit, out, errs := x.run("method", "check", spec, "--allow-methods", "--skip", strings.Join(skip, ","))
		if (exit == app.ExitInvalid) != fails || strings.Contains(out, "fails    batch        mode=batch: prediction 20 of row ") != fails {
			t.Errorf("%s: exit code %d\n%s%s", mode, exit, out, errs)
		}
	}
}
