package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/runner/cli/app"
)

// families is an experiment on four classes: six tasks of two classes each.
const families = `tenfold: 1
name: families
seed: 3
datasets:
  - {name: news, format: csv, files: {all: news.csv}, columns: {id: n, categorical: [w1, w2, w3]}, prepare: {encode: one-hot}, target: {column: class, type: class}, family: one-vs-one}
folds: {kind: kfold, k: 3, stratify: true}
algorithms:
  - {name: SGC, engine: sgc, params: {cutoff: 1}, path: {at: [2, 5]}}
  - {name: maxent, engine: maxent, grid: {refit_variance: [0.1, 1]}}
  - {name: count, engine: count, params: {features: 6}}
  - {name: majority, engine: majority}
metrics: [accuracy, f2]
report:
  tables:
    - {rows: algorithm, columns: metric, metric: "accuracy, selected", cells: "{value} ± {value.se} of {value.n}", baseline: majority}
    - {rows: task, columns: algorithm, metric: accuracy, title: By task}
    - {rows: algorithm, columns: point, cells: "{accuracy}", title: By size}
gate:
  - {metric: accuracy, margin: {absolute: 0.02}, test: paired-t}
`

// newFamily writes the experiment and its data: words that hint at one of four classes.
func newFamily(t *testing.T) desk {
	d := newDesk(t, families)
	rng := rand.New(rand.NewPCG(5, 6))
	table := "n,w1,w2,w3,class\n"
	for i := range 160 {
		class := rng.IntN(4)
		w := func(chance float64) int {
			if rng.Float64() < chance {
				return class
			}
			return rng.IntN(6)
		}
		table += fmt.Sprintf("row%d,a%d,b%d,c%d,%s\n", i, w(0.6), w(0.4), w(0), []string{"comp", "rec", "sci/med", "talk"}[class])
	}
	d.write("news.csv", table)
	return d
}

func TestFamily(t *testing.T) {
	t.Parallel()
	d := newFamily(t)
	plan, _ := d.ok("plan", d.spec, "--out", d.dir)
	wants(t, plan, "data set news: 6 tasks one-vs-one of 160 rows × 18 columns, each", "family  news × SGC", "6 of 6 tasks, 18 of 18 fits", "30 cells, 90 fits: 0 cached, 90 to run")
	if n := strings.Count(plan, "\n"); n != 7 {
		t.Errorf("%d lines:\n%s", n, plan)
	}
	valid, _ := d.ok("validate", d.spec)
	wants(t, valid, "1 data set with 6 tasks, 30 cells, 90 fits")

	out, _ := d.ok("run", d.spec, "--out", d.dir, "--jobs", "4")
	wants(t, out, "of 6", "news: averaged over 6 tasks.", "standard error over tasks", "Wilcoxon's signed-rank test over 6 tasks", "comp vs sci/med", "point=2")
	again, errs := d.ok("run", d.spec, "--out", d.dir)
	wants(t, errs, "0 to run, 90 cached")
	one, _ := d.ok("run", d.spec, "--out", t.TempDir(), "--jobs", "1")
	if digest(again) != digest(out) || digest(one) != digest(out) {
		t.Errorf("four workers: %s, again: %s, one: %s", digest(out), digest(again), digest(one))
	}

	tables, err := results.Read(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	for i := range tables.Rows {
		r := &tables.Rows[i]
		if r.Family != "news" || r.Dataset != "news/"+r.Task || r.RowsTrain+r.RowsTest > 100 {
			t.Errorf("%+v: %d rows", r.Label, r.RowsTrain+r.RowsTest)
		}
		p, err := tables.Predictions(r)
		if err != nil || !strings.HasPrefix(p.Row[0], "row") || !strings.Contains(r.Task, p.TruthLabel[0]) {
			t.Errorf("%s: %v, %v", r.Task, p.Row, err)
		}
	}
	md := d.read(filepath.Join(d.dir, "report.md"))
	wants(t, md, "1 data set with 6 tasks, 4 algorithms, 5 cells, 90 fits", "| news ", "6 tasks × 3", "news: overlap of the selections", "Means over 6 tasks.")
	wants(t, d.read(filepath.Join(d.dir, "report.html")), "6: each stands below with the means over its folds", "--only news/SGC")
	wants(t, d.read(filepath.Join(d.dir, "metrics.json")), `"tasks": 6`)
}

func TestSomeTasks(t *testing.T) {
	t.Parallel()
	d := newFamily(t)
	all, _ := d.ok("run", d.spec, "--out", d.dir)
	_, errs := d.ok("run", d.spec, "--out", d.dir, "--set", "datasets.news.family={kind: one-vs-one, only: ['comp*', '*talk']}")
	wants(t, errs, "25 cells, 75 fits: 0 to run, 75 cached")
	back, _ := d.ok("run", d.spec, "--out", d.dir)
	if digest(back) != digest(all) {
		t.Errorf("%s, then %s", digest(all), digest(back))
	}
	for glob, want := range map[string]string{
		"news/SGC": "6 cells, 18 fits", "comp vs rec": "5 cells, 15 fits", "news/comp vs rec/SGC": "1 cell, 3 fits", "maxent/refit_variance=1": "6 cells",
		"*vs talk/majority": "2 cells, 6 fits", "news": "30 cells",
	} {
		plan, _ := d.ok("plan", d.spec, "--out", t.TempDir(), "--only", glob)
		wants(t, plan, want)
	}
	printed, _ := d.ok("report", d.dir, "--rows", "algorithm", "--columns", "dataset", "--metric", "accuracy", "--filter", "task=comp*")
	wants(t, printed, "averaged over 3 tasks (comp\\*)")
	why, _ := d.ok("why", "news/majority", d.spec, "--out", d.dir)
	wants(t, why, "6 tasks of news × majority", "18 fits (fields of repeat 0 fold 0 of comp vs rec): cached")
	if _, out, _ := d.run("verify", d.dir, "--sample", "2"); !strings.Contains(out, "6 equal") {
		t.Error(out)
	}
	wants(t, first(d.ok("reproduce", filepath.Join(d.dir, "results.parquet"))), "90 fits: 90 equal")
	rest, _ := d.ok("run", d.spec, "--out", filepath.Join(t.TempDir(), "rest"), "--set", "datasets.news.family=one-vs-rest")
	wants(t, rest, "averaged over 4 tasks", "rec vs rest")
}

func first(out, _ string) string { return out }

// The gate compares a family as one cell, whose values are those of its tasks.
func TestGateOfFamilies(t *testing.T) {
	t.Parallel()
	d := newFamily(t)
	wants(t, d.accept(), "5 new")
	base := d.read(d.baseline)
	wants(t, base, "  news:\n")
	if strings.Contains(base, "comp vs") || strings.Count(base, "values:") != 5 {
		t.Errorf("tasks by themselves are in the baseline:\n%s", base)
	}
	j := d.judge(app.ExitOK)
	if len(j.Verdicts) != 5 || j.Verdicts[0].Dataset != "news" || j.Verdicts[0].Status != "pass" {
		t.Errorf("%+v", j)
	}
	v := d.judge(app.ExitRegression, "--set", "algorithms.maxent.params={refit_iter: 1, refit_tol: 100}", "--set", "algorithms.maxent.grid.refit_variance=[0.001, 1]",
		"--set", "gate.0.algorithms=[maxent refit_variance=1]", "--out", filepath.Join(t.TempDir(), "worse")).Verdicts[0]
	if v.Algorithm != "maxent refit_variance=1" || v.Status != "regression" || v.Test != "paired-t" {
		t.Errorf("%+v", v)
	}
	some := d.judge(app.ExitIncomplete, "--set", "datasets.news.family={kind: one-vs-one, only: ['comp*']}", "--out", filepath.Join(t.TempDir(), "some"))
	if v := some.Verdicts[0]; v.Status != "incomparable" || !strings.Contains(v.Words, "which tasks there are") {
		t.Errorf("%+v", v)
	}

	other := filepath.Join(t.TempDir(), "other")
	d.ok("run", d.spec, "--out", other, "--set", "algorithms.SGC.params.refit_variance=0.01")
	diff, _ := d.ok("diff", d.dir, other)
	wants(t, diff, "news, SGC", "Wilcoxon's signed-rank test over the tasks of a family", "4 cells are identical")
}

func TestTasksThatFail(t *testing.T) {
	t.Parallel()
	d := newFamily(t)
	code, out, _ := d.run("run", d.spec, "--out", filepath.Join(t.TempDir(), "slow"), "--set", "algorithms.maxent.limits={time: 1ns}")
	if code != app.ExitIncomplete {
		t.Errorf("exit code %d", code)
	}
	wants(t, out, "timeout")
	if code, out, _ = d.do("run", "--only", "*comp*"); code != app.ExitOK {
		t.Errorf("exit code %d", code)
	}
	wants(t, out, "3/6 tasks missing")
	var cells []string
	tables, err := results.Read(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range tables.Rows {
		if r.Algorithm == "majority" {
			cells = append(cells, filepath.Join(d.dir, "cells", r.Unit[:2], r.Unit+".cell"))
		}
	}
	if err := tables.Close(); err != nil || os.Remove(cells[0]) != nil {
		t.Fatalf("%v, %s", err, cells[0])
	}
	if _, out, _ = d.do("run", "--only", "SGC"); !strings.Contains(out, "4/6 tasks missing") {
		t.Errorf("a task that lacks a fold:\n%s", out)
	}
}

func TestBadFamilies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, new, want string }{
		{"family: one-vs-one", "family: one-vs-on", `x.yaml:5:174: kind: "one-vs-on" is not one of one-vs-one, one-vs-rest, folder`},
		{"family: one-vs-one", "family: folder", "x.yaml:5:174: data set news: family: folder: its rows come in no folders"},
		{"family: one-vs-one", "family: {kind: one-vs-one, only: [x*]}", "x.yaml:5:174: data set news: family: only: no task has such a name; one-vs-one has comp vs rec, comp vs sci/med"},
		{"type: class}, family", "type: real}, family", "family: one-vs-one needs a class target (levels); data set news has a real target"},
		{"k: 3,", "k: 200,", "data set news: task comp vs rec: folds: 200 folds of"},
		{"test: paired-t", "test: nadeau-bengio", "x.yaml:19:56: test: nadeau-bengio is for folds, and of data set news, a family, tasks are compared"},
		{"baseline: majority}", "baseline: majority, test: nadeau-bengio}", "test: nadeau-bengio allows for what training parts of folds share, and these are tasks"},
		{"{name: majority, engine: majority}", "{name: majority, engine: ols}", "engine ols needs a real target"},
	} {
		d := newFamily(t)
		d.edit(d.spec, c.old, c.new)
		code, _, errs := d.run("validate", d.spec)
		if code != app.ExitInvalid {
			t.Errorf("%s: exit code %d", c.new, code)
		}
		wants(t, errs, c.want)
	}
}
