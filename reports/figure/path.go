package figure

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines/param"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/drawing"
)

// Path is the name of the kind of pathChart.
const Path = "path"

func pathKind() figureKind {
	return figureKind{
		name: Path, doc: "training and test error of one fit step by step",
		fields: []string{"right", "height"}, build: pathChart,
		check: func(c Config) error {
			if c.Right != "" && !slices.Equal(c.rightMetrics(), []string{"nonzero"}) && c.Right != "none" {
				return param.Errorf("right", "%q, a path has nonzero alone", c.Right)
			}
			return nil
		},
	}
}

// pathChart shows one fit: training error (solid) and test error (dashed) against the step, non-zero coefficients (dotted) on the
// right axis, and the step that was kept, as Figure 1 of Hooker & Weng. Of several cells, it shows the one with the lowest test
// error; of several folds, the first that has a path.
func pathChart(c Config, in Input, cs []*cells.Cell) (drawing.Chart, error) {
	cell, row, points, err := bestPath(in.Source, cs)
	if err != nil {
		return drawing.Chart{}, err
	}
	chart := PathOf(cell, row, points, slices.Contains(c.rightMetrics(), "nonzero"))
	chart.Title = cmp.Or(c.Title, chart.Title)
	switch {
	case len(cs) < 2:
	case hasTestCurve(points):
		chart.AddSentence("Lowest in test error of %d cells.", len(cs))
	default:
		chart.AddSentence("The first of %d cells; none has test errors along its path.", len(cs))
	}
	return chart, nil
}

// PathOf returns the chart of the path of one fit of a cell, with its non-zero coefficients if they have an axis on the right.
func PathOf(cell *cells.Cell, row *results.Row, points []results.Point, right bool) drawing.Chart {
	train := drawing.Series{Label: "training rows", Colour: 0}
	test := drawing.Series{Label: "test rows", Colour: 1, Dash: drawing.Dashed}
	nonzero := drawing.Series{Label: "non-zero coefficients", Colour: 2, Dash: drawing.Dotted, Right: true}
	body := &drawing.Curves{X: drawing.Axis{Label: "number of steps"}, Left: drawing.Axis{Label: lossOf(row)}}
	if right {
		body.Right.Label = "number of non-zero coefficients"
	}
	chart := drawing.Chart{Name: "path " + cell.NamedLabel(), Title: "Path of " + cell.AlgorithmLabel(), Body: body}
	tested := hasTestCurve(points)
	for _, p := range points {
		x := float64(p.Step)
		if !tested {
			p.TestError = math.NaN()
		}
		if allFinite(p.TrainError) {
			train.Points = append(train.Points, drawing.Point{X: x, Y: p.TrainError})
		}
		if allFinite(p.TestError) {
			test.Points = append(test.Points, drawing.Point{X: x, Y: p.TestError})
		}
		nonzero.Points = append(nonzero.Points, drawing.Point{X: x, Y: float64(p.Nonzero)})
		body.Readings = append(body.Readings, readingOf(p))
		if p.Best {
			body.Marks = []drawing.Mark{{X: x, Label: "kept: step " + drawing.FormatTick(x, x)}}
			body.Marks[0].Label += cells.CaveatsOf(row).Marks()
		}
	}
	for _, s := range []drawing.Series{train, test, nonzero} {
		if len(s.Points) > 0 && (right || !s.Right) {
			body.Series = append(body.Series, s)
		}
	}
	if len(body.Marks) > 0 {
		chart.AddSentence("The vertical line is the step that was kept.")
	}
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

// lossOf names the loss of the errors along a fit's path: models with probabilities are fitted by their likelihood.
func lossOf(row *results.Row) string {
	for _, s := range row.Scores {
		if s.Metric == "log_loss" && s.Value == s.Value {
			return "mean negative log-likelihood"
		}
	}
	return "mean squared error"
}

// hasTestCurve reports whether test errors were followed along the path. An engine that moves all coefficients at once
// cannot report them, and at most the start has one.
func hasTestCurve(points []results.Point) bool {
	n := 0
	for _, p := range points {
		if allFinite(p.TestError) {
			n++
		}
	}
	return n > 1
}

// readingOf returns the reading at a point of a path.
func readingOf(p results.Point) drawing.Reading {
	text := fmt.Sprintf("step %s", drawing.FormatTick(float64(p.Step), 1))
	for _, v := range []struct {
		name  string
		value float64
	}{{"training error", p.TrainError}, {"test error", p.TestError}} {
		if allFinite(v.value) {
			text += fmt.Sprintf(" · %s %s", v.name, digits.Format("%.5g", v.value))
		}
	}
	return drawing.Reading{X: float64(p.Step), Text: text + " · non-zero " + drawing.FormatTick(float64(p.Nonzero), 1)}
}

func bestPath(source cells.Source, cs []*cells.Cell) (best *cells.Cell, row *results.Row, points []results.Point, err error) {
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
			if hasTestCurve(path) {
				for _, p := range path {
					if p.TestError < low {
						low = p.TestError
					}
				}
			}
			if low < lowest {
				lowest, best, row, points = low, cell, r, path
			}
			break
		}
	}
	if best == nil {
		return nil, nil, nil, errors.New("no fit recorded a path")
	}
	return best, row, points, nil
}
