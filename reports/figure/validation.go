package figure

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"tenfold/engines/searches"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/curve"
	"tenfold/reports/digits"
	"tenfold/reports/drawing"
)

// ValidationCurve is the name of the kind of validationChart.
const ValidationCurve = "validation-curve"

func validationKind() figureKind {
	return figureKind{
		name: ValidationCurve, doc: "what a search measured on inner folds against the value that it tuned, of the first cell that searches; x names the parameter where several are tuned",
		fields: []string{"x", "height"}, build: validationChart,
	}
}

// validationChart shows the searches of the fits of a cell: the mean over inner folds at each value, averaged over the fits, with its standard
// error; thin the curve of each fit, with its choice, and what one-se takes.
func validationChart(c Config, in Input, cs []*cells.Cell) (drawing.Chart, error) {
	for _, cell := range cs {
		all, err := searchesOf(in.Source, cell)
		if err != nil {
			return drawing.Chart{}, err
		}
		if len(all) == 0 {
			continue
		}
		v, err := curve.ValidationOf(all, c.X)
		if err != nil {
			return drawing.Chart{}, fmt.Errorf("%s: %w", cell.AlgorithmLabel(), err)
		}
		chart := in.chartOfValidation(cell, v, len(all))
		chart.Title = cmp.Or(c.Title, chart.Title)
		if len(cs) > 1 {
			chart.AddSentence("The first of %d cells that searches.", len(cs))
		}
		return chart, nil
	}
	return drawing.Chart{}, errors.New("no fit has a search: expected an algorithm with tune or sequential")
}

// searchesOf returns the first search of each fit of a cell, or of one task of it.
func searchesOf(source cells.Source, cell *cells.Cell) (all []searches.Record, err error) {
	rows := cell.Rows
	if cell.Averaged {
		rows = cell.Fits()
	}
	for _, r := range rows {
		found, err := source.Searches(r)
		if err != nil {
			return nil, err
		}
		if r.Status == results.OK && len(found) > 0 && r.Task == rows[0].Task {
			all = append(all, found[0])
		}
	}
	return all, nil
}

func (in Input) chartOfValidation(cell *cells.Cell, v curve.Validation, fits int) drawing.Chart {
	what := strings.Replace(in.axisWords(v.Metric), " on test rows", " on inner folds", 1)
	if !strings.Contains(what, " on inner folds") {
		what += " on inner folds"
	}
	body := &drawing.Curves{Left: drawing.Axis{Label: what}}
	chart := drawing.Chart{Name: "validation-curve " + cell.NamedLabel(), Title: "Validation curve of " + cell.AlgorithmLabel(), Body: body}
	chosen := drawing.Series{Label: "chosen by a fit", Colour: 1, Line: drawing.Cloud, Rings: true}
	near := drawing.Series{Label: "simplest within a standard error", Colour: 2, Line: drawing.Cloud, Dots: true}
	var values []float64
	var absent []string // lines without a finite mean
	omitted := 0        // means of other lines
	for i, l := range v.Lines {
		mean := drawing.Series{Label: cmp.Or(l.Label, "mean of the fits"), Colour: i, Dots: true}
		if i > 0 { // colours of the choices
			mean.Colour = i + 2
		}
		if v.Points {
			mean.Label, mean.Line = "a candidate", drawing.Cloud
		}
		for _, p := range l.Mean {
			point := drawing.Point{X: p.X, Y: p.Mean}
			if allFinite(p.SE) {
				point.Error = p.SE
			}
			if allFinite(p.Mean) {
				mean.Points, values = append(mean.Points, point), append(values, p.X)
			}
		}
		if len(mean.Points) == 0 {
			absent = append(absent, mean.Label)
			continue
		}
		omitted += len(l.Mean) - len(mean.Points)
		body.Series = append(body.Series, mean)
		for k, points := range l.Fits {
			fit := drawing.Series{Colour: -1, Thin: true}
			if i == 0 && k == 0 {
				fit.Label = "a fit"
			}
			for _, p := range points {
				if !allFinite(p.Mean) {
					continue
				}
				fit.Points = append(fit.Points, drawing.Point{X: p.X, Y: p.Mean})
				if p.Chosen {
					chosen.Points = append(chosen.Points, drawing.Point{X: p.X, Y: p.Mean})
				}
				if p.OneSE {
					near.Points = append(near.Points, drawing.Point{X: p.X, Y: p.Mean})
				}
			}
			if len(v.Lines) == 1 && fits > 1 && !v.Points {
				body.Series = append(body.Series, fit)
			}
		}
	}
	body.Series = append(body.Series, near, chosen)
	if body.X = drawing.ValueAxis(in.axisWords(v.Parameter), values); v.Points {
		body.X.Ticks = nil
	}
	chart.AddSentence("Means over inner folds, averaged over %d fits; bars: their standard error, corrected for the rows that inner folds share. The value at a choice is the best of many, so optimistic; choices stand at the value of their own fit.", fits)
	if len(absent) > 0 {
		chart.AddSentence("Not shown, since all its means are infinite or missing: %s.", strings.Join(absent, "; "))
	}
	if omitted > 0 {
		chart.AddSentence("Infinite or missing, and not shown: %s.", digits.Count(omitted, "mean"))
	}
	if v.Placed {
		chart.AddSentence("Values of paths differ between fits: those at one place stand at their geometric mean.")
	}
	if v.Others > 0 {
		chart.AddSentence("Left out: %d other combinations of the other parameters.", v.Others)
	}
	return chart
}
