package cli_test

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/all"
	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/io/files"
	"tenfold/io/formats"
	"tenfold/io/model"
	"tenfold/io/predictions"
	"tenfold/reports"
	"tenfold/runner/cli/app"
	"tenfold/runner/execute"
	"tenfold/runner/experiment"
)

// fitting is an experiment in a folder of its own, with one algorithm on one data set.
type fitting struct {
	tool
	dir, spec, model string
}

func newFitting(t *testing.T, dataset, algorithm string, contents map[string]string) fitting {
	t.Helper()
	x := fitting{tool: tool{t, t.TempDir()}, dir: t.TempDir()}
	x.spec, x.model = filepath.Join(x.dir, "x.yaml"), filepath.Join(x.dir, "x.model.json")
	x.put("x.yaml", "tenfold: 1\nname: x\nseed: 5\ndatasets:\n  - "+dataset+"\nfolds: {kind: kfold, k: 3}\nalgorithms:\n  - "+algorithm+"\nmetrics: [seconds_fit]\n")
	for name, content := range contents {
		x.put(name, content)
	}
	return x
}

func (x fitting) put(name, content string) string {
	x.t.Helper()
	path := filepath.Join(x.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		x.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		x.t.Fatal(err)
	}
	return path
}

func (x fitting) fit() {
	x.t.Helper()
	out, _ := x.ok("fit", x.spec, "-o", x.model, "--run", filepath.Join(x.dir, "run"))
	wants(x.t, out, "fitted   d × a (cell ", "held out none: the model has seen all rows", "model    "+x.model)
}

// predict is the table of predictions, with the names of its columns, and what was said.
func (x fitting) predict(args ...string) (table [][]string, errs string) {
	x.t.Helper()
	out, errs := x.ok(append([]string{"predict", x.model}, args...)...)
	table, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		x.t.Fatal(err)
	}
	return table, errs
}

// inProcess is the same fit without a file: what the engine says of the rows that it was fitted to.
func (x fitting) inProcess() (rows *data.View, found []execute.Predicted) {
	x.t.Helper()
	kinds, err := all.Engines()
	if err != nil {
		x.t.Fatal(err)
	}
	sources, err := formats.Formats()
	if err != nil {
		x.t.Fatal(err)
	}
	sections := reports.DefaultSections()
	f, err := experiment.Load(x.spec, experiment.Options{Engines: kinds, Wrappers: all.Wrappers(), Formats: sources, Sections: &sections})
	if err != nil {
		x.t.Fatal(err)
	}
	in, err := files.Open(f.Datasets[0].Files, files.Folders{Spec: x.dir}, "")
	if err != nil {
		x.t.Fatal(err)
	}
	d, err := f.Datasets[0].Source.Load(x.t.Context(), in)
	if err != nil {
		x.t.Fatal(err)
	}
	p, err := f.Datasets[0].Source.Recipe().Fit(d, nil)
	if err != nil {
		x.t.Fatal(err)
	}
	kept, err := model.Read(x.model)
	if err != nil {
		x.t.Fatal(err)
	}
	seed := uint64(kept.Fit.Seed)
	m, err := f.Algorithms[0].Engine.Fit(x.t.Context(), engines.Run{Train: p.View(nil), Rand: rand.New(rand.NewPCG(seed, seed^0x9E3779B97F4A7C15)), Workers: 1})
	if err != nil {
		x.t.Fatal(err)
	}
	if found, err = execute.Apply(m, p.View(nil), 1); err != nil {
		x.t.Fatal(err)
	}
	return p.View(nil), found
}

// same compares predictions of a file with those in the process, bit for bit.
func (x fitting) same(table [][]string) {
	x.t.Helper()
	rows, found := x.inProcess()
	if len(table)-1 != rows.Len() {
		x.t.Fatalf("%d predictions for %d rows", len(table)-1, rows.Len())
	}
	for i, record := range table[1:] {
		want := []string{rows.ID(i)}
		for _, f := range found {
			if f.Target.Type != data.Class {
				want = append(want, strconv.FormatFloat(f.Value[i], 'g', -1, 64))
				continue
			}
			want = append(want, f.Target.Levels[int(f.Value[i])])
			n := len(f.Target.Levels)
			scores := f.Score[i*n : (i+1)*n]
			for _, s := range scores {
				if f.Probabilities {
					s = elementary.Exp(s)
				}
				want = append(want, strconv.FormatFloat(s, 'g', -1, 64))
			}
			if n == 2 {
				want = append(want, strconv.FormatFloat(scores[f.Target.Positive]-scores[1-f.Target.Positive], 'g', -1, 64))
			}
		}
		if !slices.Equal(record, want) {
			x.t.Fatalf("row %d: %v, in the process %v", i, record, want)
		}
	}
}

// customers is a table with categories, gaps and a column that nobody needs.
func customers(rows int) (header []string, table [][]string) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range rows {
		plan, calls := []string{"basic", "pro", "team"}[r.IntN(3)], r.Float64()*10
		churned := "no"
		if calls+r.NormFloat64()*2 > 5 == (plan != "pro") {
			churned = "yes"
		}
		age := strconv.Itoa(18 + r.IntN(60))
		if r.IntN(9) == 0 {
			age = "NA"
		}
		if r.IntN(12) == 0 {
			plan = ""
		}
		table = append(table, []string{fmt.Sprintf("c%d", i), plan, age, strconv.FormatFloat(calls, 'f', 3, 64), churned, "text"})
	}
	return []string{"customer", "plan", "age", "calls", "churned", "note"}, table
}

func asCSV(header []string, table [][]string) string {
	lines := []string{strings.Join(header, ",")}
	for _, record := range table {
		lines = append(lines, strings.Join(record, ","))
	}
	return strings.Join(lines, "\n") + "\n"
}

const customerSet = `{name: d, format: csv, files: {all: d.csv}, columns: {id: customer, drop: [note], categorical: [plan]},
     prepare: {encode: one-hot, missing: median, scale: sd}, target: {column: churned, positive: yes}}`

func TestFitPredictsTables(t *testing.T) {
	t.Parallel()
	header, table := customers(120)
	for _, algorithm := range []string{
		"{name: a, engine: logistic}", "{name: a, engine: elastic-net, tune: {lambda: path, k: 3}}", "{name: a, engine: forward-stepwise}",
		"{name: a, select: {engine: mdl, params: {code: ric}}, refit: {engine: logistic}}", "{name: a, engine: svm, tune: {gamma: [0.1, 1], k: 3}}",
		"{name: a, engine: mdl, params: {code: ric}, multiclass: one-vs-rest}",
	} {
		x := newFitting(t, customerSet, algorithm, map[string]string{"d.csv": asCSV(header, table)})
		x.fit()
		got, _ := x.predict(filepath.Join(x.dir, "d.csv"))
		x.same(got)
	}
	x := newFitting(t, customerSet, "{name: a, engine: logistic}", map[string]string{"d.csv": asCSV(header, table)})
	x.fit()
	whole, _ := x.predict(filepath.Join(x.dir, "d.csv"))

	// Other columns in another order, without the response, compressed or not: the same predictions.
	var moved [][]string
	for _, r := range table {
		moved = append(moved, []string{"x", r[3], r[2], r[0], r[1]})
	}
	other := x.put("other.csv", asCSV([]string{"more", "calls", "age", "customer", "plan"}, moved))
	again, _ := x.predict(other)
	if fmt.Sprint(again) != fmt.Sprint(whole) {
		t.Error("the order of columns makes another prediction")
	}
	// A part of the rows, one with a level that is new, one with gaps everywhere; there is no id.
	some := x.put("some.csv", "plan,age,calls\nenterprise,30,5\nbasic,30,5\nNA,,\n")
	got, errs := x.predict(some)
	wants(t, errs, "some.csv: 1 level that the model was not fitted to: plan=enterprise", "missing values filled in")
	if len(got) != 4 || got[1][0] != "0" || got[1][2] == got[2][2] || got[0][1] != "prediction" || got[0][3] != "probability_yes" {
		t.Errorf("predictions %v", got)
	}
	// Parquet in, Parquet out.
	text := func(k int) func(i int) string { return func(i int) string { return table[i][k] } }
	var b bytes.Buffer
	w := predictions.NewParquet(&b)
	number := func(i int) float64 { v, _ := strconv.ParseFloat(table[i][3], 64); return v }
	if err := w.Write([]predictions.Column{{Name: "customer", Text: text(0)}, {Name: "calls", Number: number}, {Name: "plan", Text: text(1)}, {Name: "age", Text: text(2)}}, len(table)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	stored, _ := x.predict(x.put("d.parquet", b.String()))
	if fmt.Sprint(stored) != fmt.Sprint(whole) {
		t.Error("a Parquet file makes other predictions than its CSV")
	}
	out := filepath.Join(x.dir, "p.parquet")
	x.ok("predict", x.model, other, "-o", out)
	if content, err := os.ReadFile(out); err != nil || !bytes.HasPrefix(content, []byte("PAR1")) {
		t.Errorf("%s: %v", out, err)
	}
	// Several files name themselves.
	both, _ := x.predict(other, some)
	if len(both) != 124 || both[0][0] != "file" || both[123][0] != some {
		t.Errorf("two files: %d rows, %v", len(both), both[0])
	}
	// Metrics, of rows with responses, where all have the same one, too.
	_, errs = x.predict(filepath.Join(x.dir, "d.csv"), "--score")
	wants(t, errs, "120 responses", "accuracy  ", "log_loss  ")
	_, errs = x.predict(x.put("one.csv", "plan,age,calls,churned\nbasic,30,5,no\npro,,4,no\nteam,5,1,\n"), "--score")
	wants(t, errs, "2 responses", "accuracy  ")
}

func TestFitPredictsFormats(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	var svm, bare, megam, docs, vw strings.Builder
	words := strings.Fields("good fine nice bad poor sad film plot story actor")
	var numbers, ys []float64
	for i := range 60 {
		label, y := "+1", 1.0
		if i%2 == 1 {
			label, y = "-1", 0
		}
		entries := ""
		for j := 1; j <= 6; j++ {
			v := float64(r.IntN(3))
			if j == 2 {
				v = float64(i%2) + float64(r.IntN(2))
			}
			if v != 0 {
				entries += fmt.Sprintf(" %d:%v", j, v)
			}
			numbers = append(numbers, v)
		}
		if entries == "" {
			entries = " 3:1"
		}
		ys = append(ys, y)
		fmt.Fprintf(&svm, "%s%s\n", label, entries)
		fmt.Fprintf(&bare, "%s\n", strings.TrimSpace(entries))
		fmt.Fprintf(&vw, "%s | %s w%d:1.5\n", strings.TrimPrefix(label, "+"), words[r.IntN(10)], i%2+r.IntN(2))
		fmt.Fprintf(&megam, "c%d %s %s\n", i%2, words[(i%2)*3+r.IntN(3)], words[6+r.IntN(4)])
		fmt.Fprintf(&docs, "c%d\t%s %s %s\n", i%2, words[(i%2)*3+r.IntN(3)], words[r.IntN(10)], words[6+r.IntN(4)])
	}
	var untabbed strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(docs.String()), "\n") {
		untabbed.WriteString(line[3:] + "\n")
	}
	for _, c := range []struct {
		name, dataset, engine string
		file, content         string // trained on
		bare                  string // the same without responses; "" where they must be there
	}{
		{"svmlight", "{name: d, format: svmlight, target: class, files: {all: d.svm}}", "l1", "d.svm", svm.String(), bare.String()},
		{"svmlight, real, scaled", "{name: d, format: svmlight, prepare: {scale: sd}, files: {all: d.svm}}", "lasso", "d.svm", svm.String(), bare.String()},
		{"svmlight, counts", "{name: d, format: svmlight, target: class, files: {all: d.svm}}", "naive-bayes", "d.svm", svm.String(), bare.String()},
		{"vw", "{name: d, format: vw, target: class, files: {all: d.vw}}", "logistic", "d.vw", vw.String(), strings.NewReplacer("-1 |", "|", "1 |", "|").Replace(vw.String())},
		{"megam", "{name: d, format: megam, files: {all: d.megam}}", "maxent", "d.megam", megam.String(), ""},
		{"documents", "{name: d, format: documents, label: tab, split: line, features: {values: tf-idf, normalize: l2, ngrams: 2, cutoff: 2}, files: {all: d.txt}}", "svm", "d.txt", docs.String(), untabbed.String()},
		{"topics", "{name: d, format: documents, label: tab, split: line, prepare: {topics: 3}, features: {cutoff: 1}, files: {all: d.txt}}", "logistic", "d.txt", docs.String(), untabbed.String()},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := newFitting(t, c.dataset, "{name: a, engine: "+c.engine+"}", map[string]string{c.file: c.content})
			x.fit()
			table, _ := x.predict(filepath.Join(x.dir, c.file))
			x.same(table)
			if c.bare == "" {
				return
			}
			again, _ := x.predict(x.put("bare"+filepath.Ext(c.file), c.bare))
			if fmt.Sprint(again) != fmt.Sprint(table) {
				t.Errorf("without responses: %v, with them %v", again[:3], table[:3])
			}
		})
	}
	t.Run("npz", func(t *testing.T) {
		x := newFitting(t, "{name: d, format: npz, files: {all: d.npy, all_y: y.npy}}", "{name: a, engine: lasso}",
			map[string]string{"d.npy": npy(numbers, 60, 6), "y.npy": npy(ys, 60)})
		x.fit()
		table, _ := x.predict(filepath.Join(x.dir, "d.npy"))
		x.same(table)
		_, errs := x.predict(filepath.Join(x.dir, "d.npy"), "--score", "--file", "all_y="+filepath.Join(x.dir, "y.npy"))
		wants(t, errs, "60 responses", "test_mse")
		if code, _, errs := x.run("predict", x.model, x.put("narrow.npy", npy(numbers[:50], 10, 5))); code != app.ExitInvalid || !strings.Contains(errs, `no column "5", which the model uses`) {
			t.Errorf("a narrow matrix: code %d, %s", code, errs)
		}
	})
}

// npy is an array of doubles.
func npy(values []float64, shape ...int) string {
	text := strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", ", "), "[]")
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%s,), }\n", text)
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), byte(len(header)>>8))
	b = append(b, header...)
	b, err := binary.Append(b, binary.LittleEndian, values)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestFitPredictsFurtherFiles(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 10))
	const head, class = "@relation r\n@attribute size numeric\n@attribute kind {a,b,c}\n@attribute big {no,yes}\n", "@attribute y {u,v}\n"
	arff, bare := head+class+"@data\n", head+"@attribute more string\n@data\n"
	var rows, more, fewer [][]string
	genes := [][]string{{"NAME", "Description"}, {"g1", "na"}, {"g2", "na"}, {"g3", "na"}}
	var classes []string
	for i := range 40 {
		x, kind, big, y := r.IntN(9), "abc"[r.IntN(3)], []string{"no", "yes"}[r.IntN(2)], "uv"[(i/2)%2]
		if y == 'u' {
			x += 2
		}
		line := fmt.Sprintf("%d,%c,%s", x, kind, big)
		if r.IntN(8) == 0 {
			line = fmt.Sprintf("?,%c,?", kind)
		}
		arff += fmt.Sprintf("%s,%c\n", line, y)
		bare += line + ",'any text'\n"
		id := fmt.Sprintf("r%d", i)
		rows = append(rows, []string{id, fmt.Sprint(x), string(y)})
		fewer = append(fewer, []string{fmt.Sprint(x), id})
		more = append(more, []string{id, fmt.Sprint(r.IntN(5)), ""})
		if i%9 != 0 {
			more[i][2] = fmt.Sprint(r.IntN(5))
		}
		genes[0] = append(genes[0], id)
		for k := 1; k <= 3; k++ {
			genes[k] = append(genes[k], fmt.Sprint(x+r.IntN(3)*k))
		}
		classes = append(classes, string(y))
	}
	tabs := func(table [][]string) string { return strings.ReplaceAll(asCSV(table[0], table[1:]), ",", "\t") }
	t.Run("arff", func(t *testing.T) {
		x := newFitting(t, "{name: d, format: arff, files: {all: d.arff}, target: {column: y}, prepare: {missing: mean}}", "{name: a, engine: logistic}", map[string]string{"d.arff": arff})
		x.fit()
		table, _ := x.predict(filepath.Join(x.dir, "d.arff"))
		x.same(table)
		again, _ := x.predict(x.put("bare.arff", bare))
		if fmt.Sprint(again) != fmt.Sprint(table) {
			t.Error("other predictions without responses")
		}
		code, _, errs := x.run("predict", x.model, x.put("none.arff", strings.Replace(bare, "@attribute size", "@attribute sise", 1)))
		if code != app.ExitInvalid || !strings.Contains(errs, `no column "size", which the model uses; did you mean "sise"?`) {
			t.Errorf("code %d, %s", code, errs)
		}
	})
	t.Run("gct", func(t *testing.T) {
		gct := fmt.Sprintf("#1.2\n3\t%d\n", len(classes)) + tabs(genes)
		x := newFitting(t, "{name: d, format: gct, files: {all: d.gct, labels: d.cls}, features: {classes: {gmt: sets.gmt, overlap: duplicate}}}", "{name: a, engine: logistic}",
			map[string]string{"d.gct": gct, "d.cls": fmt.Sprintf("%d 2 1\n# u v\n%s\n", len(classes), strings.Join(classes, " ")), "sets.gmt": "s1\tna\tg1\tg2\ns2\tna\tg2\tg3\n"})
		x.fit()
		table, _ := x.predict(filepath.Join(x.dir, "d.gct"))
		if len(table) != 41 || table[1][0] != "r0" {
			t.Errorf("predictions %v", table[:2])
		}
		out, _ := x.ok("features", x.model)
		wants(t, out, "g2@s1", "g2@s2")
		_, errs := x.predict(filepath.Join(x.dir, "d.gct"), "--score", "--file", "labels="+filepath.Join(x.dir, "d.cls"))
		wants(t, errs, "40 responses")
	})
	t.Run("joined tables", func(t *testing.T) {
		side := asCSV([]string{"id", "p", "q"}, more)
		x := newFitting(t, "{name: d, format: csv, files: {all: d.csv}, join: {file: f.csv, by: id, features: [\"*\"]}, target: {column: y}, prepare: {missing: drop-rows}}", "{name: a, engine: logistic}",
			map[string]string{"d.csv": asCSV([]string{"id", "x", "y"}, rows), "f.csv": side})
		x.fit()
		table, errs := x.predict(filepath.Join(x.dir, "d.csv"), "--file", "join="+filepath.Join(x.dir, "f.csv"))
		wants(t, errs, "d.csv: rows: 35 of 40 (5 with a missing value)")
		x.same(table)
		again, _ := x.predict(x.put("bare.csv", asCSV([]string{"x", "id"}, fewer)), "--file", "join="+filepath.Join(x.dir, "f.csv"))
		if fmt.Sprint(again) != fmt.Sprint(table) {
			t.Error("other predictions without responses")
		}
		code, _, errs := x.run("predict", x.model, x.put("alone.csv", asCSV([]string{"x", "id"}, fewer)))
		if code != app.ExitInvalid || !strings.Contains(errs, "give the table of the new rows with --file join=FILE") {
			t.Errorf("code %d, %s", code, errs)
		}
	})
	t.Run("folders of documents", func(t *testing.T) {
		x := newFitting(t, `{name: d, format: documents, layout: "{class}/{id}.txt", files: {all: docs}, features: {cutoff: 1}}`, "{name: a, engine: naive-bayes}", nil)
		for i := range 20 {
			x.put(fmt.Sprintf("docs/c%d/%d.txt", i%2, i), fmt.Sprintf("word%d both other%d", i%2, i%5))
		}
		x.fit()
		table, errs := x.predict(filepath.Join(x.dir, "docs"), "--score")
		wants(t, errs, "20 responses", "accuracy             1\n")
		x.same(table)
		x.put("new/here.txt", "word1 both word1")
		got, _ := x.predict(filepath.Join(x.dir, "new"))
		if len(got) != 2 || got[1][0] != "here.txt" || got[1][1] != "c1" {
			t.Errorf("predictions %v", got)
		}
	})
}

func TestFitPredictsSequences(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	var tagged, bare strings.Builder
	for range 40 {
		last := "O"
		for range 4 + r.IntN(5) {
			word, tag := []string{"the", "a", "dog", "cat", "runs", "50%;x=1"}[r.IntN(6)], "O"
			switch {
			case word == "the" || word == "a":
				tag = "B-NP"
			case last != "O" && word != "runs":
				tag = "I-NP"
			}
			last = tag
			fmt.Fprintf(&tagged, "%s %s\n", word, tag)
			fmt.Fprintf(&bare, "%s\n", word)
		}
		tagged.WriteString("\n")
		bare.WriteString("\n")
	}
	for _, beam := range []int{1, 3} {
		x := newFitting(t, fmt.Sprintf(`{name: d, format: conll, files: {all: d.txt}, columns: {w: 0, c: 1}, target: {column: c, chunks: [NP]}, decode: {beam: %d},
     features: {templates: ["w[0]", "w[-1] w[0]", "c[-1]", "c[-2] c[-1]", "c[-1] w[0]"], cutoff: 2}}`, beam), "{name: a, engine: l1}", map[string]string{"d.txt": tagged.String()})
		x.fit()
		table, errs := x.predict(filepath.Join(x.dir, "d.txt"), "--score")
		wants(t, errs, "chunk_f1")
		x.same(table)
		again, _ := x.predict(x.put("bare.txt", bare.String()))
		if fmt.Sprint(again) != fmt.Sprint(table) {
			t.Error("without tags there are other predictions")
		}
	}
}

func TestFitChooses(t *testing.T) {
	t.Parallel()
	header, table := customers(90)
	x := newFitting(t, customerSet, "{name: a, engine: forward-stepwise, path: {at: [1, 2]}}\n  - {name: b, engine: l1, grid: {c1: [0.1, 1]}}", map[string]string{"d.csv": asCSV(header, table)})
	x.put("x.yaml", strings.Replace(read(t, x.spec), "metrics: [seconds_fit]", "metrics: [accuracy]", 1))
	run := filepath.Join(x.dir, "run")
	refuse := func(want string, code int, args ...string) {
		t.Helper()
		got, _, errs := x.run(append([]string{"fit", x.spec, "--run", run}, args...)...)
		if got != code || !strings.Contains(errs, want) {
			t.Errorf("%v: code %d, %s", args, got, errs)
		}
	}
	refuse("say -o FILE", app.ExitInvalid)
	refuse("3 cells, and a model is of one: choose with --cell", app.ExitInvalid, "-o", x.model)
	refuse("--cell zebra: no cell matches", app.ExitInvalid, "-o", x.model, "--cell", "zebra")
	refuse("no cell has it on all folds in "+run+"; run the experiment first (tenfold run "+x.spec+"), or name the folder of its run with --run", app.ExitIncomplete, "-o", x.model, "--best", "accuracy")
	refuse("no such metric", app.ExitInvalid, "-o", x.model, "--best", "accurasy")
	refuse("has no path.at", app.ExitInvalid, "-o", x.model, "--cell", "b/c1=1", "--point", "3")
	refuse("path.at of a has 1, 2", app.ExitInvalid, "-o", x.model, "--cell", "a", "--point", "3")
	refuse("there is no folder", app.ExitInvalid, "-o", filepath.Join(x.dir, "none", "m.json"), "--cell", "a")

	x.ok("run", x.spec, "--out", run)
	out, _ := x.ok("fit", x.spec, "--run", run, "--best", "accuracy", "-o", x.model)
	wants(t, out, "held out accuracy 0.", "over 3 folds: of models fitted to their training rows, not of this one, which has seen all rows. The best of 3 by accuracy, which flatters that number")
	out, _ = x.ok("fit", x.spec, "--run", run, "--cell", "a", "--point", "1", "-o", x.model+".gz")
	wants(t, out, "the model of 1 feature on its path", "1 feature\n")
	table2, _ := x.ok("features", x.model+".gz")
	wants(t, table2, "order  feature", "held out accuracy", "intercept of ")
	if scaled := strings.Contains(table2, "divided by their standard deviation"); scaled != strings.Contains(read(t, x.spec), "scale: sd") {
		t.Errorf("what coefficients are of, scaled %v:\n%s", scaled, table2)
	}
	asJSON, _ := x.ok("features", x.model+".gz", "--format", "json")
	var listed struct {
		Features   []struct{ Feature string }
		Intercepts []struct{ Value float64 }
	}
	if err := json.Unmarshal([]byte(asJSON), &listed); err != nil || len(listed.Features) != 1 || len(listed.Intercepts) == 0 {
		t.Errorf("%v in %s", err, asJSON)
	}
	lines, _ := x.ok("features", x.model+".gz", "--format", "csv")
	wants(t, lines, "order,feature,", listed.Features[0].Feature)
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestPredictRefuses(t *testing.T) {
	t.Parallel()
	header, table := customers(60)
	x := newFitting(t, customerSet, "{name: a, engine: logistic}", map[string]string{"d.csv": asCSV(header, table)})
	x.fit()
	good := read(t, x.model)
	unsealed := good[:strings.LastIndex(good, ",\n  \"checksum\"")] + "}" // so that other damage is what is seen first
	rows := filepath.Join(x.dir, "d.csv")
	for _, c := range []struct{ name, content, want string }{
		{"newer", strings.Replace(good, `"tenfold_model": 1`, `"tenfold_model": 7`, 1), "tenfold_model: found 7, expected 1, the version that this tenfold reads; the file is of tenfold"},
		{"truncated", good[:len(good)/2], "the file is cut off after"},
		{"truncated.gz", "\x1f\x8b\x08\x00", "damaged or cut off"},
		{"empty", "", "the file is empty"},
		{"a spec", read(t, x.spec), "it begins with"},
		{"a table", asCSV(header, table), "it begins with"},
		{"parquet", "PAR1xxxx", "a Parquet file"},
		{"other JSON", `{"digest": "x"}`, "no model: expected a file that tenfold fit wrote"},
		{"a list", `[1]`, "it begins with"},
		{"another number", strings.Replace(good, `"rows":60`, `"rows":61`, 1), "the model is damaged: it is not what its checksum is of"},
		{"an unknown kind", strings.Replace(unsealed, `"kind":"`, `"kind":"very `, 1), "is not known here"},
		{"fewer columns", strings.Replace(unsealed, `"columns":["plan=basic",`, `"columns":[`, 1), "the model is damaged: preparation:"},
		{"another format", strings.Replace(unsealed, `"format":"csv"`, `"format":"xls"`, 1), `unknown format "xls"`},
		{"another option", strings.Replace(unsealed, `"categorical"`, `"catgorical"`, 1), "catgorical"},
	} {
		code, out, errs := x.run("predict", x.put("m-"+c.name, c.content), rows)
		if code != app.ExitInvalid || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%s: code %d, %s", c.name, code, errs)
		}
	}
	for _, c := range []struct{ name, content, want string }{
		{"no column", "plan,ages,calls\nbasic,1,2\n", `no column "age", which the model uses; did you mean "ages"?`},
		{"no category", "age,calls\n1,2\n", `no column "plan", which the model uses`},
		{"none", "a,b\n1,2\n", `no column "age", which the model uses; nor are there calls, plan`},
		{"text", "plan,age,calls\nbasic,old,2\n", `column "age": found "old", expected a finite number`},
		{"no rows", "plan,age,calls\n", "no rows"},
	} {
		code, _, errs := x.run("predict", x.model, x.put(c.name+".csv", c.content))
		if code != app.ExitInvalid || !strings.Contains(errs, c.want) {
			t.Errorf("%s: code %d, %s", c.name, code, errs)
		}
	}
	x.ok("predict", x.model, rows, "-o", os.DevNull)
	for want, args := range map[string][]string{
		"absent.csv: no such file":           {filepath.Join(x.dir, "absent.csv")},
		"ends in .csv or .parquet":           {rows, "-o", filepath.Join(x.dir, "p.xls")},
		"expected ROLE=PATH":                 {rows, "--file", "names"},
		`unknown format "cvs"`:               {rows, "--format", "cvs"},
		`unknown option "delimitr"`:          {rows, "--set", "delimitr=;"},
		`no level of the model is "perhaps"`: {x.put("perhaps.csv", "plan,age,calls,churned\nbasic,1,2,perhaps\npro,1,2,no\n"), "--score"},
	} {
		code, _, errs := x.run(append([]string{"predict", x.model}, args...)...)
		if code != app.ExitInvalid || !strings.Contains(errs, want) {
			t.Errorf("%v: code %d, %s", args, code, errs)
		}
	}
}

func TestFitOfOneTask(t *testing.T) {
	t.Parallel()
	var docs strings.Builder
	r := rand.New(rand.NewPCG(7, 8))
	for i := range 90 {
		fmt.Fprintf(&docs, "c%d\tw%d w%d shared%d\n", i%3, i%3, (i%3+r.IntN(2))%3, r.IntN(4))
	}
	for family, name := range map[string]string{"one-vs-one": "c0 vs c2", "one-vs-rest": "c1 vs rest"} {
		x := newFitting(t, "{name: d, format: documents, label: tab, split: line, family: "+family+", files: {all: d.txt}}", "{name: a, engine: logistic}", map[string]string{"d.txt": docs.String()})
		out, _ := x.ok("fit", x.spec, "-o", x.model, "--cell", name)
		wants(t, out, "fitted   d/"+name+" × a")
		table, errs := x.predict(filepath.Join(x.dir, "d.txt"), "--score")
		wants(t, errs, map[string]string{"one-vs-one": "60 responses, rows with other labels left out (c1)", "one-vs-rest": "90 responses\n"}[family])
		if len(table) != 91 {
			t.Errorf("%s: %d rows", family, len(table)-1)
		}
	}
}
