// Package intervals makes 0/1 columns of columns of numbers, by quantiles.
package intervals

import (
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/exact"
	"tenfold/engines/numeric/sparse"
)

// Cuts turns a column of numbers into 0/1 columns: one for each cut, which says whether the value is above it.
type Cuts struct {
	Above exact.Floats `json:"above"` // rising
	Names []string     `json:"names"` // of the columns
}

// CountColumns returns the number of columns that replace one; a nil Cuts leaves it as it is.
func (c *Cuts) CountColumns() int {
	if c == nil {
		return 1
	}
	return len(c.Above)
}

// Fit makes cuts of the columns of numbers of x, nil for columns of zeros and ones; those of constant ones are empty, and counted. The
// columns of a cut are named like x>median or x>q25. O(n log n) for the n entries of a column.
func Fit(x *sparse.Matrix, features *data.Features, intervals int) (cuts []*Cuts, constant int) {
	rows, cols := x.Dims()
	cuts = make([]*Cuts, cols)
	for j := range cols {
		col := x.Col(j)
		values := make([]float64, col.Len())
		for k := range values {
			values[k] = col.At(k)
		}
		if !slices.ContainsFunc(values, func(v float64) bool { return v != 0 && v != 1 }) {
			continue
		}
		cuts[j] = newCuts(features.Name(j), sparse.NewOrdered(values, rows-len(values)), intervals)
		if cuts[j].CountColumns() == 0 {
			constant++
		}
	}
	return cuts, constant
}

// newCuts splits the values of a column into intervals of equal frequency, with at most one cut less than intervals. A cut is the
// largest value of the rows below it, and some row is above.
func newCuts(column string, values sparse.Ordered, intervals int) *Cuts {
	n, c := values.Len(), &Cuts{Above: exact.Floats{}}
	below := n - 1 // values less than the largest
	for below > 0 && values.At(below-1) == values.At(n-1) {
		below--
	}
	for k := 1; k < intervals && below > 0; k++ {
		cut := values.At(min((k*n+intervals-1)/intervals, below) - 1)
		if len(c.Above) > 0 && cut == c.Above[len(c.Above)-1] {
			continue
		}
		name := "median"
		if 2*k != intervals {
			name = fmt.Sprintf("q%.3g", 100*float64(k)/float64(intervals))
		}
		c.Above, c.Names = append(c.Above, cut), append(c.Names, column+">"+name)
	}
	return c
}

// Sources returns, for each column after discretising, the one that it comes from.
func Sources(cuts []*Cuts) (from []int32) {
	for j, c := range cuts {
		for range c.CountColumns() {
			from = append(from, int32(j))
		}
	}
	return from
}

// Features names the columns after discretising. They have the classes of those that they come from.
func Features(f *data.Features, cuts []*Cuts) *data.Features {
	var names []string
	var class []int32
	for j, c := range cuts {
		if c == nil {
			names = append(names, f.Name(j))
		} else {
			names = append(names, c.Names...)
		}
		for range c.CountColumns() {
			class = append(class, int32(f.Class(j)))
		}
	}
	if !f.HasClasses() {
		return data.NewFeatures(names)
	}
	return data.NewFeatures(names).WithClasses(class, f.Classes())
}

// Apply returns the 0/1 matrix of which values are above the cuts. Entries that are not stored are zeros, above cuts below 0.
// O(entries of the result + columns).
func Apply(x *sparse.Matrix, cuts []*Cuts) *sparse.Matrix {
	first, n := make([]int32, len(cuts)), 0
	var negative []int32 // columns in which a zero is above some cut
	for j, c := range cuts {
		first[j] = int32(n)
		if n += c.CountColumns(); c != nil && len(c.Above) > 0 && c.Above[0] < 0 {
			negative = append(negative, int32(j))
		}
	}
	rows, _ := x.Dims()
	ptr, idx := make([]int, 1, rows+1), make([]int32, 0, x.NNZ())
	put := func(j int32, v float64) {
		if cuts[j] == nil {
			if v != 0 {
				idx = append(idx, first[j])
			}
			return
		}
		for k, cut := range cuts[j].Above {
			if v > cut {
				idx = append(idx, first[j]+int32(k))
			}
		}
	}
	for i := range rows {
		x.VisitWithZeros(i, negative, put)
		ptr = append(ptr, len(idx))
	}
	return sparse.New(n, ptr, idx, nil)
}
