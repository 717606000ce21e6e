package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/drawing"
	"tenfold/reports/selection"
)

// Importance is the name of the kind of importanceChart.
const Importance = "importance"

// mostImportant is the number of features that the figure shows.
const mostImportant = 25

func importanceKind() figureKind {
	return figureKind{
		name: Importance, doc: "what features count: their coefficients or importances on the folds, the largest mean first",
		fields: []string{"y"}, build: importanceChart,
	}
}

// importanceChart shows, for the features with the largest mean |coefficient|, or importance, over the folds of a cell, the values on
// the folds, 0 where a fold does not select the feature, and their mean. Of several cells it shows the best by the metric.
func importanceChart(c Config, in Input, cs []*cells.Cell) (drawing.Chart, error) {
	if able := selectingCells(in.Source, cs); len(able) > 0 {
		cs = able
	}
	cell, note, err := c.bestCell(in, cs)
	if err != nil {
		return drawing.Chart{}, err
	}
	if cell.Averaged {
		return drawing.Chart{}, fmt.Errorf("%s has several tasks: one is shown with where: {task: NAME}", cell.AlgorithmLabel())
	}
	var folds [][]results.Selected
	for _, r := range cell.Finished() {
		selected, err := cells.Selection(in.Source, r)
		if err != nil {
			return drawing.Chart{}, fmt.Errorf("%s: %w", cell.AlgorithmLabel(), err)
		}
		folds = append(folds, selected)
	}
	all, what := selection.Importances(folds)
	if len(all) == 0 {
		return drawing.Chart{}, fmt.Errorf("%s: %s", cell.AlgorithmLabel(), cmp.Or(cell.Trouble(), "no fold has stored coefficients or importances of features"))
	}
	shown := all[:min(len(all), mostImportant)]
	panel, body := drawing.Panel{X: drawing.Axis{Label: what}}, &drawing.Strips{}
	for _, f := range shown {
		body.Names = append(body.Names, f.Name)
		panel.Strips = append(panel.Strips, drawing.Strip{Values: f.Values, Mean: f.Mean, Low: math.NaN(), High: math.NaN()})
	}
	body.Panels = []drawing.Panel{panel}
	chart := drawing.Chart{Name: Importance + " " + cell.NamedLabel(), Title: cmp.Or(c.Title, "What features count, "+cell.AlgorithmLabel()), Body: body}
	chart.AddSentence("The %s of the largest mean size, of %s that any fold selects. Circles: the values on %s, 0 where a fold does not select the feature; diamonds: their means.",
		digits.Count(len(shown), "feature"), digits.Count(len(all), "feature"), digits.Count(len(folds), "fold"))
	if note != "" {
		chart.AddSentence("%s", note)
	}
	chart.AddSentences(cells.Legend([]*cells.Cell{cell}))
	return chart, nil
}

// selectingCells returns the cells of which some fold has stored features.
func selectingCells(source cells.Source, cs []*cells.Cell) (able []*cells.Cell) {
	for _, c := range cs {
		if slices.ContainsFunc(c.Finished(), func(r *results.Row) bool {
			selected, err := cells.Selection(source, r)
			return err == nil && len(selected) > 0
		}) {
			able = append(able, c)
		}
	}
	return able
}
