package plan

import (
	"slices"

	"tenfold/runner/execute"
	"tenfold/runner/folds"
)

// Whole returns the unit that fits a cell's engine to all rows of its data set, or task, whatever its train_fraction. It
// has the seed of the first fold of the first repeat, builds on what the cell's units build on, and has no limits.
func (p *Plan) Whole(c *Cell) *Unit {
	first, rows, all := c.Units[0], c.Set.Splits[0], folds.Whole(c.Set.Shape.Rows)
	u := p.newUnit(c, all, first.Ingredients)
	u.Label.Params, u.Label.Grid = c.Algorithm.Params, slices.Concat(c.Algorithm.Grid, c.Set.Grid)
	u.At, u.Inner = c.Algorithm.Path, first.Inner
	u.setEngine(c.Algorithm.Engine, &execute.Split{Set: rows.Set, Task: rows.Task, Recipe: rows.Recipe, Fold: all}, c.Set)
	u.After, u.Build, u.Limits = first.After, first.Build, execute.Limits{}
	return u
}
