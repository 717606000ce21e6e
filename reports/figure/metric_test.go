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

// metricInput has three folds of two data sets: one algorithm is complete, one is infinite on a fold, one lacks a fold's value, one failed.
func metricInput() Input {
	var rows []results.Row
	for _, set := range []string{"d", "e"} {
		for i, v := range []float64{0.5, 0.7, 0.9} {
			fold := int32(i)
			rows = append(rows, row(set, "lasso", "l"+set, fold, nil, "log_loss", v), row(set, "tree", "t"+set, fold, nil, "log_loss", []float64{0.5, math.Inf(1), 1}[i]),
				row(set, "gap", "g"+set, fold, nil, "log_loss", []float64{0.5, math.NaN(), 1}[i]))
			bad := row(set, "bad", "b"+set, fold, nil)
			bad.Status = results.Failed
			rows = append(rows, bad)
		}
	}
	return Input{Source: described, Cells: cells.Group(rows), Metrics: []string{"log_loss"}}
}

func TestMetricByAlgorithm(t *testing.T) {
	t.Parallel()
	c := build(t, Config{Kind: Metric, Dataset: "d"}, metricInput())
	body := c.Body.(*drawing.Strips)
	if !slices.Equal(body.Names, []string{"lasso", "tree", "gap"}) || len(body.Panels) != 1 {
		t.Fatal(body.Names)
	}
	strips := body.Panels[0].Strips
	// R 4.2: 0.7 ± qt(.975, 2) * sd(c(.5, .7, .9)) / sqrt(3)
	if s := strips[0]; !slices.Equal(s.Values, []float64{0.5, 0.7, 0.9}) || !(math.Abs(s.Mean-0.7) <= 1e-12) || !(math.Abs(s.High-1.19682754) <= 1e-8) || s.Note != "" {
		t.Errorf("%+v", s)
	}
	if s := strips[1]; !slices.Equal(s.Values, []float64{0.5, 1}) || s.Mean == s.Mean || s.Note != "∞" {
		t.Errorf("infinite: %+v", s)
	}
	if s := strips[2]; s.Mean == s.Mean || s.Note != "2/3" {
		t.Errorf("incomplete: %+v", s)
	}
	if !strings.Contains(c.Caption, "Left out: bad (") {
		t.Error(c.Caption)
	}
	joined := build(t, Config{Kind: Metric, Panels: "dataset"}, metricInput()).Body.(*drawing.Strips)
	if len(joined.Panels) != 2 || joined.Panels[1].Heading != "e" || joined.Panels[1].Strips[0].Mean != strips[0].Mean {
		t.Errorf("%+v", joined)
	}
}
