package codes

import (
	"cmp"
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
)

// Classes are the classes of the columns, with the bits of an index within each.
type Classes struct {
	columns   *data.Features
	Class     []int32 // class of each column
	Names     []string
	size      []int     // m_c
	indexBits []float64 // lg m_c
	total     float64   // K
	Note      string    // about columns without a class
}

// ReadClasses reads the classes of the columns. K is the number of classes that have columns, or total if that is positive.
// Columns without a class make one of their own.
func ReadClasses(f *data.Features, total int) (*Classes, error) {
	if !f.HasClasses() {
		return nil, fmt.Errorf("three-part codes need classes of features, there are none")
	}
	c := &Classes{columns: f, Class: make([]int32, f.Len()), Names: append([]string(nil), f.Classes()...)}
	none := int32(len(c.Names))
	c.Names, c.size = append(c.Names, data.None), make([]int, none+1)
	for j := range c.Class {
		c.Class[j] = none
		if class := f.Class(j); class >= 0 {
			c.Class[j] = int32(class)
		}
		c.size[c.Class[j]]++
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
		c.Note = fmt.Sprintf("%d of %d columns have no class; they are one of their own, %s", n, len(c.Class), data.None)
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

// Interleave orders the columns by turns: the first of every class, then the second of every class, and so on.
func (c *Classes) Interleave() []int32 {
	seen, turn := make([]int32, len(c.size)), make([]int32, len(c.Class))
	order := make([]int32, len(c.Class))
	for j, class := range c.Class {
		order[j], turn[j] = int32(j), seen[class]
		seen[class]++
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(turn[a], turn[b]), cmp.Compare(c.Class[a], c.Class[b]))
	})
	return order
}
