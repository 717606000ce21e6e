package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tenfold/runner/cli/app"
)

// searching has a fit of every kind that has works inside.
const searching = `tenfold: 1
name: searching
seed: 7
datasets:
  - {name: table, format: csv, files: {all: t.csv}, target: {column: "y"}, columns: {categorical: [kind]}}
folds: {kind: kfold, k: 2}
algorithms:
  - {name: tuned, engine: forest, params: {trees: 80}, tune: {mtry: [1, 2, 3], k: 3}}
  - {name: path, engine: lasso, tune: {lambda: path, k: 3, choose: one-se}}
  - {name: sequential, engine: forest, params: {trees: 20}, sequential: {size: "2", k: 2}}
  - {name: rfe, engine: forest, params: {trees: 60}, rfe: {size: 1, step: 1}}
  - {name: permutation, engine: forest, params: {trees: 60}, permutation: {k: 2, repeats: 2}}
  - {name: stability, engine: lasso, stability: {q: 2, pfer: 1, draws: 20}}
  - {name: boruta, engine: boruta, params: {trees: 60, max_runs: 20}}
metrics: [test_mse, selected]
`

// TestKilledInsideFits: kill -9 at random moments inside fits that search, again and again, until the run ends. Each next process goes on
// inside the fits, to the same results; what was done twice is logged.
func TestKilledInsideFits(t *testing.T) {
	t.Parallel()
	x, rng := newTrialOf(t, searching, 200), random(t)
	whole := x.process("run", x.spec, "--out", t.TempDir(), "--jobs", "2")
	if code, _, errs := x.wait(whole); code != app.ExitOK {
		t.Fatalf("exit code %d\n%s", code, errs)
	}
	kills, runs := 0, 0
	var spent time.Duration // by the processor
	for n := faults(t); kills < n && runs < n; runs++ {
		x.cleared(false)
		for ended := false; !ended; {
			cmd := x.process("run", x.spec, "--out", x.dir, "--jobs", "2")
			timer := time.AfterFunc(time.Duration((0.1+0.5*rng.Float64())*float64(x.took)), func() {
				if cmd.Process != nil {
					_ = cmd.Process.Kill()
				}
			})
			code, out, errs := x.wait(cmd)
			timer.Stop()
			spent += cmd.ProcessState.UserTime()
			switch ended = code == app.ExitOK; {
			case ended && digest(out) != x.want:
				t.Errorf("killed %d times: %s, want %s\n%s", kills, digest(out), x.want, errs)
			case !ended && code != -1:
				t.Fatalf("exit code %d\n%s", code, errs)
			case !ended:
				kills++
			}
		}
	}
	t.Logf("%d runs, killed %d times, took %s of the processor each; undisturbed it is %s", runs, kills, spent/time.Duration(runs), whole.ProcessState.UserTime())
}

// Works inside fits are shared: a list that is longer, another choice among the same candidates, and another algorithm that tunes them
// fit only what is new. Damaged logs are said and passed over, --fresh reads none, and gc removes those of folds that are no more.
func TestWorksAreShared(t *testing.T) {
	t.Parallel()
	d := newVisits(t)
	spec := func(extra, algorithms string) {
		d.write("x.yaml", strings.Replace(tuned[:strings.Index(tuned, "algorithms:")], "folds: {kind: given}", extra, 1)+"algorithms:\n"+algorithms+"metrics: [accuracy, log_loss]\n")
	}
	d.spec = d.path("x.yaml")
	logs := func() (n int, bytes int64) {
		paths, err := filepath.Glob(filepath.Join(d.dir, "inner", "*", "*.log"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			bytes += info.Size()
		}
		return len(paths), bytes
	}
	const forest = "engine: forest, params: {trees: 30}, tune: {min_leaf: [1, 9%s], k: 3%s}}\n"
	spec("folds: {kind: given}", "  - {name: one, "+fmt.Sprintf(forest, "", ""))
	d.ok("run", d.spec, "--out", d.dir)
	n, before := logs()
	if n != 1 || before == 0 {
		t.Fatalf("%d logs of %d bytes", n, before)
	}
	spec("folds: {kind: given}", "  - {name: again, "+fmt.Sprintf(forest, "", ", choose: one-se"))
	shared, _ := d.ok("run", d.spec, "--out", d.dir)
	if _, now := logs(); now != before {
		t.Errorf("one-se among the same candidates: %d bytes, %d before", now, before)
	}
	alone, _ := d.ok("run", d.spec, "--out", t.TempDir())
	if digest(shared) != digest(alone) {
		t.Errorf("with works of another fit: %s, without: %s", digest(shared), digest(alone))
	}
	spec("folds: {kind: given}", "  - {name: one, "+fmt.Sprintf(forest, ", 17", ""))
	d.ok("run", d.spec, "--out", d.dir)
	_, longer := logs()
	if record := (before - 16) / 6; longer != before+3*record { // two candidates on three inner folds
		t.Errorf("a list of three: %d bytes, a list of two: %d", longer, before)
	}
	paths, _ := filepath.Glob(filepath.Join(d.dir, "inner", "*", "*.log"))
	content, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	content[40] ^= 1
	d.write(strings.TrimPrefix(paths[0], d.path("")), string(content))
	spec("folds: {kind: given}", "  - {name: one, "+fmt.Sprintf(forest, ", 25", ""))
	healed, errs := d.ok("run", d.spec, "--out", d.dir)
	if !strings.Contains(errs, "whole.log: damaged: the checksum of the record at byte 16 does not match; fits inside other fits that it holds are done again") {
		t.Errorf("a damaged log:\n%s", errs)
	}
	fresh, errs := d.ok("run", d.spec, "--out", t.TempDir())
	if digest(fresh) != digest(healed) || strings.Contains(errs, "damaged") {
		t.Errorf("after a damaged log: %s, in an empty folder: %s", digest(healed), digest(fresh))
	}
	spec("folds: {kind: kfold, k: 2}", "  - {name: one, "+fmt.Sprintf(forest, "", ""))
	d.ok("run", d.spec, "--out", d.dir)
	if n, _ := logs(); n != 3 {
		t.Errorf("%d logs on one fold and on two others", n)
	}
	if out, _ := d.ok("gc", d.dir, "--yes"); !strings.Contains(out, "removed 5 stored results") { // four outcomes and a log
		t.Errorf("gc:\n%s", out)
	}
	if n, _ := logs(); n != 2 {
		t.Errorf("%d logs after gc, on two folds", n)
	}
}
