package figure

import (
	"cmp"
	"fmt"
	"math"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/drawing"
)

// Metric is the name of the kind of metricChart.
const Metric = "metric"

func metricKind() figureKind {
	return figureKind{
		name: Metric, doc: "a metric by algorithm: its values on the folds, and their mean with a 95 % interval",
		fields: []string{"y", "panels"}, build: metricChart,
	}
}

// metricChart shows, in a row for each cell, the values of a metric on the folds, and their mean with its 95 % interval. A cell without a
// finite value on each fold has no mean, and says on how many it has one.
func metricChart(c Config, in Input, cs []*cells.Cell) (drawing.Chart, error) {
	y, err := c.mainMetric(in)
	if err != nil {
		return drawing.Chart{}, err
	}
	if len(cs) > mostRows {
		return drawing.Chart{}, fmt.Errorf("%d algorithms, counting each point of a grid, and at most %d can be shown: narrow them with where", len(cs), mostRows)
	}
	words := in.axisWords(y)
	panel := drawing.Panel{X: drawing.Axis{Label: words}}
	body := &drawing.Strips{}
	chart := drawing.Chart{Name: "metric " + y, Title: cmp.Or(c.Title, capitalise(words)+" by algorithm"), Body: body}
	rivals := in.rivals(cs, y)
	var all []float64
	var out []string
	var shown []*cells.Cell
	intervals := false
	for _, cell := range cs {
		s := in.strip(cell, y, rivals[cell])
		if s.Note != "" && len(s.Values) == 0 && !results.Finite(s.Mean) {
			out = append(out, fmt.Sprintf("%s (%s)", cell.AlgorithmLabel(), cmp.Or(cell.Trouble(), "no finite value of "+y)))
			continue
		}
		all, intervals = append(all, s.Values...), intervals || results.Finite(s.Low)
		body.Names, panel.Strips = append(body.Names, cell.AlgorithmLabel()+in.caveatsOf(cell).Marks()), append(panel.Strips, s)
		shown = append(shown, cell)
	}
	if len(shown) == 0 {
		return drawing.Chart{}, fmt.Errorf("no result has the metric %s (%s)", y, drawing.JoinNames(out))
	}
	panel.X.Log = !in.Source.Metric(y).Contested() && needsLogAxis(all)
	body.Panels = []drawing.Panel{panel}
	switch {
	case cells.OfCell(y):
		chart.AddSentence("Diamonds: the value of all folds together, with its asymptotic 95 %% interval.")
	case intervals:
		chart.AddSentence("Circles: the values on %s; diamonds: their means, with 95 %% intervals over %s.", cells.Over(shown), cells.OverCorrected(shown))
	}
	chart.AddSentences(cells.Legend(in.behind(shown)))
	chart.NoteLeftOut(out)
	return chart, nil
}

// strip returns the values of a metric on the folds of a cell. A cell that is no rival of the others has no mean.
func (in Input) strip(c *cells.Cell, metric string, rival bool) drawing.Strip {
	s := drawing.Strip{Mean: math.NaN(), Low: math.NaN(), High: math.NaN()}
	st := in.metricOf(c, metric)
	if !cells.OfCell(metric) {
		for _, v := range cells.ByFold(in.Source, []*cells.Cell{c}, metric) {
			if results.Finite(v) {
				s.Values = append(s.Values, v)
			}
		}
	}
	switch {
	case c.Trouble() != "" || st.N == 0:
		s.Note = digits.Missing
	case math.IsInf(st.Mean, 0):
		s.Note = digits.Decimals(0).Number(st.Mean)
	case !rival:
		s.Note = fmt.Sprintf("%d/%d", st.N, st.Of)
	default:
		s.Mean = st.Mean
		if allFinite(st.Low, st.High) {
			s.Low, s.High = st.Low, st.High
		}
	}
	return s
}
