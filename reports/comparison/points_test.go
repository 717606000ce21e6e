package comparison

import (
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
)

// paths is a run of two algorithms with paths, and one without. The second path ends early on two folds; of one of them, as older
// results have it, there are no scores beyond.
func paths() *run {
	r := &run{}
	add := func(algorithm string, at []int32, values ...float64) {
		r.add("ewt", algorithm, nil, "accuracy", true, float64(at[len(at)-1]), values...)
		for i := range values {
			row := &r.rows[len(r.rows)-len(values)+i]
			for k, size := range at {
				if algorithm == "IFS" && i == 1 && size == 100 {
					continue
				}
				end := size
				if algorithm == "IFS" && i == 2 {
					end = min(size, 59)
				}
				row.Scores = append(row.Scores, results.Score{Metric: results.PathEndMetric, Point: size, Value: float64(end)}, results.Score{Metric: "accuracy", Point: size, Value: values[i] - 0.1*float64(len(at)-1-k), Higher: true},
					results.Score{Metric: "selected", Point: size, Value: float64(size)})
			}
		}
	}
	add("SGC", []int32{10, 100, 1000}, 0.7, 0.72, 0.74)
	add("IFS", []int32{10, 100}, 0.6, 0.63, 0.65)
	r.add("ewt", "all", nil, "accuracy", true, 5000, 0.75, 0.74, 0.75)
	return r
}

func TestTablesAlongPaths(t *testing.T) {
	in := paths().input("accuracy")
	where := map[string]string{"point": "100"}
	in.Published = []Published{
		{Source: "Zhou 2003", Dataset: "ewt", Algorithm: "SGC", Where: where, Metric: "accuracy", Value: 0.6},
		{Source: "Zhou 2003", Dataset: "ewt", Algorithm: "IFS", Where: map[string]string{"point": "7"}, Metric: "accuracy", Value: 0.6},
	}
	var text string
	for _, c := range []Config{
		{Title: "usual", Test: "none"},
		{Title: "rows", Rows: "point", Columns: "algorithm", Cells: "{accuracy} ({selected})", Test: "none"},
		{Title: "columns", Columns: "point", Cells: "{accuracy} ± {accuracy.se}", Baseline: "SGC"},
		{Title: "by", By: "point", Filter: map[string]string{"algorithm": "SGC"}, Test: "none"},
		{Title: "filter", Filter: where, Test: "none"},
	} {
		grids, err := Build(c, in)
		if err != nil {
			t.Fatal(err)
		}
		text += "# " + c.Title + "\n\n" + markdown(t, grids) + "\n"
	}
	golden(t, "points", text)
	warnings, err := Unmatched(in.Published, cells.InRows{}, in.Cells, nil)
	if err != nil || len(warnings) != 1 || !strings.HasPrefix(warnings[0], "published accuracy of IFS on ewt, point=7 matches no result") {
		t.Errorf("%q, %v", warnings, err)
	}
	if _, err := Build(Config{Rows: "point", Columns: "algorithm"}, dhillon().input("accuracy")); err == nil || !strings.Contains(err.Error(), `no result has "point"`) {
		t.Errorf("without a path: %v", err)
	}
}
