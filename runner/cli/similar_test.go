package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
)

const standIns = `tenfold: 1
name: stand-ins
seed: 5
datasets:
  - {name: made, format: csv, files: {all: made.csv}, target: {column: y, type: real}, prepare: {scale: sd}%s}
folds: {kind: kfold, k: 5}
algorithms:
  - {name: steps, engine: forward-stepwise, params: {max_features: 2, criterion: none}}
metrics: [test_mse, stability, stability_yu, stability_mbm, stability_zucknick]
`

// Columns of which folds choose now one, now its stand-in: stability is low, and that which credits similar columns is high. What is
// similar changes no other result; the file of similar columns comes with it, goes with it, and is merged.
func TestStandInsAreCredited(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(3, 4))
	text := "a1,a2,a3,b1,b2,b3,c,d,e,y\n"
	for range 60 {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		for k := range 6 {
			text += fmt.Sprintf("%v,", []float64{a, b}[k/3]+0.1*rng.NormFloat64())
		}
		text += fmt.Sprintf("%v,%v,%v,%v\n", rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), a+b)
	}
	spec := filepath.Join(dir, "spec.yaml")
	write := func(more string) {
		file := fmt.Sprintf(standIns, more)
		if more == "" { // metrics of similar columns are refused where there are none
			file = strings.Replace(file, ", stability_yu, stability_mbm, stability_zucknick", "", 1)
		}
		for name, content := range map[string]string{"made.csv": text, "spec.yaml": file} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	x, out := tool{t, t.TempDir()}, filepath.Join(dir, "out")
	file := filepath.Join(out, results.SimilarFile)
	measured := func(run string) map[string]float64 {
		tables, err := results.Read(run)
		if err != nil {
			t.Fatal(err)
		}
		defer tables.Close()
		got := map[string]float64{}
		for _, m := range results.CellMetrics {
			if s, err := cells.StabilityOf(tables, cells.Group(tables.Rows)[0], m); err == nil {
				got[m] = s.Mean
			}
		}
		return got
	}
	write("")
	plain, _ := x.ok("run", spec, "--out", out)
	if got := measured(out); len(got) != 1 || !(got["stability"] < 0.9) {
		t.Fatalf("without similar columns: %v", got)
	}
	write(", similar: 0.9")
	with, errs := x.ok("run", spec, "--out", out)
	wants(t, errs, "0 to run, 5 cached")
	if digest(with) != digest(plain) {
		t.Errorf("the digest is %s, was %s", digest(with), digest(plain))
	}
	got := measured(out)
	if !(got[results.StabilityYu] > 0.99 && got[results.StabilityMBM] > 0.99 && got[results.StabilityZucknick] > got["stability"]) {
		t.Errorf("with them: %v", got)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	x.ok("run", spec, "--out", out)
	merged := filepath.Join(dir, "merged")
	x.ok("merge", out, "--out", merged)
	for _, run := range []string{out, merged} {
		if again := measured(run); fmt.Sprint(again) != fmt.Sprint(got) {
			t.Errorf("%s: %v, was %v", run, again, got)
		}
	}
	write(", similar: 1")
	said, _ := x.ok("run", spec, "--out", out)
	if again := measured(out); len(again) != 4 || again[results.StabilityYu] > 0.9 {
		t.Errorf("without a similar pair: %v\n%s", again, said)
	}
	write("")
	x.ok("run", spec, "--out", out)
	if _, err := os.Stat(file); err == nil {
		t.Error("the file is still there")
	}
	if !strings.Contains(said, "stability_yu") {
		t.Errorf("no column for it:\n%s", said)
	}
}
