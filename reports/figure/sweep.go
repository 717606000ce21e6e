package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/reports/cells"
)

// sweepChart shows a metric of the chosen models against a parameter, one line for each algorithm (and for each value of
// the other parameters), with error bars over folds; on the right axis the non-zero coefficients (dashed) and iterations
// (dotted, scaled), as Figure 2 of Hooker & Weng. Algorithms without the parameter are level lines.
func sweepChart(c Config, in Input, cs []*cells.Cell) (Chart, error) {
	y := c.Y
	if y == "" {
		if len(in.Metrics) == 0 {
			return Chart{}, fmt.Errorf("the sweep names no metric")
		}
		y = in.Metrics[0]
	}
	lines, level := sortLines(c, cs)
	if len(lines) == 0 {
		return Chart{}, fmt.Errorf("no cell has a numeric parameter %s", c.X)
	}
	scale := scaleFor(c.X, lines)
	chart := Chart{Name: fmt.Sprintf("sweep %s %s", c.X, y), Title: c.Title, X: scale.axis, Left: Axis{Label: y}}
	if chart.Title == "" {
		chart.Title = fmt.Sprintf("%s against %s", y, c.X)
	}
	for i, l := range lines {
		s := l.series(y, scale)
		s.Colour, s.Dots = i, true
		if slices.ContainsFunc(l.at, func(p place) bool { return p.cell.Optimistic() }) {
			s.Label += cells.OptimisticMark
		}
		if len(s.Points) == 0 {
			return Chart{}, fmt.Errorf("no result of %s has the metric %s", l.label, y)
		}
		chart.Series = append(chart.Series, s)
	}
	addLevels(&chart, level, y)
	addRight(&chart, rightMetrics(c, len(lines)), lines, scale)
	for _, l := range lines {
		if hidden := l.hidden(); hidden != "" {
			chart.say("Warning: the line %s mixes cells that differ in %s.", l.label, hidden)
		}
	}
	var folds int
	optimistic := false
	for _, cell := range cs {
		folds = max(folds, cell.Folds)
		optimistic = optimistic || cell.Optimistic()
	}
	if folds > 1 {
		chart.say("Bars: standard error over folds.")
	}
	if optimistic {
		chart.say(cells.OptimisticLegend)
	}
	return chart, nil
}

// line is the cells of one line of a sweep, by rising x.
type line struct {
	label string
	at    []place
}

type place struct {
	x    float64
	cell *cells.Cell
}

// hidden is what cells at the same x of the line differ in, "" where there is one at each.
func (l line) hidden() string {
	for i := 1; i < len(l.at); i++ {
		if l.at[i].x == l.at[i-1].x {
			return strings.Join(cells.Differing([]*cells.Cell{l.at[i-1].cell, l.at[i].cell}), ", ")
		}
	}
	return ""
}

// sortLines gives each cell with a numeric x to its line; the others are level.
func sortLines(c Config, cs []*cells.Cell) (lines []line, level []*cells.Cell) {
	at := map[string]int{}
	for _, cell := range cs {
		v, _ := cell.Param(c.X)
		x, ok := number(v)
		if !ok {
			level = append(level, cell)
			continue
		}
		label := cell.AlgorithmLabel(c.X)
		if c.Lines != "" {
			v, has := cell.Dim(c.Lines)
			if label = cell.Algorithm; has {
				label = c.Lines + " " + v
			}
		}
		i, ok := at[label]
		if !ok {
			i = len(lines)
			at[label] = i
			lines = append(lines, line{label: label})
		}
		lines[i].at = append(lines[i].at, place{x, cell})
	}
	for _, l := range lines {
		slices.SortStableFunc(l.at, func(a, b place) int { return cmp.Compare(a.x, b.x) })
	}
	return lines, level
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, finite(v)
	case int64:
		return float64(v), true
	}
	return 0, false
}

// scale maps a parameter to the x axis.
type scale struct {
	axis Axis
	of   func(x float64) float64
}

// scaleFor shows step sizes as the paper does, -log10; other parameters on a log axis where they span more than a factor
// of 20.
func scaleFor(param string, lines []line) scale {
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range lines {
		for _, p := range l.at {
			low, high = math.Min(low, p.x), math.Max(high, p.x)
		}
	}
	same := func(x float64) float64 { return x }
	switch {
	case param == "epsilon" && low > 0:
		return scale{Axis{Label: "−log10 epsilon"}, func(x float64) float64 { return -math.Log10(x) }}
	case low > 0 && high > 20*low:
		return scale{Axis{Label: param, Log: true}, same}
	}
	return scale{Axis{Label: param}, same}
}

// series is a metric along the line. Cells with trouble, and without the metric, leave a gap.
func (l line) series(metric string, sc scale) Series {
	s := Series{Label: l.label}
	for _, p := range l.at {
		st := p.cell.Stat(metric)
		if p.cell.Trouble() != "" || !finite(st.Mean) {
			continue
		}
		pt := Point{X: sc.of(p.x), Y: st.Mean}
		if finite(st.SE) {
			pt.Error = st.SE
		}
		s.Points = append(s.Points, pt)
	}
	slices.SortStableFunc(s.Points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
	return s
}

// addLevels draws algorithms without the parameter as level lines across the figure: each at its best, and only where
// they do not squeeze the curves, which the caption then says.
func addLevels(chart *Chart, level []*cells.Cell, metric string) {
	var names []string
	best, of, optimistic := map[string]float64{}, map[string]int{}, map[string]bool{}
	for _, cell := range level {
		v := cell.Stat(metric).Mean
		if cell.Trouble() != "" || !finite(v) {
			continue
		}
		of[cell.Algorithm]++
		optimistic[cell.Algorithm] = optimistic[cell.Algorithm] || cell.Optimistic()
		old, ok := best[cell.Algorithm]
		if !ok {
			names = append(names, cell.Algorithm)
		}
		if !ok || (v > old) == cell.Higher(metric) {
			best[cell.Algorithm] = v
		}
	}
	box := bounds(chart.Series)
	var beyond []string
	for i, name := range names {
		v, label := best[name], name
		if of[name] > 1 {
			label = fmt.Sprintf("%s (best of %d)", name, of[name])
		}
		if optimistic[name] {
			label += cells.OptimisticMark
		}
		if room := 0.6*(box.high-box.low) + 0.05*math.Abs(box.high); v < box.low-room || v > box.high+room {
			beyond = append(beyond, fmt.Sprintf("%s (%.4g)", label, v))
			continue
		}
		chart.Series = append(chart.Series, Series{Label: label, Colour: -1, Dash: []Dash{DashDot, Dotted, Dashed}[i%3],
			Points: []Point{{X: box.left, Y: v}, {X: box.right, Y: v}}})
	}
	if len(beyond) > 0 {
		chart.say("Beyond the figure: %s.", strings.Join(beyond, ", "))
	}
}

type box struct{ left, right, low, high float64 }

func bounds(series []Series) box {
	b := box{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)}
	for _, s := range series {
		for _, p := range s.Points {
			b.left, b.right = math.Min(b.left, p.X), math.Max(b.right, p.X)
			b.low, b.high = math.Min(b.low, p.Y-p.Error), math.Max(b.high, p.Y+p.Error)
		}
	}
	return b
}

func rightMetrics(c Config, lines int) []string {
	switch {
	case c.Right != "":
		return c.rightMetrics()
	case lines == 1:
		return []string{"nonzero", "iterations"}
	case lines <= 3:
		return []string{"nonzero"}
	}
	return nil
}

// words for metrics of size and effort.
var words = map[string]string{"nonzero": "non-zero coefficients", "selected": "selected features"}

// addRight draws metrics on the right axis. What is larger than the first of them is divided by a power of ten, as the
// paper does with iterations, so that its curve does not flatten the others.
func addRight(chart *Chart, metrics []string, lines []line, sc scale) {
	var labels []string
	room := 0.0
	for k, m := range metrics {
		var drawn []Series
		for i, l := range lines {
			if s := l.series(m, sc); len(s.Points) > 0 {
				s.Right, s.Dash, s.Colour = true, []Dash{Dashed, Dotted, DashDot}[k%3], i
				drawn = append(drawn, s)
			}
		}
		if len(drawn) == 0 {
			continue
		}
		label, top, per := cmp.Or(words[m], m), bounds(drawn).high, 1.0
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
			chart.Series = append(chart.Series, s)
		}
		labels = append(labels, label)
	}
	chart.Right.Label = strings.Join(labels, ", ")
}
