package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/engines/all"
	"tenfold/io/results"
)

// With labels in random order, whatever goes around an engine scores at chance on rows that it has not seen, beside engines alone and tuned:
// what screens, halves, eliminates, doubles or multiplies columns does so within the training rows.
func TestShuffledLabels(t *testing.T) {
	t.Parallel()
	around := map[string]string{ // an algorithm that asks for each wrapper
		"tune":         "engine: l1, tune: {c1: path, k: 3}",
		"select":       "select: {engine: anova, params: {features: 10}}, refit: {engine: logistic}",
		"combinations": "engine: l1, params: {c1: 3}, combinations: {}",
		"multiclass":   "engine: logistic, multiclass: one-vs-rest",
		"class_weight": "engine: logistic, class_weight: balanced",
		"decide":       "", // of costs: TestCosts
		"rfe":          "engine: logistic, rfe: {size: 5}",
		"permutation":  "engine: logistic, permutation: {features: 5, k: 3, repeats: 2}",
		"sequential":   "engine: logistic, sequential: {size: 3, screen: 20, k: 3}",
		"stability":    "engine: l1, stability: {q: 10, threshold: 0.55, draws: 20}",
		"knockoffs":    "engine: l1, params: {c1_ratio: 0.3}, knockoffs: {fdr: 0.8, offset: 0}",
		"transfer":     "", // of families of tasks: TestCanary of engines/coding/transfer
	}
	var algorithms strings.Builder
	for _, key := range append(allKeys(), "tune", all.Wrappers().Pair.Keys[0]) {
		text, known := around[key]
		if !known {
			t.Errorf("no algorithm asks for %s", key)
		}
		if text != "" {
			fmt.Fprintf(&algorithms, "  - {name: %s, %s}\n", key, text)
		}
	}
	const rows, columns = 120, 300
	rng := rand.New(rand.NewPCG(4, 4))
	var table strings.Builder
	for j := range columns {
		fmt.Fprintf(&table, "x%d,", j)
	}
	table.WriteString("y\n")
	for _, i := range rng.Perm(rows) {
		for range columns {
			fmt.Fprintf(&table, "%.4f,", rng.NormFloat64())
		}
		table.WriteString([]string{"no\n", "yes\n"}[i%2])
	}
	dir := t.TempDir()
	spec := "tenfold: 1\nname: shuffled\ndatasets:\n  - {name: d, format: csv, files: {all: d.csv}, target: {column: \"y\"}}\nfolds: {kind: kfold, k: 5, repeats: 2}\n" +
		"algorithms:\n" + algorithms.String() + "metrics: [accuracy]\n"
	for name, content := range map[string]string{"d.csv": table.String(), "shuffled.yaml": spec} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	x := tool{t, filepath.Join(dir, "cache")}
	x.ok("run", filepath.Join(dir, "shuffled.yaml"), "--out", filepath.Join(dir, "run"))
	tables, err := results.Read(filepath.Join(dir, "run"))
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	mean := map[string]float64{}
	for _, r := range tables.Rows {
		for _, s := range r.Scores {
			if s.Metric == "accuracy" {
				mean[r.Algorithm] += s.Value / 10
			}
		}
	}
	for key, text := range around {
		if got, ok := mean[key]; text != "" && (!ok || got < 0.36 || got > 0.64) { // 0.5 ± 3 · 0.046
			t.Errorf("%s: accuracy %.3f, expected chance", key, got)
		}
	}
}

// allKeys of the wrappers.
func allKeys() (keys []string) {
	for _, w := range all.Wrappers().Around {
		keys = append(keys, w.Key())
	}
	return keys
}
