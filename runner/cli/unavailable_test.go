package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/runner/cli/app"
)

// A data set whose files are not there refuses the file, unless it says otherwise: then the others run, the report says what is missing,
// and neither the run nor the gate passes.
func TestUnavailableData(t *testing.T) {
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	t.Setenv("TENFOLD_DATA", "")
	t.Chdir(t.TempDir())
	var rows strings.Builder
	rows.WriteString("a,y\n")
	for i := range 30 {
		rows.WriteString(string(rune('0'+i*i%10)) + "," + string(rune('0'+i%7)) + ".5\n")
	}
	put(t, "here.csv", rows.String())
	put(t, "gone.csv", rows.String())
	const file = `tenfold: 1
name: partly
datasets:
  - {name: here, format: csv, files: {all: here.csv}, target: {column: "y"}}
  - {name: gone, format: csv, files: {all: {path: gone.csv, url: "https://example.org/gone.csv"}}, target: {column: "y"}}
folds: {kind: kfold, k: 2}
algorithms:
  - {name: mean, engine: mean}
  - {name: ridge, engine: ridge, params: {lambda: 1}}
metrics: [test_mse]
report:
  tables:
    - {rows: algorithm, columns: dataset, cells: "{test_mse}", ranks: nemenyi}
`
	put(t, "partly.yaml", file+"failures: {unavailable: skip}\n")
	for _, command := range []string{"run", "accept"} {
		if _, errs, code := invoke(t, command, "partly.yaml"); code != 0 {
			t.Fatalf("%s: code %d: %s", command, code, errs)
		}
	}
	if _, errs, code := invoke(t, "check", "partly.yaml"); code != 0 {
		t.Fatalf("with all data: code %d: %s", code, errs)
	}
	if err := os.Remove("gone.csv"); err != nil {
		t.Fatal(err)
	}
	if out, _, code := invoke(t, "validate", "partly.yaml"); code != 0 || !strings.Contains(out, "1 data set, 2 cells, 4 fits; 2 cells skipped") {
		t.Errorf("validate: code %d: %s", code, out)
	}
	if _, errs, code := invoke(t, "run", "partly.yaml", "--quiet"); code != 4 || !strings.Contains(errs, "partly: the data of 1 data set cannot be had: gone") {
		t.Errorf("run: code %d: %s", code, errs)
	}
	if _, errs, code := invoke(t, "gc", "--yes"); code != 2 || !strings.Contains(errs, "nothing removed: ") || !strings.Contains(errs, "the data of gone cannot be had") {
		t.Errorf("gc: code %d: %s", code, errs)
	}
	report, err := os.ReadFile("runs/partly/report.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"skipped |", "No ranks: they need at least 3 data sets", "## Skipped", `- gone × mean, ridge: the data cannot be had: files.all: no file "gone.csv"`, "tenfold data fetch downloads it from https://example.org/gone.csv"} {
		if !strings.Contains(string(report), want) {
			t.Errorf("no %q in\n%s", want, report)
		}
	}
	if _, errs, code := invoke(t, "check", "partly.yaml"); code != 4 || !strings.Contains(errs, "the gate cannot pass: something is missing or cannot be compared") {
		t.Errorf("check: code %d: %s", code, errs)
	}
	if _, errs, code := invoke(t, "run", "partly.yaml", "--only", "here/*", "--quiet"); code != 0 {
		t.Errorf("what is there alone: code %d: %s", code, errs)
	}
	put(t, "partly.yaml", file)
	if _, errs, code := invoke(t, "run", "partly.yaml"); code != 2 || !strings.Contains(errs, `no file "gone.csv"`) {
		t.Errorf("by default: code %d: %s", code, errs)
	}
	put(t, "partly.yaml", strings.Replace(file, "here.csv", "not-here.csv", 1)+"failures: {unavailable: skip}\n")
	if _, errs, code := invoke(t, "run", "partly.yaml"); code != 2 || !strings.Contains(errs, `no file "not-here.csv"`) || !strings.Contains(errs, "none of the 2 data sets are there (here, gone)") {
		t.Errorf("nothing is there: code %d: %s", code, errs)
	}
}

// A method whose program is not there refuses the file, unless it says otherwise: then the cells that do not need it run, the report says
// what is missing, neither the run nor the gate passes, and commands that run nothing work as ever.
func TestUnavailableMethod(t *testing.T) {
	x, spec, _ := newMethods(t)
	bin := t.TempDir()
	system := os.Getenv("PATH")
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+system)
	program := filepath.Join(bin, "slopes-here")
	install := func(text string) {
		t.Helper()
		put(t, program, text)
		if err := os.Chmod(program, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	file := strings.NewReplacer(
		"command: [sh, slopes.sh]", "command: [slopes-here]", "version: [sh, slopes.sh, version]", "version: [slopes-here, version]",
		"  - {name: mean, engine: mean}", "  - {name: refitted, select: {engine: lasso, params: {lambda: 1}}, refit: {engine: slopes}}\n  - {name: mean, engine: mean}",
	).Replace(withMethods) + "report:\n  tables: [{rows: algorithm, columns: metric}]\n"
	skips := file + "failures: {unavailable: skip}\n"
	put(t, spec, skips)
	dir := filepath.Join(t.TempDir(), "run")
	install(slopes)
	whole, _ := x.ok("run", spec, "--out", dir, "--allow-methods")
	for _, command := range []string{"accept", "check"} {
		x.ok(command, spec, "--out", dir, "--allow-methods")
	}
	lacks := func(why string) {
		t.Helper()
		code, out, errs := x.run("run", spec, "--out", dir, "--allow-methods")
		if code != app.ExitIncomplete {
			t.Errorf("run: exit code %d\n%s", code, errs)
		}
		wants(t, errs, "warning: "+spec+": method slopes cannot run here, and what uses it is left out: "+why, "1 cell, 3 fits: 0 to run, 3 cached", "small: 1 method cannot run: slopes")
		wants(t, out, "| slopes share=0.5 |", "skipped |", "or one of them is not there")
		report, err := os.ReadFile(filepath.Join(dir, "report.md"))
		if err != nil {
			t.Fatal(err)
		}
		wants(t, string(report), "- pairs × slopes share=0.5, slopes share=0.9, tuned, kept, refitted: method slopes cannot run: "+why, "## Methods", "- could not run: "+why)
	}
	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}
	const missing = `program "slopes-here" was looked for in PATH`
	lacks(missing)
	code, _, errs := x.run("check", spec, "--out", dir, "--allow-methods")
	if code != app.ExitIncomplete {
		t.Errorf("check: exit code %d\n%s", code, errs)
	}
	wants(t, errs, "the gate cannot pass: something is missing")
	out, _ := x.ok("plan", spec, "--out", dir)
	wants(t, out, "1 cell, 3 fits: 3 cached, 0 to run", "skipped: pairs, tuned: method slopes cannot run: "+missing)
	x.ok("validate", spec)
	x.ok("report", dir)
	x.ok("why", "mean", spec, "--out", dir)
	if code, _, errs := x.run("watch", dir); code != app.ExitIncomplete || !strings.Contains(errs, "small: 1 method cannot run: slopes") {
		t.Errorf("watch: exit code %d\n%s", code, errs)
	}
	x.ok("export", dir, "results")
	x.ok("verify", dir, "--sample", "100%", "--jobs", "1", "--allow-methods")
	if code, _, errs := x.run("gc", dir, "--yes"); code != app.ExitInvalid || !strings.Contains(errs, "nothing removed: ") || !strings.Contains(errs, "method slopes could not run") {
		t.Errorf("gc: exit code %d\n%s", code, errs)
	}
	wants(t, serves(t, dir).page("/run/"), "could not run", "slopes-here")
	if code, _, errs := x.run("run", spec, "--out", dir, "--allow-methods", "--only", "mean"); code != app.ExitOK {
		t.Errorf("what is there alone: exit code %d\n%s", code, errs)
	}

	install("#!/bin/sh\necho no library >&2\nexit 3\n")
	lacks(`version "slopes-here version": exit code 3: no library`)
	put(t, spec, strings.Replace(skips, "    version: [slopes-here, version]\n", "", 1))
	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}
	lacks(missing)
	put(t, spec, strings.Replace(strings.Replace(skips, "  - {name: mean, engine: mean}\n", "", 1), "lambda: 1}}, refit", "lambda: 2}}, refit", 1))
	if code, _, errs := x.run("run", spec, "--out", dir, "--allow-methods"); code != app.ExitInvalid || !strings.Contains(errs, "no algorithm is without one that cannot (slopes): "+missing) {
		t.Errorf("nothing is left: exit code %d\n%s", code, errs)
	}
	put(t, spec, file)
	if code, _, errs := x.run("run", spec, "--out", dir, "--allow-methods"); code != app.ExitInvalid || !strings.Contains(errs, "method slopes: "+missing) {
		t.Errorf("by default: exit code %d\n%s", code, errs)
	}

	put(t, spec, skips)
	install(slopes)
	again, errs := x.ok("run", spec, "--out", dir, "--allow-methods")
	wants(t, errs, "6 cells, 18 fits: 0 to run, 18 cached")
	if digest(again) != digest(whole) {
		t.Errorf("with the program again: digest %s, was %s", digest(again), digest(whole))
	}
}
