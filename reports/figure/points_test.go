package figure

import (
	"fmt"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
)

// pathInput is two algorithms along paths, and one that takes all features.
func pathInput() Input {
	var rows []results.Row
	for i, algorithm := range []string{"IFS", "SGC"} {
		r := row("ewt", algorithm, algorithm, 0, nil, "accuracy", 0.8, "selected", 1000.0)
		for k, size := range []int32{10, 100, 1000} {
			for metric, v := range map[string]float64{
				"accuracy": 0.5 + 0.125*float64(k) - 0.0625*float64(i), "selected": float64(size) - 1, "evaluations": float64(size) * []float64{50_000, 20}[i],
			} {
				r.Scores = append(r.Scores, results.Score{Metric: metric, Point: size, Value: v, Higher: metric == "accuracy"})
			}
		}
		rows = append(rows, r)
	}
	rows = append(rows, row("ewt", "all", "all", 0, nil, "accuracy", 0.82, "selected", 40_000.0))
	return Input{Source: described, Cells: cells.Group(rows), Metrics: []string{"accuracy"}}
}

// Zhou's Figure 5: accuracy by number of features, a line for each algorithm, and all features level.
func TestSweepAlongPaths(t *testing.T) {
	c := buildCurves(t, Config{Kind: Sweep, X: "point", Y: "accuracy"}, pathInput())
	if got, want := labels(c), "IFS; SGC; all"; got != want {
		t.Errorf("series %q, want %q", got, want)
	}
	if !c.X.Log || c.X.Label != "number of features on the path" || c.Left.Log || c.Right.Label != "" {
		t.Errorf("axes %+v, %+v, %+v", c.X, c.Left, c.Right)
	}
	if got := fmt.Sprint(c.Series[1].Points); got != "[{10 0.4375 0 0 0 0 } {100 0.5625 0 0 0 0 } {1000 0.6875 0 0 0 0 }]" {
		t.Errorf("SGC: %s", got)
	}
}

// Effort spans decades: Zhou's Figures 3 and 4.
func TestEffortIsLogarithmic(t *testing.T) {
	c := buildCurves(t, Config{Kind: Sweep, X: "point", Y: "evaluations"}, pathInput())
	if !c.X.Log || !c.Left.Log || len(c.Series) != 2 {
		t.Errorf("axes %+v, %+v, series %s", c.X, c.Left, labels(c))
	}
}

func TestFrontierAlongPaths(t *testing.T) {
	for _, f := range []struct {
		config Config
		x      float64
		series string
	}{
		{Config{Kind: Frontier, X: "point"}, 10, "IFS by point; SGC by point; Pareto front"},
		{Config{Kind: Frontier, Where: map[string]string{"point": "*"}}, 9, "IFS by point; SGC by point; all; Pareto front"},
		{Config{Kind: Frontier, Where: map[string]string{"point": "10, 1000"}, Algorithm: "SGC"}, 9, "SGC by point; Pareto front"},
		{Config{Kind: Frontier}, 1000, "IFS; SGC; all; Pareto front"},
	} {
		c := buildCurves(t, f.config, pathInput())
		if labels(c) != f.series || c.Series[0].Points[0].X != f.x {
			t.Errorf("%+v: %s from %v", f.config, labels(c), c.Series[0].Points[0])
		}
		if f.config.X == "point" && (!strings.Contains(c.Caption, "a smaller number of features on the path") || !strings.Contains(c.Caption, "all (no value of point)")) {
			t.Errorf("caption %q", c.Caption)
		}
	}
}
