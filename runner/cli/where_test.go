package cli_test

import (
	"os"
	"strings"
	"testing"
)

// An algorithm limited to some data sets has no cells on the others: nothing runs there, nothing is missing there, tables and the report
// say so, and the cells that it has are those that it has without the limit.
func TestDatasetsOfAlgorithms(t *testing.T) {
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	t.Setenv("TENFOLD_DATA", "")
	t.Chdir(t.TempDir())
	const where = `, datasets: [one, "tw*"]`
	const file = `tenfold: 1
name: limited
datasets:
  - {name: one, format: synthetic, rows: 300, truth: 5}
  - {name: two, format: synthetic, rows: 310, truth: 5}
  - {name: three, format: synthetic, rows: 320, truth: 5}
  - {name: four, format: synthetic, rows: 330, truth: 5}
folds: {kind: kfold, k: 2}
algorithms:
  - {name: mean, engine: mean}
  - {name: slow, engine: ridge, params: {lambda: 1}` + where + `}
  - {name: ols, engine: ols}
  - {name: ridge, engine: ridge, params: {lambda: 100}}
metrics: [test_r2]
report:
  tables:
    - {rows: algorithm, columns: dataset, cells: "{test_r2}", ranks: nemenyi}
`
	everywhere := strings.Replace(file, where, "", 1)
	must := func(args ...string) (out string) {
		t.Helper()
		out, errs, code := invoke(t, args...)
		if code != 0 {
			t.Fatalf("%v: code %d: %s", args, code, errs)
		}
		return out
	}
	put(t, "limited.yaml", everywhere)
	must("run", "limited.yaml", "--quiet")
	put(t, "limited.yaml", file)
	wants(t, must("validate", "limited.yaml"), "4 data sets, 14 cells, 28 fits; 2 cells left out by datasets of algorithms")
	wants(t, must("plan", "limited.yaml"), "14 cells, 28 fits: 28 cached, 0 to run",
		"note: skipped: three, four, slow: the experiment file asks for other data sets only (datasets: one, tw*)\n")
	limited := must("run", "limited.yaml")
	wants(t, limited, "skipped: the experiment file asks for slow on other data sets only (datasets: one, tw*).",
		"left out of the ranks, because results are missing: slow")
	report, err := os.ReadFile("runs/limited/report.md")
	if err != nil {
		t.Fatal(err)
	}
	section := string(report)[strings.Index(string(report), "## Skipped"):]
	wants(t, section, "- three, four × slow: the experiment file asks for other data sets only (datasets: one, tw\\*)\n")
	if n := strings.Count(section, "asks for other data sets"); n != 1 {
		t.Errorf("%d lines for one algorithm:\n%s", n, section)
	}
	if n := strings.Count(string(report), " skipped |"); n != 2 {
		t.Errorf("%d places are skipped:\n%s", n, report)
	}

	// From nothing it gives the same results, in one process or in shards that are merged.
	if other := must("run", "limited.yaml", "--out", "again", "--quiet"); digest(other) != digest(limited) {
		t.Error("results that were made without the key are others")
	}
	if merged := must("merge", "again", "runs/limited", "--out", "merged"); digest(merged) != digest(limited) {
		t.Errorf("merged: %s", merged)
	}
	must("plan", "limited.yaml", "--out", "parts", "--shards", "2")
	for _, i := range []string{"0", "1"} {
		must("shard", "parts/shards/1.json", i)
	}
	if sharded := must("run", "limited.yaml", "--out", "parts", "--quiet"); digest(sharded) != digest(limited) {
		t.Error("results of shards are others")
	}

	// The gate has nothing to miss; what was recorded before is gone until it is accepted again.
	must("accept", "limited.yaml")
	must("check", "limited.yaml")
	baseline, err := os.ReadFile("limited.baseline.yaml")
	if err != nil || strings.Count(string(baseline), "\n    slow:") != 2 {
		t.Errorf("baseline: %v\n%s", err, baseline)
	}
	put(t, "limited.yaml", everywhere)
	must("accept", "limited.yaml")
	put(t, "limited.yaml", file)
	if out, _, code := invoke(t, "check", "limited.yaml"); code != 4 || strings.Count(out, "no longer a cell of the experiment; accept it again if that is meant") != 2 {
		t.Errorf("check: code %d: %s", code, out)
	}

	// What asks for a cell that is left out is told why.
	for _, args := range [][]string{{"run", "limited.yaml", "--only", "three/slow"}, {"why", "three/slow", "limited.yaml"}} {
		if _, errs, code := invoke(t, args...); code != 2 || !strings.Contains(errs, "three/slow is skipped: the experiment file asks for other data sets only (datasets: one, tw*)") {
			t.Errorf("%v: code %d: %s", args, code, errs)
		}
	}
	wants(t, must("plan", "limited.yaml", "--only", "slow"), "2 cells, 4 fits: 4 cached, 0 to run")
	must("verify", "runs/limited")
	must("report", "runs/limited")
}

// Predictions made elsewhere are needed where their algorithm runs alone, and those for other data sets of the file are passed over.
func TestDatasetsOfImports(t *testing.T) {
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	t.Setenv("TENFOLD_DATA", "")
	t.Chdir(t.TempDir())
	put(t, "a.csv", "a,y\n1,1\n2,2\n3,3\n4,4\n")
	put(t, "b.csv", "a,y\n1,5\n2,6\n3,7\n4,8\n")
	const file = `tenfold: 1
name: elsewhere
datasets:
  - {name: a, format: csv, files: {all: a.csv}, target: {column: "y"}, folds: {kind: holdout, test: 0.5}}
  - {name: b, format: csv, files: {all: b.csv}, target: {column: "y"}, folds: {kind: holdout, test: 0.5}}
algorithms:
  - {name: mean, engine: mean}
  - {name: theirs, import: {predictions: theirs.csv}, datasets: a}
metrics: [test_mse]
`
	put(t, "x.yaml", file)
	for name, content := range map[string]string{
		"of one data set, which it does not name": "fold,row,prediction\n0,0,1\n0,1,1\n0,2,1\n0,3,1\n",
		"of both": "dataset,fold,row,prediction\nb,0,0,1\nb,7,1,1\na,0,0,1\na,0,1,1\na,0,2,1\na,0,3,1\n",
	} {
		put(t, "theirs.csv", content)
		out, errs, code := invoke(t, "validate", "x.yaml")
		if code != 0 || !strings.Contains(out, "3 cells, 3 fits; 1 cell left out by datasets of algorithms") {
			t.Errorf("%s: code %d: %s%s", name, code, out, errs)
		}
	}
	put(t, "theirs.csv", "dataset,fold,row,prediction\nc,0,0,1\n")
	if _, errs, code := invoke(t, "validate", "x.yaml"); code != 2 || !strings.Contains(errs, `the experiment has no data set "c"`) {
		t.Errorf("code %d: %s", code, errs)
	}
}
