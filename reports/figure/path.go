package figure

import (
	"cmp"
	"errors"
	"math"

	"tenfold/io/results"
	"tenfold/reports/cells"
)

// pathChart shows one fit: training error (solid) and test error (dashed) against the step, non-zero coefficients
// (dotted) on the right axis, and the step that was kept, as Figure 1 of Hooker & Weng. Where several cells are left, it
// is the one that came lowest in test error; of several folds, the first that has a path.
func pathChart(c Config, in Input, cs []*cells.Cell) (Chart, error) {
	cell, row, points, err := bestPath(in.Source, cs)
	if err != nil {
		return Chart{}, err
	}
	train := Series{Label: "training error", Colour: 0}
	test := Series{Label: "test error", Colour: 1, Dash: Dashed}
	nonzero := Series{Label: "non-zero coefficients", Colour: 2, Dash: Dotted, Right: true}
	body := &Curves{X: Axis{Label: "step"}, Left: Axis{Label: "mean squared error"}, Right: Axis{Label: "non-zero coefficients"}}
	chart := Chart{Name: "path " + cell.AlgorithmLabel(), Title: cmp.Or(c.Title, "Path of "+cell.AlgorithmLabel()), Body: body}
	for _, p := range points {
		x := float64(p.Step)
		if finite(p.TrainError) {
			train.Points = append(train.Points, Point{X: x, Y: p.TrainError})
		}
		if finite(p.TestError) {
			test.Points = append(test.Points, Point{X: x, Y: p.TestError})
		}
		nonzero.Points = append(nonzero.Points, Point{X: x, Y: float64(p.Nonzero)})
		if p.Best {
			body.Marks = []Mark{{X: x, Label: "kept: step " + plain(x, x)}}
			if row.Optimistic {
				body.Marks[0].Label += cells.OptimisticMark
			}
		}
	}
	for _, s := range []Series{train, test, nonzero} {
		if len(s.Points) > 0 {
			body.Series = append(body.Series, s)
		}
	}
	if len(body.Marks) > 0 {
		chart.say("The vertical line is the step that was kept.")
	}
	if row.Optimistic {
		chart.say(cells.OptimisticLegend)
	}
	if cell.Averaged {
		chart.say("Task %s.", row.Task)
	}
	if cell.Folds > 1 {
		chart.say("Repeat %d, fold %d.", row.Repeat, row.Fold)
	}
	if len(cs) > 1 {
		chart.say("Lowest in test error of %d cells.", len(cs))
	}
	return chart, nil
}

func bestPath(source cells.Source, cs []*cells.Cell) (best *cells.Cell, of *results.Row, points []results.Point, err error) {
	lowest := math.Inf(1)
	for _, cell := range cs {
		rows := cell.Rows
		if cell.Averaged {
			rows = cell.Fits()
		}
		for _, r := range rows {
			path, err := source.Path(r)
			if err != nil {
				return nil, nil, nil, err
			}
			if len(path) < 2 {
				continue
			}
			low := math.MaxFloat64 // a path without test errors is better than none
			for _, p := range path {
				if p.TestError < low {
					low = p.TestError
				}
			}
			if low < lowest {
				lowest, best, of, points = low, cell, r, path
			}
			break
		}
	}
	if best == nil {
		return nil, nil, nil, errors.New("no fit recorded a path")
	}
	return best, of, points, nil
}
