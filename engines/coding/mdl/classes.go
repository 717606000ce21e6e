package mdl

import (
	"cmp"
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
)

// classes are the classes of the columns, with the bits of an index within each.
type classes struct {
	columns   *data.Features
	of        []int32 // class of each column
	names     []string
	size      []int     // m_c
	indexBits []float64 // lg m_c
	total     float64   // K
	note      string    // about columns without a class
}

// readClasses reads the classes of the columns. K is the number of classes that have columns, or total if that is positive.
// Columns without a class make one of their own.
func readClasses(f *data.Features, total int) (*classes, error) {
	if !f.HasClasses() {
		return nil, fmt.Errorf("three-part codes need classes of features, there are none")
	}
	c := &classes{columns: f, of: make([]int32, f.Len()), names: append([]string(nil), f.Classes()...)}
	none := int32(len(c.names))
	c.names, c.size = append(c.names, data.None), make([]int, none+1)
	for j := range c.of {
		c.of[j] = none
		if class := f.Class(j); class >= 0 {
			c.of[j] = int32(class)
		}
		c.size[c.of[j]]++
	}
	used := 0
	c.indexBits = make([]float64, len(c.size))
	for class, size := range c.size {
		if size > 0 {
			used++
			c.indexBits[class] = elementary.Log2(float64(size))
		}
	}
	if n := c.size[none]; n > 0 {
		c.note = fmt.Sprintf("%d of %d columns have no class; they are one of their own, %s", n, len(c.of), data.None)
	}
	c.total = float64(used)
	if total > 0 {
		if total < used {
			return nil, fmt.Errorf("classes_total is %d, the columns are of %d classes", total, used)
		}
		c.total = float64(total)
	}
	return c, nil
}

// interleaveByClass orders the columns by turns: the first of every class, then the second of every class, and so on.
func (c *classes) interleaveByClass() []int32 {
	seen, turn := make([]int32, len(c.size)), make([]int32, len(c.of))
	order := make([]int32, len(c.of))
	for j, class := range c.of {
		order[j], turn[j] = int32(j), seen[class]
		seen[class]++
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(turn[a], turn[b]), cmp.Compare(c.of[a], c.of[b]))
	})
	return order
}
