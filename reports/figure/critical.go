package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/drawing"
	"tenfold/reports/ranks"
)

// mostRanked is the maximum number of algorithms in a diagram of mean ranks.
const mostRanked = 20

// CriticalDifference is the name of the kind of criticalChart.
const CriticalDifference = "critical-difference"

func criticalKind() figureKind {
	return figureKind{
		name: CriticalDifference, doc: "mean ranks over data sets",
		fields: []string{"y", "alpha"}, across: true, build: criticalChart,
	}
}

// criticalChart shows mean ranks over data sets with Nemenyi's critical difference: Demšar 2006, section 3.2.4, figure 1. Each
// point of a grid is an algorithm of its own. If Friedman's test finds no difference, one bar joins all algorithms.
func criticalChart(c Config, in Input, cs []*cells.Cell) (drawing.Chart, error) {
	y, err := c.mainMetric(in)
	if err != nil {
		return drawing.Chart{}, err
	}
	s := newScores(in, cs, y)
	if n := len(s.algorithms); n > mostRanked {
		return drawing.Chart{}, fmt.Errorf("%d algorithms, counting each point of a grid, and at most %d can be shown: narrow them with where", n, mostRanked)
	}
	out := s.dropIncomplete()
	if len(s.datasets) < 2 || len(s.algorithms) < 2 {
		err := fmt.Errorf("ranks need at least 2 algorithms with %s on the same 2 data sets, found %d on %d", y, len(s.algorithms), len(s.datasets))
		if len(out) > 0 {
			err = fmt.Errorf("%w without %s", err, drawing.JoinNames(out))
		}
		return drawing.Chart{}, err
	}
	test, err := ranks.NewFriedman(s.values, s.higher)
	if err != nil {
		return drawing.Chart{}, err
	}
	body := &drawing.Ranks{Label: "mean rank by " + in.axisWords(y) + " (1 is best)", Last: float64(len(s.algorithms)), Difference: test.CriticalDifference(c.significance())}
	chart := drawing.Chart{Name: "critical-difference " + y, Title: cmp.Or(c.Title, "Mean ranks by "+in.axisWords(y)), Body: body}
	for _, i := range test.Order() {
		body.Names = append(body.Names, drawing.Ranked{Name: s.algorithms[i], Rank: test.Mean[i]})
	}
	chart.AddSentence("%d algorithms on %d data sets.", len(s.algorithms), len(s.datasets))
	if p := test.PF; p < c.significance() {
		for _, g := range test.Groups(body.Difference) {
			body.Joined = append(body.Joined, [2]float64{test.Mean[g[0]], test.Mean[g[len(g)-1]]})
		}
		chart.AddSentence("Friedman's test (with Iman and Davenport's F) finds differences: %s. Bars join algorithms that do not differ at α = %g by Nemenyi's test: their mean ranks are less than CD = %.3g apart.",
			digits.PIs(p), c.significance(), body.Difference)
	} else {
		body.Joined = [][2]float64{{body.Names[0].Rank, body.Names[len(body.Names)-1].Rank}}
		chart.AddSentence("Friedman's test (with Iman and Davenport's F) finds no difference at α = %g: %s. So one bar joins all, whatever Nemenyi's critical difference, CD = %.3g.",
			c.significance(), digits.PIs(p), body.Difference)
	}
	chart.AddSentences(cells.Legend(s.shown))
	chart.NoteLeftOut(out)
	return chart, nil
}

// scores holds the means of a metric: values[data set][algorithm], NaN if a cell is missing or may not be compared.
type scores struct {
	datasets, algorithms []string
	values               [][]float64
	higher               bool
	shown                []*cells.Cell
}

func newScores(in Input, cs []*cells.Cell, metric string) *scores {
	g := arrangementOf(cs)
	s := &scores{datasets: g.datasets, algorithms: g.algorithms, values: make([][]float64, len(g.datasets))}
	for j := range g.datasets {
		s.values[j] = slices.Repeat([]float64{math.NaN()}, len(g.algorithms))
	}
	rivals := in.rivals(cs, metric)
	for i, row := range g.cells {
		var caveats cells.Caveats
		for j, c := range row {
			if c == nil || !rivals[c] {
				continue
			}
			s.values[j][i], s.higher = in.metricOf(c, metric).Mean, c.Higher(metric)
			caveats, s.shown = caveats.Or(c.Caveats()), append(s.shown, c)
		}
		s.algorithms[i] += caveats.Marks()
	}
	return s
}

// dropIncomplete removes the data sets or algorithms that lack scores of others, and returns their names.
func (s *scores) dropIncomplete() (out []string) {
	datasets, algorithms := ranks.Complete(s.values)
	s.datasets, out = splitNames(s.datasets, datasets, out)
	s.algorithms, out = splitNames(s.algorithms, algorithms, out)
	values := make([][]float64, len(datasets))
	for i, d := range datasets {
		for _, a := range algorithms {
			values[i] = append(values[i], s.values[d][a])
		}
	}
	s.values = values
	return out
}

// splitNames returns the names at these positions, and appends the others to out.
func splitNames(names []string, positions []int, out []string) (kept, left []string) {
	for i, name := range names {
		if slices.Contains(positions, i) {
			kept = append(kept, name)
		} else {
			out = append(out, name)
		}
	}
	return kept, out
}
