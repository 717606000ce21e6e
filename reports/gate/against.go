package gate

import (
	"fmt"
	"slices"
	"strings"
)

// isReference tells whether a cell is one that the rule compares others with.
func (r Rule) isReference(p point) bool {
	return r.Against != "" && (p.algorithm == r.Against || p.cell.Algorithm == r.Against)
}

// against finds the reference of a cell on its own data set: the algorithm with this exact label, or of this name at the
// same point of the grid, or the only one of this name.
func (c *checker) against(r Rule, p point) (point, error) {
	var found []point
	for _, q := range c.points {
		if q.dataset == p.dataset && r.isReference(q) {
			found = append(found, q)
		}
	}
	place := func(q point) string { return strings.TrimPrefix(q.algorithm, q.cell.Algorithm) }
	for _, same := range []func(q point) bool{
		func(q point) bool { return q.algorithm == r.Against },
		func(q point) bool { return place(q) == place(p) },
		func(point) bool { return len(found) == 1 },
	} {
		if i := slices.IndexFunc(found, same); i >= 0 {
			return found[i], nil
		}
	}
	if len(found) == 0 {
		return point{}, fmt.Errorf("%s is not among the results of this data set", r.Against)
	}
	return point{}, fmt.Errorf("%s has %d grid points and none is this cell's: name one of them, such as %q", r.Against, len(found), found[0].algorithm)
}
