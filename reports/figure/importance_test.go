package figure

import (
	"math"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/drawing"
)

// The largest mean size comes first, folds that do not select a feature have 0, and an algorithm without features is no rival.
func TestImportance(t *testing.T) {
	selected := func(pairs ...any) (out []results.Selected) {
		for k := 0; k < len(pairs); k += 2 {
			out = append(out, results.Selected{Rank: int32(k / 2), Feature: pairs[k].(string), Coefficient: pairs[k+1].(float64), Score: math.NaN()})
		}
		return out
	}
	one, two, none := row("ewt", "lasso", "l", 0, nil, "test_mse", 2.0), row("ewt", "lasso", "l", 1, nil, "test_mse", 2.0), row("ewt", "mean", "m", 0, nil, "test_mse", 1.0)
	other := row("ewt", "mean", "m", 1, nil, "test_mse", 1.0)
	one.Selected, two.Selected = selected("age", 1.0, "fare", -3.0), selected("age", 0.5)
	in := Input{Source: described, Cells: cells.Group([]results.Row{one, two, none, other}), Metrics: []string{"test_mse"}}
	chart := build(t, Config{Kind: Importance}, in)
	body := chart.Body.(*drawing.Strips)
	if got := strings.Join(body.Names, " "); got != "fare age" {
		t.Errorf("features %s", got)
	}
	if s := body.Panels[0].Strips[0]; len(s.Values) != 2 || s.Values[0] != -3 || s.Values[1] != 0 || s.Mean != -1.5 {
		t.Errorf("values %+v", s)
	}
	if !strings.Contains(chart.Caption, "The 2 features") || !strings.Contains(chart.Title, "lasso") {
		t.Errorf("%s: %s", chart.Title, chart.Caption)
	}
	if _, err := Build(Config{Kind: Importance, Algorithm: "mean"}, in); err == nil || !strings.Contains(err.Error(), "no fold has stored coefficients or importances") && !strings.Contains(err.Error(), "not kept") {
		t.Errorf("without features: %v", err)
	}
}
