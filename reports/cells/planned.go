package cells

import (
	"tenfold/io/results"
)

// Planned are all cells of a plan with the rows that there are of them. Unlike Group it knows of fits, and of whole
// cells, that never ran. plan has a label for each fit, in order.
func Planned(rows []results.Row, plan []results.Label) []*Cell {
	type id struct{ dataset, algorithm, key string }
	ran := map[id]*Cell{}
	for _, c := range Group(rows) {
		ran[id{c.Dataset, c.Algorithm, c.Key}] = c
	}
	seen := map[id]*Cell{}
	var out []*Cell
	for _, l := range plan {
		k := id{l.Dataset, l.Algorithm, l.Cell}
		c := seen[k]
		if c == nil {
			if c = ran[k]; c == nil {
				c = &Cell{Dataset: l.Dataset, Algorithm: l.Algorithm, Engine: l.Engine, Key: l.Cell, Params: l.Params, Grid: l.Grid}
			}
			c.Folds = 0
			seen[k] = c
			out = append(out, c)
		}
		c.Folds++
	}
	return out
}
