package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/drawing"
)

func TestFrontier(t *testing.T) {
	c := buildCurves(t, Config{Kind: Frontier}, frontierInput(1))
	if got, want := labels(c), "lasso by lambda; stagewise by epsilon, scale; mean; Pareto front"; got != want {
		t.Fatalf("series %q, want %q", got, want)
	}
	lasso, stagewise, front := c.Series[0], c.Series[1], c.Series[3]
	if lasso.Line != drawing.Straight || stagewise.Line != drawing.Cloud || front.Line != drawing.Steps || !front.Rings {
		t.Errorf("lines %v, %v, %v", lasso.Line, stagewise.Line, front.Line)
	}
	var order []string
	for _, p := range lasso.Points {
		order = append(order, p.Label)
	}
	if got, want := strings.Join(order, " "), "0.01 0.1 1 10 100"; got != want {
		t.Errorf("lasso in the order %s, want %s", got, want)
	}
	if got := stagewise.Points[0].Label; got != "0.1, sd" {
		t.Errorf("label %q", got)
	}
	if !c.X.Log || c.Left.Log {
		t.Errorf("axes %+v, %+v: features span decades, errors do not", c.X, c.Left)
	}
	for _, want := range []string{"a smaller number of selected features and lower mean squared error on test rows", "all (no value of selected)", "broken (failed)"} {
		if !strings.Contains(c.Caption, want) {
			t.Errorf("caption %q lacks %q", c.Caption, want)
		}
	}
	if c.Name != "frontier-selected-test_mse-ewt" {
		t.Errorf("name %q", c.Name)
	}
}

func TestFrontierOverFolds(t *testing.T) {
	c := buildCurves(t, Config{Kind: Frontier}, frontierInput(5))
	p := c.Series[0].Points[0] // 8294 features, and a tenth more on two folds of five
	se := 829.4 * math.Sqrt(0.3/5)
	if !(math.Abs(p.ErrorX-se) <= 1e-6*se) || !(p.Error > 0) || !strings.Contains(c.Caption, "standard error") {
		t.Errorf("point %+v, want an error in x of %g; caption %q", p, se, c.Caption)
	}
}

func TestParetoFront(t *testing.T) {
	points := []drawing.Point{{X: 3, Y: 1}, {X: 1, Y: 3}, {X: 2, Y: 3}, {X: 2, Y: 2}, {X: 1, Y: 4}, {X: 4, Y: 1}, {X: 3, Y: 1}}
	for _, c := range []struct {
		higherX, higherY bool
		want             []drawing.Point // equals all count
	}{
		{false, false, []drawing.Point{{X: 1, Y: 3}, {X: 2, Y: 2}, {X: 3, Y: 1}, {X: 3, Y: 1}}},
		{false, true, []drawing.Point{{X: 1, Y: 4}}},
		{true, false, []drawing.Point{{X: 4, Y: 1}}},
		{true, true, []drawing.Point{{X: 4, Y: 1}, {X: 2, Y: 3}, {X: 1, Y: 4}}},
	} {
		f := frontier{points: points, higherX: c.higherX, higherY: c.higherY}
		if got := f.paretoFront().Points; !slices.Equal(got, c.want) {
			t.Errorf("higher %v, %v: %v, want %v", c.higherX, c.higherY, got, c.want)
		}
	}
}

func TestFrontierTakesStability(t *testing.T) {
	c := buildCurves(t, Config{Kind: Frontier, X: "stability", Dataset: "data-set-0"}, many(3, 1))
	if p := c.Series[0].Points[0]; p.X != 1 || !strings.Contains(c.Caption, "higher stability") {
		t.Errorf("point %+v, caption %q", p, c.Caption)
	}
}

// scored is algorithms a, b, c … with these scores on each data set; NaN for a fit that failed.
func scored(metric string, scores [][]float64) Input {
	var rows []results.Row
	for d, block := range scores {
		for a, v := range block {
			name := string(rune('a' + a))
			r := row(fmt.Sprint("d", d), name, fmt.Sprint(name, d), 0, nil, metric, v)
			if math.IsNaN(v) {
				r.Outcome = results.Outcome{Status: results.Failed}
			}
			rows = append(rows, r)
		}
	}
	return Input{Source: described, Cells: cells.Group(rows), Metrics: []string{metric}}
}

func buildRanks(t *testing.T, c Config, in Input) (drawing.Chart, *drawing.Ranks) {
	t.Helper()
	chart := build(t, c, in)
	body, ok := chart.Body.(*drawing.Ranks)
	if !ok {
		t.Fatalf("a %T, want ranks", chart.Body)
	}
	return chart, body
}

func TestCriticalDifference(t *testing.T) {
	var blocks [][]float64
	for d := range 10 { // a is always best, b and c change places, d is always worst
		x := 0.1 * float64(d%2)
		blocks = append(blocks, []float64{0.9, 0.6 + x, 0.65, 0.1})
	}
	c, r := buildRanks(t, Config{Kind: CriticalDifference}, scored("accuracy", blocks))
	want := []drawing.Ranked{{Name: "a", Rank: 1}, {Name: "b", Rank: 2.5}, {Name: "c", Rank: 2.5}, {Name: "d", Rank: 4}}
	if !slices.Equal(r.Names, want) || r.Last != 4 {
		t.Errorf("ranks %v up to %g, want %v", r.Names, r.Last, want)
	}
	if !(math.Abs(r.Difference-2.569*math.Sqrt(20.0/60)) <= 1e-3) { // q of Demšar's Table 5a
		t.Errorf("critical difference %g", r.Difference)
	}
	if want := [][2]float64{{2.5, 2.5}}; !slices.Equal(r.Joined, want) {
		t.Errorf("joined %v, want %v", r.Joined, want)
	}
	for _, want := range []string{"4 algorithms on 10 data sets", "p < 0.001", "α = 0.05"} {
		if !strings.Contains(c.Caption, want) {
			t.Errorf("caption %q lacks %q", c.Caption, want)
		}
	}
}

func TestCriticalDifferenceWithoutDifference(t *testing.T) {
	c, r := buildRanks(t, Config{Kind: CriticalDifference, Alpha: 0.1}, scored("test_mse", [][]float64{{1, 2, 3}, {3, 2, 1}, {2, 3, 1}}))
	if len(r.Joined) != 1 || r.Joined[0] != [2]float64{r.Names[0].Rank, r.Names[2].Rank} || !strings.Contains(c.Caption, "no difference at α = 0.1") {
		t.Errorf("joined %v, caption %q", r.Joined, c.Caption)
	}
}

func TestCriticalDifferenceLeavesOutTheIncomplete(t *testing.T) {
	nan := math.NaN()
	c, r := buildRanks(t, Config{Kind: CriticalDifference}, scored("test_mse", [][]float64{
		{1, 2, nan, 4}, {1, 2, 3, 4}, {nan, nan, nan, 1}, {1, 2, nan, 4}, {1, 2, 3, 4},
	}))
	if len(r.Names) != 3 || !strings.Contains(c.Caption, "3 algorithms on 4 data sets") || !strings.Contains(c.Caption, "Left out: d2, c.") {
		t.Errorf("ranks %v, caption %q", r.Names, c.Caption)
	}
}

func buildHeat(t *testing.T, c Config, in Input) (drawing.Chart, *drawing.Heat) {
	t.Helper()
	chart := build(t, c, in)
	body, ok := chart.Body.(*drawing.Heat)
	if !ok {
		t.Fatalf("a %T, want a heat map", chart.Body)
	}
	return chart, body
}

func TestStabilityMap(t *testing.T) {
	in := many(3, 2)
	for _, r := range in.Cells[1].Rows { // algorithm 1 on data set 0
		r.Status = results.Failed
	}
	c, h := buildHeat(t, Config{Kind: Stability}, in)
	if len(h.Rows) != 3 || len(h.Columns) != 2 || c.Name != "stability" {
		t.Fatalf("rows %q, columns %q, name %q", h.Rows, h.Columns, c.Name)
	}
	if s := h.Squares[0][1]; s.Value != 1 || s.Text != "1.00" || s.Below != "1.00 – 1.00" {
		t.Errorf("equal selections: %+v", s)
	}
	want, err := cells.StabilityOf(cells.InRows{}, in.Cells[2], results.StabilityMetric)
	if err != nil {
		t.Fatal(err)
	}
	if s := h.Squares[2][0]; s.Value != want.Mean || s.Below == "" {
		t.Errorf("%+v, want %g", s, want.Mean)
	}
	if s := h.Squares[1][0]; !math.IsNaN(s.Value) || s.Text != digits.Missing || !strings.Contains(c.Caption, "algorithm-1 on data-set-0 (failed)") {
		t.Errorf("failed: %+v, caption %q", s, c.Caption)
	}
}

func TestOverlapMap(t *testing.T) {
	var rows []results.Row
	for name, features := range map[string]string{"a": "pqr", "b": "pqs", "c": ""} {
		r := row("ewt", name, name, 0, nil, "test_mse", 1.0)
		for _, f := range features {
			r.Selected = append(r.Selected, results.Selected{Feature: string(f), Coefficient: map[string]float64{"ap": 1, "bp": 1, "aq": 1, "bq": -1}[name+string(f)]})
		}
		r.Features = int32(len(features))
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(a, b results.Row) int { return strings.Compare(a.Algorithm, b.Algorithm) })
	c, h := buildHeat(t, Config{Kind: Overlap}, Input{Source: described, Cells: cells.Group(rows), Metrics: []string{"test_mse"}})
	if s := h.Squares[1][0]; s.Value != 0.5 || s.Text != "0.50" || s.Below != "sign 50 %" || s != h.Squares[0][1] {
		t.Errorf("overlap %+v and %+v", s, h.Squares[0][1])
	}
	if s := h.Squares[0][0]; s.Text != "3" || !math.IsNaN(s.Value) {
		t.Errorf("diagonal %+v, want the number of features", s)
	}
	if s := h.Squares[2][2]; s.Text != digits.Missing || !strings.Contains(c.Caption, "no features on any fold") {
		t.Errorf("no features: %+v, caption %q", s, c.Caption)
	}
	if c.Name != "overlap-ewt" || h.Rows[0] != "1 a" || h.Columns[0] != "1" {
		t.Errorf("name %q, rows %q, columns %q", c.Name, h.Rows, h.Columns)
	}
}

func TestOverlapTakesTheBestOfMany(t *testing.T) {
	var rows []results.Row
	for i := range 20 {
		r := row("ewt", []string{"a", "b"}[i%2], fmt.Sprint(i), 0, []results.Param{{Name: "k", Value: int64(i)}}, "test_mse", math.Abs(float64(i)-8.5))
		r.Selected, r.Features = []results.Selected{{Feature: "f", Coefficient: 1}}, 1
		rows = append(rows, r)
	}
	c, h := buildHeat(t, Config{Kind: Overlap}, Input{Source: described, Cells: cells.Group(rows), Metrics: []string{"test_mse"}})
	if got, want := strings.Join(h.Rows, "; "), "1 a k=8; 2 b k=9"; got != want || !strings.Contains(c.Caption, "The best of each algorithm by test_mse, of 20 cells.") {
		t.Errorf("rows %q, want %q; caption %q", got, want, c.Caption)
	}
}
