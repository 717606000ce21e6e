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

// fold fills the predictions of a fit with rows of two classes: their truth, and the probability of yes.
func fold(r *results.Row, truth string, chances ...float64) {
	p := &r.Outcome.Predictions
	r.RowsTrain, r.RowsTest = int64(4*len(chances)), int64(len(chances))
	p.Positives = []results.Positive{{Level: "yes"}}
	for i, v := range chances {
		yes := truth[i] == 'y'
		label, predicted, index, number := "no", "no", 0., 0.
		if yes {
			label, index = "yes", 1
		}
		if v >= 0.5 {
			predicted, number = "yes", 1
		}
		mine := v
		if !yes {
			mine = 1 - v
		}
		p.Row, p.Group, p.Output = append(p.Row, fmt.Sprint(r.Fold, " ", i)), append(p.Group, ""), append(p.Output, "")
		p.Truth, p.Prediction = append(p.Truth, index), append(p.Prediction, number)
		p.TruthLabel, p.PredictionLabel = append(p.TruthLabel, label), append(p.PredictionLabel, predicted)
		p.Score, p.Margin, p.LogProbability = append(p.Score, v), append(p.Margin, math.Log(v/(1-v))), append(p.LogProbability, math.Log(mine))
	}
}

// judgedInput has two folds of two algorithms; the second has no predictions.
func judgedInput() Input {
	a, b := row("d", "lasso", "a", 0, nil, "roc_auc", 0.75, "accuracy", 0.5), row("d", "lasso", "a", 1, nil, "roc_auc", 1., "accuracy", 0.75)
	fold(&a, "ynyn", 0.9, 0.8, 0.4, 0.1)
	fold(&b, "yyyn", 0.9, 0.7, 0.4, 0.2)
	return Input{Source: described, Cells: cells.Group([]results.Row{a, b, row("d", "blind", "b", 0, nil, "roc_auc", 0.5, "accuracy", 0.5), row("d", "blind", "b", 1, nil, "roc_auc", 0.5, "accuracy", 0.5)}), Metrics: []string{"accuracy"}}
}

// heightAt returns the height of a series at a place, on the line between two points, the last of those at the place itself.
func heightAt(s drawing.Series, x float64) float64 {
	out := math.NaN()
	for i, p := range s.Points {
		if p.X == x {
			out = p.Y
		} else if i > 0 && s.Points[i-1].X < x && x < p.X {
			q := s.Points[i-1]
			out = q.Y + (p.Y-q.Y)*(x-q.X)/(p.X-q.X)
		}
	}
	return out
}

func TestROCAveragesFolds(t *testing.T) {
	t.Parallel()
	c := buildCurves(t, Config{Kind: ROC}, judgedInput())
	if got := labels(c); got != "folds; ; 95 % interval; ; lasso, AUC 0.875 ± 0.153; as by chance" {
		t.Fatal(got)
	}
	mean := c.Series[4]
	for _, w := range []struct{ x, y float64 }{{0, 0.75}, {0.25, 0.75}, {0.5, 1}, {1, 1}} { // fold 1: .5 up to .5, then 1; fold 2: 1
		if got := heightAt(mean, w.x); !(math.Abs(got-w.y) <= 1e-12) {
			t.Errorf("%v at %v, want %v", got, w.x, w.y)
		}
	}
	for _, want := range []string{"The positive class is yes.", "Left out: blind (no predictions were kept).", "Thin lines: the folds"} {
		if !strings.Contains(c.Caption, want) {
			t.Errorf("caption %q lacks %q", c.Caption, want)
		}
	}
	pooled := buildCurves(t, Config{Kind: ROC, Curve: pooledCurve}, judgedInput())
	if got := labels(pooled); got != "lasso, AUC 0.800 (0.377 … 1.000); as by chance" { // 12 of 15 pairs
		t.Error(got)
	}
	for _, want := range []string{"scales may differ", "the 95 % interval of drawing other test rows for these models (DeLong, DeLong & Clarke-Pearson 1988)"} {
		if !strings.Contains(pooled.Caption, want) {
			t.Errorf("caption %q lacks %q", pooled.Caption, want)
		}
	}
	grouped := judgedInput()
	fits, _, err := judgedFits(grouped, grouped.Cells[0])
	if err != nil {
		t.Fatal(err)
	}
	again := slices.Clone(fits)
	for k := range again {
		again[k].repeat = 1
		fits[k].group = slices.Repeat([]string{"g"}, len(fits[k].row))
		fits[k].group[0] = "h"
	}
	if p, groups, ok := poolAreas(slices.Concat(fits, again)); !ok || !groups || p.Repeats != 2 || !(math.Abs(p.Area-0.8) <= 1e-12) {
		t.Errorf("two repeats: %+v, %v, %v", p, groups, ok)
	}
	if _, _, ok := poolAreas(slices.Concat(fits, again[:1])); ok {
		t.Error("rows that a repeat does not test have an area")
	}
}

// A fold whose test rows are of one class has no curve; precision stays as high as at the next cut.
func TestPrecisionOfFoldsWithBothClasses(t *testing.T) {
	t.Parallel()
	in := judgedInput()
	r := row("d", "lasso", "a", 2, nil, "roc_auc", math.NaN(), "accuracy", 1.)
	fold(&r, "nn", 0.3, 0.2)
	rows := []results.Row{*in.Cells[0].Rows[0], *in.Cells[0].Rows[1], r}
	in.Cells = cells.Group(rows)
	c := buildCurves(t, Config{Kind: PrecisionRecall}, in)
	mean := c.Series[4]
	for _, w := range []struct{ x, y float64 }{{0, 1}, {0.5, 1}, {0.6, (2./3 + 1) / 2}, {1, (2./3 + 1) / 2}} {
		if got := heightAt(mean, w.x); !(math.Abs(got-w.y) <= 1e-12) {
			t.Errorf("%v at %v, want %v", got, w.x, w.y)
		}
	}
	if !strings.Contains(c.Caption, "On 1 of 3 folds the test rows are of one class: these are left out.") {
		t.Error(c.Caption)
	}
	if chance := c.Series[5]; chance.Points[0].Y != 0.5 || chance.Points[1].Y != 0.5 { // 5 of 10 rows
		t.Errorf("%+v", chance)
	}
	rows = rows[2:]
	in.Cells = cells.Group(rows)
	if _, err := Build(Config{Kind: ROC}, in); err == nil || !strings.Contains(err.Error(), "no fold has test rows of both classes") {
		t.Error(err)
	}
}

func TestCalibrationOfClasses(t *testing.T) {
	t.Parallel()
	c := buildCurves(t, Config{Kind: Calibration, Groups: 2, Bins: uniformBins}, judgedInput())
	if got := labels(c); got != "as predicted; lasso, error 0.150" {
		t.Fatal(got)
	}
	s := c.Series[1]
	if len(s.Points) != 2 || !(math.Abs(s.Points[0].X-1.1/4) <= 1e-12) || s.Points[0].Y != 0.5 || !(math.Abs(s.Points[1].X-3.3/4) <= 1e-12) || s.Points[1].Y != 0.75 {
		t.Errorf("%+v", s.Points)
	}
	if p := s.Points[0]; !(p.Low > 0 && p.Low < 0.5 && p.High > 0.5 && p.High < 1) {
		t.Errorf("%+v", p)
	}
	if _, err := Build(Config{Kind: Calibration, At: 3}, judgedInput()); err == nil || !strings.Contains(err.Error(), "a time is for survival") {
		t.Error(err)
	}
	if _, err := Build(Config{Kind: Calibration, Bins: quantileBins}, followedInput()); err == nil || !strings.Contains(err.Error(), "bins are for classes") {
		t.Error(err)
	}
}

func TestConfusion(t *testing.T) {
	t.Parallel()
	in := judgedInput()
	in.Cells = in.Cells[:1]
	c := build(t, Config{Kind: Confusion}, in)
	body := c.Body.(*drawing.Heat)
	if fmt.Sprint(body.Rows, body.Columns) != "[no yes] [no yes]" {
		t.Fatal(body.Rows, body.Columns)
	}
	for i, want := range [][2]string{{"66.7 % 2", "33.3 % 1"}, {"40.0 % 2", "60.0 % 3"}} {
		for j, text := range want {
			if s := body.Squares[i][j]; s.Text+" "+s.Below != text {
				t.Errorf("%d %d: %+v, want %s", i, j, s, text)
			}
		}
	}
	if c.Name != "confusion-lasso-d" {
		t.Error(c.Name)
	}
	in = judgedInput()
	in.Cells = in.Cells[1:]
	if _, err := Build(Config{Kind: Confusion}, in); err == nil || !strings.Contains(err.Error(), "blind has no kept predictions") {
		t.Error(err)
	}
}
