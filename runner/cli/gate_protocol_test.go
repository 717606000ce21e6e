package cli_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/io/journal"
	"tenfold/io/results"
	"tenfold/runner/cli/app"
)

// yardsticks is an experiment whose numbers depend on how columns are counted; its margins let any number pass.
const yardsticks = `tenfold: 1
name: yardsticks
seed: 5
datasets:
  - name: made
    format: csv
    files: {all: made.csv}
    columns: {categorical: [kind]}
    prepare: {encode: one-hot}
    target: {column: "y", type: real}
    features: {unit: variable, probes: {kind: permuted, share: 0.5}}
    similar: 0.9
  - {name: plain, format: csv, files: {all: made.csv}, columns: {drop: [kind]}, target: {column: "y", type: real}}
folds: {kind: kfold, k: 3, seed: 4}
algorithms:
  - {name: F, engine: anova, path: {at: [2, 4]}}
metrics: [test_mse, "area:test_mse", probe_fdp, stability, stability_yu]
gate:
  - {metric: test_mse, margin: {absolute: 99}}
  - {metric: "area:test_mse", margin: {absolute: 99}}
  - {metric: probe_fdp, max: 1, datasets: [made]}
  - {metric: stability, margin: {absolute: 99}}
  - {metric: stability_yu, margin: {absolute: 99}, datasets: [made]}
`

func newYardsticks(t *testing.T, text string) desk {
	t.Helper()
	d := newDesk(t, text)
	rng := rand.New(rand.NewPCG(1, 2))
	table := "a,b,c,d,e,kind,y\n"
	for range 60 {
		a, b, k := rng.NormFloat64(), rng.NormFloat64(), rng.IntN(3)
		table += fmt.Sprintf("%v,%v,%v,%v,%v,%c,%v\n", a, a+0.1*rng.NormFloat64(), b, rng.NormFloat64(), rng.NormFloat64(), "uvw"[k], 2*a+b+float64(k)+rng.NormFloat64())
	}
	d.write("made.csv", table)
	return d
}

// TestOtherYardsticks: what decides how numbers are measured is recorded, and numbers measured otherwise are not compared, in each
// format; what changes the models alone is.
func TestOtherYardsticks(t *testing.T) {
	t.Parallel()
	d := newYardsticks(t, yardsticks)
	d.accept()
	wants(t, d.read(d.baseline), `protocol: {probes: 'permuted, share 0.5, seed 5', similar: "0.9", unit: variable}`, "sizes: 2,4")
	d.judge(app.ExitOK)
	for i, c := range []struct{ old, new, want string }{
		{"kind: permuted", "kind: gaussian", "probes: now gaussian, share 0.5, seed 5, the reference permuted, share 0.5, seed 5"},
		{"share: 0.5", "share: 1", "probes: now permuted, share 1, seed 5"},
		{"share: 0.5", "share: 0.5, joint: true", "probes: now permuted, share 0.5, joint, seed 5"},
		{"share: 0.5", "share: 0.5, seed: 8", "probes: now permuted, share 0.5, seed 8"},
		{"seed: 5", "seed: 8", "probes: now permuted, share 0.5, seed 8"},
		{"similar: 0.9", "similar: 0.5", "similar: now 0.5, the reference 0.9"},
		{"unit: variable", "unit: together", "unit: now together, the reference variable"},
		{"unit: variable, ", "", "unit: now none, the reference variable"},
		{"at: [2, 4]", "at: [3, 4]", "not along the same path: sizes: now 3,4, the reference 2,4"},
		{`type: real}
    features`, `type: real, constant: drop}
    features`, "constant responses: now drop, the reference none"},
		{"seed: 5", "seed: 5 # the same", ""},
		{"share: 0.5", "share: 0.5, seed: 5", ""},
		{"encode: one-hot", "encode: one-hot, scale: sd", ""},
		{"unit: variable", "unit: variable, keep: [c]", ""},
	} {
		d.write("x.yaml", strings.Replace(yardsticks, c.old, c.new, 1))
		if d.read(d.spec) == yardsticks {
			t.Fatalf("no %s", c.old)
		}
		if c.want == "" {
			d.judge(app.ExitOK)
			continue
		}
		j := d.judge(app.ExitIncomplete)
		if j.Counts["incomparable"] == 0 || j.Counts["regression"]+j.Counts["improvement"] > 0 || !strings.Contains(fmt.Sprint(j), c.want) {
			t.Errorf("%s: %v, want %s\n%v", c.new, j.Counts, c.want, j)
		}
		if i > 0 {
			continue
		}
		for _, args := range [][]string{nil, {"--format", "markdown"}, {"--github"}, {"--strict", "--junit", d.path("junit.xml")}} {
			code, out, errs := d.do("check", args...)
			if code != app.ExitIncomplete || !strings.Contains(out, c.want) {
				t.Errorf("%s: %q: exit code %d\n%s%s", c.new, args, code, out, errs)
			}
		}
		wants(t, d.read(d.path("junit.xml")), `type="incomparable"`)
	}
	// It is said before anything is fitted, too.
	if _, _, errs := d.do("check", "--set", "datasets.made.similar=0.7", "--out", d.path("new")); !strings.Contains(errs, "baseline.yaml: data set made: not measured alike: similar: now 0.7") {
		t.Errorf("before anything is fitted: %s", errs)
	}
}

// TestImportInPlaceOfAnEngine: predictions from a file do not take the place of those of the engine that was recorded, nor the other way
// round; a file takes the place of a file. They are marked in each format.
func TestImportInPlaceOfAnEngine(t *testing.T) {
	t.Parallel()
	const fitted = `tenfold: 1
name: fitted
seed: 1
datasets: [{name: made, format: csv, files: {all: made.csv}, columns: {drop: [kind]}, target: {column: "y", type: real}}]
folds: {kind: kfold, k: 4, seed: 3}
algorithms: [{name: r, engine: ridge}, {name: m, engine: mean}]
metrics: [test_mse]
gate:
  - {metric: test_mse, margin: {absolute: 0.001}, test: nadeau-bengio, algorithms: [r]}
`
	for kind, text := range map[string]string{
		"baseline": fitted,
		"against":  strings.Replace(fitted, "test: nadeau-bengio, algorithms: [r]", "against: m, algorithms: [r]", 1),
		"bounds":   strings.Replace(fitted, "margin: {absolute: 0.001}, test: nadeau-bengio, ", "max: 99, ", 1),
	} {
		t.Run(kind, func(t *testing.T) {
			d := newYardsticks(t, text)
			d.accept()
			d.judge(app.ExitOK)
			d.write("true.csv", truths(t, d))
			imported := strings.Replace(text, "engine: ridge", "import: {predictions: true.csv}", 1)
			d.write("x.yaml", imported)
			for _, args := range [][]string{nil, {"--strict"}, {"--format", "markdown"}, {"--format", "json"}, {"--github"}, {"--junit", d.path("junit.xml")}} {
				code, out, errs := d.do("check", args...)
				if code != app.ExitIncomplete || !strings.Contains(out, "‖") || !strings.Contains(out, "imported predictions (made elsewhere) against those of a fit") {
					t.Errorf("%q: exit code %d\n%s%s", args, code, out, errs)
				}
			}
			wants(t, d.read(d.path("junit.xml")), `type="incomparable"`, "‖")
			if kind == "against" { // an import may be what others are compared with, and be compared with them
				wants(t, d.accept(), "accepted: ")
			} else {
				wants(t, d.accept(), "accepted: 1 measured otherwise")
			}
			wants(t, d.read(d.baseline), "imported: true")
			d.judge(app.ExitOK)
			d.write("true.csv", strings.ReplaceAll(d.read(d.path("true.csv")), ",0.", ",0.1"))
			j := d.judge(map[string]int{"baseline": app.ExitRegression}[kind])
			if len(j.Verdicts) != 1 || j.Verdicts[0].Status == "incomparable" {
				t.Errorf("other predictions in the file: %+v", j)
			}
			d.write("x.yaml", text)
			if s := d.judge(app.ExitIncomplete).status(t); s != "incomparable" {
				t.Errorf("an engine in place of an import: %s", s)
			}
		})
	}
}

// truths are predictions without an error, for the folds of an experiment.
func truths(t *testing.T, d desk) string {
	t.Helper()
	out, _ := d.ok("folds", d.spec)
	var folds struct {
		Datasets []struct {
			Folds []struct {
				Repeat, Fold int
				Test         []json.RawMessage
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &folds); err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(d.read(d.path("made.csv")), "\n")[1:]
	text := "repeat,fold,row,prediction\n"
	for _, f := range folds.Datasets[0].Folds {
		for _, row := range f.Test {
			var i int
			if err := json.Unmarshal([]byte(strings.Trim(string(row), `"`)), &i); err != nil {
				t.Fatal(err)
			}
			text += fmt.Sprintf("%d,%d,%d,%s\n", f.Repeat, f.Fold, i, rows[i][strings.LastIndex(rows[i], ",")+1:])
		}
	}
	return text
}

// duel is an experiment of two algorithms, one of which is compared with the other alone.
const duel = `tenfold: 1
name: duel
seed: 7
datasets:
  - {name: pairs, format: synthetic, rows: 200, truth: 10, noise: 0.5, seed: 3, features: {cutoff: 3}}
folds: {kind: kfold, k: 3, by: pattern}
algorithms:
  - {name: ridge, engine: ridge, params: {lambda: 10}}
  - {name: steps, engine: stagewise, params: {max_iter: 50, epsilon: 0.02, choose: last}}
metrics: [test_mse]
gate:
  - {metric: test_mse, margin: {absolute: 0.1}, algorithms: [ridge], against: steps}
`

// TestReferenceMadeUseless: an algorithm that is as good as another one does not pass if that one is worse than recorded, or its record
// is missing.
func TestReferenceMadeUseless(t *testing.T) {
	t.Parallel()
	d := newDesk(t, duel)
	if s := d.judge(app.ExitIncomplete).status(t); s != "incomplete" {
		t.Errorf("without a baseline: %s", s)
	}
	wants(t, d.accept(), "accepted: 2 new")
	d.judge(app.ExitOK)
	v := d.judge(app.ExitRegression, "--set", "algorithms.ridge.params.lambda=1000", "--set", "algorithms.steps.params.max_iter=1").Verdicts[0]
	if v.Status != "regression" || !strings.Contains(v.Words, "the reference steps, compared with its own record: worse by ") || !strings.Contains(strings.Join(v.Notes, ""), "better than steps") {
		t.Errorf("%+v", v)
	}
	d.edit(d.spec, "name: steps, engine: stagewise, params: {max_iter: 50, epsilon: 0.02, choose: last}", "name: steps, engine: mean")
	if s := d.judge(app.ExitRegression).status(t); s != "regression" {
		t.Errorf("another engine under the reference's name: %s", s)
	}
	if code, out, errs := d.do("check", "--set", "gate=[{metric: test_mse, max: 999}]", "--strict"); code != app.ExitIncomplete || !strings.Contains(out, "no rule compares it with steps any more") || !strings.Contains(out, "recorded, and no rule compares it any more (pairs, steps)") {
		t.Errorf("without the rule: exit code %d\n%s%s", code, out, errs)
	}
}

// forge gives the outcomes in a run's folder to the fits that a change makes of the same cells and folds.
func forge(t *testing.T, dir string, change func()) {
	t.Helper()
	j, err := journal.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	units := func() map[string]string {
		tables, err := results.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer tables.Close()
		out := map[string]string{}
		for i := range tables.Rows {
			out[tables.Rows[i].Name()] = tables.Rows[i].Unit
		}
		return out
	}
	good := units()
	change()
	for name, unit := range units() {
		o, ok, err := j.Get(good[name])
		if err != nil || !ok {
			t.Fatal(name, err)
		}
		if err := j.Put(unit, o); err != nil {
			t.Fatal(err)
		}
	}
}

// TestForgedOutcomes: outcomes that somebody puts into the run's folder pass for stored fits; check and accept say so, and with --fresh
// they do not count.
func TestForgedOutcomes(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	d.accept()
	recorded := d.read(d.baseline)
	worse := []string{"--set", "algorithms.ridge.params.lambda=100000", "--set", "algorithms.steps.params.max_iter=1"}
	forge(t, d.dir, func() { d.ok(append([]string{"run", d.spec, "--out", d.dir}, worse...)...) })
	for _, args := range [][]string{nil, {"--format", "markdown"}, {"-v"}} {
		code, out, errs := d.do("check", append(worse, args...)...)
		if code != app.ExitOK || !origin.MatchString(out) || !strings.Contains(out, "fits: 0 run now, 9 stored by tenfold ") {
			t.Errorf("%q: exit code %d\n%s%s", args, code, out, errs)
		}
	}
	var told struct {
		Fits struct {
			Now, Stored        int
			Machines, Versions []string
			First, Last        string
		}
	}
	if _, out, _ := d.do("check", append(worse, "--format", "json")...); json.Unmarshal([]byte(out), &told) != nil || told.Fits.Stored != 9 || len(told.Fits.Machines) != 1 || len(told.Fits.Versions) != 1 || told.Fits.First == "" {
		t.Errorf("%+v in %s", told, out)
	}
	wants(t, d.accept(worse...), "accepted: 3 unchanged", "fits: 0 run now, 9 stored by tenfold ")
	if d.read(d.baseline) != recorded {
		t.Error("other numbers were accepted")
	}

	if j := d.judge(app.ExitRegression, append(worse, "--fresh", "--only", "ridge")...); len(j.Verdicts) != 1 || j.Verdicts[0].Status != "regression" {
		t.Errorf("%+v", j)
	}
	code, out, errs := d.do("check", append(worse, "--fresh")...)
	if code != app.ExitRegression || !strings.Contains(out, "fits: 9 run now\ntrio: worse: 2 regressions, 1 pass") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	if code, out, errs = d.do("check", worse...); code != app.ExitRegression {
		t.Errorf("the forged ones are still there: exit code %d\n%s%s", code, out, errs)
	}
	d.accept()
	forge(t, d.dir, func() { d.ok(append([]string{"run", d.spec, "--out", d.dir}, worse...)...) })
	wants(t, d.accept(append(worse, "--fresh")...), "accepted: 2 worse, 1 unchanged", "fits: 9 run now")
}

// TestFreshReference: with --fresh and --only, what is stored of a reference that does not run is not believed.
func TestFreshReference(t *testing.T) {
	t.Parallel()
	d := newDesk(t, duel)
	d.accept()
	d.judge(app.ExitOK, "--only", "ridge")
	if v := d.judge(app.ExitIncomplete, "--only", "ridge", "--fresh").Verdicts[0]; v.Status != "incomplete" || !strings.Contains(v.Words, "steps: never ran") {
		t.Errorf("%+v", v)
	}
	d.judge(app.ExitOK, "--only", "ridge", "--only", "steps", "--fresh")
}

// TestFreshStages: what fits build on is stored, too: it is counted, and run again.
func TestFreshStages(t *testing.T) {
	t.Parallel()
	d := newWords(t)
	d.accept()
	for _, c := range []struct{ args, want string }{
		{"", fmt.Sprintf("fits: 0 run now, %d stored", transferFits+transferStages)},
		{"--fresh", fmt.Sprintf("fits: %d run now\n", transferFits+transferStages)},
	} {
		if _, out, errs := d.do("check", strings.Fields(c.args)...); !strings.Contains(out, c.want) {
			t.Errorf("%s: no %q in\n%s%s", c.args, c.want, out, errs)
		}
	}
	for _, path := range storedIn(t, d.dir)[transferStages:] {
		j, err := journal.Open(d.dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Remove(strings.TrimSuffix(filepath.Base(path), ".cell")); err != nil {
			t.Fatal(err)
		}
	}
	if _, out, errs := d.do("check"); !strings.Contains(out, fmt.Sprintf("fits: %d run now, %d stored by tenfold ", transferFits, transferStages)) {
		t.Errorf("%s%s", out, errs)
	}
}
