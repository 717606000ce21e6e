package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/io/journal"
	"tenfold/io/results"
	"tenfold/runner/cli/app"
)

// change the stored outcome of a unit.
func change(t *testing.T, run, unit string, how func(o *results.Outcome)) {
	t.Helper()
	j, err := journal.Open(run)
	if err != nil {
		t.Fatal(err)
	}
	o, ok, err := j.Get(unit)
	if !ok || err != nil {
		t.Fatalf("%v, %v", ok, err)
	}
	how(o)
	if err := j.Put(unit, o); err != nil {
		t.Fatal(err)
	}
}

// score to be multiplied.
func scale(metric string, by float64) func(o *results.Outcome) {
	return func(o *results.Outcome) {
		for i := range o.Scores {
			if o.Scores[i].Metric == metric {
				o.Scores[i].Value *= by
			}
		}
	}
}

// TestMerge: fits that two runs have must agree; the rounding of another processor does no harm; a good outcome is taken where
// another run has a failure.
func TestMerge(t *testing.T) {
	t.Parallel()
	x, spec := newTool(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	whole, _ := x.ok("run", spec, "--out", at("a"))
	x.ok("run", spec, "--out", at("b"))
	stored, err := filepath.Glob(filepath.Join(at("b"), "cells", "*", "*.cell"))
	if err != nil || len(stored) != 12 {
		t.Fatal(len(stored), err)
	}
	unit := strings.TrimSuffix(filepath.Base(stored[3]), ".cell")

	change(t, at("b"), unit, scale("test_mse", 1+1e-12))
	out, errs := x.ok("merge", at("a"), at("b"), "--out", at("rounded"))
	wants(t, errs, at("a")+": 12 of its 12 fits", at("b")+": 0 of its 12 fits; 1 more differ from those of an earlier one by no more than 1e-09")
	if digest(out) != digest(whole) {
		t.Error("the digest is not that of the first run")
	}

	change(t, at("b"), unit, scale("test_mse", 1.5))
	code, _, errs := x.run("merge", at("a"), at("b"), "--out", at("different"))
	if code != app.ExitRegression {
		t.Errorf("exit code %d", code)
	}
	wants(t, errs, "nothing was merged: 1 fit came out differently", "pairs × ", "in "+at("b")+" test_mse is ", " in "+at("a"))
	if _, err := os.Stat(at("different")); err == nil {
		t.Error("the folder was left there")
	}

	change(t, at("b"), unit, func(o *results.Outcome) { o.Status, o.Error = results.Failed, "no memory" })
	out, _ = x.ok("merge", at("b"), at("a"), "--out", at("mended"))
	if digest(out) != digest(whole) {
		t.Error("a failure was taken, or another digest made")
	}
}

// TestMergeOfKilled: of runs that were killed before there were results, the plan knows what the fits are; also of a family,
// with stages and whole numbers in its grid.
func TestMergeOfKilled(t *testing.T) {
	t.Parallel()
	x, spec := newTool(t)
	more := []string{"--set", "algorithms.stagewise.grid.epsilon=[1, 0.5]", "--set", "algorithms.stagewise.grid.max_iter=[20, 40]"}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	whole, _ := x.ok(append([]string{"run", spec, "--out", at("whole"), "--set", "algorithms.stagewise.params={}"}, more...)...)
	x.ok(append([]string{"run", spec, "--out", at("a"), "--set", "algorithms.stagewise.params={}"}, more...)...)
	for _, name := range []string{"results", "metrics", "selections", "paths", "predictions"} {
		if err := os.Remove(filepath.Join(at("a"), name+".parquet")); err != nil {
			t.Fatal(err)
		}
	}
	out, _ := x.ok("merge", at("a"), "--out", at("b"))
	if digest(out) != digest(whole) {
		t.Errorf("%s, want %s", digest(out), digest(whole))
	}
	for _, run := range []string{"whole", "b"} {
		tables, err := results.ReadRows(filepath.Join(at(run), results.ResultsFile))
		if err != nil {
			t.Fatal(err)
		}
		var types []string
		for _, p := range tables.Rows[0].Grid {
			switch p.Value.(type) {
			case int64:
				types = append(types, p.Name+" int64")
			case float64:
				types = append(types, p.Name+" float64")
			}
		}
		if got := strings.Join(types, ", "); !strings.Contains(got, "epsilon float64") || !strings.Contains(got, "max_iter int64") {
			t.Errorf("%s: %s", run, got)
		}
	}
}
