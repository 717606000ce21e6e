package cli_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/runner/cli/app"
)

// tuned is an experiment on two classes of visits, several of a patient, with parameters chosen inside the training rows, and
// features selected by one engine for another.
const tuned = `tenfold: 1
name: tuned
seed: 4
datasets:
  - {name: visits, format: csv, files: {train: train.csv, test: test.csv}, columns: {id: n, group: patient}, target: {column: ill, type: class}}
folds: {kind: given}
algorithms:
  - {name: ridge, engine: logistic, tune: {c2: [1.0e+5, 100, 1], k: 4, metric: log_loss}}
  - {name: lasso, engine: lasso, tune: {lambda: path, k: 3, choose: one-se}}
  - {name: two, select: {engine: mdl, params: {code: ric2}}, refit: {engine: logistic, tune: {c2: [1.0e+5, 1], metric: log_loss}}}
  - {name: all, select: {engine: mdl}, refit: {engine: logistic}, tune: {select.code: [ric2, aic], refit.c2: [1.0e+5, 1], metric: log_loss}, grid: {tune.choose: [best, one-se]}}
metrics: [accuracy, log_loss, selected]
`

func newVisits(t *testing.T) desk {
	d := newDesk(t, tuned)
	rng := rand.New(rand.NewPCG(5, 6))
	for i, name := range []string{"train.csv", "test.csv"} {
		rows := []int{90, 30}[i]
		var table strings.Builder
		table.WriteString("n,patient,a,b,c,d,e,f,ill\n")
		for i := range rows {
			fmt.Fprintf(&table, "%s%d,%[1]s%d", name[:2], i, i/3)
			sum := 0.0
			for j := range 6 {
				x := rng.NormFloat64()
				if fmt.Fprintf(&table, ",%.4f", x); j < 2 {
					sum += 2 * x
				}
			}
			fmt.Fprintf(&table, ",%s\n", map[bool]string{true: "yes", false: "no"}[sum+rng.NormFloat64() > 0])
		}
		d.write(name, table.String())
	}
	return d
}

func TestTuned(t *testing.T) {
	t.Parallel()
	d := newVisits(t)
	out, _ := d.ok("run", d.spec, "--out", d.dir, "--jobs", "2")
	one, _ := d.ok("run", d.spec, "--out", t.TempDir(), "--jobs", "1")
	if digest(one) != digest(out) {
		t.Errorf("two workers: %s, one: %s", digest(out), digest(one))
	}
	_, errs := d.ok("run", d.spec, "--out", d.dir)
	wants(t, errs, "5 cells, 5 fits: 0 to run, 5 cached")
	wants(t, first(d.ok("verify", d.dir, "--sample", "100%")), "5 equal")
	wants(t, d.read(filepath.Join(d.dir, "report.html")), "tuned", "4 candidates on 5 inner folds", "inner log_loss", "selection: ")

	plan, _ := d.ok("plan", d.spec, "--out", d.dir, "--set", "algorithms.ridge.tune.c2=[1.0e+5, 1]", "--set", "algorithms.lasso.tune.k=5",
		"--set", "algorithms.two.select.params.code=aic", "--set", "algorithms.all.tune.choose=best")
	wants(t, plan, `params: tune.of is`, `params: tune is {"choose":"one-se"}, was {"choose":"one-se","k":3}`, `params: select is {"code":"aic"`, "1 cached, 3 to run")
	plan, _ = d.ok("plan", d.spec, "--out", d.dir, "--set", "folds={kind: holdout, by: patient, test: 0.2}")
	wants(t, plan, "changed: the rows of the fold changed")
	why, _ := d.ok("why", "ridge", d.spec, "--out", d.dir, "--set", "folds={kind: holdout, by: patient, test: 0.2}")
	wants(t, why, "inner folds", `{"by":true}`) // which keep patients together
	_, errs = d.ok("run", d.spec, "--out", filepath.Join(t.TempDir(), "groups"), "--set", "folds={kind: kfold, k: 3, by: patient}")
	wants(t, errs, "15/15 fits")

	code, _, errs := d.run("plan", d.spec, "--set", "algorithms.two.refit.params={c2: 1}")
	if code != app.ExitInvalid {
		t.Errorf("exit code %d", code)
	}
	wants(t, errs, "c2 stands both in tune and outside it")
	code, _, errs = d.run("validate", d.spec, "--set", "algorithms.lasso.engine=naive-bayes", "--set", "algorithms.lasso.tune={smooth: [1, 2]}")
	if code != app.ExitInvalid {
		t.Errorf("exit code %d", code)
	}
	wants(t, errs, "naive-bayes cannot use data set visits: it needs counts, and column \"b\" has a value below 0")
}

// The labels of test rows take no part in what is chosen, selected or fitted.
func TestTunedCanary(t *testing.T) {
	t.Parallel()
	d := newVisits(t)
	// Other labels make other seeds, and so other inner folds: what is best has to stand out in all of them.
	clear := []string{"--set", "algorithms.all.tune.choose=one-se", "--set", "algorithms.lasso.tune={lambda_ratio: [1, 0.01]}"}
	if code, _, errs := d.do("run", clear...); code != app.ExitOK {
		t.Fatal(errs)
	}
	was := fitted(t, d.dir)
	d.write("test.csv", strings.NewReplacer(",yes\n", ",no\n", ",no\n", ",yes\n").Replace(d.read(d.path("test.csv"))))
	if code, _, errs := d.do("run", clear...); code != app.ExitOK {
		t.Fatal(errs)
	}
	is := fitted(t, d.dir)
	for at := range was {
		if is[at].model != was[at].model {
			t.Errorf("%s: the labels of test rows changed the model:\n%s\nwas\n%s", at, is[at].model, was[at].model)
		}
	}
	tables, err := results.Read(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	for _, r := range tables.Rows {
		if v, ok := r.Outcome.Metric("accuracy"); !ok || v > 0.4 {
			t.Errorf("%s: accuracy %.3f on labels turned round", r.Algorithm, v)
		}
	}
}

// A budget of tuned points refuses what goes beyond it, changes no result, and stands in the report with what it was spent on.
func TestBudgetOfTunedPoints(t *testing.T) {
	t.Parallel()
	d := newVisits(t)
	d.write("x.yaml", strings.ReplaceAll(tuned, "lambda: path", "lambda_ratio: [0.5, 0.1]"))
	before, _ := d.ok("run", d.spec, "--out", d.dir)
	code, _, errs := d.run("validate", d.spec, "--set", "budget={tuned: 3}")
	if code != app.ExitInvalid {
		t.Errorf("exit code %d", code)
	}
	wants(t, errs, d.spec+":11:73: tune: 4 points, and budget.tuned is 3")
	out, errs := d.ok("run", d.spec, "--out", d.dir, "--set", "budget={tuned: 4}", "--set", "report={labels: {ridge: L2}}")
	wants(t, errs, " 0 to run")
	if digest(out) != digest(before) {
		t.Errorf("with a budget the digest is %s, without one %s", digest(out), digest(before))
	}
	for _, name := range []string{"report.md", "report.html"} {
		wants(t, d.read(filepath.Join(d.dir, name)), "Budget: an algorithm tunes over at most 4 points, in each fold and inside its training rows. 4 points: all. 3 points: L2. 2 points: lasso, two.")
	}
}
