package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/io/results"
)

// combined is an experiment on labels that only pairs of columns tell; %s is what else the algorithms have.
const combined = `tenfold: 1
name: combined
seed: 5
datasets:
  - {name: xor, format: csv, files: {all: xor.csv}, target: {column: label, type: class}}
folds: {kind: kfold, k: 4}
algorithms:
  - {name: L1, engine: l1, params: {c1: 2}}
  - {name: pairs, engine: l1, params: {c1: 2}, combinations: {%s}, grid: {combinations.threshold: [1, 2]}}
metrics: [accuracy, duality_gap]
report:
  figures: [{kind: sweep, x: combinations.threshold, y: accuracy}]
`

func newCombined(t *testing.T, more string) (x tool, spec string) {
	t.Helper()
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	table := "b,a,c,label\n"
	for range 300 {
		a, b, c := rng.IntN(2), rng.IntN(2), rng.IntN(2)
		table += fmt.Sprintf("%d,%d,%d,%s\n", b, a, c, []string{"same", "other"}[a^b])
	}
	spec = filepath.Join(dir, "combined.yaml")
	for name, text := range map[string]string{"xor.csv": table, "combined.yaml": fmt.Sprintf(combined, more)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return tool{t, t.TempDir()}, spec
}

func TestCombinations(t *testing.T) {
	t.Parallel()
	x, spec := newCombined(t, "rounds: 2")
	dir := filepath.Join(t.TempDir(), "out")
	out, _ := x.ok("run", spec, "--out", dir)
	wants(t, out, "pairs combinations.threshold=1")
	again, _ := tool{t, t.TempDir()}.ok("run", spec, "--jobs", "1", "--out", filepath.Join(t.TempDir(), "again"))
	if digest(again) != digest(out) {
		t.Errorf("one worker: %s, several: %s", digest(again), digest(out))
	}
	tables, err := results.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	pairs := 0
	for i := range tables.Rows {
		r := &tables.Rows[i]
		scores, err := tables.Scores(r)
		if err != nil {
			t.Fatal(err)
		}
		selected, err := tables.Selected(r)
		if err != nil {
			t.Fatal(err)
		}
		accuracy, names := -1.0, map[string]bool{}
		for _, s := range scores {
			if s.Metric == "accuracy" {
				accuracy = s.Value
			}
		}
		for _, s := range selected {
			names[s.Feature] = true
		}
		switch {
		case r.Algorithm == "pairs":
			if pairs++; accuracy != 1 || !names["a&b"] {
				t.Errorf("fold %d: accuracy %v with %v", r.Fold, accuracy, names)
			}
		case accuracy > 0.7 || names["a&b"]:
			t.Errorf("fold %d without pairs: accuracy %v with %v", r.Fold, accuracy, names)
		}
		if r.Columns != 3 || int(r.Features) != len(names) {
			t.Errorf("fold %d: %d columns of the data, %d of %d features", r.Fold, r.Columns, r.Features, len(names))
		}
	}
	if pairs != 8 {
		t.Errorf("%d rows with pairs", pairs)
	}

	_, errs := x.ok("run", spec, "--out", dir)
	wants(t, errs, "0 to run, 12 cached")
	plan, _ := x.ok("plan", spec, "--out", dir, "--set", "algorithms.pairs.combinations.rounds=1")
	wants(t, plan, "4 cached, 8 to run", "changed: params: combinations.rounds is default, was 2")
	plan, _ = x.ok("plan", spec, "--out", dir, "--set", "algorithms.pairs.combinations={order: 2, rounds: 2, cap: 5000}")
	wants(t, plan, "12 cached, 0 to run")
	about, _ := x.ok("describe", "engine", "l1")
	if wants(t, about, "combinations (default):", "min_support"); strings.Contains(about, "cache:") {
		t.Error(about)
	}
}
