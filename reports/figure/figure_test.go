package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/drawing"
)

// The best test errors of stagewise on a treebank, by step size: error, step, features.
var byStepSize = []struct{ epsilon, mse, step, features float64 }{
	{0.1, 1.560, 500, 240}, {0.03, 0.856, 2700, 1516}, {0.01, 0.536, 11600, 6206}, {0.00316, 0.443, 48600, 17701}, {0.001, 0.420, 170400, 29549},
}

func row(dataset, algorithm, cell string, fold int32, grid []results.Param, scores ...any) results.Row {
	r := results.Row{Label: results.Label{Dataset: dataset, Algorithm: algorithm, Cell: cell, Fold: fold, Grid: grid},
		Outcome: results.Outcome{Status: results.OK}}
	for i := 0; i+1 < len(scores); i += 2 {
		r.Scores = append(r.Scores, results.Score{Metric: scores[i].(string), Point: -1, Value: scores[i+1].(float64), Higher: scores[i] == "accuracy"})
	}
	return r
}

func sweepInput() Input {
	var rows []results.Row
	for i, c := range byStepSize {
		r := row("ewt", "stagewise", fmt.Sprint("s", i), 0, []results.Param{{Name: "epsilon", Value: c.epsilon}},
			"test_mse", c.mse, "nonzero", c.features, "iterations", c.step)
		for k := range 500 {
			t := float64(k) / 500
			r.Path = append(r.Path, results.Point{Step: int64(c.step * 2 * t), Nonzero: int32(c.features * math.Pow(2*t, 0.8)),
				TrainError: 0.15 + 9.8*math.Exp(-9*t), TestError: c.mse + 9*math.Exp(-12*t) + 0.3*math.Max(0, t-0.5), Best: k == 250})
		}
		rows = append(rows, r)
	}
	rows = append(rows, row("ewt", "ridge", "r", 0, nil, "test_mse", 0.519), row("ewt", "mean", "m", 0, nil, "test_mse", 9.98))
	return Input{Source: described, Cells: cells.Group(rows), Metrics: []string{"test_mse"}}
}

// lookupInput is a sweep over the sample size with and without the previous best, on five folds.
func lookupInput() Input {
	var rows []results.Row
	for _, carry := range []bool{false, true} {
		for i, sample := range []int64{50, 200, 1000, 5000, 20000} {
			for fold := range int32(5) {
				base := 0.5 + 1.2/math.Sqrt(float64(i+1))
				if carry {
					base -= 0.25 / float64(i+1)
				}
				rows = append(rows, row("ewt", "random", fmt.Sprint(carry, sample), fold,
					[]results.Param{{Name: "sample", Value: sample}, {Name: "carry", Value: carry}},
					"test_mse", base+0.04*float64(fold%3), "nonzero", 4000+900*float64(i)))
			}
		}
	}
	return Input{Source: described, Cells: cells.Group(rows), Metrics: []string{"test_mse"}}
}

func build(t *testing.T, c Config, in Input) drawing.Chart {
	t.Helper()
	charts, err := Build(c, in)
	if err != nil {
		t.Fatal(err)
	}
	if len(charts) != 1 {
		t.Fatalf("%d charts, want 1", len(charts))
	}
	return charts[0]
}

// curved is a chart whose body is known to be curves.
type curved struct {
	drawing.Chart
	*drawing.Curves
}

func buildCurves(t *testing.T, c Config, in Input) curved {
	t.Helper()
	chart := build(t, c, in)
	body, ok := chart.Body.(*drawing.Curves)
	if !ok {
		t.Fatalf("a %T, want curves", chart.Body)
	}
	return curved{chart, body}
}

func labels(c curved) string {
	var out []string
	for _, s := range c.Series {
		out = append(out, s.Label)
	}
	return strings.Join(out, "; ")
}

func TestPathShowsBothErrorsAndCoefficients(t *testing.T) {
	c := buildCurves(t, Config{Kind: Path, Algorithm: "stagewise", Right: "nonzero", Where: map[string]string{"epsilon": "0.00316"}}, sweepInput())
	if got, want := labels(c), "training rows; test rows; non-zero coefficients"; got != want {
		t.Errorf("series %q, want %q", got, want)
	}
	if s := c.Series; s[0].Right || s[1].Right || !s[2].Right || s[0].Dash != drawing.Solid || s[1].Dash != drawing.Dashed || s[2].Dash != drawing.Dotted {
		t.Errorf("axes or dashes: %+v", s)
	}
	if len(c.Marks) != 1 || c.Marks[0].X != 48600 {
		t.Errorf("marks %+v, want the kept step 48600", c.Marks)
	}
	if len(c.Series[1].Points) != 500 || c.Series[1].Points[250].Y != 0.443+9*math.Exp(-6) {
		t.Errorf("test error has %d points", len(c.Series[1].Points))
	}
	if c.Name != "path-stagewise-epsilon-0.00316-ewt" {
		t.Errorf("name %q", c.Name)
	}
}

// Of several folds a path is that of one, and the caption says of which.
func TestPathOfOneFold(t *testing.T) {
	in := sweepInput()
	cell := in.Cells[0]
	second := *cell.Rows[0]
	cell.Rows[0].Path, second.Repeat, second.Fold = nil, 1, 3
	cell.Rows, cell.Folds = append(cell.Rows, &second), 2
	for folds, want := range map[int]bool{1: false, 2: true} {
		cell.Folds = folds
		c := buildCurves(t, Config{Kind: Path, Where: map[string]string{"epsilon": "0.1", "algorithm": "stagewise"}}, in)
		if strings.Contains(c.Caption, "Repeat 1, fold 3.") != want {
			t.Errorf("of %d folds: %q", folds, c.Caption)
		}
	}
}

func TestPathTakesTheLowestAndSaysSo(t *testing.T) {
	c := buildCurves(t, Config{Kind: Path}, sweepInput())
	if !strings.Contains(c.Title, "epsilon=0.001") || !strings.Contains(c.Caption, "of 7 cells") {
		t.Errorf("title %q, caption %q", c.Title, c.Caption)
	}
}

// A file with the figure alone still says which numbers flatter, and which are the best of several.
func TestOptimisticAndBestAreMarked(t *testing.T) {
	in := sweepInput()
	for _, c := range in.Cells {
		for _, r := range c.Rows {
			r.Optimistic = c.Algorithm == "stagewise"
		}
	}
	for i, lambda := range []float64{1, 10} {
		r := row("ewt", "lasso", fmt.Sprint("l", i), 0, []results.Param{{Name: "lambda", Value: lambda}}, "test_mse", 0.5+0.1*float64(i))
		in.Cells = append(in.Cells, cells.Group([]results.Row{r})...)
	}
	c := buildCurves(t, Config{Kind: Sweep, X: "epsilon", Right: "none"}, in)
	if got, want := labels(c), "stagewise †; ridge; lasso (best of 2)"; got != want || !strings.Contains(c.Caption, cells.OptimisticLegend) {
		t.Errorf("series %q, want %q; caption %q", got, want, c.Caption)
	}
	c = buildCurves(t, Config{Kind: Path, Where: map[string]string{"epsilon": "0.00316"}}, in)
	if got := c.Marks[0].Label; got != "kept: step 48,600 †" || !strings.Contains(c.Caption, cells.OptimisticLegend) {
		t.Errorf("mark %q, caption %q", got, c.Caption)
	}
}

func TestSweepOverEpsilon(t *testing.T) {
	c := buildCurves(t, Config{Kind: Sweep, X: "epsilon", Y: "test_mse", Right: "nonzero, iterations"}, sweepInput())
	if got, want := labels(c), "stagewise; ridge; number of non-zero coefficients; number of iterations / 10"; got != want {
		t.Errorf("series %q, want %q", got, want)
	}
	if c.X.Label != "step size ε" || !c.X.Log || !slices.Equal(c.X.Ticks, []float64{0.001, 0.00316, 0.01, 0.03, 0.1}) {
		t.Errorf("x axis %+v", c.X)
	}
	first := c.Series[0].Points[0]
	if len(c.Series[0].Points) != 5 || first.X != 0.001 || first.Y != 0.42 || first.Error != 0 {
		t.Errorf("first line %+v", c.Series[0].Points)
	}
	if last := c.Series[3].Points[0]; last.Y != 17040 || !c.Series[3].Right {
		t.Errorf("iterations end at %+v, want 17040 tens on the right", last)
	}
	if !strings.Contains(c.Caption, "mean (9.98)") {
		t.Errorf("caption %q does not tell what lies beyond", c.Caption)
	}
}

func TestSweepWithLines(t *testing.T) {
	c := buildCurves(t, Config{Kind: Sweep, X: "sample", Lines: "carry", Right: "nonzero"}, lookupInput())
	if got, want := labels(c), "carry false; carry true; carry false, number of non-zero coefficients; carry true, number of non-zero coefficients"; got != want {
		t.Errorf("series %q, want %q", got, want)
	}
	if !c.X.Log || c.Series[0].Points[0].Error <= 0 || !strings.Contains(c.Caption, "standard error") {
		t.Errorf("x %+v, first point %+v, caption %q", c.X, c.Series[0].Points[0], c.Caption)
	}
}

func TestMixedLinesWarn(t *testing.T) {
	in := lookupInput()
	for _, cell := range in.Cells {
		cell.Grid = append(cell.Grid, results.Param{Name: "patience", Value: int64(5)}, results.Param{Name: "lists", Value: cell.Grid[1].Value})
		cell.Grid[1].Value = false
	}
	if c := buildCurves(t, Config{Kind: Sweep, X: "sample", Lines: "patience"}, in); !strings.Contains(c.Caption, "mixes cells that differ in lists (false, true)") {
		t.Errorf("caption %q", c.Caption)
	}
}

func TestFailedCellsLeaveAGap(t *testing.T) {
	in := sweepInput()
	in.Cells[2].Rows[0].Status = results.Timeout
	if c := buildCurves(t, Config{Kind: Sweep, X: "epsilon"}, in); len(c.Series[0].Points) != 4 {
		t.Errorf("%d points, want 4", len(c.Series[0].Points))
	}
}

func TestAFailedLineIsLeftOut(t *testing.T) {
	in := lookupInput()
	for _, cell := range in.Cells {
		if carry, _ := cell.Dim("carry"); carry == "true" {
			cell.Rows[0].Status = results.Failed
		}
	}
	c := buildCurves(t, Config{Kind: Sweep, X: "sample", Lines: "carry", Right: "none"}, in)
	if got, want := labels(c), "carry false"; got != want || !strings.Contains(c.Caption, "Left out: carry true.") {
		t.Errorf("series %q, want %q; caption %q", got, want, c.Caption)
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		config Config
		want   string // "" for none
	}{
		{Config{Kind: "swep", X: "epsilon"}, `did you mean "sweep"`},
		{Config{Kind: Sweep}, "kind: a sweep needs x"},
		{Config{Kind: Sweep, X: "a", Lines: "a"}, "lines: a is along the axis already"},
		{Config{Kind: Sweep, X: "a", Alpha: 0.1}, "alpha: only a critical-difference has alpha"},
		{Config{Kind: Path, Y: "mae"}, "y: only a metric or sweep or frontier or critical-difference or heatmap or importance or confusion has y"},
		{Config{Kind: Path, Right: "iterations"}, `right: "iterations", a path has nonzero alone`},
		{Config{Kind: Path, Right: "nonzero", Width: 85, Height: 60, Format: Formats{drawing.PDF, drawing.SVG}}, ""},
		{Config{Kind: Stability, Width: 85, Height: 60}, "height: only a path or sweep or frontier or stability-path or validation-curve or kaplan-meier or calibration or roc or pr has height"},
		{Config{Kind: Stability, Width: 8.5}, "width: 8.5, expected millimetres between 30 and 1000"},
		{Config{Kind: Stability, Width: math.NaN()}, "width: NaN"},
		{Config{Kind: Path, Height: -1}, "height: -1, expected millimetres"},
		{Config{Kind: Path, Format: Formats{drawing.PDF, "tiff"}}, `format[1]: "tiff" is not one of svg, png, pdf`},
		{Config{Kind: Frontier, Lines: "a"}, "lines: only a sweep has lines"},
		{Config{Kind: Frontier, Y: "selected"}, "y: selected is along the axis already"},
		{Config{Kind: Frontier, X: "seconds_fit", Y: "selected"}, ""},
		{Config{Kind: CriticalDifference, Alpha: 1}, "alpha: 1, expected a number between 0 and 1"},
		{Config{Kind: CriticalDifference, Alpha: math.NaN()}, "alpha: NaN"},
		{Config{Kind: CriticalDifference, Alpha: 0.1, Y: "mae"}, ""},
		{Config{Kind: Stability, X: "selected"}, "x: only a sweep or frontier or validation-curve has x"},
		{Config{Kind: Overlap, Right: "none"}, "right: only a path or sweep has right"},
	} {
		err := c.config.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: got %v, want %q", c.config, err, c.want)
		}
	}
}

func TestEachMetric(t *testing.T) {
	for _, c := range []struct {
		config Config
		want   string
	}{
		{Config{Kind: Sweep, X: "epsilon", Right: "nonzero, iterations"}, "right nonzero; right iterations"},
		{Config{Kind: Frontier, X: "nonzero"}, ""}, // its tag refers to it
	} {
		var got []string
		c.config.EachMetric(func(field, name string) { got = append(got, field+" "+name) })
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%+v: %q, want %q", c.config, got, c.want)
		}
	}
}

// allFailed has nothing to show in any kind of figure.
func allFailed() Input {
	in := sweepInput()
	for _, c := range in.Cells {
		for _, r := range c.Rows {
			r.Outcome = results.Outcome{Status: results.Failed}
		}
	}
	return in
}

func TestFigureErrors(t *testing.T) {
	unnamed := sweepInput()
	unnamed.Metrics = nil
	for _, c := range []struct {
		config Config
		in     Input
		want   string
	}{
		{Config{Kind: Sweep, X: "lambda"}, sweepInput(), "numeric parameter lambda"},
		{Config{Kind: Sweep, X: "epsilon", Y: "accuracy"}, sweepInput(), "has the metric accuracy"},
		{Config{Kind: Path, Algorithm: "ridge"}, sweepInput(), "recorded a path"},
		{Config{Kind: Path, Where: map[string]string{"epsilom": "1"}}, sweepInput(), `did you mean "epsilon"`},
		{Config{Kind: Frontier}, unnamed, "the frontier names no metric"},
		{Config{Kind: Frontier, X: "test_mse"}, sweepInput(), "test_mse is along both axes"},
		{Config{Kind: Frontier}, sweepInput(), "no cell ended well with both selected and test_mse (stagewise epsilon=0.1 (no value of selected)"},
		{Config{Kind: CriticalDifference}, sweepInput(), "found 7 on 1"},
		{Config{Kind: CriticalDifference}, many(21, 2), "21 algorithms, counting each point of a grid, and at most 20"},
		{Config{Kind: Stability}, sweepInput(), "at least 2 folds"},
		{Config{Kind: Stability}, many(41, 1), "41 algorithms, counting each point of a grid, and at most 40"},
		{Config{Kind: Stability}, many(1, 21), "21 data sets, and at most 20"},
		{Config{Kind: Overlap, Algorithm: "algorithm-0"}, many(2, 1), "at least 2 cells that ended well, found 1"},
		{Config{Kind: Overlap}, many(13, 1), "13 algorithms, and at most 12"},
		{Config{Kind: Sweep, X: "epsilon"}, allFailed(), "has the metric test_mse"},
		{Config{Kind: Path}, allFailed(), "recorded a path"},
		{Config{Kind: Frontier}, allFailed(), "no cell ended well"},
		{Config{Kind: CriticalDifference}, allFailed(), "at least 2 algorithms"},
		{Config{Kind: Stability}, allFailed(), "no selection can be measured: stagewise epsilon=0.1 (failed)"},
		{Config{Kind: Overlap}, allFailed(), "found 0"},
	} {
		if _, err := Build(c.config, c.in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %q", c.config, err, c.want)
		}
	}
}

func TestNothingToShow(t *testing.T) {
	for _, k := range allKinds() {
		c := Config{Kind: k.name}
		if k.name == Sweep {
			c.X = "epsilon"
		}
		for _, in := range []Input{{}, {Metrics: []string{"test_mse"}}} {
			if charts, err := Build(c, in); err == nil && len(charts) > 0 {
				t.Errorf("%s: %d charts of nothing", k.name, len(charts))
			}
		}
	}
}
