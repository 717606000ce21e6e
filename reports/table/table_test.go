package table

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

var update = flag.Bool("update", false, "write the golden files anew")

// run makes rows for tests.
type run struct{ rows []results.Row }

// add appends one row for each value of the metric, on folds 0, 1, ...
func (r *run) add(dataset, algorithm string, grid []results.Param, metric string, higher bool, selected float64, values ...float64) *run {
	for i, v := range values {
		row := results.Row{
			Label: results.Label{Dataset: dataset, Algorithm: algorithm, Cell: fmt.Sprint(dataset, algorithm, grid), Grid: grid,
				Fold: int32(i), FoldDigest: fmt.Sprint(dataset, "-fold", i)},
			Outcome: results.Outcome{Status: results.OK, RowsTrain: 90, RowsTest: 10, Scores: []results.Score{
				{Metric: metric, Point: -1, Value: v, Higher: higher},
				{Metric: "selected", Point: -1, Value: selected + float64(i%2)},
			}},
		}
		r.rows = append(r.rows, row)
	}
	return r
}

func (r *run) input(metrics ...string) Input {
	return Input{Cells: cells.Group(r.rows), Metrics: metrics}
}

func ptr(x float64) *float64 { return &x }

func eps(x float64) []results.Param { return []results.Param{{Name: "epsilon", Value: x}} }

// dhillon is a run over two data sets and five folds.
func dhillon() *run {
	r := &run{}
	r.add("leukemia", "TPC", nil, "accuracy", true, 6, 0.95, 0.96, 0.94, 0.97, 0.96)
	r.add("leukemia", "Lasso", nil, "accuracy", true, 14, 0.90, 0.89, 0.92, 0.90, 0.91)
	r.add("leukemia", "mean", nil, "accuracy", true, 0, 0.95, 0.95, 0.95, 0.96, 0.96)
	r.add("gcm", "TPC", nil, "accuracy", true, 40, 0.70, 0.72, 0.69, 0.75, 0.71)
	r.add("gcm", "Lasso", nil, "accuracy", true, 90, 0.71, 0.70, 0.72, 0.73, 0.71)
	r.add("gcm", "mean", nil, "accuracy", true, 0, 0.40, 0.44, 0.41, 0.42, 0.43)
	return r
}

// holdout is a run on one fold with predictions, a gridded algorithm, and one whose models saw the test rows.
func holdout() *run {
	r := &run{}
	truth := make([]float64, 60)
	for i := range truth {
		truth[i] = math.Sin(float64(i))
	}
	add := func(algorithm string, grid []results.Param, scale float64, optimistic bool) {
		var p results.Predictions
		sum := 0.0
		for i, y := range truth {
			e := scale * math.Cos(float64(7*i))
			p.Row, p.Group, p.Output = append(p.Row, fmt.Sprint(i)), append(p.Group, ""), append(p.Output, "")
			p.Truth, p.Prediction = append(p.Truth, y), append(p.Prediction, y+e)
			sum += e * e
		}
		r.add("ewt", algorithm, grid, "test_mse", false, 240*scale, sum/60)
		last := &r.rows[len(r.rows)-1]
		last.Predictions, last.Optimistic = p, optimistic
	}
	add("stagewise", eps(0.1), 1.5, true)
	add("stagewise", eps(0.01), 0.7, true)
	add("ridge", nil, 0.9, false)
	return r
}

func markdown(t *testing.T, grids []*Grid) string {
	t.Helper()
	var b bytes.Buffer
	for _, g := range grids {
		fmt.Fprintf(&b, "%s\n\n", cmp.Or(g.Title, "(no title)"))
		if err := g.Markdown(&b); err != nil {
			t.Fatal(err)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update writes it anew):\n%s", path, got)
	}
}

func TestGolden(t *testing.T) {
	se, selected := 0.008, 6.3
	failed := dhillon()
	failed.rows[1].Status, failed.rows[7].Status = results.Failed, results.Timeout
	for i := 20; i < 25; i++ {
		failed.rows[i].Status = results.Failed
	}
	failed.rows = append(failed.rows[:26], failed.rows[27:]...)
	published := dhillon().input("accuracy")
	published.Published = []Published{{Source: "Dhillon 2009, Table 5", Dataset: "leukemia", Algorithm: "TPC", Metric: "accuracy",
		Value: 0.958, SE: &se, Selected: &selected, Note: "other folds"}}
	for _, c := range []struct {
		name   string
		config Config
		in     Input
	}{
		{"default.md", Config{}, dhillon().input("accuracy")},
		{"datasets.md", Config{Columns: "dataset", Cells: "{accuracy} ± {accuracy.se} ({selected})", Baseline: "Lasso"}, dhillon().input("accuracy")},
		{"failed.md", Config{Columns: "dataset", Baseline: "TPC"}, failed.input("accuracy")},
		{"holdout.md", Config{Cells: "{test_mse} ± {test_mse.se} ({selected})", Columns: "dataset", Baseline: "ridge"}, holdout().input("test_mse")},
		{"holdout-plain.md", Config{}, holdout().input("test_mse")},
		{"published.md", Config{Metric: "accuracy"}, published},
		{"epsilon.md", Config{Rows: "algorithm", Columns: "epsilon", By: "dataset"}, holdout().input("test_mse")},
		{"mixed.md", Config{Rows: "algorithm", Columns: "metric", By: "engine", Title: "All"}, dhillon().input("accuracy")},
	} {
		t.Run(c.name, func(t *testing.T) {
			grids, err := Build(c.config, c.in)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, c.name, markdown(t, grids))
		})
	}
}

func TestOtherRenderers(t *testing.T) {
	grids, err := Build(Config{Columns: "dataset", Baseline: "Lasso"}, dhillon().input("accuracy"))
	if err != nil {
		t.Fatal(err)
	}
	var tex, page, long bytes.Buffer
	if err := grids[0].LaTeX(&tex); err != nil {
		t.Fatal(err)
	}
	if err := grids[0].HTML(&page, "t", Anchors{"leukemiaTPC[]": "here"}); err != nil {
		t.Fatal(err)
	}
	if err := CSV(&long, grids); err != nil {
		t.Fatal(err)
	}
	golden(t, "datasets.tex", tex.String())
	golden(t, "datasets.html", page.String())
	golden(t, "datasets.csv", long.String())
}

// Numbers are compared within one metric and one data set, whatever the axes are.
func TestBestOfWhatCanBeCompared(t *testing.T) {
	grids, err := Build(Config{Rows: "algorithm, dataset, metric", Columns: "engine", Metric: "accuracy"}, dhillon().input())
	if err != nil {
		t.Fatal(err)
	}
	var best []string
	for _, row := range grids[0].Rows {
		if row.Slots[0].Best {
			best = append(best, row.Label)
		}
	}
	if got := strings.Join(best, "; "); got != "TPC leukemia accuracy; TPC gcm accuracy; Lasso gcm accuracy" { // those of gcm have the same mean
		t.Errorf("best: %s", got)
	}
}

func TestBestAlongRowsOfDatasets(t *testing.T) {
	grids, err := Build(Config{Rows: "dataset", Columns: "epsilon", By: "algorithm", Filter: map[string]string{"algorithm": "stagewise"}}, holdout().input("test_mse"))
	if err != nil {
		t.Fatal(err)
	}
	if s := grids[0].Rows[0].Slots; s[0].Best || !s[1].Best {
		t.Errorf("%+v", s)
	}
}

func TestMeansOverSomeFoldsWarn(t *testing.T) {
	r := dhillon()
	r.rows[1].Scores, r.rows[7].Scores = r.rows[1].Scores[1:], r.rows[7].Scores[1:]
	grids, err := Build(Config{Columns: "dataset", Cells: "{accuracy} ({selected})"}, r.input("accuracy"))
	if err != nil {
		t.Fatal(err)
	}
	want := "accuracy does not apply to every fold, and its means are over the others; see TPC / leukemia (4 of 5) and 1 more"
	if got := strings.Join(grids[0].Warnings, "\n"); got != want {
		t.Errorf("warnings %q, want %q", got, want)
	}
}

// A published share keeps its decimals where ours are whole numbers, or where we have none.
func TestPublishedDecimals(t *testing.T) {
	for _, status := range []results.Status{results.OK, results.Failed} {
		r := &run{}
		r.add("leukemia", "TPC", nil, "accuracy", true, 6, 1, 1, 1)
		for i := range r.rows {
			r.rows[i].Status = status
		}
		in := r.input("accuracy")
		in.Published = []Published{{Source: "elsewhere", Dataset: "leukemia", Algorithm: "TPC", Metric: "accuracy", Value: 0.958}}
		grids, err := Build(Config{Metric: "accuracy"}, in)
		if err != nil {
			t.Fatal(err)
		}
		if got := grids[0].Rows[0].Slots[1].Text; !strings.HasPrefix(got, "0.958") {
			t.Errorf("%s: %q", status, got)
		}
	}
}

func TestOptimisticNumbersInCSV(t *testing.T) {
	grids, err := Build(Config{}, holdout().input("test_mse"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range grids[0].Numbers {
		if n.Optimistic != strings.HasPrefix(n.Row, "stagewise") {
			t.Errorf("%s, %s: optimistic %v", n.Row, n.Metric, n.Optimistic)
		}
	}
}

func TestHiddenDimensionWarns(t *testing.T) {
	grids, err := Build(Config{Rows: "algorithm", Columns: "metric", By: "engine"}, dhillon().input("accuracy"))
	if err != nil {
		t.Fatal(err)
	}
	w := strings.Join(grids[0].Warnings, "\n")
	if !strings.Contains(w, "which differ in dataset (leukemia, gcm); see TPC / accuracy and 5 more") {
		t.Errorf("warnings: %q", w)
	}
}

func TestOtherFoldsAreNotTested(t *testing.T) {
	r := dhillon()
	r.rows[2].FoldDigest = "elsewhere"
	grids, err := Build(Config{Columns: "dataset", Baseline: "Lasso"}, r.input("accuracy"))
	if err != nil {
		t.Fatal(err)
	}
	if mark := grids[0].Rows[0].Slots[0].Mark; mark != "" {
		t.Errorf("marked %q though the folds differ", mark)
	}
	if text := markdown(t, grids[1:]); !strings.Contains(text, "not measured on the same folds") {
		t.Errorf("the refusal is not told:\n%s", text)
	}
}

func TestBaselineByGridPoint(t *testing.T) {
	in := holdout().input("test_mse")
	grids, err := Build(Config{Metric: "test_mse", Baseline: "stagewise epsilon=0.1"}, in)
	if err != nil {
		t.Fatal(err)
	}
	if got := grids[0].Rows[1].Slots[0].Mark + grids[0].Rows[2].Slots[0].Mark; got != "vv" {
		t.Errorf("marks %q, want both better", got)
	}
	for baseline, want := range map[string]string{"stagewise": "has 2 grid points", "lasso": "no such algorithm"} {
		if grids, err = Build(Config{Baseline: baseline}, in); err != nil {
			t.Fatal(err)
		}
		if w := strings.Join(grids[0].Warnings, " "); !strings.Contains(w, want) {
			t.Errorf("baseline %s: warnings %q, want %q", baseline, w, want)
		}
	}
}

func TestConfigErrors(t *testing.T) {
	in := dhillon().input("accuracy")
	for _, c := range []struct {
		config Config
		want   string
	}{
		{Config{Rows: "algoritm"}, `did you mean "algorithm"`},
		{Config{Cells: "{accuracy"}, "expected {METRIC}"},
		{Config{Cells: "{accuracy.std}"}, `unknown statistic "std"`},
		{Config{Columns: "dataset", Cells: "{value}"}, "needs metric among"},
		{Config{Rows: "dataset", Columns: "dataset"}, "already among rows"},
		{Config{Test: "t"}, "is not one of"},
		{Config{Ranks: Holm}, "compares with a baseline"},
		{Config{Ranks: Nemenyi, Columns: "dataset"}, "at least 3 data sets"},
		{Config{Ranks: Nemenyi}, "data sets along one axis"},
		{Config{Margin: paired.Margin{Absolute: ptr(0.1)}}, "against a baseline"},
		{Config{Margin: paired.Margin{Absolute: ptr(0.1), Relative: ptr(0.1)}, Baseline: "TPC"}, "not both"},
		{Config{Margin: paired.Margin{Relative: ptr(-1.0)}, Baseline: "TPC"}, "margin.relative: -1"},
		{Config{Correction: "bonferroni"}, "is not one of holm, none"},
		{Config{Alpha: 2}, "between 0 and 1"},
		{Config{Filter: map[string]string{"dataset": "iris"}}, "no result has dataset iris"},
	} {
		if _, err := Build(c.config, in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %q", c.config, err, c.want)
		}
	}
}

func TestValidateFolds(t *testing.T) {
	for _, c := range []struct {
		test  string
		folds int
		ok    bool
	}{{"", 1, true}, {NadeauBengio, 1, false}, {PairedT, 1, false}, {Bootstrap, 1, true}, {Bootstrap, 10, false}, {PairedT, 2, true},
		{Wilcoxon, 1, false}, {Wilcoxon, 5, false}, {Wilcoxon, 6, true}, {Sign, 5, false}, {Sign, 6, true}, {McNemar, 1, true}, {McNemar, 3, false}, {None, 1, true}} {
		if err := (Config{Test: c.test, Baseline: "a"}).ValidateFolds(c.folds); (err == nil) != c.ok {
			t.Errorf("%s on %d folds: %v", c.test, c.folds, err)
		}
	}
	if err := (Config{Test: Sign, Alpha: 0.01}).ValidateFolds(6); err == nil || !strings.Contains(err.Error(), "take 8 folds") {
		t.Errorf("alpha 0.01 on 6 folds: %v", err)
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		means []float64
		x     float64
		want  string
	}{
		{[]float64{0.42, 0.536, 1.56}, 0.5361, "0.5361"},
		{[]float64{0.42, 0.536, 1.56}, 1e-7, "1e-07"},
		{[]float64{172773}, 172773, "172773"},
		{[]float64{9.975}, -9.9751, "−9.975"},
		{[]float64{0.5}, math.NaN(), "–"},
		{nil, 0, "0"},
	} {
		var stats []results.Stat
		for _, m := range c.means {
			stats = append(stats, results.Summarise([]float64{m}))
		}
		if got := digitsFor(stats).number(c.x); got != c.want {
			t.Errorf("%v among %v is written %q, want %q", c.x, c.means, got, c.want)
		}
	}
}

func TestDigitsOverFolds(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		want   string
	}{
		{"counts", []float64{3, 4, 4}, "3.7"},
		{"leaving one out", []float64{1, 1, 0, 1}, "0.7500"},
		{"nothing selected", []float64{0, 0}, "0"},
	} {
		s := results.Summarise(c.values)
		if got := digitsFor([]results.Stat{s}).number(s.Mean); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTemplateWithDottedMetric(t *testing.T) {
	tpl, err := parse("{f:0.5} ± {f:0.5.se}")
	if err != nil {
		t.Fatal(err)
	}
	if tpl.parts[0].metric != "f:0.5" || tpl.parts[2].metric != "f:0.5" || tpl.parts[2].stat != "se" {
		t.Errorf("parsed as %+v", tpl.parts)
	}
}
