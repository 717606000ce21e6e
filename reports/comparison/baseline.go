package comparison

import (
	"fmt"
	"slices"

	"tenfold/reports/cells"
)

// baselines finds the cells with which those of a table are compared.
type baselines struct {
	layout
	cells    map[string][]*cells.Cell // that have the baseline's name, by data set
	warnings remarks
}

// newBaselines looks for the baseline among the cells of a table.
func newBaselines(l layout, cs []*cells.Cell) *baselines {
	b := &baselines{layout: l, cells: map[string][]*cells.Cell{}}
	for _, c := range cs {
		if l.Baseline != "" && l.isBaseline(c) {
			d := c.DatasetLabel()
			b.cells[d] = append(b.cells[d], c)
		}
	}
	return b
}

// isBaseline reports whether a cell has the baseline's name, with or without a grid point.
func (l *layout) isBaseline(c *cells.Cell) bool {
	return c.Algorithm == l.Baseline || c.NamedLabel() == l.Baseline || c.NamedLabel(l.shown...) == l.Baseline
}

// baselineOf returns the cell with which c is compared: of the same data set and, if several have the name, with the same
// parameters on the table's axes.
func (b *baselines) baselineOf(c *cells.Cell) *cells.Cell {
	all := b.cells[c.DatasetLabel()]
	found := all
	if len(all) > 1 {
		found = slices.DeleteFunc(slices.Clone(all), func(base *cells.Cell) bool {
			return slices.ContainsFunc(b.shown, func(d string) bool {
				_, isParam := c.Param(d)
				mine, _ := c.Dim(d)
				theirs, _ := base.Dim(d)
				return isParam && mine != theirs
			})
		})
	}
	switch {
	case len(found) == 1:
		return found[0]
	case len(all) == 0:
		among := ""
		if len(b.Filter) > 0 {
			among = " that the filter leaves"
		}
		b.warnings.addRemark(fmt.Sprintf("baseline %s: no such algorithm among the results of %s%s", b.Baseline, c.DatasetLabel(), among), "")
	case len(found) == 0:
		b.warnings.addRemark(fmt.Sprintf("baseline %s: none of its %d grid points on %s has the parameters of %s, which is not compared; name one of them (such as %q)",
			b.Baseline, len(all), c.DatasetLabel(), c.NamedLabel(), all[0].NamedLabel()), "")
	default:
		b.warnings.addRemark(fmt.Sprintf("baseline %s: has %d grid points, name one of them (such as %q)", b.Baseline, len(found), found[0].NamedLabel(b.shown...)), "")
	}
	return nil
}
