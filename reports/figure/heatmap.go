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

// HeatMap is the name of the kind of heatMapChart.
const HeatMap = "heatmap"

// mostFolds is the maximum number of folds of a heat map.
const mostFolds = 200

func heatMapKind() figureKind {
	return figureKind{
		name: HeatMap, doc: "which features the folds select, and how large their coefficients are",
		fields: []string{"y"}, build: heatMapChart,
	}
}

// heatMapChart shows, for the features that most folds of a cell select, the folds that do: a column for each fold, and a colour for
// the size of the coefficient, or importance, as a share of the largest of the fold. Of several cells it shows the best by the metric.
func heatMapChart(c Config, in Input, cs []*cells.Cell) (drawing.Chart, error) {
	cell, note, err := c.bestCell(in, cs)
	if err != nil {
		return drawing.Chart{}, err
	}
	if cell.Averaged {
		return drawing.Chart{}, fmt.Errorf("%s has several tasks: one is shown with where: {task: NAME}", cell.AlgorithmLabel())
	}
	rows := cell.Finished()
	if len(rows) == 0 {
		return drawing.Chart{}, fmt.Errorf("%s: %s", cell.AlgorithmLabel(), cell.Trouble())
	}
	if len(rows) > mostFolds {
		return drawing.Chart{}, fmt.Errorf("%d folds, and at most %d can be shown", len(rows), mostFolds)
	}
	found, err := selection.FrequencyOf(in.Source, cell)
	if err != nil {
		return drawing.Chart{}, fmt.Errorf("%s: %w", cell.AlgorithmLabel(), err)
	}
	if found.Any == 0 {
		return drawing.Chart{}, fmt.Errorf("%s selects no feature on any fold", cell.AlgorithmLabel())
	}
	body := &drawing.Heat{Measure: "Coefficient, or importance, as a share of the largest of the fold", Small: true}
	chart := drawing.Chart{Name: HeatMap + " " + cell.NamedLabel(), Title: cmp.Or(c.Title, "Features by fold, "+cell.AlgorithmLabel()), Body: body}
	number := map[string]int{}
	chosen := map[string]int{} // by name, folds
	for _, f := range found.Features {
		chosen[f.Name] = max(chosen[f.Name], f.Folds)
		if _, known := number[f.Name]; known || len(number) == mostRows {
			continue
		}
		number[f.Name] = len(number)
		body.Rows = append(body.Rows, f.Name)
		body.Squares = append(body.Squares, slices.Repeat([]drawing.Square{{Value: math.NaN()}}, len(rows)))
	}
	sizes := false
	for k, r := range rows {
		body.Columns = append(body.Columns, foldName(r))
		selected, err := cells.Selection(in.Source, r)
		if err != nil {
			return drawing.Chart{}, err
		}
		share := selection.Shares(selected)
		for name, v := range share {
			if i, shown := number[name]; shown {
				body.Squares[i][k] = drawing.Square{Value: v}
			}
		}
		sizes = sizes || slices.ContainsFunc(selected, func(s results.Selected) bool { return selection.Size(s.Coefficient) > 0 || selection.Size(s.Score) > 0 })
	}
	if !sizes {
		body.Measure = "Selected"
	}
	chart.AddSentence("The %s that most folds select, of %s that any does; a column for each of %s.",
		digits.Count(len(body.Rows), "feature"), digits.Count(found.Any, "feature"), digits.Count(len(rows), "fold"))
	if note != "" {
		chart.AddSentence("%s", note)
	}
	if kept := cells.KeptLegend([]*cells.Cell{cell}); kept != "" {
		chart.AddSentence("%s", kept)
	}
	chart.AddSentences(cells.Legend([]*cells.Cell{cell}))
	return chart, nil
}

// foldName returns the number of a fold, from 1, after that of its repeat.
func foldName(r *results.Row) string { return fmt.Sprintf("%d.%d", r.Repeat+1, r.Fold+1) }

// bestCell returns the best of some cells by the metric, and of how many it is the best.
func (c Config) bestCell(in Input, cs []*cells.Cell) (best *cells.Cell, note string, err error) {
	if len(cs) == 1 {
		return cs[0], "", nil
	}
	metric, err := c.mainMetric(in)
	if err != nil {
		return nil, "", err
	}
	rivals := in.rivals(cs, metric)
	highest := math.NaN()
	for _, cell := range cs {
		v := in.metricOf(cell, metric).Mean
		if !rivals[cell] || v != v {
			continue
		}
		if best == nil || v != highest && (v > highest) == cell.Higher(metric) {
			best, highest = cell, v
		}
	}
	if best == nil {
		return nil, "", fmt.Errorf("no cell has the metric %s on each fold: choose one with algorithm or where", metric)
	}
	return best, fmt.Sprintf("The best of %d cells by %s.", len(cs), metric), nil
}
