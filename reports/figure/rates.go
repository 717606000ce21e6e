package figure

import (
	"cmp"
	"fmt"
	"math"

	"tenfold/engines/param"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/curve"
	"tenfold/reports/drawing"
)

// ROC and PrecisionRecall are the names of the kinds of figures for each threshold of two classes.
const (
	ROC             = "roc"
	PrecisionRecall = "pr"
)

// Ways to make one curve of several folds.
const (
	averageCurve = "average"
	pooledCurve  = "pooled"
)

// rates is what the two kinds differ in.
type rates struct {
	title, x, y string
	area        string // name of the area below the curve
	cuts        func(curve.Rows) ([]curve.Cut, float64)
	height      func([]curve.Cut, float64) float64 // of a curve at a place on the x axis
	corners     func([]curve.Cut) []drawing.Point
	chance      func(curve.Rows) (atNone, atAll float64) // heights of a model that knows nothing
	interval    bool                                     // rows of all folds together give the area an interval
}

func rocKind() figureKind {
	return rates{
		title: "Receiver operating characteristic", x: "false positive rate (1 − specificity)", y: "true positive rate (sensitivity)", area: "AUC",
		cuts: curve.ROC, height: curve.TruePositives, corners: cornersOfLines, interval: true,
		chance: func(curve.Rows) (atNone, atAll float64) { return 0, 1 },
	}.kind(ROC, "true against false positives of two classes, at every threshold")
}

func precisionRecallKind() figureKind {
	return rates{
		title: "Precision against recall", x: "recall", y: "precision", area: "average precision",
		cuts: curve.PrecisionRecall, height: curve.Precision, corners: cornersOfSteps,
		chance: func(rows curve.Rows) (atNone, atAll float64) { return rows.Share(), rows.Share() },
	}.kind(PrecisionRecall, "precision against recall of two classes, at every threshold")
}

func (k rates) kind(name, doc string) figureKind {
	return figureKind{
		name: name, doc: doc, fields: []string{"curve", "height"},
		check: func(c Config) error { return param.OneOf("curve", c.Curve, "", averageCurve, pooledCurve) },
		build: func(c Config, in Input, cs []*cells.Cell) (drawing.Chart, error) { return k.chart(name, c, in, cs) },
	}
}

// chart shows a curve for each cell: the vertical average of those of its folds (Fawcett 2006, An introduction to ROC analysis,
// section 8.1), or that of the rows of one repeat together. If there is one cell, its folds are thin lines, and the 95 % interval of
// their mean is dotted.
func (k rates) chart(name string, c Config, in Input, cs []*cells.Cell) (drawing.Chart, error) {
	body := &drawing.Curves{X: drawing.Axis{Label: k.x, Show: []float64{0, 1}}, Left: drawing.Axis{Label: k.y, Show: []float64{0, 1}}}
	chart := drawing.Chart{Name: name, Title: cmp.Or(c.Title, k.title), Body: body}
	shown, err := judgedCells(c, in, cs, &chart)
	if err != nil {
		return drawing.Chart{}, err
	}
	fits := shown[0].fits
	chart.AddSentence("The positive class is %s.", fits[0].positive)
	averaged, pooled, pooledGroups := c.Curve != pooledCurve && len(fits) > 1, false, false
	for i, cell := range shown {
		f := k.folds(cell.fits)
		if !averaged {
			f = k.folds([]judged{{ranked: poolRows(cell.fits, func(f judged) curve.Rows { return f.ranked })}})
		}
		if len(f.curves) == 0 {
			return drawing.Chart{}, fmt.Errorf("%s: no fold has test rows of both classes", cell.AlgorithmLabel())
		}
		line := drawing.Series{Label: fmt.Sprintf("%s, %s %s", cell.label(), k.area, drawing.FormatNumber(f.area.Mean, 3)), Colour: i, Dash: drawing.Dash(i / drawing.Colours % 4)}
		if averaged {
			line.Label += " ± " + drawing.FormatNumber(f.area.SE, 3)
			average, interval := f.average(k)
			line.Points = average
			if len(shown) == 1 {
				body.Series = append(body.Series, append(f.thin(k), interval...)...)
			}
		} else {
			line.Points = k.corners(f.curves[0])
			if p, grouped, ok := poolAreas(cell.fits); ok && k.interval && !math.IsNaN(p.SE) {
				line.Label = fmt.Sprintf("%s, %s %s (%s … %s)", cell.label(), k.area, drawing.FormatNumber(p.Area, 3), drawing.FormatNumber(p.Low, 3), drawing.FormatNumber(p.High, 3))
				pooled, pooledGroups = true, grouped
			}
		}
		body.Series = append(body.Series, line)
		if left := len(cell.fits) - len(f.curves); averaged && left > 0 && i == 0 {
			chart.AddSentence("On %d of %d folds the test rows are of one class: these are left out.", left, len(cell.fits))
		}
	}
	none, all := k.chance(poolRows(fits, func(f judged) curve.Rows { return f.ranked }))
	body.Series = append(body.Series, drawing.Series{Label: "as by chance", Colour: -1, Dash: drawing.Dashed, Points: []drawing.Point{{X: 0, Y: none}, {X: 1, Y: all}}})
	switch {
	case averaged:
		chart.AddSentence("Each curve is the mean of those of the folds at the same place on the axis; ± is the standard error over %s.", cells.OverCorrected(plain(shown)))
		if len(shown) == 1 {
			chart.AddSentence("Thin lines: the folds. Dotted: the 95 %% interval of their mean.")
		}
	case len(fits) > 1:
		chart.AddSentence("The test rows of all folds together: their scores are of different models, whose scales may differ.")
		if several(fits) {
			chart.AddSentence("The curve is that of the first repeat.")
		}
	}
	if pooled {
		drawn, source := "rows", "DeLong, DeLong & Clarke-Pearson 1988"
		if pooledGroups {
			drawn, source = "groups", "Obuchowski 1997"
		}
		chart.AddSentence("AUC: the mean over repeats, with the 95 %% interval of drawing other test %s for these models (%s).", drawn, source)
	}
	chart.AddSentences(cells.Legend(plain(shown)))
	return chart, nil
}

// foldCurves holds the curves of the folds that have one.
type foldCurves struct {
	curves [][]curve.Cut
	area   results.Stat
	ratio  float64 // mean of test rows / training rows
}

// folds returns the curves of fits. Those whose test rows do not have the classes for it have none.
func (k rates) folds(fits []judged) (f foldCurves) {
	var areas []float64
	for _, fit := range fits {
		if cuts, area := k.cuts(fit.ranked); len(cuts) > 0 {
			f.curves, areas = append(f.curves, cuts), append(areas, area)
			f.ratio += fit.ratio
		}
	}
	f.ratio /= float64(max(1, len(areas)))
	f.area = results.SummariseFolds(areas, f.ratio)
	return f
}

// average returns the mean of the curves at 101 places, and the ends of its 95 % interval, cut to [0, 1], as two dotted lines.
func (f foldCurves) average(k rates) (mean []drawing.Point, interval []drawing.Series) {
	const places = 100
	low, high := drawing.Series{Label: "95 % interval", Dash: drawing.Dotted}, drawing.Series{Dash: drawing.Dotted}
	heights := make([]float64, len(f.curves))
	for place := range places + 1 {
		x := float64(place) / places
		for i, cuts := range f.curves {
			heights[i] = k.height(cuts, x)
		}
		s := results.SummariseFolds(heights, f.ratio)
		mean = append(mean, drawing.Point{X: x, Y: s.Mean})
		if results.Finite(s.Low) {
			low.Points = append(low.Points, drawing.Point{X: x, Y: max(0, s.Low)})
			high.Points = append(high.Points, drawing.Point{X: x, Y: min(1, s.High)})
		}
	}
	if len(low.Points) > 0 {
		interval = []drawing.Series{low, high}
	}
	return mean, interval
}

// thin returns the curves of the folds themselves.
func (f foldCurves) thin(k rates) (out []drawing.Series) {
	for _, cuts := range f.curves {
		out = append(out, drawing.Series{Colour: -1, Thin: true, Points: k.corners(cuts)})
	}
	out[0].Label = "folds"
	return out
}

// cornersOfLines returns the points of a curve of straight lines, without those between two on one line.
func cornersOfLines(cuts []curve.Cut) (out []drawing.Point) {
	for _, c := range cuts {
		p := drawing.Point{X: c.X, Y: c.Y}
		if n := len(out); n > 1 && onLine(out[n-2], out[n-1], p) {
			out = out[:n-1]
		}
		out = append(out, p)
	}
	return out
}

func onLine(a, b, c drawing.Point) bool {
	return math.Abs(float64((b.X-a.X)*(c.Y-a.Y))-float64((b.Y-a.Y)*(c.X-a.X))) < 1e-12
}

// cornersOfSteps returns the corners of a curve that has the height of each cut from the one before on, as its area counts.
func cornersOfSteps(cuts []curve.Cut) (out []drawing.Point) {
	from := 0.0
	for _, c := range cuts {
		out = append(out, drawing.Point{X: from, Y: c.Y}, drawing.Point{X: c.X, Y: c.Y})
		from = c.X
	}
	return out
}
