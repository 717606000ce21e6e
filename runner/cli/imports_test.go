package cli_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/runner/cli/app"
	"tenfold/runner/metric"
)

// written makes a CSV file.
func written(t *testing.T, path string, records [][]string) {
	t.Helper()
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(records); err != nil {
		t.Fatal(err)
	}
	put(t, path, b.String())
}

func rowsOf(t *testing.T, dir, algorithm string) (*results.Tables, []*results.Row) {
	t.Helper()
	tables, err := results.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tables.Close() })
	var out []*results.Row
	for i := range tables.Rows {
		if r := &tables.Rows[i]; r.Algorithm == algorithm {
			out = append(out, r)
		}
	}
	return tables, out
}

// TestImports: the predictions and selections of a run, imported, have its metrics to the last bit, its tests and its gate; they are
// marked, and nothing is said of their work. A changed file voids these results and no others; what a fold lacks is a row that failed.
func TestImports(t *testing.T) {
	t.Parallel()
	x, spec := newTool(t)
	folder := filepath.Dir(spec)
	first := filepath.Join(t.TempDir(), "a")
	x.ok("run", spec, "--only", "stagewise/epsilon=0.1", "--out", first)
	tables, rows := rowsOf(t, first, "stagewise")
	if len(rows) != 4 {
		t.Fatalf("%d rows", len(rows))
	}
	predictions, selections := [][]string{{"dataset", "fold_digest", "row", "prediction"}}, [][]string{{"dataset", "repeat", "fold", "feature", "rank", "coefficient", "score"}}
	exact := func(v float64) string {
		if math.IsNaN(v) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	for _, r := range rows {
		p, err := tables.Predictions(r)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Row {
			predictions = append(predictions, []string{r.Dataset, r.FoldDigest, p.Row[i], exact(p.Prediction[i])})
		}
		selected, err := tables.Selected(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range selected {
			selections = append(selections, []string{r.Dataset, fmt.Sprint(r.Repeat), fmt.Sprint(r.Fold), s.Feature, fmt.Sprint(s.Rank), exact(s.Coefficient), exact(s.Score)})
		}
	}
	theirs := filepath.Join(folder, "theirs.csv")
	written(t, theirs, predictions)
	written(t, filepath.Join(folder, "selected.csv"), selections)
	both := strings.Replace(small, "metrics: [test_mse]", "  - {name: theirs, import: {predictions: theirs.csv, selections: {path: selected.csv}}}\n  - {name: bare, import: {predictions: theirs.csv}}\nmetrics: [test_mse, selected, seconds_fit]", 1)
	put(t, spec, both)
	listed, _ := x.ok("data", "list", spec)
	wants(t, listed, "theirs.csv", "selected.csv")
	second := filepath.Join(t.TempDir(), "b")
	out, errs := x.ok("run", spec, "--out", second)
	wants(t, errs, "20 to run")
	wants(t, out, "‖: imported")
	if strings.Count(out, " ‖ |") != 3 { // the error and the number of features of one, the error of the other
		t.Errorf("marks:\n%s", out)
	}
	ours, want := rowsOf(t, second, "stagewise")
	_, got := rowsOf(t, second, "theirs")
	_, bare := rowsOf(t, second, "bare")
	compared := 0
	for i, r := range got {
		is, err := ours.Scores(r)
		if err != nil {
			t.Fatal(err)
		}
		values := map[string]float64{}
		for _, s := range is {
			values[s.Metric] = s.Value
		}
		for _, s := range want[i].Scores { // epsilon 0.1 comes first
			m, _ := metric.Find(s.Metric)
			v, ok := values[s.Metric]
			switch known := !m.Training && (!m.Work || s.Metric == "selected" || s.Metric == "nonzero"); {
			case ok != known:
				t.Errorf("%s: there is %v, want %v", s.Metric, ok, known)
			case ok && math.Float64bits(v) != math.Float64bits(s.Value):
				t.Errorf("fold %d, %s: %v, want %v", i, s.Metric, v, s.Value)
			case ok:
				compared++
			}
		}
		if r.SelectedSum != want[i].SelectedSum || r.SecondsFit != 0 || r.Engine != "import" {
			t.Errorf("fold %d: %+v", i, r)
		}
		if _, ok := bare[i].Metric("selected"); ok || bare[i].SelectedSum != "" {
			t.Errorf("fold %d: nobody says what was selected: %+v", i, bare[i].Scores)
		}
	}
	if compared < 4*4 {
		t.Errorf("%d metrics compared", compared)
	}
	again, _ := x.ok("run", spec, "--out", second)
	if digest(again) != digest(out) {
		t.Error("the same files have other results")
	}
	x.ok("verify", second)
	// A line less: a fold that lacks a row, and nothing else runs again.
	written(t, theirs, append(predictions[:1:1], predictions[2:]...))
	plan, _ := x.ok("plan", spec, "--out", second)
	wants(t, plan, "12 cached, 8 to run", "predictions is")
	code, _, errs := x.run("run", spec, "--out", second)
	if code != app.ExitIncomplete {
		t.Errorf("exit code %d", code)
	}
	wants(t, errs, "theirs.csv: 1 of the test rows of repeat 0, fold 0 of pairs", "2 of 20 fits failed")
	code, _, errs = x.run("fit", spec, "--cell", "pairs/theirs", "-o", filepath.Join(folder, "model.json"))
	if code == app.ExitOK || !strings.Contains(errs, "imported") {
		t.Errorf("a fit of what nobody can fit: %d %s", code, errs)
	}
}

// TestImportsOfAlikeDataSets: data sets of equal content have predictions of their own, by name, and what is selected is counted by units
// as for engines.
func TestImportsOfAlikeDataSets(t *testing.T) {
	t.Parallel()
	x := tool{t, t.TempDir()}
	folder := t.TempDir()
	table := [][]string{{"y", "colour"}}
	for i := range 12 {
		table = append(table, []string{strconv.Itoa(i % 2), []string{"red", "blue", "green"}[i%3]})
	}
	predictions, selections := [][]string{{"dataset", "fold", "row", "prediction"}}, [][]string{{"fold", "dataset", "feature"}}
	for set, name := range []string{"a", "b"} {
		for fold := range 2 {
			for row := range 6 {
				predictions = append(predictions, []string{name, strconv.Itoa(fold), strconv.Itoa(6*fold + row), strconv.Itoa(10 * set)})
			}
			for _, level := range []string{"red", "blue"} {
				selections = append(selections, []string{strconv.Itoa(fold), name, "colour=" + level})
			}
		}
	}
	for i := range 12 {
		table[i+1] = append(table[i+1], strconv.Itoa(i/6))
	}
	table[0] = append(table[0], "part")
	written(t, filepath.Join(folder, "d.csv"), table)
	written(t, filepath.Join(folder, "p.csv"), predictions)
	written(t, filepath.Join(folder, "s.csv"), selections)
	spec := filepath.Join(folder, "alike.yaml")
	set := ", format: csv, files: {all: d.csv}, target: {column: y, type: real}, columns: {categorical: [colour], group: part}, prepare: {encode: one-hot}, features: {unit: variable}}\n"
	put(t, spec, "tenfold: 1\nname: alike\ndatasets:\n  - {name: a"+set+"  - {name: b"+set+
		"folds: {kind: given, column: part}\nalgorithms:\n  - {name: theirs, import: {predictions: p.csv, selections: s.csv}}\nmetrics: [test_mse, selected]\n")
	dir := filepath.Join(t.TempDir(), "run")
	x.ok("run", spec, "--out", dir)
	tables, rows := rowsOf(t, dir, "theirs")
	if len(rows) != 4 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		want := map[string]float64{"a": 0.5, "b": (100 + 81) / 2.}[r.Dataset]
		mse, _ := r.Metric("test_mse")
		selected, _ := r.Metric("selected")
		units, _ := r.Metric("units")
		if mse != want || selected != 1 || units != 1 {
			t.Errorf("%s: error %v, want %v; %v selected of %v units", r.Dataset, mse, want, selected, units)
		}
		features, err := tables.Selected(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range features {
			if s.Unit != "colour" {
				t.Errorf("%s counts as %q", s.Feature, s.Unit)
			}
		}
	}
}

// TestFoldsComeBack: an experiment on the folds that another wrote, in any format, has its digest, and runs nothing that it ran.
func TestFoldsComeBack(t *testing.T) {
	t.Parallel()
	x, spec := newTool(t)
	for _, drawn := range []string{"{kind: kfold, k: 3, repeats: 2}", "{kind: holdout, test: 0.3, repeats: 2}"} {
		dir := t.TempDir()
		first, _ := x.ok("run", spec, "--set", "folds="+drawn, "--only", "mean", "--out", filepath.Join(dir, "run"))
		for _, name := range []string{"folds.csv", "folds.parquet"} {
			path := filepath.Join(dir, name)
			x.ok("folds", spec, "--set", "folds="+drawn, "-o", path)
			again, errs := x.ok("run", spec, "--set", "folds={kind: given, file: "+path+"}", "--only", "mean", "--out", filepath.Join(dir, "run"))
			if digest(first) != digest(again) || !strings.Contains(errs, " 0 to run") {
				t.Errorf("%s, %s: %s and %s\n%s", drawn, name, digest(first), digest(again), errs)
			}
		}
	}
}

// TestFoldsAreThoseOfResults: what folds writes has the digests and the test rows of the results.
func TestFoldsAreThoseOfResults(t *testing.T) {
	t.Parallel()
	x, spec := newTool(t)
	dir := filepath.Join(t.TempDir(), "run")
	x.ok("run", spec, "--only", "mean", "--out", dir)
	path := filepath.Join(t.TempDir(), "folds.json")
	x.ok("folds", spec, "-o", path)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var found struct {
		Datasets []struct {
			Dataset, DatasetDigest string
			Folds                  []struct {
				Repeat, Fold int
				Digest       string `json:"fold_digest"`
				Train, Test  []int
			}
		}
	}
	if err := json.Unmarshal(text, &found); err != nil {
		t.Fatal(err)
	}
	tables, rows := rowsOf(t, dir, "mean")
	if len(rows) != 4 || len(found.Datasets) != 1 || len(found.Datasets[0].Folds) != 4 {
		t.Fatalf("%d rows, %+v", len(rows), found)
	}
	for i, f := range found.Datasets[0].Folds {
		p, err := tables.Predictions(rows[i])
		if err != nil {
			t.Fatal(err)
		}
		if f.Digest != rows[i].FoldDigest || strings.Join(p.Row, " ") != strings.Trim(fmt.Sprint(f.Test), "[]") || len(f.Train)+len(f.Test) != 600 {
			t.Errorf("fold %d: %s, %d and %d rows", i, f.Digest, len(f.Train), len(f.Test))
		}
	}
}
