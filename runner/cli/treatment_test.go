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

// treated is an experiment on numbers and a variable of four levels; %s is how its columns are treated.
const treated = `tenfold: 1
name: treated
seed: 5
datasets:
  - {name: made, format: csv, files: {all: made.csv}, columns: {categorical: [town]}, target: {column: y, type: real}%s}
folds: {kind: kfold, k: 3}
algorithms:
  - {name: lasso, engine: lasso, params: {lambda: 4}}
  - {name: tuned, engine: lasso, tune: {lambda_ratio: path, k: 3}}
  - {name: F, engine: anova, params: {features: 2}, stability: {q: 2, threshold: 0.8, draws: 4}}
  - {name: F then lasso, select: {engine: anova, params: {features: 3}}, refit: {engine: lasso, params: {lambda: 1}}}
metrics: [test_mse, selected, stability]
`

func runTreated(t *testing.T, treatment string, args ...string) (sum string, tables *results.Tables) {
	t.Helper()
	dir, rng := t.TempDir(), rand.New(rand.NewPCG(1, 2))
	text := "x0,x1,x2,x3,x4,x5,town,y\n"
	for range 80 {
		y, town := 0.0, rng.IntN(4)
		for j := range 6 {
			v := rng.NormFloat64()
			if text += fmt.Sprintf("%v,", v); j < 2 {
				y += 2 * v
			}
		}
		text += fmt.Sprintf("%s,%v\n", []string{"a", "b", "c", "d"}[town], y+float64(3*town)+rng.NormFloat64())
	}
	for name, content := range map[string]string{"made.csv": text, "treated.yaml": fmt.Sprintf(treated, treatment)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	x, out := tool{t, t.TempDir()}, filepath.Join(dir, "out")
	said, _ := x.ok(append([]string{"run", filepath.Join(dir, "treated.yaml"), "--out", out}, args...)...)
	tables, err := results.Read(out)
	if err != nil {
		t.Fatal(err)
	}
	return digest(said), tables
}

// Columns to keep are in every model, whatever stands around an engine; and any number of workers
// gives one digest. With unit: variable, levels count as one.
func TestTreatment(t *testing.T) {
	t.Parallel()
	const treatment = `, features: {keep: [x5], unit: variable}`
	first, with := runTreated(t, treatment)
	if again, _ := runTreated(t, treatment, "--jobs", "1"); again != first {
		t.Errorf("digests %s and %s", first, again)
	}
	_, plain := runTreated(t, "")
	keys := map[string]bool{}
	for _, r := range plain.Rows {
		keys[r.Unit] = true
	}
	for _, r := range with.Rows {
		if keys[r.Unit] {
			t.Errorf("%s has the key of columns treated alike", r.Algorithm)
		}
		kept, counted := false, map[string]bool{}
		selected, err := with.Selected(&r)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range selected {
			kept = kept || s.Feature == "x5" && s.Kept
			if !s.Kept {
				counted[s.Counted()] = true
			}
			if strings.HasPrefix(s.Feature, "town=") != (s.Unit == "town") {
				t.Errorf("%s: %s counts as %q", r.Algorithm, s.Feature, s.Unit)
			}
		}
		if !kept {
			t.Errorf("%s, fold %d: %v, without the column to keep", r.Algorithm, r.Fold, counted)
		}
		if all, _ := r.Metric(results.SelectedWithKeptMetric); int(all) != len(counted)+1 {
			t.Errorf("%s: %v features with the kept one, expected %d", r.Algorithm, all, len(counted)+1)
		}
		if int(r.Features) != len(counted) || r.Candidates() != 6 {
			t.Errorf("%s: %d selected of %d, expected %d of 6", r.Algorithm, r.Features, r.Candidates(), len(counted))
		}
	}
}
