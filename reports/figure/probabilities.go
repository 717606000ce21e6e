package figure

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"tenfold/engines/param"
	"tenfold/reports/cells"
	"tenfold/reports/curve"
	"tenfold/reports/digits"
	"tenfold/reports/drawing"
)

// Bins of a calibration: as many as asked for, with so many rows in each on average.
const (
	usualBins = 10
	leastBin  = 20

	quantileBins = "quantile"
	uniformBins  = "uniform"
)

// Calibration is the name of the kind of figures of predicted probabilities against what happened.
const Calibration = "calibration"

func calibrationKind() figureKind {
	return figureKind{
		name: Calibration, doc: "predicted probabilities against what happened: of two classes, or survival at a time, by groups of test rows",
		fields: []string{"groups", "at", "bins", "height"},
		build: func(c Config, in Input, cs []*cells.Cell) (drawing.Chart, error) {
			if ofSurvival(in, cs) {
				return survivalCalibration(c, in, cs)
			}
			return classCalibration(c, in, cs)
		},
		check: func(c Config) error {
			return errors.Join(checkGroups(c), param.OneOf("bins", c.Bins, "", quantileBins, uniformBins),
				param.Require("at", c.At == 0 || c.At > 0 && !math.IsInf(c.At, 0), "%v, expected a time above 0", c.At))
		},
	}
}

// ofSurvival reports whether some cell has kept predictions of a survival target.
func ofSurvival(in Input, cs []*cells.Cell) bool {
	for _, c := range cs {
		for _, r := range c.Fits() {
			if p, err := in.Source.Predictions(r); err == nil && len(p.Row) > 0 {
				return len(p.Curves) > 0
			}
		}
	}
	return false
}

// classCalibration shows, for groups of test rows by predicted probability of the positive class, the mean prediction against the
// share of the class, with Wilson's interval: a line for each cell, of the rows of one repeat. If there is one cell, its folds are
// thin lines.
func classCalibration(c Config, in Input, cs []*cells.Cell) (drawing.Chart, error) {
	body := &drawing.Curves{X: drawing.Axis{Label: "predicted probability", Show: []float64{0, 1}}, Left: drawing.Axis{Label: "observed share", Show: []float64{0, 1}}}
	chart := drawing.Chart{Name: Calibration, Title: cmp.Or(c.Title, "Calibration"), Body: body}
	if c.At != 0 {
		return drawing.Chart{}, param.Errorf("at", "%v, but the target has classes: a time is for survival", c.At)
	}
	shown, err := judgedCells(c, in, cs, &chart)
	if err != nil {
		return drawing.Chart{}, err
	}
	how, words := curve.Quantile, "of about equally many rows"
	if c.Bins == uniformBins {
		how, words = curve.Uniform, "of equally wide ranges"
	}
	body.Series = append(body.Series, drawing.Series{Label: "as predicted", Colour: -1, Dash: drawing.Dashed, Points: []drawing.Point{{X: 0, Y: 0}, {X: 1, Y: 1}}})
	likely := func(f judged) curve.Rows { return f.likely }
	var out []string
	repeats, grouped, most := false, false, 0
	var with []judgedCell
	for _, cell := range shown {
		rows := poolRows(cell.fits, likely)
		if len(rows.Score) == 0 {
			out = append(out, cell.AlgorithmLabel()+" (no probabilities)")
			continue
		}
		with = append(with, cell)
		repeats, grouped = repeats || several(cell.fits), grouped || cell.fits[0].grouped
		bins, distance := curve.Calibrate(rows, binsFor(c, len(rows.Score)), how)
		most = max(most, len(bins))
		if len(shown) == 1 && len(cell.fits) > 1 {
			body.Series = append(body.Series, foldCalibrations(c, cell.fits, how)...)
		}
		n := len(with) - 1
		s := drawing.Series{Label: fmt.Sprintf("%s, error %s", cell.label(), drawing.FormatNumber(distance, 3)), Colour: n, Dash: drawing.Dash(n / drawing.Colours % 4), Dots: true}
		for _, b := range bins {
			s.Points = append(s.Points, drawing.Point{X: b.Predicted, Y: b.Observed, Low: b.Low, High: b.High})
		}
		body.Series = append(body.Series, s)
	}
	if len(with) == 0 {
		return drawing.Chart{}, fmt.Errorf("no cell predicts probabilities: %s", drawing.JoinNames(out))
	}
	chart.AddSentence("The positive class is %s. Test rows of all folds in up to %d groups %s by its predicted probability: the mean of that, and the share of the class with its 95 %% interval (Wilson). Error: the mean distance from the dashed line.",
		with[0].fits[0].positive, most, words)
	if grouped {
		chart.AddSentence("The intervals take rows for independent, although rows of a group are not.")
	}
	if repeats {
		chart.AddSentence("The first repeat.")
	}
	if len(shown) == 1 && len(with[0].fits) > 1 {
		chart.AddSentence("Thin lines: the folds.")
	}
	chart.AddSentences(cells.Legend(plain(with)))
	chart.NoteLeftOut(out)
	return chart, nil
}

// binsFor returns the number of bins for some rows: those asked for, or fewer where these are few.
func binsFor(c Config, rows int) int {
	if c.Groups != 0 {
		return c.Groups
	}
	return min(usualBins, max(1, rows/leastBin))
}

// foldCalibrations returns a thin line for each fit of the first repeat that has rows for two bins.
func foldCalibrations(c Config, fits []judged, how curve.Binning) (out []drawing.Series) {
	for _, f := range fits {
		n := min(binsFor(c, len(f.likely.Score)), max(1, len(f.likely.Score)/leastBin))
		if f.repeat != fits[0].repeat || n < 2 {
			continue
		}
		s := drawing.Series{Colour: -1, Thin: true}
		bins, _ := curve.Calibrate(f.likely, n, how)
		for _, b := range bins {
			s.Points = append(s.Points, drawing.Point{X: b.Predicted, Y: b.Observed})
		}
		if len(out) == 0 {
			s.Label = "folds"
		}
		out = append(out, s)
	}
	return out
}

// Confusion is the name of the kind of confusionChart.
const Confusion = "confusion"

func confusionKind() figureKind {
	return figureKind{
		name: Confusion, doc: "how the rows of each class are predicted",
		fields: []string{"y"}, build: confusionChart,
	}
}

// confusionChart shows the confusion matrix of one cell, the best by the metric: in each square the share of the test rows of a true
// level that are predicted as another, and their number or weight.
func confusionChart(c Config, in Input, cs []*cells.Cell) (drawing.Chart, error) {
	cell, note, err := c.bestCell(in, cs)
	if err != nil {
		return drawing.Chart{}, err
	}
	m, repeats, err := confusionOf(in, cell)
	if err != nil {
		return drawing.Chart{}, err
	}
	if len(m.levels) == 0 {
		return drawing.Chart{}, fmt.Errorf("%s has no kept predictions of one target of classes (predictions: true keeps them)", cell.AlgorithmLabel())
	}
	if n := len(m.levels); n > mostColumns {
		return drawing.Chart{}, fmt.Errorf("%d levels, and at most %d can be shown", n, mostColumns)
	}
	body := &drawing.Heat{Measure: "Share of the rows of a level (left) that are predicted as the one above", Columns: m.levels}
	chart := drawing.Chart{Name: "confusion " + cell.NamedLabel(), Title: cmp.Or(c.Title, "Predictions by level, "+cell.AlgorithmLabel()), Body: body}
	for i, level := range m.levels {
		total := 0.0
		for _, w := range m.weight[i] {
			total += w
		}
		row := make([]drawing.Square, len(m.levels))
		for j, w := range m.weight[i] {
			row[j] = drawing.Square{Value: math.NaN(), Text: digits.Missing}
			if total > 0 {
				row[j] = drawing.Square{Value: w / total, Text: drawing.FormatNumber(100*w/total, 1) + " %", Below: drawing.FormatTick(w, w)}
			}
		}
		body.Rows, body.Squares = append(body.Rows, level), append(body.Squares, row)
	}
	chart.AddSentence("The true level of test rows of all folds, at the left, and the predicted one, above: the share among the rows of the true level, and below it their %s.", m.unit())
	if repeats {
		chart.AddSentence("The first repeat.")
	}
	if note != "" {
		chart.AddSentence("%s", note)
	}
	chart.AddSentences(cells.Legend([]*cells.Cell{cell}))
	return chart, nil
}

// confusion holds the weight of rows by true and predicted level.
type confusion struct {
	levels   []string
	weight   [][]float64
	weighted bool
}

func (m confusion) unit() string {
	if m.weighted {
		return "weight"
	}
	return "number"
}

// confusionOf adds up the test rows of the fits of a cell in its first repeat. Without kept predictions of classes there are no levels.
func confusionOf(in Input, c *cells.Cell) (m confusion, repeats bool, err error) {
	first := int32(-1)
	for _, r := range c.Finished() {
		if c.Averaged {
			return m, false, nil
		}
		if first < 0 {
			first = r.Repeat
		}
		if r.Repeat != first {
			repeats = true
			continue
		}
		p, err := in.Source.Predictions(r)
		if err != nil {
			return m, false, err
		}
		for i := range p.Row {
			if p.Output[i] != p.Output[0] || len(p.PredictionLabel) == 0 || p.PredictionLabel[i] == "" {
				return confusion{}, false, nil
			}
			w := 1.0
			if p.Weight != nil {
				w, m.weighted = p.Weight[i], true
			}
			truth, prediction := int(p.Truth[i]), int(p.Prediction[i])
			m.grow(max(truth, prediction))
			m.levels[truth], m.levels[prediction] = p.TruthLabel[i], p.PredictionLabel[i]
			m.weight[truth][prediction] += w
		}
	}
	return m.compact(), repeats, nil
}

// grow makes room for a level.
func (m *confusion) grow(level int) {
	for len(m.levels) <= level {
		m.levels = append(m.levels, "")
		for i := range m.weight {
			m.weight[i] = append(m.weight[i], 0)
		}
		m.weight = append(m.weight, make([]float64, len(m.levels)))
	}
}

// compact leaves out levels that neither occur nor are predicted.
func (m confusion) compact() confusion {
	out := confusion{weighted: m.weighted}
	var kept []int
	for i, name := range m.levels {
		if name != "" {
			kept, out.levels = append(kept, i), append(out.levels, name)
		}
	}
	for _, i := range kept {
		row := make([]float64, len(kept))
		for k, j := range kept {
			row[k] = m.weight[i][j]
		}
		out.weight = append(out.weight, row)
	}
	return out
}
