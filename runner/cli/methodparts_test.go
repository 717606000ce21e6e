package cli_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/io/host/hosttest"
	"tenfold/io/results"
)

// centres is a method in a shell and awk for classes: the level whose mean is nearest. Its scores are linear.
const centres = `#!/bin/sh
set -e
cd "$1"
levels=$(sed 's/.*"outputs":\([0-9]*\).*/\1/' request.json)
awk -v levels="$levels" '
/^%/ { next }
FILENAME == "y.mtx" { if (!rows) { rows = $1; next }; y[++n] = $1; count[$1]++; next }
!columns { columns = $2; next }
{ mean[y[$1], $2] += $3 / count[y[$1]] }
END {
	printf "{\"selected\": [1, 0], \"coefficients\": ["
	for (l = 0; l < levels; l++) for (j = 1; j <= columns; j++) {
		m = mean[l, j] + 0
		printf "%s[%d, %d, %.17g]", (l + j > 1 ? ", " : ""), j - 1, l, m
		half[l] += m * m / 2
	}
	printf "], \"intercept\": ["
	for (l = 0; l < levels; l++) printf "%s%.17g", (l ? ", " : ""), -half[l]
	print "]}"
}' y.mtx train.mtx > fitted.json
echo fitted
`

// TestMethodsInParts: a method takes part wherever an engine does: alone, in one-vs-rest, tuned, in select and in refit, with a grid, in families
// of tasks, in a combination of these, and every cell of it is right about rows that one can be right about.
func TestMethodsInParts(t *testing.T) {
	t.Parallel()
	hosttest.NeedPrograms(t, "a shell for each of hundreds of fits")
	dir := t.TempDir()
	x := tool{t, t.TempDir()}
	put(t, filepath.Join(dir, "centres.sh"), centres)
	var rows strings.Builder
	rows.WriteString("a,b,noise,kind\n")
	for i := range 90 {
		at := [][2]int{{0, 0}, {9, 0}, {0, 9}}[i%3]
		fmt.Fprintf(&rows, "%d,%d,%d,%s\n", at[0]+i%4, at[1]+i%5, i%2, []string{"one", "two", "three"}[i%3])
	}
	put(t, filepath.Join(dir, "rows.csv"), rows.String())
	const text = `tenfold: 1
name: parts
methods:
  - {name: centres, command: [sh, centres.sh], code: [centres.sh], params: {size: 1}, output: [selected, coefficients], target: [class], matrix: mtx}
datasets:
  - {name: whole, format: csv, files: {all: rows.csv}, target: kind}
  - {name: pairs, format: csv, files: {all: rows.csv}, target: kind, family: one-vs-one}
  - {name: rest, format: csv, files: {all: rows.csv}, target: kind, family: one-vs-rest}
folds: {kind: kfold, k: 3}
algorithms:
  - {name: alone, engine: centres}
  - {name: varied, engine: centres, grid: {size: [1, 2]}}
  - {name: by level, engine: centres, multiclass: one-vs-rest}
  - {name: tuned, engine: centres, tune: {size: [1, 2], k: 2}}
  - {name: chosen, select: {engine: centres}, refit: {engine: logistic}}
  - {name: refitted, select: {engine: chi2, params: {features: 2}}, refit: {engine: centres}}
  - {name: both, select: {engine: centres}, refit: {engine: centres, params: {size: 2}, multiclass: one-vs-rest}}
  - {name: both tuned, select: {engine: centres}, refit: {engine: centres}, tune: {refit.size: [1, 2], k: 2}}
metrics: [accuracy]
`
	spec, run := filepath.Join(dir, "parts.yaml"), filepath.Join(t.TempDir(), "run")
	put(t, spec, text)
	out, _ := x.ok("run", spec, "--out", run, "--allow-methods", "--jobs", "1")
	again, _ := x.ok("run", spec, "--out", filepath.Join(t.TempDir(), "b"), "--allow-methods", "--jobs", "4")
	if digest(out) != digest(again) {
		t.Errorf("one worker %s, four %s", digest(out), digest(again))
	}
	found, err := results.Read(run)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	seen, judged := map[string]int{}, 0
	for _, row := range found.Rows {
		name := row.Algorithm + " on " + row.Dataset
		if row.Family != "" {
			name = row.Algorithm + " on " + row.Family
		}
		seen[name]++
		for _, s := range row.Scores {
			// One against the rest is not linear where the levels are corners of a right angle: most rows are right, not all.
			least := 0.99
			if row.Family == "rest" || strings.Contains(row.Algorithm, "level") || strings.HasPrefix(row.Algorithm, "both") && !strings.Contains(row.Algorithm, "tuned") {
				least = 0.6
			}
			if s.Metric != "accuracy" {
				continue
			}
			judged++
			if s.Value < least {
				t.Errorf("%s %s: accuracy %v", name, row.Task, s.Value)
			}
		}
		if row.Status != results.OK {
			t.Errorf("%s: %s: %s", name, row.Status, row.Error)
		}
	}
	if judged < len(found.Rows) {
		t.Errorf("%d of %d fits have an accuracy", judged, len(found.Rows))
	}
	for _, algorithm := range []string{"alone", "varied", "by level", "tuned", "chosen", "refitted", "both", "both tuned"} {
		folds := 3
		if algorithm == "varied" {
			folds *= 2
		}
		for family, tasks := range map[string]int{"whole": 1, "pairs": 3, "rest": 3} {
			if got := seen[algorithm+" on "+family]; got != folds*tasks {
				t.Errorf("%s on %s: %d fits, want %d", algorithm, family, got, folds*tasks)
			}
		}
	}
}
