package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/comparison"
	"tenfold/reports/figure"
	"tenfold/reports/page"
	"tenfold/reports/paired"
	"tenfold/reports/table"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sample is a run of three algorithms on four folds: one gridded with paths, one that fails on a fold.
func sample() Input {
	var rows []results.Row
	add := func(algorithm string, fold int, grid []results.Param, mse float64, selected ...results.Selected) *results.Row {
		rows = append(rows, results.Row{
			Label: results.Label{Experiment: "sample", Dataset: "diabetes", Algorithm: algorithm, Engine: algorithm,
				Cell: fmt.Sprint(algorithm, grid), Grid: grid, Fold: int32(fold), FoldDigest: fmt.Sprint("fold", fold)},
			Outcome: results.Outcome{Status: results.OK, RowsTrain: 331, RowsTest: 110 + int64(fold%2), Columns: 10, Selected: selected,
				Scores:   []results.Score{{Metric: "test_mse", Point: -1, Value: mse}, {Metric: "selected", Point: -1, Value: float64(len(selected))}},
				Prepared: []data.Fact{{Name: "target variance", Value: fmt.Sprint(5900 + fold)}},
				Stop:     "patience", SecondsFit: 0.25, CPUSeconds: math.NaN(), Version: "1.0", Commit: "abc", Dirty: true, Machine: "here linux/amd64"},
		})
		return &rows[len(rows)-1]
	}
	feature := func(rank int32, name string, coefficient float64) results.Selected {
		return results.Selected{Rank: rank, Feature: name, Coefficient: coefficient}
	}
	for _, epsilon := range []float64{0.1, 0.01} {
		for fold := range 4 {
			r := add("stagewise", fold, []results.Param{{Name: "epsilon", Value: epsilon}}, 3000+1000*epsilon+float64(37*fold*fold),
				feature(0, "bmi", 500+float64(fold)), feature(1, "s5|log", 430), feature(int32(2+fold%2), "bp", 120))
			r.Outcome.Facts = append(r.Outcome.Facts, data.Fact{Name: "jumps", Value: fmt.Sprint(fold)})
			for step := range int64(50) {
				r.Outcome.Path = append(r.Outcome.Path, results.Point{Step: step, Nonzero: int32(step / 6), Best: step == 40,
					TrainError: 2800 + 3000/float64(step+1), TestError: 3000 + 100*epsilon + 3000/float64(step+1)})
			}
		}
	}
	for fold := range 4 {
		add("ridge", fold, nil, 3050+float64(30*fold*fold), feature(-1, "bmi", 480), feature(-1, "age", -1e-3))
	}
	for fold := range 4 {
		r := add("broken", fold, nil, 0)
		if fold == 2 {
			r.Outcome.Status, r.Outcome.Error = results.Failed, "panic: index out of range\ngoroutine 7"
		}
	}
	return Input{Known: known, Name: "sample", Title: "Diabetes | sample", Metrics: []string{"test_mse"}, Rows: rows, Digest: "sha256:0123"}
}

func sampleConfig() Config {
	c := Default()
	c.Tables = []comparison.Config{{Baseline: "ridge"}}
	c.Figures = []figure.Config{{Kind: figure.Path, Algorithm: "stagewise"}, {Kind: figure.Sweep, X: "epsilon", Y: "test_mse"}}
	return c
}

func TestRender(t *testing.T) {
	dir := t.TempDir()
	if err := Render(io.Discard, dir, sampleConfig(), sample()); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "report.md")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("report.md differs from %s (go test -update writes it anew):\n%s", path, got)
	}
	for _, name := range []string{"path-stagewise-epsilon-0.01-diabetes", "sweep-epsilon-test_mse-diabetes"} {
		for _, ending := range []string{".svg", ".png"} {
			if _, err := os.Stat(filepath.Join(dir, "figures", name+ending)); err != nil {
				t.Error(err)
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Tables that are no report of a run: every format has them, and those for people have the notes.
func TestWriteGrids(t *testing.T) {
	grids := []*table.Grid{{Title: "accuracy", Corner: "cell", Columns: []string{"A"}, Rows: []table.Row{{Label: "d, a", Slots: []table.Slot{{Text: "0.5"}}}},
		Numbers: []table.Number{{Row: "d, a", Column: "A", Metric: "accuracy", Stat: results.Summarise([]float64{0.5}), Status: "ok"}}}}
	for format, want := range map[string][]string{
		"markdown": {"accuracy\n\n| cell |", "| d, a | 0.5 |", "\n- 1 cell is identical.\n"},
		"html":     {"<title>a against b</title>", ">0.5</td>", "<li>1 cell is identical.</li>"},
		"latex":    {"\\caption{accuracy}", "d, a & 0.5"},
		"csv":      {"accuracy,\"d, a\",A,accuracy,0.5,"},
	} {
		var b bytes.Buffer
		if err := WriteGrids(&b, format, "a against b", grids, []string{"1 cell is identical."}); err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("%s lacks %q:\n%s", format, w, b.String())
			}
		}
	}
}

// A terminal shows the tables and what the tests come to; a published value that fits nowhere is told once.
func TestFirstLook(t *testing.T) {
	c, in := sampleConfig(), sample()
	c.Tables = append(c.Tables, comparison.Config{Rows: "dataset", Columns: "algorithm"})
	in.Published = []comparison.Published{{Source: "elsewhere", Dataset: "nowhere", Algorithm: "ridge", Metric: "test_mse", Value: 1}}
	var short, long bytes.Buffer
	if err := errors.Join(Print(&short, c, in), Write(&long, "markdown", c, in)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Against ridge: 0 better, 2 the same, 0 worse, 1 not tested (1/4 failed).", "better/same/worse"} {
		if !strings.Contains(short.String(), want) {
			t.Errorf("lacks %q:\n%s", want, short.String())
		}
	}
	if strings.Contains(short.String(), "detectable") || !strings.Contains(long.String(), "detectable") {
		t.Errorf("the tests belong into the report, not onto the terminal:\n%s", short.String())
	}
	for _, text := range []string{short.String(), long.String()} {
		if n := strings.Count(text, "published test_mse of ridge on nowhere matches no result"); n != 1 {
			t.Errorf("told %d times:\n%s", n, text)
		}
	}
}

// A terminal has texts as they are; Markdown has its escapes, and nothing else is different.
func TestTerminalHasNoEscapes(t *testing.T) {
	in := sample()
	c := Config{Tables: []comparison.Config{{Rows: "algorithm", Columns: "dataset", Cells: "{test_mse} [{test_mse.low}, {test_mse.high}]", Filter: map[string]string{"algorithm": "r*,s*"}}}}
	var printed, markdown bytes.Buffer
	if err := errors.Join(Render(&printed, t.TempDir(), c, in), Print(&markdown, c, in)); err != nil {
		t.Fatal(err)
	}
	if text := printed.String(); strings.Contains(text, "\\") || !strings.Contains(text, "[") {
		t.Errorf("escaped:\n%s", text)
	}
	squeezed := func(s string) string { return strings.Join(strings.Fields(strings.ReplaceAll(s, "-", "")), " ") } // columns can be narrower
	if unescaped := strings.ReplaceAll(markdown.String(), "\\", ""); squeezed(unescaped) != squeezed(printed.String()) {
		t.Errorf("%s\n%s", printed.String(), markdown.String())
	}
}

// What is in the Parquet files is enough for the same report as from the rows in memory.
func TestReportFromParquet(t *testing.T) {
	in := sample()
	var want, got bytes.Buffer
	dir := t.TempDir()
	if _, err := results.Write(dir, results.Meta{Experiment: in.Name, Predictions: true, Metrics: known}, results.All(in.Rows)); err != nil {
		t.Fatal(err)
	}
	tables, err := results.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	read := in
	read.Rows, read.Source = tables.Rows, tables
	for _, r := range []struct {
		to *bytes.Buffer
		in Input
	}{{&want, in}, {&got, read}} {
		if err := Write(r.to, "markdown", sampleConfig(), r.in); err != nil {
			t.Fatal(err)
		}
	}
	if got.String() != want.String() {
		t.Errorf("from Parquet:\n%s\nfrom memory:\n%s", got.String(), want.String())
	}
}

func TestWriteFormats(t *testing.T) {
	for format, want := range map[string]string{"markdown": "# Diabetes", "latex": "\\toprule", "csv": "diabetes,ridge,test_mse,test_mse,3155"} {
		var b bytes.Buffer
		if err := Write(&b, format, sampleConfig(), sample()); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s: %v, lacks %q:\n%s", format, err, want, b.String())
		}
	}
	if err := Write(&bytes.Buffer{}, "pdf", Config{}, sample()); err == nil || !strings.Contains(err.Error(), "markdown") {
		t.Errorf("unknown format: %v", err)
	}
}

func TestWhatCannotBeMadeIsToldAndTheRestMade(t *testing.T) {
	c := sampleConfig()
	c.Figures[0].Algorithm = "broken"
	dir := t.TempDir()
	err := Render(io.Discard, dir, c, sample())
	if err == nil || !strings.Contains(err.Error(), "figure 1 (path)") {
		t.Errorf("got %v", err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil || !bytes.Contains(got, []byte("no fit recorded a path")) || !bytes.Contains(got, []byte("sweep-epsilon")) {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestNothingToShow(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, "markdown", Default(), Input{Known: known, Name: "empty"}); err != nil {
		t.Error(err)
	}
	if strings.Contains(b.String(), "NaN") {
		t.Errorf("NaN in\n%s", b.String())
	}
}

// Each figure has a file of its own, whatever data sets are called.
func TestFiguresHaveFilesOfTheirOwn(t *testing.T) {
	in := selections()
	for i := range in.Rows {
		in.Rows[i].Dataset = map[string]string{"many": "d", "one": "d-2"}[in.Rows[i].Dataset]
	}
	overlap := figure.Config{Kind: figure.Overlap, Where: map[string]string{"algorithm": "stepwise, lasso"}}
	r := newReport(Config{Figures: []figure.Config{overlap, overlap}}, in)
	names := map[string]bool{}
	for _, c := range r.charts() {
		names[c.Name] = true
	}
	if len(names) != 4 || len(r.problems) > 0 {
		t.Errorf("%v, %v", names, r.problems)
	}
}

// Nobody knows what imported predictions took: there are no seconds of them, and one line says why.
func TestImportedHaveNoTimes(t *testing.T) {
	in := selections()
	for i := range in.Rows {
		if r := &in.Rows[i]; r.Algorithm == "mean" {
			r.Engine = results.ImportEngine
		} else {
			r.SecondsFit, r.SecondsPredict, r.CPUSeconds = 2, 2, 2
		}
	}
	r := newReport(Default(), in)
	for _, row := range timeTable(r.cells).Rows {
		for _, s := range row.Slots {
			if want := strings.Contains(row.Label, "mean"); (s.Text == "–") != want || !want && s.Text != "2" {
				t.Errorf("%s: %s", row.Label, s.Text)
			}
		}
	}
	for _, c := range r.cells {
		n := 0
		for _, b := range r.details().foldBlocks(c) {
			if b == page.Text(cells.ImportedLegend) {
				n++
			}
		}
		if c.Imported() && n != 1 || !c.Imported() && n > 0 {
			t.Errorf("%s has the legend of imports %d times", c.Algorithm, n)
		}
	}
}

func TestPrint(t *testing.T) {
	var b bytes.Buffer
	if err := Print(&b, Default(), sample()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| stagewise epsilon=0.01 |", "1/4 failed"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %q:\n%s", want, b.String())
		}
	}
}

func TestConfigErrorsNameTheirPlace(t *testing.T) {
	c := Config{Features: -1, Tables: []comparison.Config{{}, {Test: "t", Alpha: 3}}, Figures: []figure.Config{{Kind: "paths"}}}
	var fields []string
	var walk func(error)
	walk = func(err error) {
		if many, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range many.Unwrap() {
				walk(e)
			}
			return
		}
		var f *param.FieldError
		if errors.As(err, &f) {
			fields = append(fields, f.Field)
		}
	}
	walk(c.Validate())
	if want := []string{"features", "tables.1.test", "tables.1.alpha", "figures.0.kind"}; !slices.Equal(fields, want) {
		t.Errorf("fields %v, want %v", fields, want)
	}
	if err := (Config{Tables: []comparison.Config{{Test: paired.NamePairedT, Baseline: "a"}}}).ValidateFolds(map[string]int{"a": 1}, true); err == nil || !strings.HasPrefix(err.Error(), "tables[0].test: ") {
		t.Errorf("folds: %v", err)
	}
}

func TestConfigSurvivesJSON(t *testing.T) {
	want := sampleConfig()
	want.Tables[0].Filter = map[string]string{"dataset": "a"}
	raw, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Config
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestOverride(t *testing.T) {
	base := Config{Tables: []comparison.Config{{Columns: "dataset", Cells: "{mae}", Baseline: "ridge"}, {}}, Figures: []figure.Config{{Kind: figure.Path}}}
	for _, c := range []struct {
		name string
		o    Override
		want string
	}{
		{"nothing", Override{}, "2 tables; dataset {mae} ridge map[] map[]"},
		{"columns", Override{Columns: "epsilon"}, "1 tables; epsilon {mae} ridge map[] map[]"},
		{"columns of metrics", Override{Columns: "metric"}, "1 tables; metric  ridge map[] map[]"},
		{"metric", Override{Metric: "rmse"}, "1 tables; dataset  ridge map[] map[]"},
		{"filter", Override{Filter: map[string]string{"dataset": "a"}}, "2 tables; dataset {mae} ridge map[dataset:a] map[dataset:a]"},
	} {
		got := base.With(c.o)
		first := got.Tables[0]
		if s := fmt.Sprintf("%d tables; %s %s %s %v %v", len(got.Tables), first.Columns, first.Cells, first.Baseline, first.Filter, got.Figures[0].Where); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
	if base.Tables[0].Filter != nil || base.Figures[0].Where != nil {
		t.Error("the configuration itself was changed")
	}
}

func TestMergeFacts(t *testing.T) {
	for _, c := range []struct {
		values []string
		want   string
	}{
		{[]string{"5"}, "5"},
		{[]string{"110, with 9 entries", "76, with 12 entries", "133, with 9 entries"}, "76 … 133, with 9 … 12 entries"},
		{[]string{"-1.5e-3", "2"}, "-1.5e-3 … 2"},
		{[]string{"x14 (0.91 with x15)", "x14 (0.93 with x15)"}, "x14 (0.91 … 0.93 with x15)"},
		{[]string{"x14 (0.91)", "x15 (0.91)"}, "x14 (0.91) (and 1 other value)"},
		{[]string{"x", "y", "z"}, "x (and 2 other values)"},
		{[]string{strings.Repeat("ab", 50)}, strings.Repeat("ab", 19) + "a…"},
	} {
		if got := mergeValues(c.values, factWidth); got != c.want {
			t.Errorf("%q: %q, want %q", c.values, got, c.want)
		}
	}
}

// 10,000 cells on ten folds.
func BenchmarkReport(b *testing.B) {
	var rows []results.Row
	for cell := range 10000 {
		for fold := range 10 {
			rows = append(rows, results.Row{
				Label: results.Label{Dataset: fmt.Sprint("d", cell%20), Algorithm: fmt.Sprint("a", cell/20%10), Cell: fmt.Sprint(cell),
					Grid: []results.Param{{Name: "lambda", Value: float64(cell / 200)}}, Fold: int32(fold), FoldDigest: fmt.Sprint(fold)},
				Outcome: results.Outcome{Status: results.OK, RowsTrain: 90, RowsTest: 10, Scores: []results.Score{
					{Metric: "test_mse", Point: -1, Value: float64((cell*31 + fold*17) % 101)}, {Metric: "selected", Point: -1, Value: 7}}},
			})
		}
	}
	c := Config{Tables: []comparison.Config{{Baseline: "a0 lambda=0"}}}
	for b.Loop() {
		var out bytes.Buffer
		if err := Write(&out, "html", c, Input{Known: known, Name: "big", Metrics: []string{"test_mse"}, Rows: rows}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestInterruptedRun: where all cells lack the same folds, only the plan tells that they do.
func TestInterruptedRun(t *testing.T) {
	in := sample()
	in.Data = []SetFacts{{Name: "diabetes", Folds: 10}}
	var b strings.Builder
	if err := Print(&b, Config{Tables: []comparison.Config{{Rows: "algorithm", Columns: "dataset", Metric: "test_mse"}}}, in); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Count(text, "6/10 missing") != 4 || strings.Contains(text, "±") {
		t.Errorf("4 of 10 folds look whole:\n%s", text)
	}
	in.Data[0].Folds = 4
	for planned, want := range map[int]string{0: "", 4: "", 5: "1 cell of the plan never ran and cannot be shown", 7: "3 cells of the plan never ran"} {
		in.Planned = planned
		b.Reset()
		if err := Print(&b, Config{}, in); err != nil || strings.Contains(b.String(), "never ran") != (want != "") || !strings.Contains(b.String(), want) {
			t.Errorf("of %d cells, %v:\n%s", planned, err, b.String())
		}
	}
	for _, c := range in.Cells() {
		if c.Folds != 4 {
			t.Errorf("%s: %d folds", c.Algorithm, c.Folds)
		}
	}
}
