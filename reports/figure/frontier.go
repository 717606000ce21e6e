package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/param"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/drawing"
)

// Frontier is the name of the kind of frontierChart.
const Frontier = "frontier"

func frontierKind() figureKind {
	return figureKind{
		name: Frontier, doc: "a metric against the number of selected features, with the Pareto front",
		fields: []string{"x", "y", "height", "panels", "over"}, build: frontierChart,
		check: func(c Config) error {
			return param.Require("y", c.Y == "" || c.Y != c.sizeMetric(), "%s is along the axis already", c.Y)
		},
	}
}

// frontierChart shows a metric against the size of the models (or another metric): a line or a cloud of points for each algorithm
// over its grid, with standard errors over folds both ways, and the Pareto front: the points that no other matches in one and beats
// in the other.
func frontierChart(c Config, in Input, cs []*cells.Cell) (drawing.Chart, error) {
	y, err := c.mainMetric(in)
	if err != nil {
		return drawing.Chart{}, err
	}
	x := c.sizeMetric()
	if x == y {
		return drawing.Chart{}, fmt.Errorf("%s is along both axes", x)
	}
	f := frontier{in: in, x: x, y: y}
	f.collectPoints(cs)
	if len(f.points) == 0 {
		return drawing.Chart{}, fmt.Errorf("no cell ended well with both %s and %s (%s)", x, y, drawing.JoinNames(f.out))
	}
	body := &drawing.Curves{X: drawing.Axis{Label: in.axisWords(x), Log: needsLogAxis(f.coordinates(func(p drawing.Point) float64 { return p.X }))},
		Left: drawing.Axis{Label: in.axisWords(y), Log: needsLogAxis(f.coordinates(func(p drawing.Point) float64 { return p.Y }))}}
	chart := drawing.Chart{Name: fmt.Sprintf("frontier %s %s", x, y), Title: cmp.Or(c.Title, fmt.Sprintf("%s against %s", capitalise(in.axisWords(y)), in.axisWords(x))), Body: body}
	body.Series = f.seriesByAlgorithm()
	if front := f.paretoFront(); len(f.points) > 1 {
		body.Series = append(body.Series, front)
		chart.AddSentence("Rings: the Pareto front. No other model is at least as good in both and better in one (%s and %s are better).",
			f.describeBetter(x, f.higherX), f.describeBetter(y, f.higherY))
	}
	if slices.ContainsFunc(f.points, func(p drawing.Point) bool { return p.Error > 0 || p.ErrorX > 0 }) {
		chart.AddSentence("Bars: standard error over %s.", cells.OverCorrected(f.cells))
	}
	chart.AddSentences(cells.Legend(f.in.behind(f.cells)))
	chart.NoteLeftOut(f.out)
	return chart, nil
}

// frontier holds the points of a frontier figure with their cells, and the names of the cells that have none.
type frontier struct {
	in               Input
	x, y             string
	higherX, higherY bool
	points           []drawing.Point
	cells            []*cells.Cell
	out              []string
}

func (f *frontier) collectPoints(cs []*cells.Cell) {
	rivals := f.in.rivals(cs, f.y)
	for _, c := range cs {
		sx, sy := f.position(c), f.in.metricOf(c, f.y)
		trouble := c.Trouble()
		switch {
		case trouble != "":
		case !allFinite(sx.Mean):
			trouble = "no value of " + f.x
		case !allFinite(sy.Mean):
			trouble = "no value of " + f.y
		case !rivals[c]:
			trouble = fmt.Sprintf("%s on %d of %d %s", f.y, sy.N, sy.Of, cells.Over([]*cells.Cell{c}))
		}
		if trouble != "" {
			f.out = append(f.out, fmt.Sprintf("%s (%s)", c.AlgorithmLabel(), trouble))
			continue
		}
		if len(f.points) == 0 {
			f.higherX, f.higherY = c.Higher(f.x), c.Higher(f.y)
		}
		p := drawing.Point{X: sx.Mean, Y: sy.Mean}
		if allFinite(sx.SE) {
			p.ErrorX = sx.SE
		}
		if allFinite(sy.SE) {
			p.Error = sy.SE
		}
		f.points, f.cells = append(f.points, p), append(f.cells, c)
	}
}

// position returns the place of a cell on the x axis: a metric of it, or the size of a model on the path.
func (f *frontier) position(c *cells.Cell) results.Stat {
	if f.x != results.PointDim {
		return f.in.metricOf(c, f.x)
	}
	v, _ := c.Param(f.x)
	if x, ok := asNumber(v); ok {
		return results.Summarise([]float64{x})
	}
	return results.Summarise(nil)
}

func (f *frontier) coordinates(coordinate func(drawing.Point) float64) []float64 {
	out := make([]float64, len(f.points))
	for i, p := range f.points {
		out[i] = coordinate(p)
	}
	return out
}

// describeBetter returns a text such as "fewer selected features" or "higher accuracy".
func (f *frontier) describeBetter(metric string, higher bool) string {
	switch {
	case higher:
		return "higher " + f.in.axisWords(metric)
	case strings.HasPrefix(f.in.ownWords(metric), "number of "):
		return "a smaller " + f.in.axisWords(metric)
	}
	return "lower " + f.in.axisWords(metric)
}

// seriesByAlgorithm returns one series for each algorithm: a line if its cells differ in one number, in the order of that number; a
// cloud otherwise, and if there are so many points that a line would be hidden. Points are labelled with what they differ in,
// unless that is too much to read.
func (f *frontier) seriesByAlgorithm() []drawing.Series {
	const fewLabels, mostParams, mostJoined = 24, 2, 200
	var names []string
	members := map[string][]int{}
	for i, c := range f.cells {
		name := c.AlgorithmName()
		if members[name] == nil {
			names = append(names, name)
		}
		members[name] = append(members[name], i)
	}
	var out []drawing.Series
	for n, name := range names {
		points := members[name]
		s := drawing.Series{Label: name, Colour: n, Dots: true, Line: drawing.Cloud, Dash: drawing.Dash(n / drawing.Colours % 4)}
		params := f.varyingParams(points)
		if len(params) == 1 && f.sortByParam(points, params[0]) && len(points) <= mostJoined {
			s.Line = drawing.Straight
		}
		if 0 < len(params) && len(params) <= mostParams {
			s.Label = fmt.Sprintf("%s by %s", name, strings.Join(f.paramLabels(params), ", "))
		}
		for _, i := range points {
			p := f.points[i]
			if len(f.points) <= fewLabels && len(params) <= mostParams {
				p.Label = f.pointLabel(i, params)
			}
			s.Points = append(s.Points, p)
		}
		var caveats cells.Caveats
		for _, i := range points {
			caveats = caveats.Or(f.in.caveatsOf(f.cells[i]))
		}
		s.Label += caveats.Marks()
		out = append(out, s)
	}
	return out
}

// varyingParams returns the grid parameters in which some of these cells differ.
func (f *frontier) varyingParams(points []int) []string {
	var out []string
	for _, p := range f.cells[points[0]].Grid {
		first, _ := f.cells[points[0]].Dim(p.Name)
		if slices.ContainsFunc(points, func(i int) bool { v, _ := f.cells[i].Dim(p.Name); return v != first }) {
			out = append(out, p.Name)
		}
	}
	return out
}

// paramLabels returns the labels that the file gives to parameters, or else their names.
func (f *frontier) paramLabels(params []string) []string {
	out := make([]string, len(params))
	for i, p := range params {
		out[i] = cmp.Or(f.in.Labels[p], p)
	}
	return out
}

// sortByParam sorts cells by a parameter; it reports false, and keeps the order, if the parameter is not a number in all of them.
func (f *frontier) sortByParam(points []int, param string) bool {
	value := func(i int) (float64, bool) { v, _ := f.cells[i].Param(param); return asNumber(v) }
	if slices.ContainsFunc(points, func(i int) bool { _, ok := value(i); return !ok }) {
		return false
	}
	slices.SortStableFunc(points, func(i, j int) int {
		a, _ := value(i)
		b, _ := value(j)
		return cmp.Compare(a, b)
	})
	return true
}

func (f *frontier) pointLabel(i int, params []string) string {
	var values []string
	for _, name := range params {
		if v, ok := f.cells[i].Dim(name); ok {
			values = append(values, v)
		}
	}
	return strings.Join(values, ", ")
}

// paretoFront returns the points that no other beats, from the best in x to the best in y, joined by the boundary of the area that
// they dominate.
func (f *frontier) paretoFront() drawing.Series {
	sign := map[bool]float64{false: 1, true: -1}
	cost := func(p drawing.Point) (x, y float64) { return sign[f.higherX] * p.X, sign[f.higherY] * p.Y }
	sorted := slices.Clone(f.points)
	slices.SortStableFunc(sorted, func(a, b drawing.Point) int {
		ax, ay := cost(a)
		bx, by := cost(b)
		return cmp.Or(cmp.Compare(ax, bx), cmp.Compare(ay, by))
	})
	s := drawing.Series{Label: "Pareto front", Colour: -1, Line: drawing.Steps, Rings: true, Dash: drawing.Dotted}
	for _, p := range sorted {
		if n := len(s.Points); n > 0 {
			lastX, lastY := cost(s.Points[n-1])
			if x, y := cost(p); y > lastY || y == lastY && x != lastX {
				continue
			}
		}
		s.Points = append(s.Points, drawing.Point{X: p.X, Y: p.Y})
	}
	return s
}
