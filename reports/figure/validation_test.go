package figure

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tenfold/engines/searches"
	"tenfold/io/results"
	"tenfold/reports/cells"
)

// searchInput returns the results of an algorithm whose penalty is tuned on three folds, beside one that searches nothing.
func searchInput() Input {
	rows := []results.Row{row("ewt", "mean", "m", 0, nil, "test_mse", 9.0)}
	for fold := range int32(3) {
		r := row("ewt", "lasso", "l", fold, nil, "test_mse", 1.0)
		stage := searches.Stage{Metric: "test_mse", Folds: []searches.Rows{{Fitted: 80, Held: 20}, {Fitted: 80, Held: 20}, {Fitted: 80, Held: 20}}}
		for k := range 5 {
			x := math.Pow(10, float64(k-3))
			base := 1 + 0.3*math.Abs(float64(k)-2+0.1*float64(fold))
			stage.Attempts = append(stage.Attempts, searches.Attempt{
				Candidate: fmt.Sprintf("lambda=%g", x), Number: x, Values: []float64{base - 0.1, base, base + 0.125}, Kept: true, Best: k == 2, Chosen: k == 2, OneSE: k == 3,
			})
		}
		r.Searches = []searches.Record{{Kind: "tune", Parameter: "lambda", Stages: []searches.Stage{stage}}}
		rows = append(rows, r)
	}
	return Input{Source: described, Cells: cells.Group(rows), Metrics: []string{"test_mse"}}
}

func TestValidationCurve(t *testing.T) {
	c := buildCurves(t, Config{Kind: ValidationCurve}, searchInput())
	if got, want := labels(c), "mean of the fits; a fit; ; ; simplest within a standard error; chosen by a fit"; got != want {
		t.Errorf("series %q, want %q", got, want)
	}
	if !c.X.Log || len(c.X.Ticks) != 5 || c.X.Label != "penalty λ" || !strings.HasSuffix(c.Left.Label, " on inner folds") {
		t.Errorf("axes %+v, %+v", c.X, c.Left)
	}
	chosen, near := c.Series[5], c.Series[4]
	if len(chosen.Points) != 3 || chosen.Points[0].X != 0.1 || !chosen.Rings || len(near.Points) != 3 || near.Points[0].X != 1 || !(c.Series[0].Points[0].Error > 0) {
		t.Errorf("choices %+v, %+v", chosen, near)
	}
	if !strings.Contains(c.Caption, "over 3 fits") || !strings.Contains(c.Caption, "optimistic") {
		t.Errorf("caption %q", c.Caption)
	}
	if _, err := Build(Config{Kind: ValidationCurve, X: "alpha"}, searchInput()); err == nil || !strings.Contains(err.Error(), "no candidate has a number alpha") {
		t.Errorf("a parameter that is not tuned: %v", err)
	}
	if _, err := Build(Config{Kind: ValidationCurve, Algorithm: "mean"}, searchInput()); err == nil || !strings.Contains(err.Error(), "expected an algorithm with tune or sequential") {
		t.Errorf("without a search: %v", err)
	}
}

// Means that are infinite are not drawn, and the caption says which; where all of a line are, so is the line.
func TestInfiniteInnerMeans(t *testing.T) {
	in := searchInput()
	for i := range in.Cells {
		for _, r := range in.Cells[i].Rows {
			for _, s := range r.Searches {
				s.Stages[0].Attempts[4].Values[0] = math.Inf(1)
			}
		}
	}
	c := buildCurves(t, Config{Kind: ValidationCurve}, in)
	if len(c.Series[0].Points) != 4 || !strings.Contains(c.Caption, "not shown: 1 mean.") {
		t.Errorf("%d means, caption %q", len(c.Series[0].Points), c.Caption)
	}
}
