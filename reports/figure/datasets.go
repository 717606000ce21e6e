package figure

import (
	"fmt"
	"math"
	"slices"

	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/drawing"
	"tenfold/reports/ranks"
)

// Values of the key panels, and of over.
const datasetDim = "dataset"

// behind returns the cells behind the numbers of some cells.
func (in Input) behind(cs []*cells.Cell) []*cells.Cell {
	if in.groups == nil {
		return cs
	}
	var out []*cells.Cell
	for _, c := range cs {
		out = append(out, in.groups[c]...)
	}
	return out
}

// rivals returns the cells that may be compared in a metric (cells.Rivals): of averages over data sets, those whose cells all may.
func (in Input) rivals(cs []*cells.Cell, metric string) map[*cells.Cell]bool {
	all := cells.Rivals(in.Source, in.behind(cs), metric)
	out := map[*cells.Cell]bool{}
	for _, c := range cs {
		out[c] = !slices.ContainsFunc(in.behind([]*cells.Cell{c}), func(one *cells.Cell) bool { return !all[one] })
	}
	return out
}

// caveatsOf returns the caveats of the number of a cell.
func (in Input) caveatsOf(c *cells.Cell) (all cells.Caveats) {
	for _, one := range in.behind([]*cells.Cell{c}) {
		all = all.Or(one.Caveats())
	}
	return all
}

// averaged returns the input with one cell for each algorithm, or size along a path, that averages its cells on all data sets. Data
// sets or algorithms that lack a value of a metric are left out, whichever lack the larger share, as for ranks.
func averaged(in Input, cs []*cells.Cell, metrics ...string) (Input, []*cells.Cell, string) {
	g := arrangementOf(cs)
	scores := make([][]float64, len(g.datasets))
	var rivals []map[*cells.Cell]bool // of each metric
	for _, m := range metrics {
		rivals = append(rivals, in.rivals(cs, m))
	}
	for d := range scores {
		scores[d] = slices.Repeat([]float64{math.NaN()}, len(g.algorithms))
		for a := range g.algorithms {
			c := g.cells[a][d]
			if c == nil || slices.ContainsFunc(rivals, func(yes map[*cells.Cell]bool) bool { return !yes[c] }) {
				continue
			}
			scores[d][a] = 0
			for _, m := range metrics {
				scores[d][a] += in.metricOf(c, m).Mean
			}
		}
	}
	datasets, algorithms := ranks.Complete(scores)
	in.groups = map[*cells.Cell][]*cells.Cell{}
	var kept []*cells.Cell
	for _, a := range algorithms {
		var group []*cells.Cell
		for _, d := range datasets {
			group = append(group, g.cells[a][d])
		}
		if len(group) > 0 {
			in.groups[group[0]] = group
			kept = append(kept, group[0])
		}
	}
	var out []string
	for a, name := range g.algorithms {
		if !slices.Contains(algorithms, a) {
			out = append(out, name)
		}
	}
	for d, name := range g.datasets {
		if !slices.Contains(datasets, d) {
			out = append(out, name)
		}
	}
	caption := fmt.Sprintf("Means over %s.", digits.Count(len(datasets), "data set"))
	if len(out) > 0 {
		caption += fmt.Sprintf(" Left out, as results are missing: %s.", drawing.JoinNames(out))
	}
	return in, kept, caption
}
