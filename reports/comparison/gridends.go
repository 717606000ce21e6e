package comparison

import (
	"fmt"
	"slices"

	"tenfold/reports/cells"
	"tenfold/reports/judge"
)

// mostGridEnds is the number of algorithms that are listed because their best value is at the end of a grid.
const mostGridEnds = 5

// gridEnds says of which grids the best value is the first or the last of those tried, so that values beyond may be better: of each
// algorithm on each data set, by the first metric of its places, for parameters with at least three numbers.
func (b *builder) gridEnds() []string {
	type grid struct{ dataset, algorithm, metric string }
	points := map[grid][]*place{}
	var order []grid
	for p := range b.byRow {
		c := p.onlyCell()
		if c == nil || len(c.Grid) == 0 || !p.competes || !b.isContested(p) {
			continue
		}
		g := grid{c.DatasetLabel(), c.AlgorithmName(), p.primary}
		if points[g] == nil {
			order = append(order, g)
		}
		points[g] = append(points[g], p)
	}
	var found []string
	for _, g := range order {
		best := points[g][0]
		for _, p := range points[g][1:] {
			if judge.Gain(p.comparedValue(), best.comparedValue(), p.cells[0].Higher(g.metric)) > 0 {
				best = p
			}
		}
		for _, param := range best.cells[0].Grid {
			var values []float64
			for _, p := range points[g] {
				if v, ok := numberOf(p.cells[0], param.Name); ok && !slices.Contains(values, v) {
					values = append(values, v)
				}
			}
			if v, ok := numberOf(best.cells[0], param.Name); ok && len(values) >= 3 && (v == slices.Min(values) || v == slices.Max(values)) {
				if text := fmt.Sprintf("%s %s=%g", g.algorithm, param.Name, v); !slices.Contains(found, text) {
					found = append(found, text)
				}
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("The best is at an end of the grid, and values beyond may be better: %s.", firstOf(found, mostGridEnds))}
}

// numberOf returns the value of a parameter of a cell's grid, if it is a number.
func numberOf(c *cells.Cell, param string) (float64, bool) {
	v, _ := c.Param(param)
	x, ok := v.(float64)
	return x, ok
}
