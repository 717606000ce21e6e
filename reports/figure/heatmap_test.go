package figure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/drawing"
)

func TestHeatMapOfSelections(t *testing.T) {
	t.Parallel()
	pick := func(fold int32, coefficients map[string]float64) results.Row {
		r := row("d", "lasso", "a", fold, nil, "accuracy", 0.5)
		r.Features = int32(len(coefficients))
		for _, name := range []string{"x", "y", "z"} {
			if v, has := coefficients[name]; has {
				r.Outcome.Selected = append(r.Outcome.Selected, results.Selected{Rank: -1, Feature: name, Coefficient: v})
			}
		}
		return r
	}
	rows := []results.Row{pick(0, map[string]float64{"x": -4, "y": 1}), pick(1, map[string]float64{"x": 2}), pick(2, map[string]float64{"x": 1, "z": 3})}
	in := Input{Source: described, Cells: cells.Group(rows), Metrics: []string{"accuracy"}}
	c := build(t, Config{Kind: HeatMap}, in)
	body := c.Body.(*drawing.Heat)
	if body.Rows[0] != "x" || len(body.Rows) != 3 || !slices.Equal(body.Columns, []string{"1.1", "1.2", "1.3"}) {
		t.Fatal(body.Rows, body.Columns)
	}
	value := map[string][]float64{}
	for i, name := range body.Rows {
		for _, s := range body.Squares[i] {
			value[name] = append(value[name], s.Value)
		}
	}
	nan := math.NaN()
	for name, want := range map[string][]float64{"x": {1, 1, 1. / 3}, "y": {0.25, nan, nan}, "z": {nan, nan, 1}} {
		if !slices.EqualFunc(value[name], want, func(a, b float64) bool { return a == b || a != a && b != b }) {
			t.Errorf("%s: %v, want %v", name, value[name], want)
		}
	}
	if !strings.Contains(c.Caption, "The 3 features that most folds select, of 3 features that any does; a column for each of 3 folds.") {
		t.Error(c.Caption)
	}
	var out strings.Builder
	if err := c.SVG(&out); err != nil || !strings.Contains(out.String(), ">1.3<") {
		t.Error(err)
	}
	none := Input{Source: described, Cells: cells.Group([]results.Row{row("d", "mean", "m", 0, nil, "accuracy", 0.5)}), Metrics: []string{"accuracy"}}
	if _, err := Build(Config{Kind: HeatMap}, none); err == nil || !strings.Contains(err.Error(), "selects no feature on any fold") {
		t.Error(err)
	}
}
