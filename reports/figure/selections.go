package figure

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"

	"tenfold/io/results"
	"tenfold/io/results/stability"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/drawing"
	"tenfold/reports/selection"
)

// Limits of what a heat map can show.
const (
	mostRows     = 40
	mostColumns  = 20
	mostOverlaps = 12
)

// Stability is the name of the kind of stabilityChart.
const Stability = "stability"

func stabilityKind() figureKind {
	return figureKind{
		name: Stability, doc: "how alike the selections of folds are",
		across: true, build: stabilityChart,
	}
}

// stabilityChart shows the similarity of the selections of folds, for each algorithm with the point of its grid on each data set:
// the measure of Nogueira, Sechidis & Brown 2018 with its 95 % interval.
func stabilityChart(c Config, in Input, cs []*cells.Cell) (drawing.Chart, error) {
	g := arrangementOf(cs)
	if n := len(g.algorithms); n > mostRows {
		return drawing.Chart{}, fmt.Errorf("%d algorithms, counting each point of a grid, and at most %d can be shown: narrow them with where", n, mostRows)
	}
	if n := len(g.datasets); n > mostColumns {
		return drawing.Chart{}, fmt.Errorf("%d data sets, and at most %d can be shown: narrow them with where", n, mostColumns)
	}
	body := &drawing.Heat{Measure: "Stability Φ", Columns: g.datasets}
	chart := drawing.Chart{Name: "stability", Title: cmp.Or(c.Title, "Stability of the selected features"), Body: body}
	var out []string
	var shown []*cells.Cell
	folds := 0
	for i, algorithm := range g.algorithms {
		row := make([]drawing.Square, len(g.datasets))
		var caveats cells.Caveats
		var measured []*cells.Cell
		var without []string
		var reason string
		for j, cell := range g.cells[i] {
			s, why, err := stabilityOf(in.Source, cell)
			if err != nil {
				return drawing.Chart{}, err
			}
			if row[j] = stabilitySquare(s); why != "" {
				without, reason = append(without, fmt.Sprintf("%s on %s (%s)", algorithm, g.datasets[j], why)), why
			} else {
				caveats, measured = caveats.Or(cell.Caveats()), append(measured, cell)
			}
			folds = max(folds, s.Folds)
		}
		if len(without) == len(row) { // a row without values is left out
			out = append(out, fmt.Sprintf("%s (%s)", algorithm, reason))
			continue
		}
		out, shown = append(out, without...), append(shown, measured...)
		body.Rows, body.Squares = append(body.Rows, algorithm+caveats.Marks()), append(body.Squares, row)
	}
	if len(body.Rows) == 0 {
		return drawing.Chart{}, fmt.Errorf("no selection can be measured: %s", cmp.Or(drawing.JoinNames(out), "no cell is left"))
	}
	chart.AddSentence("Nogueira's measure over up to %d %s: 1 where all select the same features, 0 where they agree as by chance. Below it, its asymptotic 95 %% interval.", folds, cells.Over(cs))
	if cells.Over(cs) != "folds" {
		chart.AddSentence("Of a family it is the mean over tasks of the measure over folds, with an interval over tasks.")
	}
	chart.AddSentences(cells.Legend(shown))
	chart.NoteLeftOut(out)
	return chart, nil
}

// stabilityOf returns the stability of a cell, or why it has none. The error is a failure to read.
func stabilityOf(source cells.Source, c *cells.Cell) (s stability.Estimate, why string, err error) {
	switch {
	case c == nil:
		return s, "not run", nil
	case len(c.Finished()) == 0:
		return s, c.Trouble(), nil
	}
	s, err = cells.StabilityOf(source, c, results.StabilityMetric)
	if errors.Is(err, stability.ErrUndefined) {
		return s, cells.WhyNot(err), nil
	}
	return s, "", err
}

func stabilitySquare(s stability.Estimate) drawing.Square {
	if s.Folds == 0 {
		return drawing.Square{Value: math.NaN(), Text: digits.Missing}
	}
	square := drawing.Square{Value: s.Mean, Text: drawing.FormatNumber(s.Mean, 2)}
	if allFinite(s.Low, s.High) {
		square.Below = drawing.FormatNumber(s.Low, 2) + " – " + drawing.FormatNumber(s.High, 2)
	}
	return square
}

// Overlap is the name of the kind of overlapChart.
const Overlap = "overlap"

func overlapKind() figureKind {
	return figureKind{
		name: Overlap, doc: "how alike those of algorithms are",
		build: overlapChart,
	}
}

// overlapChart shows the similarity of the selections of algorithms on a data set: the mean over folds of the share of the features
// of either that both selected (Jaccard's index), and on the diagonal their number. If there are many cells, it shows the best of
// each algorithm by the first metric of the file.
func overlapChart(c Config, in Input, cs []*cells.Cell) (drawing.Chart, error) {
	chart := drawing.Chart{Name: "overlap", Title: cmp.Or(c.Title, "Overlap of the selected features")}
	shown, out, err := comparableCells(c, in, cs, &chart)
	if err != nil {
		return drawing.Chart{}, err
	}
	body := &drawing.Heat{Measure: "Share of common features (Jaccard)"}
	chart.Body = body
	for i, cell := range shown {
		body.Columns = append(body.Columns, strconv.Itoa(i+1))
		body.Rows = append(body.Rows, fmt.Sprintf("%d %s%s", i+1, cell.AlgorithmLabel(), cell.Caveats().Marks()))
		body.Squares = append(body.Squares, make([]drawing.Square, len(shown)))
	}
	empty := false
	comparer := selection.NewComparer(in.Source)
	for i, a := range shown {
		for j, b := range shown[:i+1] {
			o, err := comparer.Compare(a, b)
			if err != nil {
				return drawing.Chart{}, err
			}
			body.Squares[i][j] = overlapSquare(o, i == j)
			body.Squares[j][i] = body.Squares[i][j]
			empty = empty || !allFinite(o.Jaccard)
		}
	}
	chart.AddSentence("In each square the mean over %s of features that both selected among those that either did, and below it the share of the common coefficients that have the same sign; on the diagonal, the number of features.", cells.Over(shown))
	if empty {
		chart.AddSentence("%s: no features on any fold.", digits.Missing)
	}
	chart.AddSentences(cells.Legend(shown))
	chart.NoteLeftOut(out)
	return chart, nil
}

// comparableCells returns the cells that an overlap shows, of too many the best of each algorithm, and the names of those left out
// because they have trouble. The caption says of how many they are the best.
func comparableCells(c Config, in Input, cs []*cells.Cell, chart *drawing.Chart) (shown []*cells.Cell, out []string, err error) {
	for _, cell := range cs {
		if trouble := cell.Trouble(); trouble != "" {
			out = append(out, fmt.Sprintf("%s (%s)", cell.AlgorithmLabel(), trouble))
		} else {
			shown = append(shown, cell)
		}
	}
	if n := len(shown); n > mostOverlaps {
		metric, err := c.mainMetric(in)
		if err != nil {
			return nil, nil, fmt.Errorf("%d cells, and at most %d can be shown: narrow them with where", n, mostOverlaps)
		}
		best := cells.BestOfEach(in.Source, shown, metric)
		shown = shown[:0]
		for _, b := range best {
			shown = append(shown, b.Cell)
		}
		chart.AddSentence("The best of each algorithm by %s, of %d cells.", metric, n)
	}
	switch n := len(shown); {
	case n < 2:
		return nil, nil, fmt.Errorf("an overlap needs at least 2 cells that ended well, found %d", n)
	case n > mostOverlaps:
		return nil, nil, fmt.Errorf("%d algorithms, and at most %d can be shown: narrow them with where", n, mostOverlaps)
	}
	return shown, out, nil
}

func overlapSquare(o selection.Overlap, self bool) drawing.Square {
	s := drawing.Square{Value: o.Jaccard, Text: digits.Missing}
	switch {
	case !allFinite(o.Jaccard):
	case self:
		s = drawing.Square{Value: math.NaN(), Text: drawing.FormatTick(math.Round(o.SizeA*10)/10, o.SizeA), Below: "features"}
	default:
		s.Text = drawing.FormatNumber(o.Jaccard, 2)
		if allFinite(o.SameSign) {
			s.Below = fmt.Sprintf("sign %.0f %%", 100*o.SameSign)
		}
	}
	return s
}
