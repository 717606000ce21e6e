package figure

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"tenfold/engines"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/drawing"
)

// severalInput is paths of algorithms on four data sets, of which one algorithm misses one, and takes 10 times as long.
func severalInput() Input {
	var rows []results.Row
	for d, dataset := range []string{"colon", "arcene", "madelon", "PCMAC"} {
		for i, algorithm := range []string{"F", "JMI", "L0"} {
			if algorithm == "L0" && dataset == "PCMAC" {
				continue
			}
			r := row(dataset, algorithm, dataset+algorithm, 0, nil, "accuracy", 0.5+0.125*float64(d%2), "seconds_fit", []float64{1, 2, 10}[i])
			for k, size := range []int32{5, 50} {
				r.Scores = append(r.Scores, results.Score{Metric: "accuracy", Point: size, Value: 0.5 + 0.125*float64(k) + 0.0625*float64(d), Higher: true})
			}
			rows = append(rows, r)
		}
	}
	return Input{Source: described, Cells: cells.Group(rows), Metrics: []string{"accuracy"}}
}

// A panel a data set, whose lines have the colours of the one legend.
func TestPanels(t *testing.T) {
	chart := build(t, Config{Kind: Sweep, X: "point", Y: "accuracy", Panels: "dataset"}, severalInput())
	p, ok := chart.Body.(*drawing.Panels)
	if !ok || fmt.Sprint(p.Names) != "[colon arcene madelon PCMAC]" || !strings.HasSuffix(chart.Alt(), " against number of features on the path. Lines: F, JMI, L0.") {
		t.Fatalf("%+v", chart.Body)
	}
	if first, last := p.Each[0].Series[1], p.Each[3].Series[1]; first.Colour != last.Colour || len(p.Each[3].Series) != 2 {
		t.Errorf("JMI has the colours %d and %d", first.Colour, last.Colour)
	}
	if chart.Name != "sweep-point-accuracy-panels" || !strings.Contains(chart.Alt(), "A panel for each data set (colon, arcene, madelon, PCMAC)") {
		t.Errorf("%s: %s", chart.Name, chart.Alt())
	}
	for _, width := range []float64{0, 60, 85, 300} {
		chart.Width = vg.Inch * vg.Length(width) / 25.4
		var svg, png, pdf bytes.Buffer
		for _, err := range []error{chart.SVG(&svg), chart.PNG(&png), chart.PDF(&pdf)} {
			if err != nil {
				t.Errorf("%v mm: %v", width, err)
			}
		}
		for _, name := range p.Names {
			if !strings.Contains(svg.String(), ">"+name+"<") {
				t.Errorf("%v mm: no panel is called %s", width, name)
			}
		}
	}
}

// What marks a line in some panel marks it in the legend that all share, and the caption explains it.
func TestPanelsAreMarked(t *testing.T) {
	in := severalInput()
	for _, c := range in.Cells {
		for _, r := range c.Rows {
			r.Optimistic = r.Dataset == "arcene" && r.Algorithm == "JMI"
			if r.Dataset == "colon" && r.Algorithm == "JMI" {
				r.Notes = []string{engines.NotConverged}
			}
		}
	}
	chart := build(t, Config{Kind: Sweep, X: "point", Y: "accuracy", Panels: "dataset"}, in)
	if !strings.HasSuffix(chart.Alt(), " Lines: F, JMI † §, L0.") ||
		chart.Caption != "colon: §: 2 of 2 fits did not converge; their notes say how far they were. arcene: "+cells.OptimisticLegend {
		t.Errorf("%s: %s", chart.Alt(), chart.Caption)
	}
}

// Maps of selections mark their rows, and say what by.
func TestSelectionsAreMarked(t *testing.T) {
	in := many(3, 2)
	for _, c := range in.Cells {
		for _, r := range c.Rows {
			r.Optimistic = r.Dataset == "data-set-0" && r.Algorithm == "algorithm-1"
		}
	}
	for _, c := range []struct {
		config Config
		marked bool
	}{{Config{Kind: Stability}, true}, {Config{Kind: Overlap, Dataset: "data-set-0"}, true}, {Config{Kind: Overlap, Dataset: "data-set-1"}, false}} {
		chart := build(t, c.config, in)
		rows := chart.Body.(*drawing.Heat).Rows
		for i, row := range rows {
			if strings.HasSuffix(row, cells.OptimisticMark) != (c.marked && i == 1) {
				t.Errorf("%+v: rows %q", c.config, rows)
			}
		}
		if strings.Contains(chart.Caption, cells.OptimisticLegend) != c.marked {
			t.Errorf("%+v: caption %q", c.config, chart.Caption)
		}
	}
}

// Means are over the data sets that all algorithms have results on; what misses results is named.
func TestOverDatasets(t *testing.T) {
	c := buildCurves(t, Config{Kind: Sweep, X: "point", Y: "accuracy", Over: "dataset"}, severalInput())
	if got := labels(c); got != "F; JMI; L0" && got != "F; JMI" {
		t.Errorf("lines %s", got)
	}
	if got := fmt.Sprint(c.Series[0].Points); got != "[{5 0.5625 0 0 0 0 } {50 0.6875 0 0 0 0 }]" {
		t.Errorf("F: %s: expected the means over colon, arcene and madelon", got)
	}
	if want := "Means over 3 data sets. Left out, as results are missing: PCMAC."; !strings.Contains(c.Caption, want) {
		t.Errorf("caption %q, want %q", c.Caption, want)
	}
	f := buildCurves(t, Config{Kind: Frontier, X: "seconds_fit", Y: "accuracy", Over: "dataset"}, severalInput())
	if got := fmt.Sprint(len(f.Series), f.Series[2].Label, f.Series[2].Points[0].X); got != "4L010" {
		t.Errorf("frontier against seconds: %s", got)
	}
	for want, c := range map[string]Config{
		"over: a mean over data sets has no panels":             {Kind: Sweep, X: "point", Over: "dataset", Panels: "dataset"},
		"over: a mean over data sets is not of one of them":     {Kind: Sweep, X: "point", Over: "dataset", Dataset: "colon"},
		"right: panels have no room for an axis on the right":   {Kind: Sweep, X: "point", Panels: "dataset", Right: "selected"},
		"height: that of panels follows from the width":         {Kind: Sweep, X: "point", Panels: "dataset", Height: 90},
		"panels: only a metric or sweep or frontier has panels": {Kind: Stability, Panels: "dataset"},
		`panels: "algorithm", expected dataset`:                 {Kind: Sweep, X: "point", Panels: "algorithm"},
	} {
		if _, err := Build(c, severalInput()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", c, err, want)
		}
	}
}
