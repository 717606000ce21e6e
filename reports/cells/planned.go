package cells

import (
	"tenfold/io/results"
)

// Planned returns all cells of a plan with their rows. Unlike Group it includes fits, and whole cells, that never ran. plan has a
// label for each fit, in order.
func Planned(rows []results.Row, plan []results.Label) []*Cell {
	ran := map[id]*Cell{}
	for _, c := range Group(rows) {
		ran[id{c.DatasetName(), c.Algorithm, c.Key}] = c
	}
	seen := map[id]*Cell{}
	var out []*Cell
	for i := range plan {
		l := &plan[i]
		k := id{l.Dataset, l.Algorithm, l.Cell}
		c := seen[k]
		if c == nil {
			if c = ran[k]; c == nil {
				c = newCell(l)
			}
			c.Folds, c.Protocol, c.Sizes = 0, l.Protocol, l.Sizes
			seen[k] = c
			out = append(out, c)
		}
		c.Folds++
	}
	return out
}
