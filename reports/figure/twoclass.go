package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/curve"
	"tenfold/reports/drawing"
)

// mostCurves is the maximum number of cells in a figure with a curve for each.
const mostCurves = 12

// judged holds the test rows of one fit whose target has two levels.
type judged struct {
	repeat   int32
	ratio    float64    // test rows / training rows
	ranked   curve.Rows // with scores that order the rows
	likely   curve.Rows // with probabilities; no rows if the engine gives none
	positive string     // name of the positive level
	row      []string   // ids
	group    []string   // of the rows, "" for none
	grouped  bool       // whether rows have groups
}

// judgedFits returns the test rows of each fit of a cell, or why there are none to show.
func judgedFits(in Input, c *cells.Cell) (fits []judged, why string, err error) {
	if c.Averaged {
		return nil, "several tasks, one is shown with where: {task: NAME}", nil
	}
	for _, r := range c.Finished() {
		p, err := in.Source.Predictions(r)
		if err != nil {
			return nil, "", err
		}
		switch {
		case len(p.Row) == 0:
			return nil, "no predictions were kept", nil
		case len(p.Positives) != 1 || slices.ContainsFunc(p.Output, func(o string) bool { return o != p.Output[0] }):
			return nil, "not one target of two levels", nil
		case len(p.Margin) == 0:
			return nil, "no scores, only predicted levels", nil
		}
		fits = append(fits, judgedRows(r, &p))
	}
	if len(fits) == 0 {
		return nil, c.Trouble(), nil
	}
	return fits, "", nil
}

func judgedRows(r *results.Row, p *results.Predictions) judged {
	f := judged{repeat: r.Repeat, row: p.Row, group: p.Group, positive: p.Positives[0].Level, ratio: float64(r.RowsTest) / float64(max(1, r.RowsTrain))}
	is := make([]bool, len(p.Row))
	for i, label := range p.TruthLabel {
		is[i] = label == f.positive
		f.grouped = f.grouped || p.Group[i] != ""
	}
	f.ranked = curve.Rows{Score: p.Margin, Positive: is, Weight: p.Weight}
	if len(p.LogProbability) > 0 {
		f.likely = curve.Rows{Score: p.Score, Positive: is, Weight: p.Weight}
	}
	return f
}

// poolRows returns the rows of all fits of the first repeat, each row once where folds are a partition.
func poolRows(fits []judged, rows func(judged) curve.Rows) (all curve.Rows) {
	for _, f := range fits {
		if f.repeat == fits[0].repeat {
			all.Append(rows(f))
		}
	}
	return all
}

// poolAreas returns the area under the receiver operating characteristic of the rows of all folds together, over repeats; false if rows are
// weighted, or not each of them is tested once in every repeat.
func poolAreas(fits []judged) (p curve.Pooled, grouped, ok bool) {
	place, positive, group, number := map[string]int{}, []bool{}, []int32{}, map[string]int32{}
	var scores [][]float64
	for k, f := range fits {
		if f.ranked.Weight != nil {
			return p, false, false
		}
		if k == 0 || f.repeat != fits[k-1].repeat {
			scores = append(scores, slices.Repeat([]float64{math.NaN()}, len(positive)))
		}
		last := len(scores) - 1
		for i, row := range f.row {
			if _, known := place[row]; !known && last == 0 {
				place[row], positive = len(positive), append(positive, f.ranked.Positive[i])
				name := cmp.Or(f.group[i], "\x00"+row) // a row without a group is one
				if _, known := number[name]; !known {
					number[name] = int32(len(number))
				}
				scores[0], group = append(scores[0], math.NaN()), append(group, number[name])
				grouped = grouped || f.group[i] != ""
			}
			slot, known := place[row]
			if !known || !math.IsNaN(scores[last][slot]) {
				return p, false, false
			}
			scores[last][slot] = f.ranked.Score[i]
		}
	}
	for _, score := range scores {
		if slices.ContainsFunc(score, math.IsNaN) {
			return p, false, false
		}
	}
	if !grouped {
		group = nil
	}
	return curve.PoolAreas(positive, scores, group), grouped, true
}

// several reports whether the fits are of more than one repeat.
func several(fits []judged) bool {
	return slices.ContainsFunc(fits, func(f judged) bool { return f.repeat != fits[0].repeat })
}

// judgedCell is a cell with its test rows.
type judgedCell struct {
	*cells.Cell
	fits []judged
}

// label names the algorithm, with the marks of its numbers.
func (c judgedCell) label() string { return c.AlgorithmLabel() + c.Caveats().Marks() }

// judgedCells returns the cells that have test rows of two levels; of too many the best of each algorithm, as the caption then says.
// The caption names the others.
func judgedCells(c Config, in Input, cs []*cells.Cell, chart *drawing.Chart) (shown []judgedCell, err error) {
	if len(cs) > mostCurves {
		metric, err := c.mainMetric(in)
		if err != nil {
			return nil, err
		}
		chart.AddSentence("The best of each algorithm by %s, of %d cells.", metric, len(cs))
		best := cells.BestOfEach(in.Source, cs, metric)
		cs = nil
		for _, b := range best {
			cs = append(cs, b.Cell)
		}
	}
	if len(cs) > mostCurves {
		return nil, fmt.Errorf("%d algorithms, and at most %d can be shown: narrow them with where", len(cs), mostCurves)
	}
	var out []string
	for _, cell := range cs {
		fits, why, err := judgedFits(in, cell)
		if err != nil {
			return nil, err
		}
		if why != "" {
			out = append(out, fmt.Sprintf("%s (%s)", cell.AlgorithmLabel(), why))
			continue
		}
		shown = append(shown, judgedCell{cell, fits})
	}
	if len(shown) == 0 {
		return nil, fmt.Errorf("no cell has kept predictions of a target of two levels (predictions: true keeps them): %s", drawing.JoinNames(out))
	}
	chart.NoteLeftOut(out)
	return shown, nil
}

// plain returns the cells themselves.
func plain(cs []judgedCell) (out []*cells.Cell) {
	for _, c := range cs {
		out = append(out, c.Cell)
	}
	return out
}
