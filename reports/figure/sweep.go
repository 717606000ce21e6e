package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/engines/param"
	"tenfold/reports/cells"
	"tenfold/reports/drawing"
)

// Sweep is the name of the kind of sweepChart.
const Sweep = "sweep"

func sweepKind() figureKind {
	return figureKind{
		name: Sweep, doc: "a metric against a parameter",
		fields: []string{"x", "y", "lines", "right", "height", "panels", "over"}, build: sweepChart,
		check: func(c Config) error {
			return param.Require("kind", c.X != "", "a sweep needs x, the parameter along the axis")
		},
	}
}

// sweepChart shows a metric of the chosen models against a parameter, or the size along a path, one line for each algorithm (and
// for each value of the other parameters), with error bars over folds; on the right axis, on request, other metrics (dashed,
// dotted, scaled), as Figure 2 of Hooker & Weng. Algorithms without the parameter are level lines.
func sweepChart(c Config, in Input, cs []*cells.Cell) (drawing.Chart, error) {
	y, err := c.mainMetric(in)
	if err != nil {
		return drawing.Chart{}, err
	}
	lines, level := in.sortLines(c, cs)
	if len(lines) == 0 {
		return drawing.Chart{}, fmt.Errorf("no cell has a numeric parameter %s", c.X)
	}
	body := &drawing.Curves{X: in.parameterAxis(c.X, lines), Left: drawing.Axis{Label: in.axisWords(y)}}
	chart := drawing.Chart{Name: fmt.Sprintf("sweep %s %s", c.X, y), Title: cmp.Or(c.Title, fmt.Sprintf("%s against %s", capitalise(in.axisWords(y)), in.axisWords(c.X))), Body: body}
	var out []string
	rivals := in.rivals(cs, y)
	for i, l := range lines {
		s, gaps := l.metricSeries(in, y, rivals)
		if len(gaps) > 0 && len(s.Points) > 0 {
			chart.AddSentence("Gaps, as %s has no finite value on each of the %s: %s.", y, cells.Over(cs), drawing.JoinNames(gaps))
		}
		if len(s.Points) == 0 {
			out = append(out, l.label)
			continue
		}
		s.Colour, s.Dash, s.Dots = i, drawing.Dash(i/drawing.Colours%4), true
		var caveats cells.Caveats
		for _, p := range l.places {
			caveats = caveats.Or(in.caveatsOf(p.cell))
		}
		s.Label += caveats.Marks()
		body.Series = append(body.Series, s)
	}
	if len(body.Series) == 0 {
		return drawing.Chart{}, fmt.Errorf("no result of %s has the metric %s", drawing.JoinNames(out), y)
	}
	body.Left.Log = !in.Source.Metric(y).Contested() && needsLogAxis(yValues(body.Series))
	if beyond := in.addLevels(body, level, y, rivals); len(beyond) > 0 {
		chart.AddSentence("Beyond the figure: %s.", drawing.JoinNames(beyond))
	}
	in.addRight(body, c.rightMetrics(), lines)
	for _, l := range lines {
		if hidden := l.hiddenDimension(); hidden != "" {
			chart.AddSentence("Warning: the line %s mixes cells that differ in %s.", l.label, hidden)
		}
	}
	var folds int
	for _, cell := range cs {
		folds = max(folds, cell.Folds)
	}
	switch {
	case in.groups != nil: // these differ between data sets for other reasons
	case folds > 1 && cells.OfCell(y):
		chart.AddSentence("Bars: asymptotic standard error.")
	case folds > 1:
		chart.AddSentence("Bars: standard error over %s.", cells.OverCorrected(cs))
	}
	chart.AddSentences(cells.Legend(in.behind(cs)))
	chart.NoteLeftOut(out)
	return chart, nil
}

// line holds the cells of one line of a sweep, by rising x.
type line struct {
	label  string
	places []place
}

type place struct {
	x    float64
	cell *cells.Cell
}

// hiddenDimension returns what cells at the same x of the line differ in, "" if each x has one cell.
func (l line) hiddenDimension() string {
	for i := 1; i < len(l.places); i++ {
		if l.places[i].x == l.places[i-1].x {
			return strings.Join(cells.Differing([]*cells.Cell{l.places[i-1].cell, l.places[i].cell}), ", ")
		}
	}
	return ""
}

// sortLines gives each cell with a numeric x to its line; the others are level.
func (in Input) sortLines(c Config, cs []*cells.Cell) (lines []line, level []*cells.Cell) {
	index := map[string]int{}
	for _, cell := range cs {
		v, _ := cell.Param(c.X)
		x, ok := asNumber(v)
		if !ok {
			level = append(level, cell)
			continue
		}
		label := cell.AlgorithmLabel(c.X)
		if c.Lines != "" {
			v, has := cell.Dim(c.Lines)
			if label = cell.AlgorithmName(); has {
				label = cmp.Or(in.Labels[c.Lines], c.Lines) + " " + v
			}
		}
		i, ok := index[label]
		if !ok {
			i = len(lines)
			index[label] = i
			lines = append(lines, line{label: label})
		}
		lines[i].places = append(lines[i].places, place{x, cell})
	}
	for _, l := range lines {
		slices.SortStableFunc(l.places, func(a, b place) int { return cmp.Compare(a.x, b.x) })
	}
	return lines, level
}

func asNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, allFinite(v)
	case int64:
		return float64(v), true
	}
	return 0, false
}

// mostTicks is the number of values of a parameter up to which each is a tick of its axis.
const mostTicks = 12

// parameterAxis returns the axis of a parameter, a logarithmic one if its values span a factor of 20 or more. Few values are its ticks.
func (in Input) parameterAxis(param string, lines []line) drawing.Axis {
	var values []float64
	for _, l := range lines {
		for _, p := range l.places {
			values = append(values, p.x)
		}
	}
	slices.Sort(values)
	values = slices.Compact(values)
	axis := drawing.Axis{Label: in.axisWords(param), Log: values[0] > 0 && values[len(values)-1] >= 20*values[0]}
	if len(values) <= mostTicks {
		axis.Ticks = values
	}
	return axis
}

// metricSeries returns a metric along the line. Cells that are no rivals, or infinite, leave gaps; those that ended well are named.
func (l line) metricSeries(in Input, metric string, rivals map[*cells.Cell]bool) (s drawing.Series, gaps []string) {
	s.Label = l.label
	for _, p := range l.places {
		st := in.metricOf(p.cell, metric)
		if !rivals[p.cell] || !allFinite(st.Mean) {
			if p.cell.Trouble() == "" && st.N > 0 {
				gaps = append(gaps, fmt.Sprintf("%s at %g", l.label, p.x))
			}
			continue
		}
		pt := drawing.Point{X: p.x, Y: st.Mean}
		if allFinite(st.SE) {
			pt.Error = st.SE
		}
		s.Points = append(s.Points, pt)
	}
	return s, gaps
}

// yValues returns the y values of all points.
func yValues(series []drawing.Series) []float64 {
	var out []float64
	for _, s := range series {
		for _, p := range s.Points {
			out = append(out, p.Y)
		}
	}
	return out
}

// addLevels draws algorithms without the parameter as level lines across the figure: each at its best, and only if they do not
// squeeze the curves; the caption names those left out.
func (in Input) addLevels(c *drawing.Curves, level []*cells.Cell, metric string, rivals map[*cells.Cell]bool) (beyond []string) {
	var names []string
	best, count, caveats := map[string]float64{}, map[string]int{}, map[string]cells.Caveats{}
	for _, cell := range level {
		v := in.metricOf(cell, metric).Mean
		if !rivals[cell] || !allFinite(v) {
			continue
		}
		name := cell.AlgorithmName()
		count[name]++
		caveats[name] = caveats[name].Or(in.caveatsOf(cell))
		old, ok := best[name]
		if !ok {
			names = append(names, name)
		}
		if !ok || (v > old) == cell.Higher(metric) {
			best[name] = v
		}
	}
	box, lines := boundingBox(c.Series), len(c.Series)
	for i, name := range names {
		v, label := best[name], name
		if count[name] > 1 {
			label = fmt.Sprintf("%s (best of %d)", name, count[name])
		}
		label += caveats[name].Marks()
		if room := 0.6*(box.high-box.low) + 0.05*math.Abs(box.high); v < box.low-room || v > box.high+room {
			beyond = append(beyond, fmt.Sprintf("%s (%.4g)", label, v))
			continue
		}
		n := lines + i // no two have the same colour and dashes, up to three palettes of them
		c.Series = append(c.Series, drawing.Series{Label: label, Colour: n, Dash: []drawing.Dash{drawing.Dashed, drawing.Dotted, drawing.DashDot}[n/drawing.Colours%3],
			Points: []drawing.Point{{X: box.left, Y: v}, {X: box.right, Y: v}}})
	}
	return beyond
}

// addRight draws metrics on the right axis. A metric larger than the first of them is divided by a power of ten, as the paper does
// with iterations, so that its curve does not flatten the others.
func (in Input) addRight(c *drawing.Curves, metrics []string, lines []line) {
	var labels []string
	room := 0.0
	for k, m := range metrics {
		var drawn []drawing.Series
		var all []*cells.Cell
		for _, l := range lines {
			for _, p := range l.places {
				all = append(all, p.cell)
			}
		}
		rivals := in.rivals(all, m)
		for i, l := range lines {
			if s, _ := l.metricSeries(in, m, rivals); len(s.Points) > 0 {
				s.Right, s.Dash, s.Colour = true, []drawing.Dash{drawing.Dashed, drawing.Dotted, drawing.DashDot}[k%3], i
				drawn = append(drawn, s)
			}
		}
		if len(drawn) == 0 {
			continue
		}
		label, top, per := in.axisWords(m), boundingBox(drawn).high, 1.0
		if room == 0 {
			room = top
		}
		for room > 0 && top/per > room {
			per *= 10
		}
		if per > 1 {
			label += fmt.Sprintf(" / %g", per)
		}
		for _, s := range drawn {
			for n := range s.Points {
				s.Points[n].Y /= per
				s.Points[n].Error = 0
			}
			if len(lines) > 1 {
				s.Label += ", " + label
			} else {
				s.Label, s.Colour = label, k+1
			}
			c.Series = append(c.Series, s)
		}
		labels = append(labels, label)
	}
	c.Right.Label = strings.Join(labels, ", ")
}
