package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/param"
	"tenfold/io/results"
	"tenfold/reports/cells"
)

// Frontier is the kind of frontierChart.
const Frontier = "frontier"

func frontierKind() figureKind {
	return figureKind{
		name: Frontier, doc: "a metric against the number of selected features, with the Pareto front",
		fields: []string{"x", "y", "height"}, build: frontierChart,
		check: func(c Config) error {
			return param.Require("y", c.Y == "" || c.Y != c.size(), "%s is along the axis already", c.Y)
		},
	}
}

// frontierChart shows a metric against the size of the models (or another metric): a line or a cloud of points for each
// algorithm over its grid, with standard errors over folds both ways, and the Pareto front, the points that no other
// matches in one and beats in the other.
func frontierChart(c Config, in Input, cs []*cells.Cell) (Chart, error) {
	y, err := c.metric(in)
	if err != nil {
		return Chart{}, err
	}
	x := c.size()
	if x == y {
		return Chart{}, fmt.Errorf("%s is along both axes", x)
	}
	f := frontier{in: in, x: x, y: y}
	f.gather(cs)
	if len(f.points) == 0 {
		return Chart{}, fmt.Errorf("no cell ended well with both %s and %s (%s)", x, y, listed(f.out))
	}
	body := &Curves{X: Axis{Label: in.worded(x), Log: wide(f.values(func(p Point) float64 { return p.X }))},
		Left: Axis{Label: in.worded(y), Log: wide(f.values(func(p Point) float64 { return p.Y }))}}
	chart := Chart{Name: fmt.Sprintf("frontier %s %s", x, y), Title: cmp.Or(c.Title, fmt.Sprintf("%s against %s", upper(in.worded(y)), in.worded(x))), Body: body}
	body.Series = f.series()
	if front := f.front(); len(f.points) > 1 {
		body.Series = append(body.Series, front)
		chart.say("Rings: the Pareto front. No other model is at least as good in both and better in one (%s and %s are better).",
			f.better(x, f.higherX), f.better(y, f.higherY))
	}
	if slices.ContainsFunc(f.points, func(p Point) bool { return p.Error > 0 || p.ErrorX > 0 }) {
		chart.say("Bars: standard error over %s.", cells.Over(f.cells))
	}
	chart.sayAll(cells.Legend(f.cells))
	chart.leftOut(f.out)
	return chart, nil
}

// frontier is the points of a frontier figure with their cells, and the names of the cells that have none.
type frontier struct {
	in               Input
	x, y             string
	higherX, higherY bool
	points           []Point
	cells            []*cells.Cell
	out              []string
}

func (f *frontier) gather(cs []*cells.Cell) {
	for _, c := range cs {
		sx, sy := f.along(c), f.in.stat(c, f.y)
		trouble := c.Trouble()
		switch {
		case trouble != "":
		case !finite(sx.Mean):
			trouble = "no value of " + f.x
		case !finite(sy.Mean):
			trouble = "no value of " + f.y
		}
		if trouble != "" {
			f.out = append(f.out, fmt.Sprintf("%s (%s)", c.AlgorithmLabel(), trouble))
			continue
		}
		if len(f.points) == 0 {
			f.higherX, f.higherY = c.Higher(f.x), c.Higher(f.y)
		}
		p := Point{X: sx.Mean, Y: sy.Mean}
		if finite(sx.SE) {
			p.ErrorX = sx.SE
		}
		if finite(sy.SE) {
			p.Error = sy.SE
		}
		f.points, f.cells = append(f.points, p), append(f.cells, c)
	}
}

// along is where a cell stands on the axis: at a metric of it, or at the size of a model on the path.
func (f *frontier) along(c *cells.Cell) results.Stat {
	if f.x != results.PointDim {
		return f.in.stat(c, f.x)
	}
	v, _ := c.Param(f.x)
	if x, ok := numeric(v); ok {
		return results.Summarise([]float64{x})
	}
	return results.Summarise(nil)
}

func (f *frontier) values(of func(Point) float64) []float64 {
	out := make([]float64, len(f.points))
	for i, p := range f.points {
		out[i] = of(p)
	}
	return out
}

// better is "fewer selected features" or "higher accuracy".
func (f *frontier) better(metric string, higher bool) string {
	switch {
	case higher:
		return "higher " + f.in.worded(metric)
	case strings.HasPrefix(f.in.ownWords(metric), "number of "):
		return "a smaller " + f.in.worded(metric)
	}
	return "lower " + f.in.worded(metric)
}

// series is one for each algorithm: a line where its cells differ in one number, in the order of that, a cloud otherwise and
// where there are so many that a line would hide them.
// The points bear what they differ in, where that is not too much to read.
func (f *frontier) series() []Series {
	const fewLabels, mostParams, mostJoined = 24, 2, 200
	var names []string
	of := map[string][]int{}
	for i, c := range f.cells {
		name := c.AlgorithmName()
		if of[name] == nil {
			names = append(names, name)
		}
		of[name] = append(of[name], i)
	}
	var out []Series
	for n, name := range names {
		at := of[name]
		s := Series{Label: name, Colour: n, Dots: true, Line: Cloud, Dash: Dash(n / len(palette) % 4)}
		params := f.params(at)
		if len(params) == 1 && f.order(at, params[0]) && len(at) <= mostJoined {
			s.Line = Straight
		}
		if 0 < len(params) && len(params) <= mostParams {
			s.Label = fmt.Sprintf("%s by %s", name, strings.Join(f.called(params), ", "))
		}
		for _, i := range at {
			p := f.points[i]
			if len(f.points) <= fewLabels && len(params) <= mostParams {
				p.Label = f.label(i, params)
			}
			s.Points = append(s.Points, p)
		}
		var caveats cells.Caveats
		for _, i := range at {
			caveats = caveats.Or(f.cells[i].Caveats())
		}
		s.Label += caveats.Marks()
		out = append(out, s)
	}
	return out
}

// params are the grid parameters in which some cells differ.
func (f *frontier) params(at []int) []string {
	var out []string
	for _, p := range f.cells[at[0]].Grid {
		first, _ := f.cells[at[0]].Dim(p.Name)
		if slices.ContainsFunc(at, func(i int) bool { v, _ := f.cells[i].Dim(p.Name); return v != first }) {
			out = append(out, p.Name)
		}
	}
	return out
}

// called are parameters in the words of the file, where it has some.
func (f *frontier) called(params []string) []string {
	out := make([]string, len(params))
	for i, p := range params {
		out[i] = cmp.Or(f.in.Labels[p], p)
	}
	return out
}

// order sorts cells by a parameter, if it is a number in all of them.
func (f *frontier) order(at []int, param string) bool {
	value := func(i int) (float64, bool) { v, _ := f.cells[i].Param(param); return numeric(v) }
	if slices.ContainsFunc(at, func(i int) bool { _, ok := value(i); return !ok }) {
		return false
	}
	slices.SortStableFunc(at, func(i, j int) int {
		a, _ := value(i)
		b, _ := value(j)
		return cmp.Compare(a, b)
	})
	return true
}

func (f *frontier) label(i int, params []string) string {
	var values []string
	for _, name := range params {
		if v, ok := f.cells[i].Dim(name); ok {
			values = append(values, v)
		}
	}
	return strings.Join(values, ", ")
}

// front is the points of the Pareto front, from the best in x to the best in y, joined by the border of what they beat.
func (f *frontier) front() Series {
	sign := map[bool]float64{false: 1, true: -1}
	cost := func(p Point) (x, y float64) { return sign[f.higherX] * p.X, sign[f.higherY] * p.Y }
	sorted := slices.Clone(f.points)
	slices.SortStableFunc(sorted, func(a, b Point) int {
		ax, ay := cost(a)
		bx, by := cost(b)
		return cmp.Or(cmp.Compare(ax, bx), cmp.Compare(ay, by))
	})
	s := Series{Label: "Pareto front", Colour: -1, Line: Steps, Rings: true, Dash: Dotted}
	for _, p := range sorted {
		if n := len(s.Points); n > 0 {
			lastX, lastY := cost(s.Points[n-1])
			if x, y := cost(p); y > lastY || y == lastY && x != lastX {
				continue
			}
		}
		s.Points = append(s.Points, Point{X: p.X, Y: p.Y})
	}
	return s
}
