package comparison

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/prepare/pooled"
	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
	"tenfold/reports/table"
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
	return Input{Source: described, Cells: cells.Group(r.rows), Metrics: metrics}
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

func markdown(t *testing.T, grids []*table.Grid) string {
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

// What did not converge, and what has the end of a range, is marked in the comparison itself, in the tests behind its marks and in
// ranks, with how many fits it was of how many.
func TestCaveats(t *testing.T) {
	r := dhillon()
	for i := range r.rows {
		switch row := &r.rows[i]; {
		case row.Algorithm == "Lasso" && row.Dataset == "gcm" && row.Fold > 1:
			row.Notes = []string{"level x against the rest: " + engines.NotConverged + ": after 9 rounds"}
		case row.Algorithm == "mean" && row.Dataset == "gcm" && row.Fold == 0:
			row.Notes = []string{"lambda=1 was chosen " + engines.EndOfRange + ": the path goes no further"}
		case row.Algorithm == "TPC":
			row.Notes = []string{"2 of 4 classes have no training row"}
		}
	}
	grids, err := Build(Config{Columns: "dataset", Baseline: "TPC"}, r.input("accuracy"))
	if err != nil {
		t.Fatal(err)
	}
	text := markdown(t, grids)
	if len(grids) != 2 || !grids[0].Rows[1].Slots[1].Unconverged || !grids[0].Rows[2].Slots[1].AtEnd {
		t.Errorf("%d tables: no marks in\n%s", len(grids), text)
	}
	for _, mark := range []string{cells.UnconvergedMark, cells.AtEndMark} {
		if n := strings.Count(text, mark+" |"); n != 2 {
			t.Errorf("%d times%s in\n%s", n, mark, text)
		}
	}
	for i, g := range grids {
		for _, want := range []string{"§: 3 of 5 fits did not converge; their notes say how far they were.",
			"¶: in 1 of 5 fits tuning chose a value at the end of its range; their notes say which."} {
			if !slices.Contains(g.Legend, want) {
				t.Errorf("table %d: legend %q, expected %q", i, g.Legend, want)
			}
		}
	}
	if grids, err = Build(Config{Columns: "dataset"}, dhillon().input("accuracy")); err != nil || strings.ContainsAny(markdown(t, grids), "§¶") {
		t.Errorf("marks where all converged, %v", err)
	}
}

// A data set whose training responses were counted over few rows is warned of once, by its name.
func TestFewCountedIsWarnedOf(t *testing.T) {
	r := dhillon()
	for i := range r.rows {
		if r.rows[i].Dataset == "gcm" {
			r.rows[i].Notes = []string{"the responses mi of the 9 training rows are " + pooled.FewCounted + ", theirs alone"}
		}
	}
	grids, err := Build(Config{Columns: "dataset"}, r.input("accuracy"))
	if err != nil {
		t.Fatal(err)
	}
	warned := slices.DeleteFunc(slices.Clone(grids[0].Warnings), func(w string) bool { return !strings.Contains(w, pooled.FewCounted) })
	if len(warned) != 1 || !strings.HasSuffix(warned[0], "; see gcm") {
		t.Errorf("warnings %q", grids[0].Warnings)
	}
}

func TestOtherRenderers(t *testing.T) {
	grids, err := Build(Config{Columns: "dataset", Baseline: "Lasso"}, dhillon().input("accuracy"))
	if err != nil {
		t.Fatal(err)
	}
	var tex, page, long bytes.Buffer
	if err := table.LaTeX(&tex, grids[:1]); err != nil {
		t.Fatal(err)
	}
	if err := grids[0].HTML(&page, "t", func(key string) string { return map[string]string{"leukemiaTPC[]": "#here"}[key] }); err != nil {
		t.Fatal(err)
	}
	if err := table.CSV(sanitize.NewCSV(&long, true), grids); err != nil {
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
	want := "[n/N]: accuracy has a value on n of N folds; such a mean is over these, and not compared with means over all; see TPC / leukemia (4 of 5) and 1 more"
	if got := strings.Join(grids[0].Warnings, "\n"); got != want {
		t.Errorf("warnings %q, want %q", got, want)
	}
}

// A dash is explained: by what the metric needs, where that is known.
func TestMetricsWithoutAValueWarn(t *testing.T) {
	r := dhillon()
	for i := range r.rows {
		if r.rows[i].Algorithm == "TPC" {
			r.rows[i].Scores[0].Metric = "error"
		}
	}
	grids, err := Build(Config{Columns: "metric", By: "dataset"}, r.input("accuracy", "log_loss"))
	if err != nil {
		t.Fatal(err)
	}
	want := "–: accuracy has no value; see TPC / accuracy\n–: log_loss has no value (none of models without probabilities); see TPC / log_loss and 2 more"
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

// Numbers of one metric have the same decimals in all columns of algorithms, and their own in each of data sets.
func TestDecimalsAcrossColumns(t *testing.T) {
	r := &run{}
	r.add("d", "good", nil, "test_r2", true, 6, 0.91, 0.92, 0.93)
	r.add("d", "mean", nil, "test_r2", true, 0, -0.0031, -0.0029, -0.0032)
	r.add("e", "good", nil, "test_r2", true, 6, 0.81, 0.82, 0.83)
	r.add("e", "mean", nil, "test_r2", true, 0, -0.0021, -0.0019, -0.00001)
	for _, c := range []struct {
		config Config
		want   string
	}{
		{Config{Rows: "dataset", Columns: "algorithm", Cells: "{test_r2}"}, "0.9200 −0.0031; 0.8200 −0.0013"},
		{Config{Rows: "algorithm", Columns: "dataset", Cells: "{test_r2}", Filter: map[string]string{"algorithm": "mean"}}, "−0.003067 −0.001337"},
		{Config{Rows: "metric", Columns: "algorithm", Metric: "test_r2", Cells: "{value}", Filter: map[string]string{"dataset": "d"}}, "0.9200 −0.0031"},
	} {
		grids, err := Build(c.config, r.input("test_r2"))
		if err != nil {
			t.Fatal(err)
		}
		var rows []string
		for _, row := range grids[0].Rows {
			rows = append(rows, row.Slots[0].Text+" "+row.Slots[1].Text)
		}
		if got := strings.Join(rows, "; "); got != c.want {
			t.Errorf("%+v: %s, want %s", c.config, got, c.want)
		}
	}
}

// There is a mean over data sets of what has one scale, and none of errors in units of their own.
func TestMeansOfOneScale(t *testing.T) {
	for metric, want := range map[string]bool{"accuracy": true, "test_mse": false} {
		r := &run{}
		for _, d := range []string{"d", "e"} {
			r.add(d, "a", nil, metric, true, 6, 0.5, 0.6).add(d, "b", nil, metric, true, 6, 0.7, 0.9)
		}
		grids, err := Build(Config{Rows: "dataset", Columns: "algorithm", Cells: "{" + metric + "}"}, r.input(metric))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(markdown(t, grids), "mean over 2 data sets"); got != want {
			t.Errorf("%s: a mean over data sets: %v", metric, got)
		}
		r.rows[7].Status = results.Failed // of b on e
		grids, err = Build(Config{Rows: "dataset", Columns: "algorithm", Cells: "{" + metric + "}"}, r.input(metric))
		if err != nil {
			t.Fatal(err)
		}
		if want && (grids[0].Footer[0].Slots[0].Text != "0.5500" || grids[0].Footer[0].Slots[1].Text != "–") {
			t.Errorf("means %+v: that of b lacks a data set", grids[0].Footer[0].Slots)
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

// Where the best is the baseline there is one verdict, not one for the mark and another for the italics: here A on d is
// worse than the baseline among the comparisons with that, but would not be among those with the best, of which fewer are clear.
func TestOneVerdictWhereTheBaselineIsBest(t *testing.T) {
	around := func(mean, spread float64) []float64 {
		return []float64{mean - spread, mean - spread/2, mean, mean + spread/2, mean + spread}
	}
	r := &run{}
	r.add("d", "base", nil, "accuracy", true, 6, 0.9, 0.9, 0.9, 0.9, 0.9)
	r.add("d", "A", nil, "accuracy", true, 6, around(0.88, 0.01375)...)
	r.add("d", "C", nil, "accuracy", true, 6, around(0.5, 0.001)...)
	r.add("e", "base", nil, "accuracy", true, 6, around(0.3, 0.001)...)
	r.add("e", "A", nil, "accuracy", true, 6, around(0.8, 0.002)...)
	r.add("e", "C", nil, "accuracy", true, 6, 0.79, 0.802, 0.795, 0.801, 0.799)
	grids, err := Build(Config{Columns: "dataset", Cells: "{accuracy}", Baseline: "base"}, r.input("accuracy"))
	if err != nil {
		t.Fatal(err)
	}
	if s := grids[0].Rows[1].Slots[0]; s.Mark != "*" || s.Similar {
		t.Errorf("A on d: %+v", s)
	}
	if s := grids[0].Rows[2].Slots[1]; !s.Similar {
		t.Errorf("C on e: %+v", s)
	}
}

// Comparisons are counted by metric; a row that counts those of a column, too.
func TestCountsAreByMetric(t *testing.T) {
	r := &run{}
	r.add("d", "base", nil, "accuracy", true, 6, 0.5, 0.51, 0.5, 0.49, 0.5)
	r.add("d", "A", nil, "accuracy", true, 6, 0.9, 0.9, 0.91, 0.9, 0.9)
	r.add("d", "B", nil, "accuracy", true, 6, 0.5, 0.5, 0.51, 0.49, 0.5)
	for i, v := range []float64{1, 1.01, 1, 0.99, 1, 2, 2.01, 2, 2, 2, 0.5, 0.52, 0.5, 0.51, 0.5} {
		r.rows[i].Scores = append(r.rows[i].Scores, results.Score{Metric: "log_loss", Point: -1, Value: v})
	}
	in := r.input("accuracy", "log_loss")
	for _, c := range []struct {
		config Config
		want   []string
		lines  int // that count
	}{
		{Config{Metric: "accuracy, log_loss", Baseline: "base"}, []string{" 1/1/0 |", " 1/0/1 |"}, 1},
		{Config{Rows: "algorithm, metric", Columns: "dataset", Metric: "accuracy, log_loss", Baseline: "base"},
			[]string{"| better/same/worse, accuracy |", "| better/same/worse, log_loss |", " 1/1/0 |", " 1/0/1 |"}, 2},
	} {
		grids, err := Build(c.config, in)
		if err != nil {
			t.Fatal(err)
		}
		got := markdown(t, grids)
		for _, want := range append(c.want, "Against base: accuracy: 1 better, 1 the same, 0 worse; log_loss: 1 better, 0 the same, 1 worse.",
			"better/same/worse: how many of the column are significantly better than base, neither, significantly worse.") {
			if !strings.Contains(got, want) {
				t.Errorf("lacks %q:\n%s", want, got)
			}
		}
		if n := strings.Count(got, "| better/same/worse"); n != c.lines {
			t.Errorf("%d lines count, expected %d:\n%s", n, c.lines, got)
		}
	}
}

// Columns of metrics are one where the text of cells names its metrics itself.
func TestNamedMetricsHaveOneColumn(t *testing.T) {
	grids, err := Build(Config{Cells: "{accuracy} ({selected})"}, dhillon().input("accuracy"))
	if err != nil {
		t.Fatal(err)
	}
	if got := grids[0].Columns; !slices.Equal(got, []string{"accuracy"}) {
		t.Errorf("columns %v", got)
	}
}

// A number that is of several cells is none where one of them failed, whichever it is.
func TestTroubleOfSeveralCells(t *testing.T) {
	for failed := range 2 {
		r := dhillon()
		for i := range r.rows {
			if r.rows[i].Dataset == "leukemia" && r.rows[i].Algorithm == []string{"TPC", "Lasso"}[failed] {
				r.rows[i].Status = results.Failed
			}
		}
		grids, err := Build(Config{Rows: "dataset", Columns: "metric", Filter: map[string]string{"algorithm": "TPC,Lasso"}}, r.input("accuracy"))
		if err != nil {
			t.Fatal(err)
		}
		if got := grids[0].Rows[0].Slots[0].Text; got != "failed" {
			t.Errorf("%q where cell %d failed", got, failed)
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

func TestBaselineThatAFilterLeavesOut(t *testing.T) {
	grids, err := Build(Config{Metric: "test_mse", Baseline: "ridge", Filter: map[string]string{"algorithm": "stagewise"}}, holdout().input("test_mse"))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range grids[0].Warnings {
		if strings.HasPrefix(w, "baseline ridge: no such algorithm among the results of ") && strings.HasSuffix(w, " that the filter leaves") {
			return
		}
	}
	t.Errorf("warnings %q", grids[0].Warnings)
}

// A baseline with a grid of its own is compared point by point where its parameter has an axis.
func TestBaselineAtTheSamePoint(t *testing.T) {
	r := &run{}
	for i, e := range []float64{0.1, 0.01} {
		base := float64(i)
		r.add("d", "base", eps(e), "accuracy", true, 3, base+0.50, base+0.51, base+0.52, base+0.50)
		r.add("d", "other", eps(e), "accuracy", true, 3, base+0.40, base+0.42, base+0.43, base+0.41)
	}
	grids, err := Build(Config{Rows: "algorithm", Columns: "epsilon", Cells: "{accuracy}", Baseline: "base"}, r.input("accuracy"))
	if err != nil {
		t.Fatal(err)
	}
	if other := grids[0].Rows[1]; other.Label != "other" || other.Slots[0].Mark != "*" || other.Slots[1].Mark != "*" || len(grids[0].Warnings) > 0 {
		t.Errorf("%+v, warnings %q", other, grids[0].Warnings)
	}
	r.add("d", "other", eps(1), "accuracy", true, 3, 0.40, 0.42, 0.43, 0.41)
	grids, err = Build(Config{Rows: "algorithm", Columns: "epsilon", Cells: "{accuracy}", Baseline: "base"}, r.input("accuracy"))
	if err != nil {
		t.Fatal(err)
	}
	if w := strings.Join(grids[0].Warnings, "; "); w != `baseline base: none of its 2 grid points on d has the parameters of other epsilon=1, which is not compared; name one of them (such as "base epsilon=0.1")` {
		t.Errorf("a point that the baseline does not have: warnings %q", w)
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
		{Config{Columns: "dataset", By: "metric"}, "by: metrics stand in rows or columns"},
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
	}{{"", 1, true}, {paired.NameNadeauBengio, 1, false}, {paired.NamePairedT, 1, false}, {paired.NameBootstrap, 1, true}, {paired.NameBootstrap, 10, false}, {paired.NamePairedT, 2, true},
		{paired.NameWilcoxon, 1, false}, {paired.NameWilcoxon, 5, false}, {paired.NameWilcoxon, 6, true}, {paired.NameSign, 5, false}, {paired.NameSign, 6, true}, {paired.NameMcNemar, 1, true}, {paired.NameMcNemar, 3, false}, {None, 1, true}} {
		if err := (Config{Test: c.test, Baseline: "a"}).ValidateFolds(map[string]int{"a": c.folds}, true); (err == nil) != c.ok {
			t.Errorf("%s on %d folds: %v", c.test, c.folds, err)
		}
	}
	if err := (Config{Test: paired.NameSign, Alpha: 0.03125}).ValidateFolds(map[string]int{"a": 6}, true); err == nil || !strings.Contains(err.Error(), "take 7 folds") {
		t.Errorf("the smallest p-value is not below 2⁻⁵: %v", err)
	}
	if err := (Config{Test: paired.NameSign, Alpha: 0.01}).ValidateFolds(map[string]int{"a": 6}, true); err == nil || !strings.Contains(err.Error(), "take 8 folds") {
		t.Errorf("alpha 0.01 on 6 folds: %v", err)
	}
}

// TestValidateFoldsOfSeveral: a test is refused where no data set can support it.
func TestValidateFoldsOfSeveral(t *testing.T) {
	parts := map[string]int{"one": 1, "ten": 10}
	for _, test := range []string{paired.NameNadeauBengio, paired.NameWilcoxon, paired.NameBootstrap, paired.NameMcNemar} {
		if err := (Config{Test: test}).ValidateFolds(parts, true); err != nil {
			t.Errorf("%s: %v", test, err)
		}
	}
	if err := (Config{Test: paired.NameBootstrap}).ValidateFolds(parts, false); err == nil {
		t.Error("a bootstrap without predictions is accepted")
	}
}

func TestPublishedIsChecked(t *testing.T) {
	below, zero := -0.1, 0.0
	if err := (Published{SE: &below, Selected: &below}).Validate(); err == nil || err.Error() != "se: -0.1, expected at least 0\nselected: -0.1, expected at least 0" {
		t.Errorf("got %v", err)
	}
	if err := (Published{SE: &zero, Value: below}).Validate(); err != nil {
		t.Error(err)
	}
}

func TestTableNames(t *testing.T) {
	for name, ok := range map[string]bool{"": true, "main": true, "Main-2": true, "main_results": false, "-a": false, "a--b": false, "tab:x": false, "é": false} {
		if err := (Config{Name: name}).Validate(); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}
