package figure

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
)

// learningInput is a family of six verbs at four shares of the training rows: plain, and with transfer in two settings.
func learningInput() Input {
	var rows []results.Row
	for _, share := range []float64{0.05, 0.25, 0.5, 1} {
		for verb := range 6 {
			for k, setting := range []int64{0, 1, 2} {
				grid := []results.Param{{Name: "data_train_fraction", Value: share}}
				name := "TPC"
				if setting > 0 {
					name, grid = "Transfer", append(grid, results.Param{Name: "transfer.setting", Value: setting})
				}
				for fold := range int32(2) {
					task := fmt.Sprint("verb", verb)
					r := row("verbs/"+task, name, fmt.Sprint(share, verb, setting), fold, grid,
						"accuracy", 0.5+0.25*share+0.125*float64(k)*(1-share)+float64(verb)/16, "nonzero", 8.0)
					r.Family, r.Task = "verbs", task
					rows = append(rows, r)
				}
			}
		}
	}
	return Input{Source: described, Cells: cells.Group(rows), Metrics: []string{"accuracy"}}
}

// A learning curve averages tasks, with a line for each algorithm and point of its grid.
func TestSweepOfAFamily(t *testing.T) {
	c := buildCurves(t, Config{Kind: Sweep, X: "data_train_fraction", Right: "none"}, learningInput())
	if got, want := labels(c), "TPC; Transfer transfer.setting=1; Transfer transfer.setting=2"; got != want {
		t.Errorf("series %q, want %q", got, want)
	}
	for k, s := range c.Series {
		if len(s.Points) != 4 {
			t.Fatalf("%s: %v", s.Label, s.Points)
		}
		p := s.Points[0]
		if want := 0.5 + 0.25*0.05 + 0.125*float64(k)*0.95 + 2.5/16; p.X != 0.05 || !(math.Abs(p.Y-want) <= 1e-12) {
			t.Errorf("%s begins with %+v, want %g", s.Label, p, want)
		}
		if want := math.Sqrt(3.5/6) / 16; !(math.Abs(p.Error-want) <= 1e-12) { // of 0 … 5, over √6 tasks
			t.Errorf("%s: error %g, want %g", s.Label, p.Error, want)
		}
	}
	if c.X.Label != "share of the training rows" || !c.X.Log || c.Name != "sweep-data_train_fraction-accuracy-verbs" || !strings.Contains(c.Caption, "standard error over tasks") || strings.Contains(c.Caption, "Warning") {
		t.Errorf("%s, axis %q, title %q: %s", c.Name, c.X.Label, c.Title, c.Caption)
	}
	one := buildCurves(t, Config{Kind: Sweep, X: "data_train_fraction", Lines: "task", Algorithm: "TPC", Where: map[string]string{"task": "verb1, verb2"}}, learningInput())
	if got := labels(one); !strings.HasPrefix(got, "task verb1; task verb2") {
		t.Errorf("series %q", got)
	}
}
