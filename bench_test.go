package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// thousand is an experiment of 1000 cells on 5 folds.
const thousand = `tenfold: 1
name: thousand
seed: 1
datasets:
  - {name: s, format: synthetic, generator: tuples, rows: 300, truth: 10, noise: 1, features: {cutoff: 3}}
folds: {kind: kfold, k: 5, by: pattern}
algorithms:
  - {name: sw, engine: stagewise, params: {max_iter: 20}, grid: {epsilon: {linear: [0.01, 0.2, 1000]}}}
metrics: [test_mse]
gate:
  - {metric: test_mse, margin: {relative: 0.05}, test: nadeau-bengio}
`

// BenchmarkCheck is the gate with everything cached: 1000 cells, 5000 fits.
func BenchmarkCheck(b *testing.B) {
	dir := b.TempDir()
	spec := filepath.Join(dir, "thousand.yaml")
	if err := os.WriteFile(spec, []byte(thousand), 0o644); err != nil {
		b.Fatal(err)
	}
	tenfold := func(command string) {
		if code := run(context.Background(), io.Discard, io.Discard, []string{command, spec, "--out", filepath.Join(dir, "run"), "--cache", filepath.Join(dir, "cache")}); code != 0 {
			b.Fatalf("tenfold %s: exit code %d", command, code)
		}
	}
	tenfold("accept")
	for b.Loop() {
		tenfold("check")
	}
}
