// Package correlation computes Pearson's correlations of the columns of a sparse matrix with each other, a column at a time, so that
// the square of the number of columns is stored by nobody who needs less.
package correlation

import (
	"math"
	"slices"

	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
)

// Columns holds the means and the scales of the columns of a matrix without gaps. It changes nothing of its own, so several
// goroutines may use it.
type Columns struct {
	x *scaled.Matrix
}

// New learns means and scales of the columns. Columns whose means exceed their deviations by much should be centred before: sums of
// their products lose digits. The error names a column whose squares overflow. O(entries).
func New(x *sparse.Matrix) (*Columns, error) {
	g, err := scaled.Standardize(x, nil, "unit")
	if err != nil {
		return nil, err
	}
	return &Columns{g}, nil
}

// Varies reports whether column j is no constant: constant columns have no correlation.
func (c *Columns) Varies(j int) bool { return c.x.Scale[j] != 0 }

// Sizes sets dst[k] to the absolute value of the correlation of columns j and k, at most 1, for all k from the given one on, and to
// 0 where one of the two is constant; what is before stays. O(entries of the rows in which column j has any, + columns).
func (c *Columns) Sizes(dst []float64, j, from int) {
	sum := dst[from:]
	clear(sum)
	if !c.Varies(j) {
		return
	}
	x := c.x.X
	rows, _ := x.Dims()
	col := x.Col(j)
	for q, i := range col.Idx {
		row := x.Row(int(i))
		first, _ := slices.BinarySearch(row.Idx, int32(from))
		rest := sparse.Vec{Idx: row.Idx[first:]}
		if row.Val != nil {
			rest.Val = row.Val[first:]
		}
		rest.AddTo(dst, col.At(q))
	}
	for k := range sum {
		centred := sum[k] - float64(float64(rows)*c.x.Mean[j]*c.x.Mean[from+k])
		sum[k] = min(1, math.Abs(centred*c.x.Scale[j]*c.x.Scale[from+k]))
	}
}
