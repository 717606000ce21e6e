package results

import (
	"fmt"
	"math"
	"testing"
)

func TestMeanScores(t *testing.T) {
	if MeanScores(nil) != nil {
		t.Error("of nothing")
	}
	score := func(metric, output string, point int32, v float64) Score {
		return Score{Metric: metric, Output: output, Point: point, Value: v, Higher: metric == "acc"}
	}
	got := MeanScores([][]Score{
		{score("acc", "", -1, 1), score("acc", "", 5, 7), score("mse", "", -1, 2), score("auc", "", -1, math.NaN()), score("acc", "o", -1, 3)},
		{score("mse", "", -1, 4), score("acc", "o", -1, 5), score("auc", "", -1, 1), score("acc", "", -1, 2), score("late", "", -1, 9)},
	})
	if want := "[{acc  -1 1.5 true} {mse  -1 3 false} {acc o -1 4 true}]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s: what not all have is left out", got, want)
	}
}

// taskRows are a family of three tasks with two folds: the first has a fold that failed, the second a metric on one only.
func taskRows() []Row {
	var rows []Row
	for i, task := range []string{"a vs b", "a vs c", "b vs c"} {
		for fold := range 2 {
			r := Row{Label: Label{Dataset: "news/" + task, Family: "news", Task: task, Algorithm: "alg", Cell: task, Fold: int32(fold), FoldDigest: "f", DatasetDigest: task},
				Outcome: Outcome{Status: OK, Columns: 5, Features: 1, Selected: []Selected{{Feature: "x"}}}}
			r.Scores = []Score{{Metric: "accuracy", Point: -1, Value: float64(10*i + fold), Higher: true}}
			if i == 1 && fold == 0 {
				r.Scores = append(r.Scores, Score{Metric: "roc_auc", Point: -1, Value: 1})
			}
			if i == 0 && fold == 1 {
				r.Outcome = Outcome{Status: Failed, Error: "no"}
			}
			rows = append(rows, r)
		}
	}
	return append(rows, Row{Label: Label{Dataset: "other", Algorithm: "alg", Cell: "o"}, Outcome: Outcome{Status: OK, Scores: []Score{{Metric: "accuracy", Point: -1, Value: 1}}}})
}

// In metrics.json a family is one data set, whose folds are the tasks; in results.parquet each task stands by itself.
func TestFamily(t *testing.T) {
	dir := t.TempDir()
	rows := taskRows()
	write(t, dir, rows)
	tables, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	for i, r := range tables.Rows {
		if want := rows[i].Label; r.Family != want.Family || r.Task != want.Task || r.Dataset != want.Dataset {
			t.Errorf("row %d: %+v", i, r.Label)
		}
	}
	w := newSummaryWriter()
	for i := range rows {
		w.addRow(&rows[i], rows[i].Scores)
	}
	s := w.finish(Meta{}, "")
	if len(s.Results) != 2 || s.Results["other"]["alg"].Tasks != 0 || s.Results["other"]["alg"].Cell != "o" {
		t.Errorf("%d data sets", len(s.Results))
	}
	news := s.Results["news"]["alg"]
	accuracy := news.Metrics["accuracy"]
	if news.Tasks != 3 || news.Folds != 6 || news.OK != 5 || news.Cell != "" || accuracy.N != 3 || !(math.Abs(*accuracy.Mean-(0+10.5+20.5)/3) <= 1e-12) {
		t.Errorf("%+v, accuracy %+v", news, accuracy)
	}
	if _, ok := news.Metrics["roc_auc"]; ok {
		t.Error("a task has a metric that one of its folds lacks")
	}
	if stability := news.Metrics[StabilityMetric]; stability.N != 2 || *stability.Mean != 1 || stability.SE == nil || *stability.SE != 0 {
		t.Errorf("stability over the tasks with two folds: %+v", stability)
	}
}

// The digest of results without families is what it was before there were any.
func TestDigestKnowsNoFamilies(t *testing.T) {
	digest := func(change func(*Row)) string {
		var d digester
		for _, r := range taskRows() {
			change(&r)
			d.addRow(&r)
		}
		return d.hexSum()
	}
	if digest(func(*Row) {}) != digest(func(r *Row) { r.Family, r.Task = "", "" }) {
		t.Error("family and task are in the digest besides the data set's name")
	}
}
