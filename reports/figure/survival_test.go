package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/numeric/survival"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/drawing"
)

// followedInput is two folds of twelve test rows each, by two algorithms: one ranks the times right, the other has no baseline.
func followedInput() Input {
	var rows []results.Row
	for fold := range int32(2) {
		for _, algorithm := range []string{"right", "blind"} {
			r := row("trial", algorithm, algorithm, fold, nil, "concordance", map[string]float64{"right": 0.9, "blind": 0.5}[algorithm])
			p := &r.Outcome.Predictions
			curve := results.Curve{Time: []float64{1, 4, 8, 13}, Uncensored: []float64{1, 1, 0.8, 0.5}, Hazard: []float64{0.1, 0.4, 0.9, 1.6}}
			for i := range 12 {
				p.Row, p.Output, p.Group = append(p.Row, fmt.Sprint(fold, i)), append(p.Output, ""), append(p.Group, "")
				p.Truth = append(p.Truth, float64(i+1)+0.5*float64(fold))
				p.TruthLabel = append(p.TruthLabel, []string{results.Event, results.Censored}[i%3/2])
				risk := 0.0
				if algorithm == "right" {
					risk = 2 - 0.4*float64(i) + float64(100*fold) // folds have scales of their own
				}
				p.Prediction = append(p.Prediction, risk)
			}
			if algorithm == "blind" {
				curve.Hazard = slices.Repeat([]float64{math.NaN()}, 4)
			} else if fold == 1 {
				for q := range curve.Hazard {
					curve.Hazard[q] *= math.Exp(-100)
				}
			}
			p.Curves = []results.Curve{curve}
			rows = append(rows, r)
		}
	}
	return Input{Source: described, Cells: cells.Group(rows), Metrics: []string{"concordance"}}
}

// Groups are by rank within the folds, curves are Kaplan-Meier's of the rows pooled, with the rows at risk, and the best cell is shown.
func TestKaplanMeierByRisk(t *testing.T) {
	t.Parallel()
	c := buildCurves(t, Config{Kind: KaplanMeier}, followedInput())
	if got := labels(c); got != "low risk (4 of 8); middle (6 of 8); high risk (6 of 8)" {
		t.Fatal(got)
	}
	high := c.Series[2] // the first four rows of both folds
	times := []float64{1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5}
	if !slices.Equal(high.AtRisk, times) || high.Line != drawing.Steps {
		t.Errorf("at risk %v", high.AtRisk)
	}
	km := survival.KaplanMeier(times, []int8{1, 1, 1, 1, 0, 0, 1, 1}, nil)
	for k, at := range km.Time {
		if p := high.Points[k+1]; p.X != at || !(math.Abs(p.Y-km.Value[k]) <= 1e-15) {
			t.Errorf("%+v, want %v at %v", p, km.Value[k], at)
		}
	}
	if low := c.Series[0].Points; low[0] != (drawing.Point{X: 0, Y: 1}) || low[len(low)-1].X != 12.5 {
		t.Errorf("%+v", low)
	}
	for _, want := range []string{"Log-rank test: χ² = 29.9 with 2 degrees of freedom, p < 0.001", "Highest in concordance of 2 cells"} {
		if !strings.Contains(c.Caption, want) {
			t.Errorf("caption %q lacks %q", c.Caption, want)
		}
	}
	if c.Name != "kaplan-meier-right-trial" || c.Series[0].AtRisk == nil {
		t.Error(c.Name)
	}
	all := buildCurves(t, Config{Kind: KaplanMeier, Algorithm: "blind"}, followedInput())
	if labels(all) != "middle (16 of 24)" || !strings.Contains(all.Caption, "same predicted risk") {
		t.Errorf("%s, %s", labels(all), all.Caption)
	}
}

// Points are means of predicted survival by group, and the Kaplan-Meier estimates with Greenwood's standard error.
func TestCalibrationByGroups(t *testing.T) {
	t.Parallel()
	c := buildCurves(t, Config{Kind: Calibration, At: 4, Groups: 2}, followedInput())
	if got := labels(c); got != "as predicted; right" || !strings.Contains(c.Caption, "Left out: blind.") {
		t.Fatal(got, c.Caption)
	}
	mean := 0.0 // of the rows of lower survival: the first six of each fold
	for i := range 6 {
		mean += math.Exp(-0.4*math.Exp(2-0.4*float64(i))) / 6
	}
	p := c.Series[1].Points[0]
	// Of twelve rows events at 1, 1.5, 2, 2.5 and 4 by time 4, two censored before the last.
	want := 8. / 12 * 5 / 6
	error := want * math.Sqrt(1./(12*11)+1./(11*10)+1./(10*9)+1./(9*8)+1./(6*5))
	if !(math.Abs(p.X-mean) <= 1e-12) || !(math.Abs(p.Y-want) <= 1e-12) || !(math.Abs(p.Error-error) <= 1e-12) {
		t.Errorf("%+v, want %v, %v, %v", p, mean, want, error)
	}
	if usual := build(t, Config{Kind: Calibration}, followedInput()); usual.Title != "Calibration at 7" {
		t.Errorf("%s: the median time of the events", usual.Title)
	}
}

func TestBadFiguresOfSurvival(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		config Config
		want   string
	}{
		{Config{Kind: KaplanMeier, Groups: 1}, "groups: 1, expected 2 to 10"},
		{Config{Kind: KaplanMeier, At: 3}, "at: only a calibration has at"},
		{Config{Kind: Calibration, At: -1}, "at: -1, expected a time above 0"},
		{Config{Kind: Sweep, X: "x", Groups: 3}, "groups: only a kaplan-meier or calibration has groups"},
	} {
		if err := c.config.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.config, err, c.want)
		}
	}
	for _, kind := range []string{KaplanMeier, Calibration} {
		if _, err := Build(Config{Kind: kind}, sweepInput()); err == nil || !strings.Contains(err.Error(), "kept predictions of a ") {
			t.Errorf("%s of numbers: %v", kind, err)
		}
	}
	if _, err := Build(Config{Kind: Calibration, Algorithm: "blind"}, followedInput()); err == nil || !strings.Contains(err.Error(), "and a baseline hazard") {
		t.Error(err)
	}
}
