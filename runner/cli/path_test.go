package cli_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/runner/cli/app"
)

// selected is an experiment on words that hint at classes, with paths of five algorithms; %s is the path of the first.
const selected = `tenfold: 1
name: selected
seed: 5
datasets:
  - {name: words, format: csv, files: {all: words.csv}, columns: {categorical: [w1, w2, w3]}, prepare: {encode: one-hot}, target: {column: label, type: class}}
folds: {kind: kfold, k: 3}
algorithms:
  - {name: SGC, engine: sgc, params: {cutoff: 1}, path: %s}
  - {name: IFS, engine: ifs, params: {cutoff: 1}, path: {at: [3, 12], refit: false}}
  - {name: count, engine: count, path: {at: [5]}}
  - {name: L1, engine: l1, params: {c1: 0.5, path: 20}, path: {at: [4, 7]}}
  - {name: RFE, engine: logistic, rfe: {step: 0.4}, path: {at: [3, 6]}}
  - {name: tuned, engine: logistic, rfe: {}, tune: {rfe.size: path, k: 2, choose: one-se}}
  - {name: all, engine: maxent}
metrics: [accuracy, train_log_loss]
report:
  tables: [{rows: algorithm, columns: point, cells: "{accuracy}"}]
  figures: [{kind: sweep, x: point, y: accuracy}, {kind: frontier, x: point}]
`

// newPaths writes the experiment and its data.
func newPaths(t *testing.T, path string) (x tool, spec string) {
	t.Helper()
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	table := "w1,w2,w3,label\n"
	for range 90 {
		a, b, c := rng.IntN(5), rng.IntN(4), rng.IntN(3)
		class := a % 3
		if rng.Float64() < 0.3 {
			class = b % 3
		}
		table += fmt.Sprintf("a%d,b%d,c%d,%s\n", a, b, c, []string{"subj", "obj", "mod"}[class])
	}
	spec = filepath.Join(dir, "selected.yaml")
	for name, text := range map[string]string{"words.csv": table, "selected.yaml": fmt.Sprintf(selected, path)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return tool{t, t.TempDir()}, spec
}

// scores of a run, by algorithm, fold, metric and point; -1 is the final model.
func scores(t *testing.T, dir string) map[string]float64 {
	t.Helper()
	tables, err := results.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	out := map[string]float64{}
	for i := range tables.Rows {
		r := &tables.Rows[i]
		all, err := tables.Scores(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			out[fmt.Sprint(r.Algorithm, " ", r.Fold, " ", s.Metric, " ", s.Point)] = s.Value
		}
	}
	return out
}

func TestSelectionPath(t *testing.T) {
	x, spec := newPaths(t, "{at: [10, 4], refit: true}")
	dir := filepath.Join(t.TempDir(), "out")
	out, _ := x.ok("run", spec, "--out", dir)
	wants(t, out, "point=3", "point=4", "point=10", "point=12", "no point", "IFS", "count")
	for _, figure := range []string{"sweep-point-accuracy-words", "frontier-point-accuracy-words"} {
		if _, err := os.Stat(filepath.Join(dir, "figures", figure+".svg")); err != nil {
			t.Error(err)
		}
	}
	again, _ := tool{t, t.TempDir()}.ok("run", spec, "--jobs", "1", "--out", filepath.Join(t.TempDir(), "again"))
	if digest(again) != digest(out) {
		t.Errorf("one worker: %s, several: %s", digest(again), digest(out))
	}
	params, err := os.ReadFile(filepath.Join(dir, "plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	wants(t, string(params), `"path": "[4,10]"`)

	// A point is what a fit of that size alone gives, and the row of a cell is its last point.
	alone, specs := filepath.Join(t.TempDir(), "alone"), filepath.Join(filepath.Dir(spec), "alone.yaml")
	text := strings.Replace(fmt.Sprintf(selected, "{at: [4]}"), "{at: [3, 12], refit: false}", "{at: [3], refit: false}", 1)
	text = strings.Replace(text, "path: 20}, path: {at: [4, 7]}", "path: 20, features: 4}", 1)
	if err := os.WriteFile(specs, []byte(strings.NewReplacer("count, path: {at: [5]}", "count, params: {features: 5}", "{step: 0.4}, path: {at: [3, 6]}", "{step: 0.4, size: 3}").Replace(text)), 0o644); err != nil {
		t.Fatal(err)
	}
	x.ok("run", specs, "--out", alone)
	path, single := scores(t, dir), scores(t, alone)
	compared := 0
	for _, c := range []struct{ path, single string }{
		{"SGC %d %s 4", "SGC %d %s -1"}, {"IFS %d %s 3", "IFS %d %s -1"}, {"count %d %s 5", "count %d %s -1"}, {"L1 %d %s 4", "L1 %d %s -1"},
		{"RFE %d %s 3", "RFE %d %s -1"}, {"RFE %d %s 6", "!RFE %d %s -1"},
		{"SGC %d %s 10", "!SGC %d %s -1"}, {"IFS %d %s 12", "!IFS %d %s -1"}, {"count %d %s -1", "count %d %s -1"}, {"L1 %d %s 7", "!L1 %d %s -1"},
	} {
		for fold := range 3 {
			for _, metric := range []string{"accuracy", "log_loss", "train_accuracy", "train_log_loss", "train_log_likelihood", "nonzero", "selected", "evaluations", "iterations"} {
				want, ok := single[fmt.Sprintf(c.single, fold, metric)]
				if other, same := strings.CutPrefix(c.single, "!"); same {
					want, ok = path[fmt.Sprintf(other, fold, metric)]
				}
				got, has := path[fmt.Sprintf(c.path, fold, metric)]
				if !ok || !has || !(math.Abs(got-want) <= 1e-9*math.Max(1, math.Abs(want))) {
					t.Errorf(c.path+": %v (%v), want %v (%v)", fold, metric, got, has, want, ok)
				}
				compared++
			}
		}
	}
	for _, key := range []string{"SGC 0 seconds_fit 4", "IFS 2 seconds_fit 12", "count 1 seconds_fit 5"} {
		if !(path[key] > 0) {
			t.Errorf("%s: %v", key, path[key])
		}
	}
	if sizes := path["RFE 0 selected 3"] + path["RFE 0 selected 6"]; sizes != 9 {
		t.Errorf("models of 3 and 6 columns have %v", sizes)
	}
	if _, ok := path["all 0 accuracy 10"]; ok || compared == 0 {
		t.Error("an engine without a path has points")
	}
}

// A path is part of what a result is made of; where it changes, the cell runs again and says why.
func TestSelectionPathChanges(t *testing.T) {
	x, spec := newPaths(t, "{at: [10, 4], refit: true}")
	dir := filepath.Join(t.TempDir(), "out")
	x.ok("run", spec, "--out", dir)
	out, _ := x.ok("plan", spec, "--out", dir, "--set", "algorithms.SGC.path.at=[4, 10]")
	if strings.Contains(out, "changed") {
		t.Errorf("the order of sizes matters:\n%s", out)
	}
	out, _ = x.ok("plan", spec, "--out", dir, "--set", "algorithms.SGC.path.at=[4, 6, 10]")
	wants(t, out, "changed: path.at is [4,6,10], was [4,10]")
	out, _ = x.ok("plan", spec, "--out", dir, "--set", "algorithms.SGC.path.refit=false")
	wants(t, out, "changed: params: final_refit is false, was default")
	// the dimension is there for what is rendered later
	out, _ = x.ok("report", dir, "--rows", "point", "--columns", "metric", "--metric", "accuracy,evaluations", "--filter", "algorithm=SGC")
	wants(t, out, "point=4", "point=10", "evaluations")

	code, _, errs := x.run("validate", spec, "--set", "algorithms.SGC.params.features=7")
	if code != app.ExitInvalid || !strings.Contains(errs, "features is for path to say") {
		t.Errorf("features beside a path: exit code %d, %s", code, errs)
	}
}
