package comparison

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
	"tenfold/reports/table"
)

// verbsAnd is a family of verbs, each on so many folds and with a number of rows of its own, at every share of the training
// rows: the plain code, transfer in two settings, of which the second changes three verbs alone, and the majority.
func verbsAnd(verbs, folds int, shares ...float64) Input {
	r := &run{}
	for _, share := range shares {
		at := results.Param{Name: "data_train_fraction", Value: share}
		for i := range verbs {
			name := fmt.Sprintf("verb%02d", i)
			plain := 0.6 + 0.1*share + 0.02*math.Sin(float64(3*i))
			changed := 0.0
			if i%5 == 2 {
				changed = 0.01
			}
			for _, a := range []struct {
				name string
				grid []results.Param
				mean float64
			}{
				{"TPC", nil, plain},
				{"Transfer", []results.Param{{Name: "transfer.setting", Value: int64(1)}}, plain + 0.03*math.Cos(float64(7*i)) + 0.01*(1-share)},
				{"Transfer", []results.Param{{Name: "transfer.setting", Value: int64(2)}}, plain + changed},
				{"majority", nil, 0.5},
			} {
				noise := 0.01 // of its own
				if a.mean == plain {
					noise = 0
				}
				values := make([]float64, folds)
				for f := range values {
					values[f] = a.mean + 0.004*math.Sin(float64(5*f+i)) + noise*math.Cos(float64(11*f+i))
				}
				r.add("verbs/"+name, a.name, append([]results.Param{at}, a.grid...), "accuracy", true, float64(3+i), values...)
				for f := range folds {
					row := &r.rows[len(r.rows)-1-f]
					row.Family, row.Task, row.DatasetDigest, row.RowsTest = "verbs", name, fmt.Sprint(name, share), int64(5+3*i)
				}
			}
		}
	}
	return r.input("accuracy")
}

func TestRecords(t *testing.T) {
	several, single, along := verbsAnd(14, 5, 1), verbsAnd(14, 1, 1), verbsAnd(8, 3, 0.1, 0.5, 1)
	var text string
	for _, c := range []struct {
		Config
		in Input
	}{
		{Config{Title: "by verb", Rows: "task", Columns: "algorithm", Cells: "{accuracy}", Baseline: "TPC"}, several},
		{Config{Title: "one fold each", Rows: "task", Columns: "algorithm", Cells: "{accuracy}", Baseline: "TPC", Filter: map[string]string{"task": "verb00, verb02, verb04", "algorithm": "T*"}}, single},
		{Config{Title: "averaged", Rows: "dataset", Columns: "algorithm", Cells: "{accuracy} ± {accuracy.se}; micro {accuracy.micro} ± {accuracy.micro.se}", Baseline: "TPC"}, several},
		{Config{Title: "non-inferior", Columns: "dataset", Cells: "{accuracy.micro} [{accuracy.micro.low}, {accuracy.micro.high}]", Baseline: "TPC", Margin: paired.Margin{Absolute: ptr(0.02)}}, several},
		{Config{Title: "learning curve", Columns: "data_train_fraction", Cells: "{accuracy}", Baseline: "TPC", Test: "paired-t"}, along},
	} {
		grids, err := Build(c.Config, c.in)
		if err != nil {
			t.Fatal(err)
		}
		text += "# " + c.Title + "\n\n" + markdown(t, grids) + "\n"
	}
	golden(t, "records.md", text)
}

// However a report shows them, the records of an algorithm are the same, and so are those of what cannot be tested over tasks.
func TestRecordsAgree(t *testing.T) {
	var want string
	for _, c := range []Config{
		{Rows: "task", Columns: "algorithm", Baseline: "TPC"},
		{Rows: "task", Columns: "algorithm", Baseline: "TPC", Filter: map[string]string{"algorithm": "T*"}},
		{Rows: "dataset", Columns: "algorithm", Baseline: "TPC"},
		{Rows: "dataset", Columns: "algorithm", Baseline: "TPC", Test: paired.NameNadeauBengio},
	} {
		grids, err := Build(c, verbsAnd(14, 5, 1))
		if err != nil {
			t.Fatal(err)
		}
		slots := grids[0].Footer[0].Slots
		got := slots[1].Text + ", " + slots[2].Text
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%+v: %s, want %s", c, got, want)
		}
	}
	if want != "7/0/7 (2/1), 3/11/0 (0/0)" {
		t.Error(want)
	}
}

// What is better where less is: the signs of losses are those of the metric.
func TestLossesOfErrors(t *testing.T) {
	in := verbsAnd(3, 5, 1)
	for _, c := range in.Cells {
		for _, r := range c.Rows {
			r.Scores[0].Metric, r.Scores[0].Higher, r.Scores[0].Value = "error", false, 1-r.Scores[0].Value
		}
	}
	grids, err := Build(Config{Rows: "task", Columns: "algorithm", Metric: "error", Baseline: "TPC"}, in)
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(grids[0].Notes, "\n")
	if want := "majority lost against TPC, by error: verb01 +0.2018 *, verb00 +0.1980 *, verb02 +0.1953 *."; !strings.Contains(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
	if last := grids[0].Footer[0]; last.Label != "won/tied/lost" || last.Slots[3].Text != "0/0/3 (0/3)" {
		t.Errorf("%+v", last)
	}
}

// A record counts what can be compared: the same tasks, that ended well.
func TestRecordsWithTrouble(t *testing.T) {
	in := verbsAnd(8, 3, 1)
	in.Cells[1].Rows[0].Status = results.Failed   // Transfer setting=1 on verb00
	in.Cells[6].Rows[0].Scores = nil              // Transfer setting=2 on verb01
	in.Cells[11].Rows[0].FoldDigest = "elsewhere" // majority on verb02
	grids, err := Build(Config{Rows: "task", Columns: "algorithm", Cells: "{accuracy}", Baseline: "TPC"}, in)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range grids[0].Footer[0].Slots {
		got = append(got, s.Text)
	}
	if text := strings.Join(got, ", "); text != ", 3/0/4 (0/0), 2/5/0 (0/0), 0/0/7 (0/7)" {
		t.Errorf("%s", text)
	}
}

func TestWarningsOfFewTasks(t *testing.T) {
	for _, c := range []struct {
		name   string
		config Config
		verbs  int
		want   string
	}{
		{"few tasks, no baseline", Config{Columns: "dataset"}, 5, "no difference to the best can be significant, so that nothing is italic: p-values of this test over so few tasks do not go below 0.062"},
		{"few tasks", Config{Columns: "dataset", Baseline: "TPC"}, 5, "no comparison can be significant, so that there are no marks and nothing is italic: p-values of this test over so few tasks do not go below 0.062"},
		{"enough", Config{Columns: "dataset", Filter: map[string]string{"transfer.setting": "1"}, Baseline: "TPC"}, 14, ""},
		{"enough, no baseline", Config{Columns: "dataset"}, 14, ""},
		{"few that differ", Config{Columns: "dataset", Baseline: "TPC"}, 14, "so few tasks differ at all that no test of ranks or signs can find anything; see Transfer transfer.setting=2 / verbs train_fraction=1 (3 of 14, p ≥ 0.25)"},
		{"none but those", Config{Columns: "dataset", Baseline: "TPC", Filter: map[string]string{"algorithm": "T*", "transfer.setting": "2"}}, 14, "over so few tasks that differ do not go below 0.25"},
		{"by a t-test", Config{Columns: "dataset", Baseline: "TPC", Test: paired.NamePairedT}, 5, ""},
	} {
		grids, err := Build(c.config, verbsAnd(c.verbs, 3, 1))
		if err != nil {
			t.Fatal(err)
		}
		w := strings.Join(grids[0].Warnings, "; ")
		if c.want == "" && w != "" || !strings.Contains(w, c.want) {
			t.Errorf("%s: %q, want %q", c.name, w, c.want)
		}
	}
}

// What was published over all test rows is set beside ours over all test rows, whatever the table shows.
func TestPublishedMicro(t *testing.T) {
	in := verbsAnd(8, 3, 1)
	of := cells.AcrossTasks(in.Cells)[0]
	macro, pooled := of.Stat("accuracy").Mean, cells.Micro([]*cells.Cell{of}, "accuracy").Mean
	for average, ours := range map[string]float64{"": macro, "macro": macro, "micro": pooled} {
		in.Published = []Published{{Source: "elsewhere", Dataset: "verbs", Algorithm: "TPC", Metric: "accuracy", Average: average, Value: 0.5}}
		grids, err := Build(Config{Columns: "dataset", Cells: "{accuracy}"}, in)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := grids[0].Rows[0].Slots[1].Text, fmt.Sprintf("0.5000 (+%.4f)", ours-0.5); got != want {
			t.Errorf("%q: %s, want %s", average, got, want)
		}
		if told := strings.Contains(strings.Join(grids[0].Notes, " "), "elsewhere (over all test rows, as ours in the difference)"); told != (average == "micro") {
			t.Errorf("%q: %q", average, grids[0].Notes)
		}
	}
	for want, v := range map[string]Published{
		`average: "mean" is not one of macro, micro`: {Average: "mean", Metric: "accuracy"},
		"average: roc_auc is no mean over test rows": {Average: "micro", Metric: "roc_auc"},
	} {
		if err := errors.Join(v.Validate(), v.ValidateMetrics(described.Metrics)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestMicroInTables(t *testing.T) {
	in := verbsAnd(8, 3, 1)
	grids, err := Build(Config{Columns: "metric", Metric: "accuracy", Cells: "{value} {value.micro} {value.micro.se}"}, in)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := table.CSV(sanitize.NewCSV(&b, true), grids); err != nil {
		t.Fatal(err)
	}
	want := cells.Micro(cells.AcrossTasks(in.Cells)[:1], "accuracy")
	line := fmt.Sprintf("verbs train_fraction=1,TPC,accuracy,accuracy.micro,%v,%v,,,8,ok,,,false,%v,%v,\n", want.Mean, want.SE, want.Low, want.High)
	if !strings.Contains(b.String(), line) {
		t.Errorf("lacks %s:\n%s", line, b.String())
	}
	for _, c := range []struct {
		config Config
		want   string
	}{
		{Config{Cells: "{roc_auc.micro}"}, "cells: roc_auc is no mean over test rows, so it has no micro average"},
		{Config{Cells: "{selected.micro.se}"}, "selected is no mean over test rows"},
		{Config{Cells: "{f:0.5.micro}"}, "f:0.5 is no mean over test rows"},
		{Config{Cells: "{accuracy.micro.sd}"}, "accuracy.micro has no sd (have mean, se, low, high)"},
		{Config{Cells: "{accuracy.micro.std}"}, `unknown statistic "std"`},
		{Config{Cells: "{value.micro}"}, "say which with metric"},
		{Config{Cells: "{value.micro}", Metric: "accuracy, f1"}, "metric: f1 is no mean over test rows"},
	} {
		if _, err := Build(c.config, in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.config, err, c.want)
		}
	}
	const have = "(have accuracy, brier_score, error, integrated_brier, log_loss, mae, micro_f1, poisson_deviance, test_mse)"
	for _, text := range []string{"{roc_auc.micro}", "{value.micro}"} {
		if err := (Config{Cells: text}).ValidateMetrics(described.Metrics); err == nil || !strings.HasSuffix(err.Error(), have) {
			t.Errorf("%s: %v, want %s", text, err, have)
		}
	}
}
