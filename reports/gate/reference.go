package gate

import (
	"fmt"
	"slices"
	"strings"
)

// isReference reports whether the rule compares other cells with this one.
func (r Rule) isReference(p labelledCell) bool {
	return r.Against != "" && (p.algorithm == r.Against || p.cell.Algorithm == r.Against)
}

// referenceOf finds the reference of a cell on its own data set: the algorithm with the label r.Against, or of this name at the
// same point of the grid, or the only one of this name.
func (c *checker) referenceOf(r Rule, p labelledCell) (labelledCell, error) {
	var found []labelledCell
	for _, q := range c.labelled {
		if q.dataset == p.dataset && r.isReference(q) {
			found = append(found, q)
		}
	}
	gridPoint := func(q labelledCell) string { return strings.TrimPrefix(q.algorithm, q.cell.Algorithm) }
	for _, same := range []func(q labelledCell) bool{
		func(q labelledCell) bool { return q.algorithm == r.Against },
		func(q labelledCell) bool { return gridPoint(q) == gridPoint(p) },
		func(labelledCell) bool { return len(found) == 1 },
	} {
		if i := slices.IndexFunc(found, same); i >= 0 {
			return found[i], nil
		}
	}
	if len(found) == 0 {
		return labelledCell{}, fmt.Errorf("%s is not among the results of this data set", r.Against)
	}
	return labelledCell{}, fmt.Errorf("%s has %d grid points and none is this cell's: name one of them, such as %q", r.Against, len(found), found[0].algorithm)
}
