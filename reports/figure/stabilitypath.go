package figure

import (
	"cmp"
	"errors"
	"fmt"

	"tenfold/engines/data/stabilitypath"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/drawing"
)

// StabilityPath is the name of the kind of stabilityPathChart.
const StabilityPath = "stability-path"

func stabilityPathKind() figureKind {
	return figureKind{
		name: StabilityPath, doc: "share of halves that select each column against how many a half may select, of a fit with stability selection",
		fields: []string{"height"}, build: stabilityPathChart,
	}
}

// mostGrey is the maximum number of columns that are not stable but drawn.
const mostGrey = 30

// stabilityPathChart shows one fit with stability selection: for each of its most frequent columns the share of halves that select
// it, against the maximum number q of columns selected on a half (Meinshausen and Bühlmann 2010, figure 1, with q in place of the
// penalty). Stable columns have colours and names. Of several cells it shows the first that has a stability path, on its first
// fold.
func stabilityPathChart(c Config, in Input, cs []*cells.Cell) (drawing.Chart, error) {
	for _, cell := range cs {
		rows := cell.Rows
		if cell.Averaged {
			rows = cell.Fits()
		}
		for _, row := range rows {
			facts, err := in.Source.Facts(row)
			if err != nil {
				return drawing.Chart{}, err
			}
			if p, ok := stabilitypath.Read(facts); ok {
				chart := chartOfStabilityPath(cell, row, p)
				chart.Title = cmp.Or(c.Title, chart.Title)
				if len(cs) > 1 {
					chart.AddSentence("The first of %d cells that has a stability path.", len(cs))
				}
				return chart, nil
			}
		}
	}
	return drawing.Chart{}, errors.New("no fit has a stability path: expected an algorithm with stability, and an engine whose halves select at most q columns")
}

func chartOfStabilityPath(cell *cells.Cell, row *results.Row, p stabilitypath.Path) drawing.Chart {
	body := &drawing.Curves{X: drawing.Axis{Label: "columns that a half selects at most (q)"}, Left: drawing.Axis{Label: "share of halves that select the column"}}
	chart := drawing.Chart{Name: "stability-path " + cell.NamedLabel(), Title: "Stability path of " + cell.AlgorithmLabel(), Body: body}
	q, stable, others := 0, 0, 0
	var grey []drawing.Series
	for _, l := range p.Lines {
		n := len(l.Counts)
		q = max(q, n)
		s := drawing.Series{Points: []drawing.Point{{}}, Colour: -1}
		for k, count := range l.Counts {
			s.Points = append(s.Points, drawing.Point{X: float64(k + 1), Y: float64(count) / float64(p.Halves)})
		}
		if n > 0 && l.Counts[n-1] >= p.Least {
			s.Label, s.Colour, s.Dash = l.Name, stable, drawing.Dash(stable/drawing.Colours%4)
			stable++
			body.Series = append(body.Series, s)
			continue
		}
		if others++; others == 1 {
			s.Label = "not stable"
		}
		if others <= mostGrey {
			s.Dash = drawing.Dotted
			grey = append(grey, s)
		}
	}
	body.Series = append(body.Series, grey...)
	if share := float64(p.Least) / float64(p.Halves); share <= 1 {
		body.Series = append(body.Series, drawing.Series{
			Label: fmt.Sprintf("threshold %.4g", share), Colour: -1, Dash: drawing.Dashed, Points: []drawing.Point{{Y: share}, {X: float64(q), Y: share}},
		})
	}
	for k := range q {
		body.Readings = append(body.Readings, stabilityReading(p, k, stable))
	}
	chart.AddSentence("Of %d halves, the share whose first q columns have the column; %d of the %d columns drawn are stable.", p.Halves, stable, stable+min(others, mostGrey))
	if cells.CaveatsOf(row) != (cells.Caveats{}) {
		chart.AddSentences(cells.Legend([]*cells.Cell{cell}))
	}
	if cell.Averaged {
		chart.AddSentence("Task %s.", row.Task)
	}
	if cell.Folds > 1 {
		chart.AddSentence("Repeat %d, fold %d.", row.Repeat, row.Fold)
	}
	return chart
}

// stabilityReading returns the shares of the stable columns, which are first, with q = k + 1.
func stabilityReading(p stabilitypath.Path, k, stable int) drawing.Reading {
	const most = 8
	text := fmt.Sprintf("q %d", k+1)
	for _, l := range p.Lines[:min(stable, most)] {
		text += fmt.Sprintf(" · %s %.2f", l.Name, float64(l.Counts[k])/float64(p.Halves))
	}
	return drawing.Reading{X: float64(k + 1), Text: text}
}
