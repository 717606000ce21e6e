package experiment

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"tenfold/engines/param"
	"tenfold/engines/registry"
	"tenfold/io/files"
	"tenfold/io/formats/labelled"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/experiment/reading"
	"tenfold/runner/folds"
)

// full is the first example of the interface, with formats and engines that this test has.
const full = `tenfold: 1                       # version of this format
name: epsilon-sweep
title: Best test error against the step size
seed: 2004

templates:
  pairs: [0200020000, 2000020000, 0200200000, 2000200000]

datasets:
  - name: ewt-joins
    format: joins
    files: {all: ud-english-ewt/en_ewt-ud-train.conllu.gz}
    target: mutual-information
    features: {templates: pairs, cutoff: 5}

folds:
  kind: holdout
  by: pattern
  test: 0.1

algorithms:
  - name: stagewise
    engine: stagewise
    params: {patience: 30000}
    grid:
      epsilon: [0.1, 0.0316, 0.01, 0.00316]
  - name: ridge
    engine: mdl
    params: {code: ric}

metrics: [test_mse, train_r2, nonzero]

report:
  tables:
    - {rows: algorithm, columns: dataset, cells: "{test_mse} ± {test_mse.se} ({nonzero})", baseline: ridge, test: bootstrap}
  figures:
    - {kind: sweep, x: epsilon, y: test_mse}
    - {kind: path, algorithm: stagewise}

gate:
  - {metric: test_mse, margin: {relative: 0.02}, test: bootstrap, alpha: 0.05}

limits: {time: 10m, memory: 4GiB}
failures: {tolerate: 0, retries: 1}
`

func TestFull(t *testing.T) {
	f := mustParse(t, full)
	if f.Name != "epsilon-sweep" || f.Seed != 2004 || !strings.HasPrefix(f.Title, "Best") || f.Predictions != nil {
		t.Errorf("heading: %+v", f)
	}
	if len(f.Datasets) != 1 || len(f.Algorithms) != 5 {
		t.Fatalf("%d data sets, %d algorithms", len(f.Datasets), len(f.Algorithms))
	}
	d := f.Datasets[0]
	if got := d.Source.(text).Features.Templates; len(got) != 4 || got[0] != "0200020000" {
		t.Errorf("templates %q", got)
	}
	if d.Format != "joins" || d.Rev != 2 || d.Files["all"] != (files.Ref{Path: "ud-english-ewt/en_ewt-ud-train.conllu.gz"}) || d.TrainFraction != 1 {
		t.Errorf("data set %+v", d)
	}
	if want := `{"features.templates":["0200020000","2000020000","0200200000","2000200000"]}`; d.Options != want {
		t.Errorf("options %s, want %s", d.Options, want)
	}
	if d.Folds != (folds.Spec{Kind: "holdout", Test: 0.1, By: "pattern", Repeats: 1, K: 1}) {
		t.Errorf("folds %+v", d.Folds)
	}
	a := f.Algorithms[2]
	if a.Name != "stagewise" || a.Rev != 3 || a.Engine.(step).Epsilon != 0.01 || a.Engine.(step).Patience != 30000 {
		t.Errorf("algorithm %+v", a)
	}
	if want := `{"patience":30000}`; a.Canonical != want { // 0.01 is the default
		t.Errorf("canonical %s, want %s", a.Canonical, want)
	}
	if want := `{"choose":"last","epsilon":0.01,"patience":30000,"stop.after":0,"stop.gain":0,"verbose":false}`; a.Params != want {
		t.Errorf("params %s, want %s", a.Params, want)
	}
	if len(a.Grid) != 1 || a.Grid[0].Name != "epsilon" || a.Grid[0].Value != 0.01 {
		t.Errorf("grid %v", a.Grid)
	}
	if a.Limits != (algorithm.Limits{Time: 10 * time.Minute, Memory: 4 << 30}) {
		t.Errorf("limits %v", a.Limits)
	}
	if f.Failures != (Failures{Retries: 1, Unsuitable: Refuse, Unavailable: Refuse}) {
		t.Errorf("failures %+v", f.Failures)
	}
}

func TestSections(t *testing.T) {
	o := options(t)
	f, err := Parse("x.yaml", []byte(full), o)
	if err != nil {
		t.Fatal(err)
	}
	got := o.Sections.(*sections)
	if len(got.Gate) != 1 || *got.Gate[0].Margin.Relative != 0.02 || got.Gate[0].Inconclusive != "fail" || len(got.Report.Figures) != 2 {
		t.Errorf("sections %+v", got)
	}
	lines := strings.Split(full, "\n")
	if at := f.Line("gate.0"); !strings.Contains(lines[at-1], "{metric: test_mse, margin") {
		t.Errorf("gate.0 is on line %d, %q", at, lines[at-1])
	}
}

// points of the only algorithm, written a=1,b=2.
func points(f *File) string {
	var out []string
	for _, a := range f.Algorithms {
		var p []string
		for _, g := range a.Grid {
			p = append(p, fmt.Sprintf("%s=%v", g.Name, g.Value))
		}
		out = append(out, strings.Join(p, ","))
	}
	return strings.Join(out, " ")
}

func TestGrid(t *testing.T) {
	for _, c := range []struct{ name, grid, want string }{
		{"product, last fastest", "{epsilon: [0.1, 0.2], patience: [1, 2]}",
			"epsilon=0.1,patience=1 epsilon=0.1,patience=2 epsilon=0.2,patience=1 epsilon=0.2,patience=2"},
		{"order of the file", "{patience: [1, 2], epsilon: [0.1]}", "patience=1,epsilon=0.1 patience=2,epsilon=0.1"},
		{"log", "{epsilon: {log: [1.0e-3, 1, 7]}}",
			"epsilon=0.001 epsilon=0.00316227766017 epsilon=0.01 epsilon=0.0316227766017 epsilon=0.1 epsilon=0.316227766017 epsilon=1"},
		{"log, falling, integers", "{patience: {log: [1000, 1, 4]}}", "patience=1000 patience=100 patience=10 patience=1"},
		{"linear", "{epsilon: {linear: [0.1, 0.5, 5]}}", "epsilon=0.1 epsilon=0.2 epsilon=0.3 epsilon=0.4 epsilon=0.5"},
		{"whole numbers of a real parameter", "{epsilon: [1, 0.5]}", "epsilon=1 epsilon=0.5"},
		{"words", "{choose: [last, test]}", "choose=last choose=test"},
		{"nested", "{stop.after: [3, 4]}", "stop.after=3 stop.after=4"},
		{"zip", "{epsilon: [0.1, 0.2], choose: [last, test], patience: [1, 2], zip: [[epsilon, patience]]}",
			"epsilon=0.1,choose=last,patience=1 epsilon=0.1,choose=test,patience=1 epsilon=0.2,choose=last,patience=2 epsilon=0.2,choose=test,patience=2"},
		{"zip with a value again", "{epsilon: [0.1, 0.1], patience: [1, 2], zip: [[epsilon, patience]]}", "epsilon=0.1,patience=1 epsilon=0.1,patience=2"},
		{"exclude: or of ands", "{epsilon: [0.1, 0.2], patience: [1, 2], exclude: [{epsilon: 1e-1, patience: 2}, {epsilon: 0.2, patience: 1}]}",
			"epsilon=0.1,patience=1 epsilon=0.2,patience=2"},
		{"include is exempt", "{epsilon: [0.1, 0.2], exclude: [{epsilon: 0.2}, {epsilon: 0.3}], include: [{epsilon: 0.3}]}", "epsilon=0.1 epsilon=0.3"},
		{"include in any order", "{epsilon: [0.1], patience: [1], include: [{patience: 2, epsilon: 0.2}]}",
			"epsilon=0.1,patience=1 epsilon=0.2,patience=2"},
		{"only include", "{include: [{epsilon: 0.1, patience: 1}, {epsilon: 0.2, patience: 2}]}", "epsilon=0.1,patience=1 epsilon=0.2,patience=2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := mustParse(t, strings.Replace(small, "engine: stagewise", "engine: stagewise, grid: "+c.grid, 1))
			if got := points(f); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			for _, a := range f.Algorithms {
				for _, g := range a.Grid {
					if _, isFloat := g.Value.(float64); g.Name == "epsilon" && !isFloat {
						t.Errorf("epsilon is %T, want the type of the parameter", g.Value)
					}
				}
			}
		})
	}
}

func TestDataGrid(t *testing.T) {
	f := mustParse(t, strings.Replace(small, "files:", "features: {templates: [0200020000]}, grid: {features.cutoff: [2, 5], train_fraction: [0.5, 1]}, files:", 1))
	var got []string
	for _, d := range f.Datasets {
		got = append(got, fmt.Sprint(d.Grid, d.Source.(text).Features, d.TrainFraction))
	}
	want := []string{
		"[{data_features.cutoff 2} {data_train_fraction 0.5}] {[0200020000] 2} 0.5",
		"[{data_features.cutoff 2} {data_train_fraction 1}] {[0200020000] 2} 1",
		"[{data_features.cutoff 5} {data_train_fraction 0.5}] {[0200020000] 5} 0.5",
		"[{data_features.cutoff 5} {data_train_fraction 1}] {[0200020000] 5} 1",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
}

// TestContract goes through what else the interface shows: it is read, or refused, and never ignored.
func TestContract(t *testing.T) {
	dataset := func(entry string) string {
		return strings.Replace(small, "  - {name: ewt, format: joins, files: {all: a.conllu}}", "  - {name: d, format: csv, files: {all: a}, "+entry+"}", 1)
	}
	algorithm := func(entry string) string {
		return strings.Replace(small, "  - {name: sw, engine: stagewise}", entry, 1)
	}
	top := func(section string) string { return section + "\n" + small }
	folds := func(section string) string {
		return strings.Replace(small, "folds: {kind: holdout, test: 0.1}", "folds: "+section, 1)
	}
	for _, c := range []struct{ name, file, refused string }{
		{"defaults", top("defaults: {limits: {time: 5m}}"), ""},
		{"columns", dataset("columns: {id: customer_no, drop: [note], group: customer, time: date, weight: w, categorical: [plan]}"), ""},
		{"prepare", dataset("prepare: {encode: one-hot, unseen: ignore, missing: median, scale: sd}"), ""},
		{"positive", dataset("target: {column: label, positive: 1}"), ""},
		{"type", dataset("target: {column: label, type: real}"), ""},
		{"data grid", dataset("grid: {columns.group: [a, b], train_fraction: [0.1, 0.5, 1]}"), ""},
		{"a file by parts", strings.Replace(small, "{all: a.conllu}", "{train: {path: a.zip, url: https://example.org/a.zip, member: a, sha256: "+strings.Repeat("0a", 32)+"}, test: b}", 1), ""},
		{"family", dataset("family: one-vs-one"), ""},
		{"family, some tasks", dataset("family: {kind: folder, only: [\"comp.*\", \"* vs sci.?\"]}"), ""},
		{"folds, all modifiers", folds("{kind: kfold, k: 10, repeats: 3, by: pattern, seed: 7}"), ""},
		{"folds, time", folds("{kind: time, column: date, test: 0.1, gap: 3, window: 100}"), ""},
		{"folds, given", strings.Replace(folds("given"), "{all: a.conllu}", "{train: a, test: b}", 1), ""},
		{"folds, by another name", folds("{kind: grouped, by: pattern, k: 5}"), ""},
		{"path", algorithm("  - {name: SGC, engine: growing, path: {at: [100, 1160, 10000], refit: true}}"), ""},
		{"tune", algorithm("  - {name: Lasso, engine: stagewise, tune: {epsilon: {log: [0.01, 1, 3]}, k: 5, metric: test_mse, choose: one-se}}"), ""},
		{"select", algorithm("  - {name: TPC+LR, select: {engine: stagewise}, refit: {engine: stagewise}}"), ""},
		{"combinations", algorithm("  - {name: sw, engine: stagewise, combinations: {}}"), "combinations: engine stagewise does not make"},
		{"published", top(`published: [{source: "Dhillon 2009, Table 5", dataset: ewt, algorithm: sw, metric: test_mse, value: 0.958, se: 0.008, selected: 6.3}]`), ""},
		{"gate", top("gate: [{metric: 'f:2', datasets: [ewt], algorithms: [sw], against: sw, min: 0, max: 1, margin: {absolute: 0.1}, inconclusive: pass}]"), ""},
		{"failures", top("failures: {tolerate: 2%}"), ""},
		{"predictions", top("predictions: false"), ""},
		{"anchors", top("limits: &l {time: 1m}\ndefaults: {limits: *l}"), ""},
	} {
		_, err := parse(t, c.file)
		switch {
		case c.refused == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)):
			t.Errorf("%s: got %v, want %s", c.name, err, c.refused)
		}
	}
}

// TestFamily: which tasks a family has, and that tests over their number wait for the data.
func TestFamily(t *testing.T) {
	family := func(family string) string {
		return strings.NewReplacer("files:", "target: relation, family: "+family+", files:", "engine: stagewise", "engine: logistic").Replace(small)
	}
	f := mustParse(t, family("{kind: one-vs-rest, only: [\"* rest\", b/c]}")).Datasets[0].Family
	if f.Kind != OneVsRest {
		t.Errorf("kind %q", f.Kind)
	}
	for task, want := range map[string]bool{"a vs rest": true, "a/b vs rest": true, "a vs b": false, "b/c": true, "b": false} {
		if got := f.IncludesTask(task); got != want {
			t.Errorf("%s: %v", task, got)
		}
	}
	if !(Family{Kind: ByFolder}).IncludesTask("anything") {
		t.Error("without only, a task is left out")
	}
	report := "report: {tables: [{test: paired-t}]}\n"
	if _, err := parse(t, report+family("one-vs-one")); err != nil {
		t.Errorf("one fold of many tasks: %v", err)
	}
	gated := "gate: [{metric: accuracy, test: nadeau-bengio}]\n"
	_, err := parse(t, gated+family("one-vs-one"))
	if err == nil || !strings.Contains(err.Error(), "x.yaml:1:33: test: nadeau-bengio") {
		t.Errorf("%v", err)
	}
}

// TestCanonical: what cannot change a result does not change what keys are made of.
func TestCanonical(t *testing.T) {
	canonical := func(entry string) string {
		return mustParse(t, strings.Replace(small, "{name: sw, engine: stagewise}", entry, 1)).Algorithms[0].Canonical
	}
	same := []string{
		"{name: sw, engine: stagewise, params: {epsilon: 0.1, patience: 5}}",
		"{name: other, engine: stagewise, params: {patience: 5, epsilon: 1e-1}} # a comment",
		"{params: {choose: last, patience: 5, verbose: true}, grid: {epsilon: [0.1, 0.2]}, engine: stagewise, name: sw}",
	}
	want := `{"epsilon":0.1,"patience":5}`
	for _, s := range same {
		if got := canonical(s); got != want {
			t.Errorf("%s: %s, want %s", s, got, want)
		}
	}
	if got := canonical("{name: sw, engine: stagewise, params: {epsilon: 0.1, patience: 6}}"); got == want {
		t.Error("patience has no part in the canonical form")
	}
	options := func(file string) string { return mustParse(t, file).Datasets[0].Options }
	list := options(strings.Replace(small, "files:", "features: {templates: [0200020000], cutoff: 9}, files:", 1))
	named := options("templates: {t: [0200020000]}\n" + strings.Replace(small, "files:", "features: {templates: t}, files:", 1))
	if list != named || list != `{"features.templates":["0200020000"]}` {
		t.Errorf("list %s, named %s", list, named)
	}
}

// TestInheritance: the nearest limits and parameters win, key by key.
func TestInheritance(t *testing.T) {
	f := mustParse(t, strings.Replace(small, "folds:", "limits: {time: 1h, memory: 1GB}\ndefaults: {limits: {time: 5m}, params: {patience: 7, epsilon: 0.5}}\nfolds:", 1)+
		"  - {name: b, engine: stagewise, limits: {time: 1s}, params: {patience: 8}, grid: {epsilon: [0.25]}}\n")
	a, b := f.Algorithms[0], f.Algorithms[1]
	if a.Limits != (algorithm.Limits{Time: 5 * time.Minute, Memory: 1e9}) || b.Limits != (algorithm.Limits{Time: time.Second, Memory: 1e9}) {
		t.Errorf("limits %v, %v", a.Limits, b.Limits)
	}
	if a.Canonical != `{"epsilon":0.5,"patience":7}` || b.Canonical != `{"epsilon":0.25,"patience":8}` {
		t.Errorf("params %s, %s", a.Canonical, b.Canonical)
	}
}

func TestFoldsOfDatasets(t *testing.T) {
	bare := strings.Replace(small, "folds: {kind: holdout, test: 0.1}\n", "", 1)
	for _, c := range []struct {
		file string
		want folds.Spec
	}{
		{bare, folds.Default().Normalised()},
		{strings.Replace(bare, "{all: a.conllu}", "{train: a, test: b}", 1), folds.Spec{Kind: "given"}.Normalised()},
		{strings.Replace(small, "files:", "folds: {kind: repeated, k: 3, repeats: 2}, files:", 1), folds.Spec{Kind: "kfold", K: 3, Repeats: 2}},
	} {
		want := c.want
		if want.Kind == "kfold" && want.Repeats == 2 {
			want.Kind = "kfold"
		}
		if got := mustParse(t, c.file).Datasets[0].Folds; got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

// TestGivenByOneFile: a format may part one file by itself.
func TestGivenByOneFile(t *testing.T) {
	o := options(t)
	var err error
	if o.Formats, err = registry.NewSet(labelled.MegamKind); err != nil {
		t.Fatal(err)
	}
	for use, refused := range map[string]bool{"train": true, "all": true, "train-dev": false, "train-test": false} {
		file := strings.NewReplacer("{kind: holdout, test: 0.1}", "{kind: given}", "format: joins", "format: megam, use: "+use, "engine: stagewise", "engine: logistic").Replace(small)
		if _, err := Parse("x.yaml", []byte(file), o); refused != (err != nil) || err != nil && !strings.Contains(err.Error(), "given folds need files") {
			t.Errorf("use %s: %v", use, err)
		}
		silent := strings.Replace(file, "folds: {kind: given}\n", "", 1)
		f, err := Parse("x.yaml", []byte(silent), o)
		if want := map[bool]string{true: "kfold", false: "given"}[refused]; err != nil || f.Datasets[0].Folds.Kind != want {
			t.Errorf("use %s without folds: %v, want %s", use, err, want)
		}
	}
}

// TestBlame: what is found after reading is still reported at its place.
func TestBlame(t *testing.T) {
	f := mustParse(t, small)
	err := f.Blame(f.Datasets[0].Entry, errors.Join(param.Errorf("files.all", "no file %q", "a.conllu"), errors.New("no rows")))
	want := "x.yaml:4:5: no rows\n      - {name: ewt, format: joins, files: {all: a.conllu}}\n        ^\n" +
		"x.yaml:4:45: files.all: no file \"a.conllu\"\n      - {name: ewt, format: joins, files: {all: a.conllu}}\n" + strings.Repeat(" ", 48) + "^"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if f.Blame(f.Algorithms[0].Entry, nil) != nil {
		t.Error("an error from nothing")
	}
}

func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.yaml")
	_, err := Load(path, options(t))
	if es, ok := err.(reading.Errors); !ok || !strings.Contains(err.Error(), "cannot be read: no such file") {
		t.Errorf("%T: %v", es, err)
	}
	if err := os.WriteFile(path, []byte(small), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := Load(path, options(t))
	if err != nil || f.Path != path || !bytes.Equal(f.Text, []byte(small)) {
		t.Errorf("%v, %v", f, err)
	}
}

// TestDefaultsAreSafe: decoding must not write into maps and lists that a kind's defaults share.
func TestDefaultsAreSafe(t *testing.T) {
	o := options(t)
	file := strings.Replace(small, "format: joins, files: {all: a.conllu}", "format: csv, files: {all: a}, cut: {b: 2}", 1)
	f, err := Parse("x.yaml", []byte(file), o)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Datasets[0].Source.(rows).Cut; !reflect.DeepEqual(got, map[string]int{"b": 2}) {
		t.Errorf("cut %v", got)
	}
	if got := o.Formats["csv"].Defaults().(rows).Cut; !reflect.DeepEqual(got, map[string]int{"a": 1}) {
		t.Errorf("defaults became %v", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(full, "seed=7")
	for _, e := range bad {
		f.Add(e.file(), "algorithms.sw.params.epsilon=0.5")
	}
	for _, s := range setCases {
		f.Add(full, s.set)
	}
	o := options(f)
	f.Fuzz(func(t *testing.T, file, set string) {
		o := o
		o.Sections = &sections{}
		for _, sets := range [][]string{nil, {set}} {
			o.Sets = sets
			got, err := Parse("x.yaml", []byte(file), o)
			if (got == nil) == (err == nil) {
				t.Fatalf("file %v, error %v", got, err)
			}
			if _, ok := err.(reading.Errors); err != nil && (!ok || err.Error() == "") {
				t.Fatalf("%T %v", err, err)
			}
			if err == nil { // what was read is what --set wrote
				o.Sets = nil
				if _, err := Parse("x.yaml", got.Text, o); err != nil {
					t.Fatalf("the text of a good file is bad: %v\n%s", err, got.Text)
				}
			}
		}
	})
}

// BenchmarkParse reads a file of 1000 cells.
func BenchmarkParse(b *testing.B) {
	o := options(b)
	file := []byte(strings.Replace(small, "engine: stagewise", "engine: stagewise, grid: {epsilon: {log: [1.0e-3, 1, 100]}, patience: {linear: [1, 10, 10]}}", 1))
	for b.Loop() {
		f, err := Parse("x.yaml", file, o)
		if err != nil || len(f.Algorithms) != 1000 {
			b.Fatal(err)
		}
	}
}

// To give an error its place costs nothing in the size of the file: 20,000 data sets may each have one.
func TestBlameDoesNotReadTheFileAgain(t *testing.T) {
	f := mustParse(t, small+strings.Repeat("# a comment\n", 100_000))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		if f.Blame(f.Datasets[0].Entry, errors.New("missing")) == nil {
			t.Fatal("no error")
		}
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 1<<20 {
		t.Errorf("%d bytes for a hundred errors", after.TotalAlloc-before.TotalAlloc)
	}
}

// TestToleratedShares: a percentage of a number of fits is what arithmetic says, though few percentages are exact in binary.
func TestToleratedShares(t *testing.T) {
	t.Parallel()
	for percent := 1; percent < 100; percent++ {
		var share Tolerance
		if err := share.UnmarshalText(fmt.Appendf(nil, "%d%%", percent)); err != nil {
			t.Fatal(err)
		}
		for _, fits := range []int{7, 50, 100, 1000} {
			if got, want := share.Of(fits), percent*fits/100; got != want {
				t.Errorf("%d%% of %d fits: %d, want %d", percent, fits, got, want)
			}
		}
	}
}
