package cli_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"tenfold/io/planfile"
	"tenfold/io/results"
	"tenfold/runner/cli/app"
)

// copyOf is another folder with the same files.
func (d desk) copyOf(dir string) string {
	d.t.Helper()
	to := filepath.Join(d.t.TempDir(), "copy")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		d.t.Fatal(err)
	}
	return to
}

// foreign writes a Parquet file that is not of tenfold.
func foreign(t *testing.T, path string) {
	t.Helper()
	type row struct{ Name string }
	if err := parquet.WriteFile(path, []row{{"a"}, {"b"}}); err != nil {
		t.Fatal(err)
	}
}

// resultFiles are the tables of a run's folder.
var resultFiles = []string{results.ResultsFile, results.MetricsFile, results.SelectionsFile, results.PathsFile, results.PredictionsFile}

// TestBadResultFiles: every command names the file and what is wrong with it; check makes the files again from what is stored.
func TestBadResultFiles(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	d.accept()
	good, _ := d.ok("report", d.dir, "--format", "csv")
	for _, c := range []struct {
		name, want string
		damage     func(t *testing.T, path string, content []byte)
	}{
		{"empty", "cut short, or another format", func(t *testing.T, path string, _ []byte) { replace(t, path, nil) }},
		{"text", "cut short, or another format", func(t *testing.T, path string, _ []byte) {
			replace(t, path, []byte("dataset,algorithm,test_mse\n"))
		}},
		{"cut short", "cut short, or another format", func(t *testing.T, path string, b []byte) { replace(t, path, b[:len(b)/2]) }},
		{"cut and mended", "damaged: ", func(t *testing.T, path string, b []byte) {
			replace(t, path, append(slices.Clone(b[:len(b)/2]), "\x10\x00\x00\x00PAR1"...))
		}},
		{"damaged pages", "", func(t *testing.T, path string, b []byte) {
			b = slices.Clone(b)
			for i := 4; i < 200; i++ {
				b[i] ^= 0x55
			}
			replace(t, path, b)
		}},
		{"of another program", "not a result file of tenfold", func(t *testing.T, path string, _ []byte) { foreign(t, path) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, name := range resultFiles {
				d := d
				d.t = t
				dir := d.copyOf(d.dir)
				path := filepath.Join(dir, name)
				content, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				c.damage(t, path, content)
				commands := [][]string{{"report", dir}, {"diff", dir, d.dir}, {"verify", dir, "--sample", "1", "--jobs", "1"}}
				if name == results.ResultsFile {
					commands = append(commands, []string{"report", dir, "--format", "csv"}, []string{"reproduce", dir})
				}
				for _, args := range commands {
					code, out, errs := tool{t, d.cache}.run(args...)
					if strings.Contains(errs, "panic") || strings.Contains(errs, "goroutine") {
						t.Errorf("%s: %v: %s", name, args, errs)
					}
					if name != results.ResultsFile && c.name == "damaged pages" { // of long tables they are read when they are needed
						if code != app.ExitOK && (code != app.ExitInvalid || !strings.Contains(errs, path)) {
							t.Errorf("%s: %v: exit code %d\n%s", name, args, code, errs)
						}
						continue
					}
					if code != app.ExitInvalid {
						t.Errorf("%s: %v: exit code %d, want %d\n%s%s", name, args, code, app.ExitInvalid, out, errs)
					}
					wants(t, errs, path, c.want)
				}
				x := tool{t, d.cache}
				_, errs := x.ok("check", d.spec, "--out", dir)
				wants(t, errs, "0 to run, 9 cached")
				if mended, _ := x.ok("report", dir, "--format", "csv"); mended != good {
					t.Errorf("%s: after check:\n%s\nwant\n%s", name, mended, good)
				}
			}
		})
	}
}

func replace(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestMissingResultFiles: only results.parquet has to be there; check makes the others again.
func TestMissingResultFiles(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	d.accept()
	for _, name := range resultFiles {
		dir := d.copyOf(d.dir)
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"report", dir}, {"diff", dir, d.dir}, {"verify", dir, "--sample", "1", "--jobs", "1"}} {
			code, _, errs := d.run(args...)
			if name == results.ResultsFile {
				wants(t, errs, filepath.Join(dir, name))
				if code != app.ExitInvalid {
					t.Errorf("%s: %v: exit code %d", name, args, code)
				}
			} else if code != app.ExitOK {
				t.Errorf("%s: %v: exit code %d\n%s", name, args, code, errs)
			}
		}
		_, errs := d.ok("check", d.spec, "--out", dir)
		wants(t, errs, "0 to run")
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("check did not make %s again: %v", name, err)
		}
		finite(t, dir)
	}
	if err := os.RemoveAll(filepath.Join(d.dir, "cells")); err != nil {
		t.Fatal(err)
	}
	d.ok("report", d.dir)
	d.ok("reproduce", d.dir)
	_, errs := d.ok("check", d.spec, "--out", d.dir)
	wants(t, errs, "9 to run, 0 cached")
}

func TestBadPlans(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	d.accept()
	text, err := planfile.Read(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	planned := string(text)
	for _, c := range []struct{ name, content, want string }{
		{"empty", "", "plan.json: damaged"},
		{"text", "trio\n", "plan.json: damaged"},
		{"a list", "[]", "plan.json: damaged"},
		{"cut short", planned[:len(planned)/2], "plan.json: damaged"},
		{"missing", "-", "has no plan.json: it is not the folder of a run"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := d
			d.t = t
			dir := d.copyOf(d.dir)
			path := filepath.Join(dir, "plan.json")
			if c.content == "-" {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			} else {
				replace(t, path, []byte(c.content))
			}
			x := tool{t, d.cache}
			for _, args := range [][]string{{"report", dir}, {"report", dir, "--format", "csv"}, {"diff", dir, d.dir}, {"diff", d.dir, dir}, {"verify", dir}, {"gc", dir}} {
				code, _, errs := x.run(args...)
				if code != app.ExitInvalid {
					t.Errorf("%v: exit code %d\n%s", args, code, errs)
				}
				wants(t, errs, dir, c.want)
			}
			x.ok("reproduce", dir, "--jobs", "1") // it goes by the footer
			out, errs := x.ok("check", d.spec, "--out", dir)
			wants(t, out, "good")
			wants(t, errs, "0 to run, 9 cached")
			if text, err := planfile.Read(dir); err != nil || string(text) != planned {
				t.Error("check did not write the plan anew")
			}
		})
	}
}

// TestFewFolds: one fold, two, and two whose values are the same, with each command.
func TestFewFolds(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]desk{
		"one fold":                newDesk(t, strings.Replace(trio, "{kind: kfold, k: 3, by: pattern}", "{kind: holdout, test: 0.3, by: pattern}", 1)),
		"two folds":               newDesk(t, strings.Replace(trio, "k: 3", "k: 2", 1)),
		"zero variance":           level(t, "folds: {kind: kfold, k: 2}\nreport:\n  tables:\n    - {rows: algorithm, columns: metric, baseline: mean}\n    - {rows: dataset, columns: algorithm, cells: \"{test_mse} {test_mse.se} {test_r2} {stability}\"}\n"),
		"zero variance, one fold": level(t, "folds: {kind: holdout, test: 0.5}\ngate: [{metric: test_mse, test: bootstrap, margin: {absolute: 0.1}}, {metric: test_mse, against: mean, test: bootstrap, margin: {absolute: 1}}]\n"),
		"zero margin":             level(t, "folds: {kind: kfold, k: 2}\ngate: [{metric: test_mse, test: nadeau-bengio, margin: {relative: 0.1}}]\n"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d.t, d.tool.t = t, t
			d.accept()
			out, _, _ := d.formats("json")
			d.write("verdict.json", out)
			d.judge(app.ExitOK)
			d.ok("check", d.spec, "--out", d.dir, "-v", "--junit", d.path("junit.xml"))
			for _, format := range []string{"markdown", "html", "csv", "latex"} {
				out, _ := d.ok("report", d.dir, "--format", format)
				diff, _ := d.ok("diff", d.dir, d.dir, "--all", "--metric", "test_mse,test_r2,stability", "--format", format)
				d.write("printed-"+format+".md", out+diff)
			}
			finite(t, d.folder)
			tables, err := results.Read(d.dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range tables.Rows {
				for _, s := range r.Scores {
					if s.Value != s.Value || s.Value-s.Value != 0 {
						t.Errorf("%s of %s is %v", s.Metric, r.Algorithm, s.Value)
					}
				}
			}
			if err := tables.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// rewrite changes the rows of a run's result files, and what their footers say.
func (d desk) rewrite(dir string, change func(*results.Meta, []results.Row)) {
	d.t.Helper()
	tables, err := results.Read(dir)
	if err != nil {
		d.t.Fatal(err)
	}
	var rows []results.Row
	for i := range tables.Rows {
		whole, err := tables.ReadAllParts(&tables.Rows[i])
		if err != nil {
			d.t.Fatal(err)
		}
		rows = append(rows, *whole)
	}
	meta := tables.Meta
	if err := tables.Close(); err != nil {
		d.t.Fatal(err)
	}
	change(&meta, rows)
	if _, err := results.Write(dir, meta, results.All(rows)); err != nil {
		d.t.Fatal(err)
	}
}

func TestTamperedResults(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	d.ok("run", d.spec, "--out", d.dir)
	of := func(rows []results.Row, algorithm string) *results.Row {
		return &rows[slices.IndexFunc(rows, func(r results.Row) bool { return r.Algorithm == algorithm && r.Fold == 1 })]
	}
	score := func(r *results.Row, metric string) *results.Score {
		return &r.Scores[slices.IndexFunc(r.Scores, func(s results.Score) bool { return s.Metric == metric && s.Output == "" && s.Point < 0 })]
	}
	for _, c := range []struct {
		name   string
		change func(rows []results.Row)
		want   string // "" where it is the same within rounding
		long   bool   // only verify reads it
	}{
		{"a metric", func(rows []results.Row) { score(of(rows, "ridge"), "test_mse").Value *= 0.99 }, "pairs, ridge, repeat 0 fold 1: test_mse is ", false},
		{"a metric, by rounding", func(rows []results.Row) { score(of(rows, "ridge"), "test_mse").Value *= 1 + 1e-12 }, "", false},
		{"a number of features", func(rows []results.Row) { of(rows, "steps").Features++ }, "pairs, steps, repeat 0 fold 1: selected features is ", false},
		{"a coefficient", func(rows []results.Row) { of(rows, "steps").Outcome.Selected[0].Coefficient *= 2 }, "pairs, steps, repeat 0 fold 1: coefficient of ", true},
		{"a status", func(rows []results.Row) { of(rows, "mean").Status = results.Timeout }, "pairs, mean, repeat 0 fold 1: status is ok, was timeout", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := d
			x.t, x.tool.t = t, t
			dir := x.copyOf(d.dir)
			x.rewrite(dir, func(_ *results.Meta, rows []results.Row) { c.change(rows) })
			if err := os.Remove(filepath.Join(dir, "metrics.parquet")); err != nil { // results.parquet has them, too
				t.Fatal(err)
			}
			for _, args := range [][]string{{"verify", dir, "--sample", "100%", "--jobs", "1"}, {"reproduce", dir}} {
				code, out, errs := x.run(args...)
				switch {
				case c.want == "" || c.long && args[0] == "reproduce":
					if code != app.ExitOK {
						t.Errorf("%v: exit code %d\n%s%s", args, code, out, errs)
					}
				case c.name == "a status" && args[0] == "verify": // it looks at what ended well
					if code != app.ExitOK || !strings.Contains(out, "2 of 3 cells") {
						t.Errorf("%v: exit code %d\n%s%s", args, code, out, errs)
					}
				default:
					if code != app.ExitRegression {
						t.Errorf("%v: exit code %d\n%s%s", args, code, out, errs)
					}
					wants(t, out, c.want)
				}
			}
		})
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	d.ok("run", d.spec, "--out", d.dir)
	out, _ := d.ok("verify", d.dir, "--sample", "100%")
	wants(t, out, "1 worker: 3 of 3 cells, 9 fits: 9 equal", "2 workers: 3 of 3 cells, 9 fits: 9 equal")
	out, _ = d.ok("verify", d.dir, "--sample", "5%", "--jobs", "3")
	wants(t, out, "3 workers: 1 of 3 cells, 3 fits")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{d.dir, "--sample", "0"}, "expected a share such as 5%"},
		{[]string{d.dir, "--sample", "120%"}, "expected a share such as 5%"},
		{[]string{d.dir, "--jobs", "0"}, "--jobs: expected numbers of at least 1"},
		{[]string{d.path("nowhere")}, "no such folder"},
	} {
		if code, _, errs := d.run(append([]string{"verify"}, c.args...)...); code != app.ExitInvalid || !strings.Contains(errs, c.want) {
			t.Errorf("%v: exit code %d, %s", c.args, code, errs)
		}
	}
	d.ok("run", d.spec, "--out", d.path("failed"), "--set", "defaults={limits: {memory: 1kB}}", "--set", "failures.tolerate=9")
	if code, _, errs := d.run("verify", d.path("failed")); code != app.ExitIncomplete || !strings.Contains(errs, "nothing to verify") {
		t.Errorf("all failed: exit code %d, %s", code, errs)
	}
}

// TestReproduceElsewhere: a result file alone is enough where the data are generated.
func TestReproduceElsewhere(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	first, _ := d.ok("run", d.spec, "--out", d.dir)
	path := filepath.Join(t.TempDir(), "from-a-colleague.parquet")
	replace(t, path, []byte(d.read(filepath.Join(d.dir, results.ResultsFile))))
	if err := os.RemoveAll(d.folder); err != nil {
		t.Fatal(err)
	}
	x := tool{t, t.TempDir()} // another cache, too
	out, errs := x.ok("reproduce", path)
	wants(t, out, "9 fits: 9 equal")
	wants(t, errs, "9 fits of trio, made by tenfold")
	again := filepath.Join(t.TempDir(), "again")
	out, _ = x.ok("reproduce", path, "--out", again)
	if digest(out) != digest(first) {
		t.Errorf("%s, was %s", digest(out), digest(first))
	}
	x.ok("report", again)
	if code, _, errs := x.run("reproduce", path, "--out", again); code != app.ExitInvalid || !strings.Contains(errs, "not empty") {
		t.Errorf("into a folder with files: exit code %d, %s", code, errs)
	}
	if code, _, errs := x.run("reproduce", filepath.Join(again, "predictions.parquet")); code != app.ExitInvalid || !strings.Contains(errs, "not the results.parquet") {
		t.Errorf("of another file: exit code %d, %s", code, errs)
	}
	if code, _, errs := x.run("reproduce", d.dir); code != app.ExitInvalid || !strings.Contains(errs, d.dir) {
		t.Errorf("of no folder: exit code %d, %s", code, errs)
	}
}

func TestReproduceOfWhatChanged(t *testing.T) {
	t.Parallel()
	d := level(t, "folds: {kind: kfold, k: 2}\n")
	d.accept()
	d.ok("reproduce", d.dir)
	was := d.read(d.path("level.csv"))
	d.write("level.csv", strings.Replace(was, ",5\n", ",6\n", 1))
	for _, command := range []string{"reproduce", "verify"} {
		code, _, errs := d.run(command, d.dir)
		if code != app.ExitIncomplete {
			t.Errorf("%s of changed data: exit code %d", command, code)
		}
		wants(t, errs, d.dir, "data set level is not what it was")
	}
	other := d.path("other")
	wants(t, fmt.Sprint(d.judge(app.ExitIncomplete, "--out", other)), "the data set is another one now")
	code, out, _ := d.run("diff", d.dir, other)
	if code != app.ExitIncomplete {
		t.Errorf("diff of runs on other data: exit code %d", code)
	}
	wants(t, out, "not the same data")
	if err := os.Remove(d.path("level.csv")); err != nil {
		t.Fatal(err)
	}
	code, _, errs := d.run("reproduce", d.dir)
	if code != app.ExitInvalid {
		t.Errorf("data gone: exit code %d", code)
	}
	wants(t, errs, filepath.Join(d.dir, results.ResultsFile), "level.csv")
	elsewhere := t.TempDir()
	replace(t, filepath.Join(elsewhere, "level.csv"), []byte(was))
	d.ok("reproduce", d.dir, "--data", elsewhere)

	d.write("level.csv", was)
	for _, c := range []struct {
		name   string
		change func(*results.Meta, []results.Row)
		code   int
		want   string
	}{
		{"unknown engine", func(m *results.Meta, _ []results.Row) {
			m.Provenance.Spec = strings.Replace(m.Provenance.Spec, "engine: ols", "engine: olz", 1)
		}, app.ExitInvalid, `"olz"`},
		{"no experiment", func(m *results.Meta, _ []results.Row) { m.Provenance.Spec = "" }, app.ExitInvalid, "its footer has no experiment file"},
		{"an engine revised", func(_ *results.Meta, rows []results.Row) {
			for i := range rows {
				if rows[i].Engine == "ols" {
					rows[i].Unit = strings.Repeat("0", 31) + fmt.Sprint(rows[i].Fold)
				}
			}
		}, app.ExitIncomplete, "2 fits cannot be compared"},
		{"all engines revised", func(_ *results.Meta, rows []results.Row) {
			for i := range rows {
				rows[i].Unit = strings.Repeat("0", 31) + fmt.Sprint(i)
			}
		}, app.ExitIncomplete, "engines were revised since"},
	} {
		x := d
		dir := x.copyOf(d.dir)
		x.rewrite(dir, c.change)
		code, out, errs := d.run("reproduce", dir)
		if code != c.code {
			t.Errorf("%s: exit code %d, want %d\n%s", c.name, code, c.code, out)
		}
		wants(t, errs, dir, c.want)
	}
}

func TestCollectGarbage(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	first, _ := d.ok("run", d.spec, "--out", d.dir)
	stored := func() int {
		found, _ := filepath.Glob(filepath.Join(d.dir, "cells", "*", "*.cell"))
		return len(found)
	}
	out, _ := d.ok("gc", d.dir)
	wants(t, out, "0 unreachable")
	d.ok("run", d.spec, "--out", d.dir, "--set", "algorithms.steps.params.max_iter=20", "--set", "algorithms.ridge.params.lambda=20")
	out, _ = d.ok("gc", d.dir) // the last plan and the file reach all
	wants(t, out, "0 unreachable")
	d.ok("run", d.spec, "--out", d.dir)
	if stored() != 15 {
		t.Fatalf("%d stored", stored())
	}
	out, _ = d.ok("gc", d.dir)
	wants(t, out, "6 unreachable", "6 stored results, ", "tenfold gc --yes removes them")
	if stored() != 15 {
		t.Errorf("without --yes: %d stored", stored())
	}
	away := d.path("away.yaml")
	for _, gone := range []bool{true, false} {
		if err := os.Rename(d.spec, away); gone && err != nil {
			t.Fatal(err)
		}
		if !gone {
			d.write("x.yaml", "tenfold: 1\nname: [")
		}
		code, _, errs := d.run("gc", "--yes", d.dir)
		if code != app.ExitInvalid || stored() != 15 {
			t.Errorf("what the experiment file reaches is not known: exit code %d, %d stored", code, stored())
		}
		wants(t, errs, "nothing removed")
	}
	if err := os.Rename(away, d.spec); err != nil {
		t.Fatal(err)
	}
	out, _ = d.ok("gc", "--yes", d.dir)
	wants(t, out, "6 unreachable", "removed 6 stored results")
	if stored() != 9 {
		t.Errorf("%d stored after gc --yes", stored())
	}
	again, errs := d.ok("run", d.spec, "--out", d.dir)
	wants(t, errs, "0 to run, 9 cached")
	if digest(again) != digest(first) {
		t.Error("gc changed the results")
	}
	if code, _, errs := d.run("gc", d.folder); code != app.ExitInvalid || !strings.Contains(errs, "has no plan.json") {
		t.Errorf("of no run: exit code %d, %s", code, errs)
	}
}

func TestWhy(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	why := func(cell string, args ...string) string {
		t.Helper()
		out, _ := d.ok(append([]string{"why", cell, d.spec, "--out", d.dir}, args...)...)
		return out
	}
	// marked are the fields that are said to differ.
	marked := func(text string) string {
		var out []string
		for line := range strings.Lines(text) {
			if rest, ok := strings.CutPrefix(line, "≠"); ok {
				out = append(out, strings.Join(strings.Fields(rest)[:min(2, len(strings.Fields(rest)))], " "))
			}
		}
		return strings.Join(out, "; ")
	}
	wants(t, why("ridge"), "pairs × ridge", "3 fits (fields of repeat 0 fold 0): new", "params.lambda")
	d.ok("run", d.spec, "--out", d.dir)
	if out := why("ridge"); marked(out) != "" || !strings.Contains(out, "cached: the stored result is used") {
		t.Errorf("after the run:\n%s", out)
	}
	d.ok("run", d.spec, "--out", d.dir, "--set", "seed=8") // another plan, beside whose fits the first ones stay
	if out := why("ridge"); marked(out) != "" || !strings.Contains(out, "cached: the stored result is used") {
		t.Errorf("after a run of something else:\n%s", out)
	}
	d.ok("run", d.spec, "--out", d.dir)
	for _, c := range []struct{ set, reason, fields string }{
		{"algorithms.ridge.params.lambda=20", "changed: params: lambda is 20, was 10", "params.lambda 10"},
		{"algorithms.ridge.params={}", "changed: params: lambda is default, was 10", "params.lambda 10"},
		{"datasets.pairs.noise=0.6", "changed: the data set changed", "data set"},
		{"datasets.pairs.features.cutoff=4", "changed", "preparation"},
		{"folds.seed=9", "changed: the rows of the fold changed", "fold "},
		{"folds.k=2", "changed", "fold "},
		{"seed=9", "changed: the seed changed", "seed "},
		{"algorithms.ridge={name: ridge, engine: ols}", "changed: engine: ols was ridge", "engine ridge"},
		{"algorithms.ridge.name=penalised", "cached", ""},
	} {
		cell := "ridge"
		if strings.Contains(c.set, "penalised") {
			cell = "penalised"
		}
		out := why(cell, "--set", c.set)
		if !strings.Contains(out, c.reason) || !strings.Contains(marked(out)+" ", c.fields) || (c.fields == "") != (marked(out) == "") {
			t.Errorf("%s: differs in %q\n%s", c.set, marked(out), out)
		}
		if got := strings.Contains(marked(out), "key"); got != (c.fields != "") {
			t.Errorf("%s: the key:\n%s", c.set, out)
		}
	}
	planned := d.read(filepath.Join(d.dir, "plan.json"))
	_, key, _ := strings.Cut(planned[strings.Index(planned, `"cells"`):], `"key": "`)
	key = key[:10]
	wants(t, why(key), "cell "+key, "pairs × steps")
	d.edit(d.spec, "  - {name: steps, engine: stagewise, params: {max_iter: 50, epsilon: 0.02, choose: last}}\n", "")
	wants(t, why(key), "pairs × steps: no longer in "+d.spec)
	for _, name := range []string{"steps", "ffffffffff"} {
		if code, _, errs := d.run("why", name, d.spec, "--out", d.dir); code != app.ExitInvalid || !strings.Contains(errs, "no cell") {
			t.Errorf("%s: exit code %d, %s", name, code, errs)
		}
	}
	failed := d.path("failed")
	d.run("run", d.spec, "--out", failed, "--set", "algorithms.ridge.limits={memory: 1kB}")
	out, _ := d.ok("why", "ridge", d.spec, "--out", failed)
	wants(t, out, "skipped before")
	if plan := d.read(filepath.Join(d.dir, "plan.json")); plan != planned {
		t.Error("why wrote a plan")
	}
}

// TestFootersSayWhereResultsComeFrom: enough to run them again, in every file.
func TestFootersSayWhereResultsComeFrom(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	git := func(args ...string) error {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", d.folder, "-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		return cmd.Run()
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "x.yaml"}, {"commit", "-q", "-m", "x"}} {
		if err := git(args...); err != nil {
			t.Skipf("git %v: %v", args, err)
		}
	}
	footers := func() (out []*results.Tables) {
		for _, name := range resultFiles {
			f, err := results.ReadFooter(filepath.Join(d.dir, name))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, f)
		}
		return out
	}
	text, _ := d.ok("run", d.spec, "--out", d.dir, "--set", "algorithms.ridge.params.lambda=12")
	for i, f := range footers() {
		p := f.Provenance
		if "digest "+f.Digest != digest(text) || f.Experiment != "trio" || p.SpecPath != d.spec || !strings.Contains(p.Spec, "lambda: 12") ||
			len(p.Data) != 1 || p.Data[0].Name != "pairs" || len(p.Data[0].Digest) != 64 || p.Version == "" || p.Machine == "" || len(p.Commit) != 40 || p.Dirty {
			t.Errorf("%s: %+v", resultFiles[i], f)
		}
		if (f.Plan != "") != (resultFiles[i] == results.ResultsFile) {
			t.Errorf("%s: its plan has %d bytes", resultFiles[i], len(f.Plan))
		}
	}
	d.edit(d.spec, "lambda: 10", "lambda: 11")
	d.ok("run", d.spec, "--out", d.dir)
	for i, f := range footers() {
		if !f.Provenance.Dirty || !strings.Contains(f.Provenance.Spec, "lambda: 11") {
			t.Errorf("%s: changes that are not committed: %+v", resultFiles[i], f.Provenance)
		}
	}
}

// TestOneBit: a bit of the plan, or of a footer, is another one. What is shown then is what was shown before, or there is an error that
// names the file.
func TestOneBit(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	d.ok("run", d.spec, "--out", d.dir)
	dir, rng := d.copyOf(d.dir), random(t)
	commands := [][]string{{"report", dir, "--format", "markdown"}, {"diff", dir, d.dir}}
	var good []string
	for _, args := range commands {
		out, _ := d.ok(args...)
		good = append(good, out)
	}
	for _, name := range append([]string{planfile.Name}, resultFiles...) {
		path := filepath.Join(dir, name)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		from, refused, tried := max(0, len(content)-4096), 0, 4*faults(t) // footers are at the end
		if name == planfile.Name {
			from = 0
		}
		for range tried {
			at, bit := from+rng.IntN(len(content)-from), byte(1)<<rng.IntN(8)
			content[at] ^= bit
			replace(t, path, content)
			content[at] ^= bit
			for i, args := range commands {
				code, out, errs := d.run(args...)
				if code == app.ExitOK && out != good[i] || code != app.ExitOK && (code != app.ExitInvalid || !strings.Contains(errs, path)) {
					t.Errorf("%s, byte %d, bit %x: %s: exit code %d\n%s%s", name, at, bit, args[0], code, out, errs)
				}
				if code != app.ExitOK {
					refused++
				}
			}
		}
		if slices.Contains([]string{planfile.Name, results.ResultsFile}, name) && refused < 2*tried {
			t.Errorf("%s: %d of %d were refused", name, refused, 2*tried)
		}
		replace(t, path, content)
	}
}

// TestUnsealed: plans and tables that have lost their checksums, or are of other results, are not read.
func TestUnsealed(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	d.ok("run", d.spec, "--out", d.dir)
	path := filepath.Join(d.dir, planfile.Name)
	text, err := planfile.Read(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	replace(t, path, text)
	code, _, errs := d.run("report", d.dir)
	if code != app.ExitInvalid {
		t.Errorf("without its checksum: exit code %d", code)
	}
	wants(t, errs, "plan.json: damaged: it has no checksum")
	_, errs = d.ok("run", d.spec, "--out", d.dir)
	wants(t, errs, "0 to run, 9 cached")
	other := d.copyOf(d.dir)
	d.ok("run", d.spec, "--out", other, "--set", "seed=99")
	replace(t, filepath.Join(d.dir, results.MetricsFile), []byte(d.read(filepath.Join(other, results.MetricsFile))))
	if code, _, errs = d.run("report", d.dir); code != app.ExitInvalid {
		t.Errorf("with metrics of other results: exit code %d", code)
	}
	wants(t, errs, filepath.Join(d.dir, results.MetricsFile)+": it is of other results than results.parquet")
}

// TestGoesOnElsewhere: a folder with experiment, data and a run that is not complete goes on at another path, with another cache, as if
// it had begun there.
func TestGoesOnElsewhere(t *testing.T) {
	t.Parallel()
	here, there := filepath.Join(t.TempDir(), "here"), filepath.Join(t.TempDir(), "there", "copy")
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(here, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	var rows strings.Builder
	rows.WriteString("a,b,y\n")
	for i := range 60 {
		fmt.Fprintf(&rows, "%d,%d,%s\n", i*7%13, i*5%11, []string{"no", "yes"}[i*7%13/7])
	}
	write("data/table.csv", rows.String())
	write("experiments/table.yaml", `tenfold: 1
name: table
datasets:
  - {name: table, format: csv, files: {all: ../data/table.csv}, target: {column: y}}
folds: {kind: kfold, k: 3}
algorithms:
  - {name: tuned, engine: logistic, tune: {c2: [0.1, 1, 10]}}
  - {name: majority, engine: majority}
`)
	run := func(dir string, flags ...string) (out, errs string) {
		t.Helper()
		x := tool{t, t.TempDir()}
		return x.ok(append([]string{"run", filepath.Join(dir, "experiments", "table.yaml"), "--out", filepath.Join(dir, "runs", "table")}, flags...)...)
	}
	run(here, "--only", "tuned")
	if err := os.CopyFS(there, os.DirFS(here)); err != nil {
		t.Fatal(err)
	}
	whole, _ := run(here)
	if err := os.RemoveAll(here); err != nil {
		t.Fatal(err)
	}
	out, errs := run(there)
	if digest(out) != digest(whole) || !strings.Contains(errs, "3 to run, 3 cached") {
		t.Errorf("%s and %s\n%s", digest(out), digest(whole), errs)
	}
}
