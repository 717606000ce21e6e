package reports

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/page"
)

// selections is a run on two data sets: "many" with three folds has all kinds of algorithms, "one" has a single fold.
// Features are written "+a -b +c/y2", with an output where there are several; "!" is a fold that failed.
func selections() Input {
	var rows []results.Row
	add := func(dataset, algorithm string, columns int64, score float64, grid []results.Param, folds ...string) {
		for i, text := range folds {
			r := results.Row{
				Label: results.Label{Dataset: dataset, Algorithm: algorithm, Engine: algorithm, Cell: fmt.Sprint(dataset, algorithm, grid), Grid: grid,
					Fold: int32(i), FoldDigest: fmt.Sprint(dataset, i)},
				Outcome: results.Outcome{Status: results.OK, Columns: columns, Scores: []results.Score{{Metric: "accuracy", Point: -1, Value: score, Higher: true}}},
			}
			distinct := map[string]bool{}
			for rank, f := range strings.Fields(text) {
				if f == "!" {
					r.Status, r.Error = results.Failed, "no luck"
					break
				}
				feature, output, _ := strings.Cut(f[1:], "/")
				distinct[feature] = true
				coefficient := 0.5 * float64(rank+i+1)
				if f[0] == '-' {
					coefficient = -coefficient
				}
				r.Outcome.Selected = append(r.Outcome.Selected, results.Selected{Rank: int32(rank), Feature: feature, Output: output, Coefficient: coefficient})
			}
			r.Features = int32(len(distinct))
			if r.Status == results.OK {
				r.Scores = append(r.Scores, results.Score{Metric: "selected", Point: -1, Value: float64(r.Features)})
			}
			rows = append(rows, r)
		}
	}
	lambda := func(x float64) []results.Param { return []results.Param{{Name: "lambda", Value: x}} }
	add("many", "stepwise", 6, 0.9, nil, "+a +b", "+a -b", "+a +c|d")
	add("many", "lasso", 6, 0.7, lambda(1), "+a", "+a", "+a")
	add("many", "lasso", 6, 0.8, lambda(0.1), "+b +a +e", "-a +b", "+a +b +e +f")
	add("many", "tasks", 6, 0.8, nil, "+a/y +a/z", "+a/y -b/z", "+b/y")
	add("many", "ridge", 6, 0.8, nil, "+a +b +c|d +e +f +g", "+a +b +c|d +e +f +g", "+a +b +c|d +e +f +g")
	add("many", "mean", 6, 0.5, nil, "", "", "")
	add("many", "shaky", 6, 0.5, nil, "+a", "!", "+a +b")
	add("many", "broken", 6, 0.5, nil, "!", "!", "!")
	add("one", "stepwise", 6, 0.9, nil, "+a +b")
	add("one", "lasso", 6, 0.9, lambda(1), "+a -b +e")
	add("one", "ridge", 2, 0.9, nil, "+a +b")
	return Input{Known: known, Name: "selections", Metrics: []string{"accuracy"}, Rows: rows}
}

func section(t testing.TB, in Input) string {
	t.Helper()
	r := newReport(Default(), in)
	blocks, err := featureSection{r.best(), r.Features}.blocks(r.cells)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := page.Markdown(&b, page.Document{Title: "Test", Sections: []page.Section{{Title: "Selected features", Blocks: blocks}}}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSelectionSection(t *testing.T) {
	got := section(t, selections())
	path := filepath.Join("testdata", "selection.md")
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
		t.Errorf("the section differs from %s (go test -update writes it anew):\n%s", path, got)
	}
	if strings.Contains(got, "NaN") {
		t.Error("NaN in the section")
	}
}

func TestSelectionsThatWereNotKept(t *testing.T) {
	in := selections()
	for i := range in.Rows {
		in.Rows[i].Outcome.Selected = nil
	}
	if got := section(t, in); strings.Contains(got, "NaN") || strings.Contains(got, "lasso") {
		t.Errorf("nothing was kept:\n%s", got)
	}
	in = selections()
	for i := range in.Rows {
		if in.Rows[i].Algorithm == "lasso" {
			in.Rows[i].Outcome.Selected = nil
		}
	}
	got := section(t, in)
	for _, want := range []string{"| lasso lambda=0.1 | 3.0 ± 0.6 |         – |", "No stability: lasso lambda=0.1 (the selected features were not kept)", "Left out: lasso lambda=0.1 (selection not kept)"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
}

func TestManyAlgorithmsAreComparedInPart(t *testing.T) {
	in := selections()
	first := in.Rows[:3]
	in.Rows = nil
	for a := range 60 {
		for _, r := range first {
			r.Algorithm, r.Cell = fmt.Sprint("a", a), fmt.Sprint(a)
			in.Rows = append(in.Rows, r)
		}
	}
	in.Rows[4].FoldDigest = "elsewhere"
	got := section(t, in)
	for _, want := range []string{"The first 10 of 60 algorithms.", "Not compared: a0 × a1: not on the same folds: repeat 0, fold 1 of a0 has no partner in a1.",
		"Nor, for such reasons, 8 more pairs.", "The first 50 of 60 algorithms that selected features."} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
	if n := strings.Count(got, " × "); n != 45-9+1 {
		t.Errorf("%d pairs", n)
	}
}

// Along paths the stability is tabled by size, of very many some.
func TestStabilityBySize(t *testing.T) {
	in := selections()
	in.Rows = in.Rows[:3]
	if got := section(t, in); strings.Contains(got, "by number of features") {
		t.Errorf("without paths there are sizes:\n%s", got)
	}
	for i := range in.Rows {
		r := &in.Rows[i]
		for size := int32(1); size <= 30; size++ {
			n := float64(min(int(size), len(r.Outcome.Selected)))
			r.Scores = append(r.Scores, results.Score{Metric: "selected", Point: size, Value: n})
		}
		for k := range r.Outcome.Selected {
			r.Outcome.Selected[k].Rank = int32(k)
		}
	}
	got := section(t, in)
	for _, want := range []string{"stability by number of features", "|     1 |     3 |", "|    27 |    30 |", "12 of 30 sizes"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
}

// Of two algorithms on other folds there is a reason in place of a table.
func TestOnePairOnOtherFolds(t *testing.T) {
	in := selections()
	in.Rows = in.Rows[:6]
	in.Rows[4].FoldDigest = "elsewhere"
	got := section(t, in)
	if !strings.Contains(got, "many: overlap of the selections. Not compared: stepwise × lasso lambda=1: not on the same folds: repeat 0, fold 1 of stepwise has no partner in lasso lambda=1.") || strings.Contains(got, "Nor,") {
		t.Errorf("got\n%s", got)
	}
}

// unreadable is a source whose selections are damaged.
type unreadable struct{ cells.InRows }

func (unreadable) Selected(*results.Row) ([]results.Selected, error) {
	return nil, errors.New("selections.parquet: damaged")
}

func TestDamagedSelections(t *testing.T) {
	in := selections()
	in.Source = unreadable{}
	var b bytes.Buffer
	err := Write(&b, "markdown", Default(), in)
	if problems := (Problems)(nil); !errors.As(err, &problems) || !strings.Contains(err.Error(), "selected features: selections.parquet: damaged") {
		t.Errorf("got %v", err)
	}
	if !strings.Contains(b.String(), "## Not shown") || !strings.Contains(b.String(), "## Results") {
		t.Errorf("the rest is missing:\n%s", b.String())
	}
	b.Reset()
	in.Metrics = []string{"stability"}
	if err := Print(&b, Config{}, in); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a table that shows stability says nothing: %v\n%s", err, b.String())
	}
}

// BenchmarkReportOfSelections renders the page of 10,000 cells on ten folds with 30 features each from their files.
func BenchmarkReportOfSelections(b *testing.B) {
	names := make([]string, 5000)
	for i := range names {
		names[i] = fmt.Sprint("feature", i)
	}
	rows := func(yield func(*results.Row, error) bool) {
		for cell := range 10_000 {
			for fold := range 10 {
				r := &results.Row{
					Label: results.Label{Dataset: fmt.Sprint("d", cell/500), Algorithm: fmt.Sprint("a", cell/50%10), Cell: fmt.Sprintf("%032x", cell),
						Grid: []results.Param{{Name: "lambda", Value: float64(cell % 50)}}, Fold: int32(fold), FoldDigest: fmt.Sprint(cell/500, fold)},
					Outcome: results.Outcome{Status: results.OK, RowsTrain: 90, RowsTest: 10, Columns: 5000, Features: 30, Scores: []results.Score{
						{Metric: "test_mse", Point: -1, Value: float64((cell*31 + fold*17) % 101)}, {Metric: "selected", Point: -1, Value: 30}}},
				}
				for k := range 30 {
					r.Outcome.Selected = append(r.Outcome.Selected,
						results.Selected{Rank: int32(k), Feature: names[(cell*7+fold*k%3+k*13)%len(names)], Coefficient: float64(fold + k)})
				}
				if !yield(r, nil) {
					return
				}
			}
		}
	}
	dir := b.TempDir()
	if _, err := results.Write(dir, results.Meta{}, rows); err != nil {
		b.Fatal(err)
	}
	for _, features := range []int{0, 10} {
		b.Run(fmt.Sprintf("features=%d", features), func(b *testing.B) {
			for b.Loop() {
				tables, err := results.Read(dir)
				if err != nil {
					b.Fatal(err)
				}
				var out bytes.Buffer
				in := Input{Known: known, Name: "big", Metrics: []string{"test_mse"}, Rows: tables.Rows, Source: tables}
				if err := Write(&out, "html", Config{Features: features}, in); err != nil {
					b.Fatal(err)
				}
				if err := tables.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
