package figure

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

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
		all, err := cells.SearchesOf(in.Source, cell)
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

func (in Input) chartOfValidation(cell *cells.Cell, v curve.Validation, fits int) drawing.Chart {
	what := strings.Replace(in.axisWords(v.Metric), " on test rows", " on inner folds", 1)
	if !strings.Contains(what, " on inner folds") {
		what += " on inner folds"
	}
	body, absent, omitted := v.Draw(in.axisWords(v.Parameter), what)
	chart := drawing.Chart{Name: "validation-curve " + cell.NamedLabel(), Title: "Validation curve of " + cell.AlgorithmLabel(), Body: body}
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
