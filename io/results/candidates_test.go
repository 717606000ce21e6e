package results

import "testing"

// Whatever columns are read, selections are counted among the same candidates.
func TestCandidatesOfSomeColumns(t *testing.T) {
	t.Parallel()
	rows := []Row{{Label: Label{Dataset: "d", Algorithm: "a", Cell: "c"}, Outcome: Outcome{Status: OK, Columns: 9, Scores: []Score{
		{Metric: UnitsMetric, Point: -1, Value: 4}, {Metric: KeptMetric, Point: -1, Value: 1}, {Metric: "accuracy", Point: -1, Value: 1, Higher: true},
	}}}}
	dir := t.TempDir()
	write(t, dir, rows)
	tables, err := Read(dir, "status", "metric_accuracy")
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	if n := tables.Rows[0].Candidates(); n != 4 {
		t.Errorf("%d candidates, expected 4 units", n)
	}
}
