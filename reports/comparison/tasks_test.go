package comparison

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

// tasks is a run of three algorithms on n tasks of two folds each.
func tasks(n int) Input {
	r := &run{}
	for i := range n {
		name := fmt.Sprintf("%c vs z", 'a'+i)
		for k, algorithm := range []string{"l1", "dual", "majority"} {
			v := 0.9 - 0.1*float64(k) + 0.01*math.Sin(float64(7*i+3*k))
			r.add("news/"+name, algorithm, nil, "accuracy", true, float64(10+i), v, v+0.02)
			for f := range 2 {
				row := &r.rows[len(r.rows)-2+f]
				row.Family, row.Task, row.DatasetDigest = "news", name, name
			}
		}
	}
	return r.input("accuracy")
}

func TestTablesAcrossTasks(t *testing.T) {
	in := tasks(8)
	in.Published = []Published{
		{Source: "Okanohara", Dataset: "news", Algorithm: "l1", Metric: "accuracy", Value: 0.88},
		{Source: "Okanohara", Dataset: "news", Algorithm: "dual", Where: map[string]string{"task": "b vs z"}, Metric: "accuracy", Value: 0.7},
	}
	var text string
	for _, c := range []Config{
		{Title: "usual", Baseline: "majority"},
		{Title: "t-test", Baseline: "majority", Test: "paired-t", Columns: "dataset", Margin: paired.Margin{Relative: ptr(0.2)}},
		{Title: "corrected", Baseline: "majority", Test: "nadeau-bengio"},
		{Title: "some", Filter: map[string]string{"task": "a*, b*"}, Cells: "{value.median} [{value.min} … {value.max}] {value.n}", Baseline: "majority"},
		{Title: "each", Rows: "task", Columns: "algorithm", Filter: map[string]string{"task": "a*, b*"}, Baseline: "majority", Cells: "{accuracy} ± {accuracy.se}"},
	} {
		grids, err := Build(c, in)
		if err != nil {
			t.Fatal(err)
		}
		text += "# " + c.Title + "\n\n" + markdown(t, grids) + "\n"
	}
	golden(t, "tasks.md", text)
	if warnings, err := Unmatched(in.Published, cells.InRows{}, in.Cells, nil); err != nil || len(warnings) != 0 {
		t.Errorf("%q, %v", warnings, err)
	}
}

func TestTestsOfTasks(t *testing.T) {
	families := []string{"news"}
	for test, want := range map[string]string{"": "", "wilcoxon": "", "sign": "", "paired-t": "", "none": "",
		"nadeau-bengio": "test: nadeau-bengio allows for what training parts of folds share", "bootstrap": "test: bootstrap is for one fold", "mcnemar": "test: mcnemar is for one fold"} {
		err := Config{Test: test}.ValidateFamilies(families, nil)
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", test, err, want)
		}
		if err := (Config{Test: test}).ValidateFamilies(families, []string{"other"}); err != nil {
			t.Errorf("%s beside another data set: %v", test, err)
		}
		if err := (Config{Test: test, Rows: "task"}).ValidateFamilies(families, nil); err != nil {
			t.Errorf("%s of single tasks: %v", test, err)
		}
	}
	grids, err := Build(Config{Baseline: "majority", Columns: "dataset"}, tasks(3))
	if err != nil {
		t.Fatal(err)
	}
	if w := strings.Join(grids[0].Warnings, "; "); !strings.Contains(w, "p-values of this test over so few tasks do not go below 0.25") {
		t.Errorf("warnings %q", w)
	}
	in := tasks(3)
	in.Cells[0].Rows[1].Status = results.Failed
	if grids, err = Build(Config{Columns: "dataset"}, in); err != nil || grids[0].Rows[0].Slots[0].Text != "1/3 tasks failed" {
		t.Errorf("%v, %q", err, grids[0].Rows[0].Slots[0].Text)
	}
	in = tasks(3)
	in.Cells[0].Rows[1].Scores = nil
	grids, err = Build(Config{Columns: "dataset"}, in)
	if w := strings.Join(grids[0].Warnings, "; "); err != nil || !strings.Contains(w, "[n/N]: accuracy has a value on n of N tasks; such a mean is over these, and not compared with means over all; see l1 / news (2 of 3)") {
		t.Errorf("%v, %q", err, w)
	}
}
