package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tenfold/runner/cli/app"
)

// slopes is a method in a shell and awk: it selects the columns whose slope on the response is at least a share of the largest, and
// predicts by the mean and these slopes, divided by their number.
const slopes = `#!/bin/sh
set -e
[ "$1" = version ] && { echo "slopes 1"; exit; }
cd "$1"
share=$(sed 's/.*"share":\([0-9.]*\).*/\1/' request.json)
awk -v share="$share" '
FILENAME == "y.mtx" { if (/^%/) next; if (!rows) { rows = $1; next }; y[++n] = $1; mean += $1 / rows; next }
/^%/ { next }
!columns { columns = $2; next }
{ xy[$2] += $3 * (y[$1] - mean); xx[$2] += $3 * $3 }
END {
	for (j = 1; j <= columns; j++) { b[j] = xx[j] ? xy[j] / xx[j] : 0; a = b[j] < 0 ? -b[j] : b[j]; if (a > most) most = a }
	for (j = 1; j <= columns; j++) { a = b[j] < 0 ? -b[j] : b[j]; if (most > 0 && a >= share * most) kept[++k] = j }
	printf "{\"coefficients\": ["
	for (i = 1; i <= k; i++) printf "%s[%d, 0, %.17g]", (i > 1 ? ", " : ""), kept[i] - 1, b[kept[i]] / k
	printf "], \"intercept\": %.17g, \"stop\": \"done\"}\n", mean
}' y.mtx train.mtx > fitted.json
echo fitted
`

const withMethods = `tenfold: 1
name: small
methods:
  - name: slopes
    doc: slopes of single columns
    command: [sh, slopes.sh]
    code: [slopes.sh]
    version: [sh, slopes.sh, version]
    params: {share: 0.5}
    target: [real]
    output: [coefficients]
    matrix: mtx
datasets:
  - {name: pairs, format: synthetic, generator: tuples, rows: 600, truth: 40, noise: 0.5, seed: 3, features: {cutoff: 8}}
folds: {kind: kfold, k: 3, by: pattern}
algorithms:
  - {name: slopes, engine: slopes, grid: {share: [0.5, 0.9]}}
  - {name: tuned, engine: slopes, tune: {share: [0.3, 0.7], k: 2}}
  - {name: kept, select: {engine: slopes, params: {share: 0.2}}, refit: {engine: ridge}}
  - {name: mean, engine: mean}
metrics: [test_mse, nonzero]
`

func newMethods(t *testing.T) (x tool, spec, code string) {
	t.Helper()
	dir := t.TempDir()
	spec, code = filepath.Join(dir, "small.yaml"), filepath.Join(dir, "slopes.sh")
	put(t, spec, withMethods)
	put(t, code, slopes)
	return tool{t, t.TempDir()}, spec, code
}

// TestMethods: a shell script is an engine: with a grid, tuned, in select; its numbers are the same for any number of workers, and a change
// of its code runs the cells that depend on it, and no others.
func TestMethods(t *testing.T) {
	t.Parallel()
	x, spec, code := newMethods(t)
	dir := filepath.Join(t.TempDir(), "run")
	if code, _, errs := x.run("run", spec, "--out", dir); code != app.ExitInvalid || !strings.Contains(errs, "slopes: sh slopes.sh") || !strings.Contains(errs, "--allow-methods") {
		t.Fatalf("without consent: %d\n%s", code, errs)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a run without consent made a folder")
	}
	out, errs := x.ok("run", spec, "--out", dir, "--allow-methods", "--jobs", "1")
	wants(t, errs, "5 cells, 15 fits: 15 to run")
	wants(t, out, "slopes share=0.5", "tuned", "kept")
	other, _ := x.ok("run", spec, "--out", filepath.Join(t.TempDir(), "b"), "--allow-methods", "--jobs", "3")
	if digest(out) != digest(other) {
		t.Errorf("one worker %s, three %s", digest(out), digest(other))
	}
	report, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	wants(t, string(report), "sh slopes.sh, version slopes 1, code ", "## Methods\n\nslopes:\n\n- command: sh slopes.sh\n- version: slopes 1\n- code: ", "- sha256 of slopes.sh: ")
	shown := serves(t, dir).page("/run/")
	_, shown, found := strings.Cut(shown, ">Methods</h2>")
	if !found {
		t.Error("the page of the run has no methods")
	}
	wants(t, shown, "slopes", "sh slopes.sh", "slopes 1", "sha256 of slopes.sh")
	if left, _ := os.ReadDir(filepath.Join(dir, "exchange")); len(left) > 0 {
		t.Errorf("%d exchange folders are left", len(left))
	}
	plan, _ := x.ok("plan", spec, "--out", dir)
	wants(t, plan, "15 cached, 0 to run")
	content, err := os.ReadFile(code)
	if err != nil {
		t.Fatal(err)
	}
	put(t, code, string(content)+"# changed\n")
	plan, _ = x.ok("plan", spec, "--out", dir)
	wants(t, plan, "code file slopes.sh changed", "3 cached, 12 to run")
	put(t, code, strings.Replace(string(content), "slopes 1", "slopes 2", 1))
	_, errs = x.ok("run", spec, "--out", dir, "--allow-methods")
	wants(t, errs, "12 to run, 3 cached")
	x.ok("run", spec, "--out", dir, "--allow-methods")
	plan, _ = x.ok("plan", spec, "--out", dir)
	wants(t, plan, "15 cached, 0 to run")
}

// TestMethodsWithoutCode have results of one run alone.
func TestMethodsWithoutCode(t *testing.T) {
	t.Parallel()
	x, spec, _ := newMethods(t)
	put(t, spec, strings.Replace(withMethods, "    code: [slopes.sh]\n", "", 1))
	dir := filepath.Join(t.TempDir(), "run")
	x.ok("run", spec, "--out", dir, "--allow-methods")
	_, errs := x.ok("run", spec, "--out", dir, "--allow-methods")
	wants(t, errs, "12 to run, 3 cached")
	put(t, spec, strings.Replace(withMethods, "code: [slopes.sh]", "code: [none]", 1))
	x.ok("run", spec, "--out", dir, "--allow-methods")
	_, errs = x.ok("run", spec, "--out", dir, "--allow-methods")
	wants(t, errs, "0 to run, 15 cached")
}

// TestChangedDefault: fits that took the default run again when the declaration has another one.
func TestChangedDefault(t *testing.T) {
	t.Parallel()
	x, spec, _ := newMethods(t)
	put(t, spec, strings.Replace(withMethods, "engine: slopes, grid: {share: [0.5, 0.9]}", "engine: slopes", 1))
	dir := filepath.Join(t.TempDir(), "run")
	before, _ := x.ok("run", spec, "--out", dir, "--allow-methods", "--only", "slopes")
	content, err := os.ReadFile(spec)
	if err != nil {
		t.Fatal(err)
	}
	put(t, spec, strings.Replace(string(content), "params: {share: 0.5}", "params: {share: 0.9}", 1))
	plan, _ := x.ok("plan", spec, "--out", dir, "--only", "slopes")
	wants(t, plan, "the default of share is 0.9, was 0.5", "0 cached, 3 to run")
	if after, _ := x.ok("run", spec, "--out", dir, "--allow-methods", "--only", "slopes"); digest(after) == digest(before) {
		t.Error("another default gives the same digest")
	}
}

// TestNotDeterministic: a method that throws dice is marked in tables, and differs at verify and reproduce without failing, where the
// declaration says so.
func TestNotDeterministic(t *testing.T) {
	t.Parallel()
	x, spec, code := newMethods(t)
	put(t, code, strings.Replace(slopes, "b[kept[i]] / k", "b[kept[i]] / k * (1 + dice / 100)", 1))
	content, err := os.ReadFile(code)
	if err != nil {
		t.Fatal(err)
	}
	put(t, code, strings.Replace(string(content), "-v share=", "-v dice=$(od -An -N2 -tu2 /dev/urandom | tr -d ' ') -v share=", 1))
	dir := filepath.Join(t.TempDir(), "run")
	out, _ := x.ok("run", spec, "--out", dir, "--allow-methods")
	if strings.Contains(out, "≈") {
		t.Errorf("marked as not deterministic:\n%s", out)
	}
	if exit, _, errs := x.run("verify", dir, "--sample", "100%", "--jobs", "1", "--allow-methods"); exit != app.ExitRegression {
		t.Errorf("declared as deterministic: exit code %d\n%s", exit, errs)
	}
	put(t, spec, strings.Replace(withMethods, "    target: [real]\n", "    target: [real]\n    deterministic: false\n", 1))
	plan, _ := x.ok("plan", spec, "--out", dir)
	wants(t, plan, "deterministic=false", "3 cached, 12 to run")
	out, _ = x.ok("run", spec, "--out", dir, "--allow-methods")
	wants(t, out, "≈: 12 of 12 fits may come out differently when made again")
	out, _ = x.ok("verify", dir, "--sample", "100%", "--jobs", "1,2", "--allow-methods")
	wants(t, out, "6 equal, 9 different as declared", "(not deterministic)")
	out, _ = x.ok("reproduce", filepath.Join(dir, "results.parquet"), "--allow-methods")
	wants(t, out, "6 equal, 9 different as declared")
}

// TestMethodsFail: a method that fails is a row with the last that it wrote, and the run goes on.
func TestMethodsFail(t *testing.T) {
	t.Parallel()
	x, spec, code := newMethods(t)
	put(t, code, "[ \"$1\" = version ] && { echo 1; exit; }\necho no luck today >&2\nexit 7\n")
	exit, out, errs := x.run("run", spec, "--out", filepath.Join(t.TempDir(), "run"), "--allow-methods")
	if exit != app.ExitIncomplete {
		t.Errorf("exit code %d\n%s%s", exit, out, errs)
	}
	wants(t, errs, "exit code 7: no luck today", "12 of 15 fits failed, 0 are missing")
	put(t, code, "[ \"$1\" = version ] && { echo 1; exit; }\nprintf 'Loading\\nError in fit(x) : \\n  need two\\n  values\\nCalls: serve -> fit\\nExecution halted\\n' >&2\nexit 1\n")
	_, _, errs = x.run("run", spec, "--out", filepath.Join(t.TempDir(), "run"), "--allow-methods") // as R ends
	wants(t, errs, "exit code 1: Error in fit(x) : need two values\n")
}

// TestMethodVersion: a version that cannot be asked ends the command before any fit.
func TestMethodVersion(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"no-such-program-here":         `method slopes: program "no-such-program-here" was looked for in PATH`,
		`"true"`:                       `method slopes: version "true" printed nothing`,
		"sh, -c, 'echo no >&2; false'": `method slopes: version "sh -c echo no >&2; false": exit code 1`,
	} {
		x, spec, _ := newMethods(t)
		put(t, spec, strings.Replace(withMethods, "version: [sh, slopes.sh, version]", "version: ["+version+"]", 1))
		code, _, errs := x.run("run", spec, "--out", filepath.Join(t.TempDir(), "run"), "--allow-methods")
		if code != app.ExitInvalid || !strings.Contains(errs, want) {
			t.Errorf("exit code %d\ngot  %s\nwant %s", code, errs, want)
		}
	}
}

// TestMethodOfFile: a declaration may stand in a file of its own, with paths relative to that.
func TestMethodOfFile(t *testing.T) {
	t.Parallel()
	x, spec, code := newMethods(t)
	begin, rest, _ := strings.Cut(withMethods, "methods:\n")
	declaration, rest, _ := strings.Cut(rest, "datasets:\n")
	put(t, spec, begin+"methods:\n  - file: methods/slopes.yaml\ndatasets:\n"+rest)
	own := filepath.Join(filepath.Dir(spec), "methods", "slopes.yaml")
	put(t, own, strings.ReplaceAll(strings.Replace(declaration, "  - name", "    name", 1), "\n    ", "\n")[4:])
	content, err := os.ReadFile(code)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(filepath.Dir(own), "slopes.sh"), string(content))
	x.ok("run", spec, "--out", filepath.Join(t.TempDir(), "run"), "--allow-methods")
	put(t, own, "name: slopes\ncommand: sh\n")
	exit, _, errs := x.run("validate", spec)
	if exit != app.ExitInvalid {
		t.Errorf("exit code %d", exit)
	}
	wants(t, errs, own+":2:10: command: expected a list")
}

// TestConsentIsRemembered by the digest of a declaration, or by a folder, in the user's settings alone.
func TestConsentIsRemembered(t *testing.T) {
	x, spec, _ := newMethods(t)
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("HOME", home)
	dir := filepath.Join(t.TempDir(), "run")
	allowed := filepath.Join(home, "tenfold", "methods")
	put(t, allowed, "here\n")
	exit, _, errs := x.run("run", spec, "--out", dir)
	if exit != app.ExitInvalid {
		t.Errorf("exit code %d", exit)
	}
	wants(t, errs, allowed+`:1: "here", expected a folder from the root or the digest of a declaration`)
	put(t, allowed, fmt.Sprintf("# mine\n%s\n", filepath.Dir(spec)))
	x.ok("run", spec, "--out", dir)
	t.Setenv("TENFOLD_ALLOW_METHODS", "0")
	put(t, allowed, "")
	if exit, _, _ := x.run("run", spec, "--out", dir); exit != app.ExitInvalid {
		t.Errorf("exit code %d", exit)
	}
	t.Setenv("TENFOLD_ALLOW_METHODS", "1")
	x.ok("run", spec, "--out", dir)
}

// TestMethodsKilled: after kill -9 the next run ends the method that was left, fits what is missing, and has the same digest.
func TestMethodsKilled(t *testing.T) {
	t.Parallel()
	x, spec, code := newMethods(t)
	content, err := os.ReadFile(code)
	if err != nil {
		t.Fatal(err)
	}
	// Its third fit never ends. Its code is not what keys go by here.
	put(t, spec, strings.Replace(withMethods, "code: [slopes.sh]", "code: [none]", 1))
	whole, _ := x.ok("run", spec, "--out", t.TempDir(), "--allow-methods")
	mark := filepath.Join(filepath.Dir(spec), "fits")
	put(t, code, strings.Replace(string(content), "cd \"$1\"\n", fmt.Sprintf("echo $$ >> %q\n[ $(wc -l < %[1]q) -gt 2 ] && sleep 3600\ncd \"$1\"\n", mark), 1))
	dir := filepath.Join(t.TempDir(), "run")
	cmd := exec.CommandContext(t.Context(), os.Args[0], "run", spec, "--out", dir, "--cache", x.cache, "--allow-methods", "--jobs", "1")
	cmd.Env = append(os.Environ(), "TENFOLD_TEST_MAIN=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var hanging string
	for deadline := time.Now().Add(30 * time.Second); hanging == "" && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		text, _ := os.ReadFile(mark)
		if started := strings.Fields(string(text)); len(started) > 2 {
			hanging = started[2]
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	put(t, code, string(content))
	again, _ := x.ok("run", spec, "--out", dir, "--allow-methods")
	if digest(again) != digest(whole) {
		t.Errorf("killed and resumed: %s, in one go: %s", digest(again), digest(whole))
	}
	if stat, err := os.ReadFile(filepath.Join("/proc", hanging, "stat")); hanging == "" || err == nil && !strings.Contains(string(stat), ") Z ") {
		t.Errorf("the method of the killed run, process %q, goes on", hanging)
	}
}

// orders is a method of times in a shell and awk: it predicts by minus the slopes of the columns on the times, and says how many events it was
// given, with the hazard of times that are exponential.
const orders = `#!/bin/sh
set -e
cd "$1"
grep -q '"type":"survival"' request.json
awk '
FILENAME == "y.mtx" { if (/^%/) next; if (!rows) { rows = $1; next }; y[++n] = $1; mean += $1 / rows; if ($1 > last) last = $1; next }
FILENAME == "events.mtx" { if (/^%/) next; if (!seen) { seen = 1; next }; events += $1; next }
/^%/ { next }
!columns { columns = $2; next }
{ xy[$2] += $3 * (y[$1] - mean); xx[$2] += $3 * $3 }
END {
	printf "{\"coefficients\": ["
	for (j = 1; j <= columns; j++) printf "%s[%d, 0, %.17g]", (j > 1 ? ", " : ""), j - 1, xx[j] ? -xy[j] / xx[j] / mean : 0
	printf "], \"baseline\": {\"time\": [%.17g, %.17g], \"hazard\": [%.17g, %.17g]}, \"facts\": {\"events\": \"%d of %d\"}}\n", last / 2, last, events / rows / 2 / mean * last, events / rows / mean * last, events, rows
}' y.mtx events.mtx train.mtx > fitted.json
echo fitted
`

const withTimes = `tenfold: 1
name: times
methods:
  - name: orders
    command: [sh, orders.sh]
    code: [orders.sh]
    target: [survival]
    output: [coefficients]
    matrix: mtx
datasets:
  - {name: trial, format: csv, files: {all: trial.csv}, columns: {id: id}, target: {type: survival, time: time, event: died}}
folds: {kind: kfold, k: 3, stratify: true}
algorithms:
  - {name: orders, engine: orders}
  - {name: orders of two, select: {engine: cox-filter, params: {features: 2}}, refit: {engine: orders}}
metrics: [concordance, integrated_brier, "brier:5"]
`

// A method gets times and events, and hands back risks and a baseline hazard.
func TestMethodOfTimes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	spec := filepath.Join(dir, "times.yaml")
	put(t, spec, withTimes)
	put(t, filepath.Join(dir, "orders.sh"), orders)
	rows := "id,a,b,c,time,died\n"
	for i := range 90 {
		a, b := i%7, i%5
		rows += fmt.Sprintf("r%d,%d,%d,%d,%d,%d\n", i, a, b, i%3, 1+2*(7-a)+b+i%4, min(1, i%4))
	}
	put(t, filepath.Join(dir, "trial.csv"), rows)
	x := tool{t, t.TempDir()}
	out, _ := x.ok("run", spec, "--out", filepath.Join(dir, "run"), "--data", dir, "--allow-methods")
	wants(t, out, "orders of two", "concordance", "integrated_brier", "brier:5")
	if strings.Contains(out, "–") {
		t.Errorf("a metric has no value:\n%s", out)
	}
	wants(t, read(t, filepath.Join(dir, "run", "report.md")), "45 of 60")
	put(t, spec, strings.Replace(withTimes, "target: [survival]", "target: [survival, real]", 1))
	if code, _, errs := x.run("validate", spec, "--data", dir); code != app.ExitInvalid || !strings.Contains(errs, "expected it alone, or all three") {
		t.Errorf("exit %d: %s", code, errs)
	}
	put(t, filepath.Join(dir, "orders.sh"), strings.Replace(orders, "last / 2, last", "last, last", 1))
	put(t, spec, withTimes)
	_, _, errs := x.run("run", spec, "--out", filepath.Join(dir, "bad"), "--data", dir, "--allow-methods")
	wants(t, errs, "baseline: time[1]: ", "expected times that rise")
}
