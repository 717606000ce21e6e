package curve

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/searches"
	"tenfold/io/results"
	"tenfold/reports/drawing"
)

// Validation is what the fits of a cell measured on their inner folds, against the value of a parameter.
type Validation struct {
	Parameter, Metric string
	Lines             []ValidationLine
	Placed            bool // values differ between fits, and stand at the means of those at one place of their paths
	Points            bool // candidates differ in several parameters at once, so that no line joins them
	Others            int  // combinations of the other parameters that are left out
}

// ValidationLine holds the candidates that differ in the parameter alone.
type ValidationLine struct {
	Label string            // values of the other parameters
	Mean  []ValidationPoint // over fits, by rising value
	Fits  [][]ValidationPoint
}

// ValidationPoint is a candidate. In Mean, it has the mean over fits of what these have.
type ValidationPoint struct {
	X, Mean       float64
	SE            float64 // over the inner folds, corrected for the rows that they share (results.SummariseFolds); NaN with one
	OneSE, Chosen bool
}

// mostLines is the number of combinations of other parameters that have lines.
const mostLines = 6

// candidate is an attempt with the values of its parameters as they stand in its text.
type candidate struct {
	searches.Attempt
	values map[string]string
	names  []string
	ratio  float64 // mean of rows held out / fitted
}

// ValidationOf returns the curves of the searches of some fits, one each, along a parameter; "" takes the only one, or that with most values.
func ValidationOf(all []searches.Record, parameter string) (v Validation, err error) {
	fits := make([][]candidate, len(all))
	for i, s := range all {
		v.Metric = s.Stages[len(s.Stages)-1].Metric
		fits[i] = candidatesOf(s)
	}
	if v.Parameter = parameter; parameter == "" {
		v.Parameter = longest(fits[0])
	}
	if v.Parameter == "" {
		return v, errors.New("no tuned parameter is a number")
	}
	chosen := map[string]int{} // how many fits chose a combination
	byLabel := map[string]*ValidationLine{}
	var labels []string
	for i, candidates := range fits {
		for _, c := range candidates {
			x, err := strconv.ParseFloat(c.values[v.Parameter], 64)
			if err != nil {
				continue
			}
			label := c.others(v.Parameter)
			if byLabel[label] == nil {
				byLabel[label] = &ValidationLine{Label: label, Fits: make([][]ValidationPoint, len(fits))}
				labels = append(labels, label)
			}
			if c.Chosen {
				chosen[label]++
			}
			stat := results.SummariseFolds(c.Values, c.ratio)
			line := byLabel[label]
			line.Fits[i] = append(line.Fits[i], ValidationPoint{X: x, Mean: stat.Mean, SE: stat.SE, OneSE: c.OneSE, Chosen: c.Chosen})
		}
	}
	if len(labels) == 0 {
		return v, fmt.Errorf("no candidate has a number %s", v.Parameter)
	}
	v.Points = len(labels) > 1 && !slices.ContainsFunc(labels, func(l string) bool { return len(byLabel[l].Fits[0]) > 1 })
	if v.Points {
		one := &ValidationLine{Fits: make([][]ValidationPoint, len(fits))}
		for _, l := range labels {
			for i, points := range byLabel[l].Fits {
				one.Fits[i] = append(one.Fits[i], points...)
			}
		}
		labels, byLabel[""] = []string{""}, one
	} else if len(labels) > mostLines {
		v.Others = len(labels) - 1
		slices.SortStableFunc(labels, func(a, b string) int { return cmp.Compare(chosen[b], chosen[a]) })
		labels = labels[:1]
	}
	for _, l := range labels {
		if byLabel[l].average() {
			v.Placed = true
		}
		v.Lines = append(v.Lines, *byLabel[l])
	}
	return v, nil
}

// candidatesOf returns the candidates of a search that have a value on each inner fold where any has one: of a sequential search the best of
// each size, of a halving those of the last rung.
func candidatesOf(s searches.Record) (out []candidate) {
	stages := s.Stages
	if s.Kind == "halving" {
		stages = stages[len(stages)-1:]
	}
	for _, stage := range stages {
		measured := make([]bool, len(stage.Folds))
		ratio := 0.0
		for f, rows := range stage.Folds {
			ratio += float64(rows.Held) / float64(rows.Fitted) / float64(len(stage.Folds))
			measured[f] = slices.ContainsFunc(stage.Attempts, func(a searches.Attempt) bool { return !math.IsNaN(a.Values[f]) })
		}
		for _, a := range stage.Attempts {
			var values []float64
			whole := a.Kept
			for f, v := range a.Values {
				if whole = whole && !(measured[f] && math.IsNaN(v)); measured[f] {
					values = append(values, v)
				}
			}
			if a.Values = values; !whole || len(values) == 0 {
				continue
			}
			c := candidate{Attempt: a, ratio: ratio, values: map[string]string{}}
			if s.Parameter != "" {
				c.names, c.values[s.Parameter] = []string{s.Parameter}, strconv.FormatFloat(a.Number, 'g', -1, 64)
			} else {
				for pair := range strings.SplitSeq(a.Candidate, ", ") {
					name, value, _ := strings.Cut(pair, "=")
					c.names, c.values[name] = append(c.names, name), value
				}
			}
			out = append(out, c)
		}
	}
	return out
}

// others returns the values of all parameters but one.
func (c candidate) others(parameter string) string {
	var out []string
	for _, name := range c.names {
		if name != parameter {
			out = append(out, name+"="+c.values[name])
		}
	}
	return strings.Join(out, ", ")
}

// longest returns the parameter with most numbers, the first of several; "" if none has any.
func longest(candidates []candidate) (name string) {
	numbers := map[string]map[float64]bool{}
	most := 0
	for _, c := range candidates {
		for _, n := range c.names {
			if x, err := strconv.ParseFloat(c.values[n], 64); err == nil {
				if numbers[n] == nil {
					numbers[n] = map[float64]bool{}
				}
				numbers[n][x] = true
			}
		}
	}
	if len(candidates) == 0 {
		return ""
	}
	for _, n := range candidates[0].names {
		if len(numbers[n]) > most {
			name, most = n, len(numbers[n])
		}
	}
	return name
}

// average fills the means over fits: of the values that all fits have, or if there are no two of these, of the places of their lists. It
// reports whether it went by places.
func (l *ValidationLine) average() (placed bool) {
	l.Fits = slices.DeleteFunc(l.Fits, func(points []ValidationPoint) bool { return len(points) == 0 })
	values := map[float64][]ValidationPoint{}
	for i, points := range l.Fits {
		slices.SortStableFunc(points, func(a, b ValidationPoint) int { return cmp.Compare(a.X, b.X) })
		for _, p := range points {
			if len(values[p.X]) == i {
				values[p.X] = append(values[p.X], p)
			}
		}
	}
	maps.DeleteFunc(values, func(_ float64, points []ValidationPoint) bool { return len(points) < len(l.Fits) })
	if len(values) >= 2 || len(l.Fits[0]) < 2 {
		for _, x := range slices.Sorted(maps.Keys(values)) {
			l.Mean = append(l.Mean, meanOf(values[x], x))
		}
		return false
	}
	shortest := slices.MinFunc(l.Fits, func(a, b []ValidationPoint) int { return cmp.Compare(len(a), len(b)) })
	for back := len(shortest); back >= 1; back-- { // a path begins with its largest value
		var points []ValidationPoint
		logs, positive := 0.0, true
		for _, all := range l.Fits {
			p := all[len(all)-1-(len(shortest)-back)]
			points, logs, positive = append(points, p), logs+math.Log(p.X), positive && p.X > 0
		}
		x := math.Exp(logs / float64(len(points)))
		if !positive {
			x = 0
			for _, p := range points {
				x += p.X / float64(len(points))
			}
		}
		l.Mean = append(l.Mean, meanOf(points, x))
	}
	slices.SortFunc(l.Mean, func(a, b ValidationPoint) int { return cmp.Compare(a.X, b.X) })
	return true
}

// meanOf returns the mean of points of several fits, at a value.
func meanOf(points []ValidationPoint, x float64) ValidationPoint {
	out := ValidationPoint{X: x}
	for _, p := range points {
		out.Mean += p.Mean / float64(len(points))
		out.SE += p.SE / float64(len(points))
	}
	return out
}

// Draw returns the curves over an axis of the parameter: the means with their errors, thin those of the fits, and where these chose; the
// lines that have no finite mean; and how many means of other lines are none.
func (v Validation) Draw(parameter, metric string) (body *drawing.Curves, absent []string, omitted int) {
	body = &drawing.Curves{Left: drawing.Axis{Label: metric}}
	chosen := drawing.Series{Label: "chosen by a fit", Colour: 1, Line: drawing.Cloud, Rings: true}
	near := drawing.Series{Label: "simplest within a standard error", Colour: 2, Line: drawing.Cloud, Dots: true}
	var values []float64
	for i, l := range v.Lines {
		mean := drawing.Series{Label: cmp.Or(l.Label, "mean of the fits"), Colour: i, Dots: true}
		if i > 0 { // colours of the choices
			mean.Colour = i + 2
		}
		if v.Points {
			mean.Label, mean.Line = "a candidate", drawing.Cloud
		}
		for _, p := range l.Mean {
			point := drawing.Point{X: p.X, Y: p.Mean}
			if results.Finite(p.SE) {
				point.Error = p.SE
			}
			if results.Finite(p.Mean) {
				mean.Points, values = append(mean.Points, point), append(values, p.X)
			}
		}
		if len(mean.Points) == 0 {
			absent = append(absent, mean.Label)
			continue
		}
		omitted += len(l.Mean) - len(mean.Points)
		body.Series = append(body.Series, mean)
		for k, points := range l.Fits {
			fit := drawing.Series{Colour: -1, Thin: true}
			if i == 0 && k == 0 {
				fit.Label = "a fit"
			}
			for _, p := range points {
				if !results.Finite(p.Mean) {
					continue
				}
				fit.Points = append(fit.Points, drawing.Point{X: p.X, Y: p.Mean})
				if p.Chosen {
					chosen.Points = append(chosen.Points, drawing.Point{X: p.X, Y: p.Mean})
				}
				if p.OneSE {
					near.Points = append(near.Points, drawing.Point{X: p.X, Y: p.Mean})
				}
			}
			if len(v.Lines) == 1 && len(l.Fits) > 1 && !v.Points {
				body.Series = append(body.Series, fit)
			}
		}
	}
	body.Series = append(body.Series, near, chosen)
	if body.X = drawing.ValueAxis(parameter, values); v.Points {
		body.X.Ticks = nil
	}
	return body, absent, omitted
}
