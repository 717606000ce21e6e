package figure

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"tenfold/engines/numeric/survival"
	"tenfold/engines/param"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/curve"
	"tenfold/reports/digits"
	"tenfold/reports/drawing"
)

// KaplanMeier is the name of the kind of kaplanMeierChart.
const KaplanMeier = "kaplan-meier"

func kaplanMeierKind() figureKind {
	return figureKind{
		name: KaplanMeier, doc: "survival of the test rows by predicted risk",
		fields: []string{"groups", "height"}, build: kaplanMeierChart, check: checkGroups,
	}
}

// mostGroups is the maximum number of groups of rows in a figure of survival.
const mostGroups = 10

func checkGroups(c Config) error {
	if c.Groups != 0 && (c.Groups < 2 || c.Groups > mostGroups) {
		return param.Errorf("groups", "%d, expected 2 to %d", c.Groups, mostGroups)
	}
	return nil
}

// followed holds the test rows of all folds of one repeat: each row once.
type followed struct {
	times  []float64
	events []int8
	group  []int     // by rank among the test rows of its fold, ties in one group
	alive  []float64 // predicted probability to be without the event at some time; NaN without a baseline
	task   string
}

// follow reads the predictions of a cell of a survival target; for a family, of its first task. Without predictions there are no
// rows.
func follow(in Input, c *cells.Cell, groups int, time float64) (f followed, err error) {
	first := true
	for _, r := range c.Fits() {
		if r.Status != results.OK || r.Repeat != 0 || !first && r.Task != f.task {
			continue
		}
		p, err := in.Source.Predictions(r)
		if err != nil {
			return f, err
		}
		if len(p.Curves) == 0 || len(p.TruthLabel) != len(p.Row) {
			continue
		}
		first, f.task = false, r.Task
		known := p.Curves[0].Known()
		f.group = append(f.group, curve.RankGroups(p.Prediction, groups)...)
		for i, t := range p.Truth {
			alive := math.NaN()
			if known.Baseline != nil {
				alive = known.Baseline.Survival(time, p.Prediction[i])
			}
			f.times, f.events, f.alive = append(f.times, t), append(f.events, p.EventOf(i)), append(f.alive, alive)
		}
	}
	return f, nil
}

// inGroup returns the rows of one group.
func (f followed) inGroup(group int) (times []float64, events []int8) {
	for i, g := range f.group {
		if g == group {
			times, events = append(times, f.times[i]), append(events, f.events[i])
		}
	}
	return times, events
}

// errNotKept is the error of figures without anything to show.
var errNotKept = errors.New("no cell has kept predictions of a survival target (predictions: true keeps them)")

// kaplanMeierChart shows the Kaplan-Meier estimates of the test rows in groups of predicted risk, with the numbers at risk, and
// compares them by the log-rank test. Of several cells, it shows the one of highest concordance.
func kaplanMeierChart(c Config, in Input, cs []*cells.Cell) (drawing.Chart, error) {
	groups := cmp.Or(c.Groups, 3)
	var best *cells.Cell
	var rows followed
	highest := math.Inf(-1)
	for _, cell := range cs {
		f, err := follow(in, cell, groups, 0)
		if err != nil {
			return drawing.Chart{}, err
		}
		v := in.metricOf(cell, "concordance").Mean
		if !(v == v) {
			v = -math.MaxFloat64
		}
		if len(f.times) > 0 && v > highest {
			highest, best, rows = v, cell, f
		}
	}
	if best == nil {
		return drawing.Chart{}, errNotKept
	}
	body := &drawing.Curves{X: drawing.Axis{Label: "time", Show: []float64{0}}, Left: drawing.Axis{Label: "probability without the event", Show: []float64{0, 1}}}
	chart := drawing.Chart{Name: "kaplan-meier " + best.NamedLabel(), Title: cmp.Or(c.Title, "Survival by predicted risk, "+best.AlgorithmLabel()), Body: body}
	for g := range groups {
		times, events := rows.inGroup(g)
		if len(times) == 0 {
			continue
		}
		s := drawing.Series{Label: riskName(g, groups), Line: drawing.Steps, Wide: true, Colour: g, Dash: drawing.Dash(g % 4), AtRisk: slices.Sorted(slices.Values(times))}
		s.Points = append(s.Points, drawing.Point{X: 0, Y: 1})
		km := survival.KaplanMeier(times, events, nil)
		for k, t := range km.Time {
			s.Points = append(s.Points, drawing.Point{X: t, Y: km.Value[k]})
		}
		if last := slices.Max(times); last > s.Points[len(s.Points)-1].X {
			s.Points = append(s.Points, drawing.Point{X: last, Y: s.Points[len(s.Points)-1].Y})
		}
		s.Label += fmt.Sprintf(" (%d of %d)", countEvents(events), len(events))
		body.Series = append(body.Series, s)
	}
	if len(body.Series) < 2 {
		chart.AddSentence("All test rows have the same predicted risk.")
	} else {
		seen := slices.Compact(slices.Sorted(slices.Values(rows.group))) // some groups may have no rows
		number := make([]int, len(rows.group))
		for i, g := range rows.group {
			number[i], _ = slices.BinarySearch(seen, g)
		}
		chi2, degrees := survival.LogRank(rows.times, rows.events, number, len(seen))
		chart.AddSentence("Log-rank test: χ² = %s with %s, %s; it takes rows for independent, although models of folds share training rows.",
			digits.Format("%.1f", chi2), digits.Count(degrees, "degree")+" of freedom", digits.PIs(mathext.GammaIncRegComp(float64(degrees)/2, chi2/2)))
	}
	chart.AddSentence("Test rows by the rank of their risk within each fold; in brackets events and rows, below the axis how many rows are at risk.")
	if best.Folds > 1 && repeated(best) {
		chart.AddSentence("The first repeat.")
	}
	if len(cs) > 1 {
		chart.AddSentence("Highest in concordance of %d cells.", len(cs))
	}
	if rows.task != "" && best.Averaged {
		chart.AddSentence("Task %s.", rows.task)
	}
	chart.AddSentences(cells.Legend([]*cells.Cell{best}))
	return chart, nil
}

// repeated reports whether a cell has more than one repeat.
func repeated(c *cells.Cell) bool {
	return slices.ContainsFunc(c.Fits(), func(r *results.Row) bool { return r.Repeat > 0 })
}

func countEvents(events []int8) (n int) {
	for _, e := range events {
		n += int(e)
	}
	return n
}

// riskName returns the name of a group, the lowest risk first.
func riskName(g, groups int) string {
	switch {
	case groups <= 3 && g == 0:
		return "low risk"
	case groups <= 3 && g == groups-1:
		return "high risk"
	case groups == 3:
		return "middle"
	}
	return fmt.Sprintf("risk %d of %d", g+1, groups)
}

// survivalCalibration shows, for groups of test rows by predicted survival at a time, the mean prediction against the Kaplan-Meier
// estimate; a series for each cell.
func survivalCalibration(c Config, in Input, cs []*cells.Cell) (drawing.Chart, error) {
	time, groups := c.At, cmp.Or(c.Groups, 5)
	if c.Bins != "" {
		return drawing.Chart{}, param.Errorf("bins", "%s, but the target has times: bins are for classes", c.Bins)
	}
	var err error
	if time == 0 {
		if time, err = medianEvent(in, cs); err != nil {
			return drawing.Chart{}, err
		}
	}
	name := drawing.FormatTick(time, time)
	body := &drawing.Curves{X: drawing.Axis{Label: "predicted probability without the event at " + name, Show: []float64{0, 1}}, Left: drawing.Axis{Label: "observed (Kaplan-Meier)", Show: []float64{0, 1}}}
	chart := drawing.Chart{Name: "calibration", Title: cmp.Or(c.Title, "Calibration at "+name), Body: body}
	body.Series = append(body.Series, drawing.Series{Label: "as predicted", Colour: -1, Dash: drawing.Dashed, Points: []drawing.Point{{X: 0, Y: 0}, {X: 1, Y: 1}}})
	var out []string
	several := false
	for _, cell := range cs {
		f, err := follow(in, cell, groups, time)
		if err != nil {
			return drawing.Chart{}, err
		}
		s := f.calibrationSeries(time, groups)
		if len(s.Points) == 0 {
			out = append(out, cell.AlgorithmLabel())
			continue
		}
		s.Label, s.Colour = cell.AlgorithmLabel()+cell.Caveats().Marks(), len(body.Series)-1
		body.Series = append(body.Series, s)
		several = several || repeated(cell)
	}
	if len(body.Series) < 2 {
		return drawing.Chart{}, fmt.Errorf("at %s: %w, and a baseline hazard", name, errNotKept)
	}
	chart.AddSentence("Test rows in %d groups of equal size by predicted survival: its mean, and the Kaplan-Meier estimate of the group with its standard error (Greenwood). Below the line fewer survive than predicted.", groups)
	if several {
		chart.AddSentence("The first repeat.")
	}
	chart.AddSentences(cells.Legend(cs))
	chart.NoteLeftOut(out)
	return chart, nil
}

// medianEvent returns the median time of the events among test rows.
func medianEvent(in Input, cs []*cells.Cell) (float64, error) {
	for _, cell := range cs {
		f, err := follow(in, cell, 2, 0)
		if err != nil {
			return 0, err
		}
		var times []float64
		for i, t := range f.times {
			if f.events[i] == 1 {
				times = append(times, t)
			}
		}
		if slices.Sort(times); len(times) > 0 {
			return times[len(times)/2], nil
		}
	}
	return 0, errNotKept
}

// calibrationSeries returns a point for each group of rows by predicted survival: its mean, and the estimate of the rows, if these
// are followed up to the time.
func (f followed) calibrationSeries(time float64, groups int) drawing.Series {
	s := drawing.Series{Dots: true}
	if slices.ContainsFunc(f.alive, math.IsNaN) {
		return s
	}
	f.group = curve.RankGroups(f.alive, groups)
	for g := range groups {
		times, events := f.inGroup(g)
		if len(times) == 0 {
			continue
		}
		mean, n := 0.0, 0.0
		for i, other := range f.group {
			if other == g {
				mean += f.alive[i]
				n++
			}
		}
		km := survival.KaplanMeier(times, events, nil)
		if y := km.At(time); slices.Max(times) >= time || y == 0 {
			s.Points = append(s.Points, drawing.Point{X: mean / n, Y: y, Error: curve.Greenwood(times, events, time, y)})
		}
	}
	return s
}
