// Package similar finds the pairs of columns of a data set that are correlated: Columns compares all columns with each other, over
// all rows, whatever part of them is for training. It is for reports, in which columns that say the same can stand for each other;
// no fit sees its pairs.
package similar

import (
	"fmt"
	"slices"
	"sync/atomic"

	"tenfold/engines/numeric/correlation"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/sparse"
)

// Pair is a pair of columns, the one of lower number first, and the absolute value of their correlation.
type Pair struct {
	A, B        int32
	Correlation float64
}

// maxPairs is the number of similar pairs after which the threshold is refused as too low.
const maxPairs = 1 << 22

// Columns returns the pairs of columns whose absolute correlation over all rows is at least the given one, in the order of
// their numbers. Gaps count as the mean; constant columns are similar to none. O(Σ over rows of squared entries); memory for a copy
// of the matrix.
func Columns(x *sparse.Matrix, least float64, workers int) ([]Pair, error) {
	shifted, err := withoutGaps(x)
	if err != nil {
		return nil, err
	}
	columns, err := correlation.New(shifted)
	if err != nil {
		return nil, err
	}
	_, n := shifted.Dims()
	found := make([][]Pair, n)
	var pairs atomic.Int64
	sizes := make([][]float64, workers)
	parallel.Numbered(workers, n, func(worker, j int) {
		if !columns.Varies(j) || pairs.Load() > maxPairs {
			return
		}
		if sizes[worker] == nil {
			sizes[worker] = make([]float64, n)
		}
		size := sizes[worker]
		columns.Sizes(size, j, j+1)
		for k := j + 1; k < n; k++ {
			if size[k] >= least*(1-1e-12) && columns.Varies(k) {
				found[j] = append(found[j], Pair{int32(j), int32(k), size[k]})
			}
		}
		pairs.Add(int64(len(found[j])))
	})
	if pairs.Load() > maxPairs {
		return nil, fmt.Errorf("more than %d pairs of columns have a correlation of %v or more; raise it", maxPairs, least)
	}
	return slices.Concat(found...), nil
}

// withoutGaps returns the matrix with means in place of gaps, and with the means of columns without zeros subtracted: otherwise
// sums of their products would lose digits.
func withoutGaps(x *sparse.Matrix) (*sparse.Matrix, error) {
	rows, columns := x.Dims()
	sum, known, entries := make([]float64, columns), make([]int, columns), make([]int, columns)
	for i := range rows {
		row := x.Row(i)
		for k, j := range row.Idx {
			entries[j]++
			if v := row.At(k); v == v {
				sum[j] += v
				known[j]++
			}
		}
	}
	var b sparse.Builder
	var values []float64
	for i := range rows {
		row := x.Row(i)
		values = values[:0]
		for k, j := range row.Idx {
			v, full := row.At(k), entries[j] == rows
			mean := sum[j] / float64(max(1, known[j]+rows-entries[j]))
			switch {
			case v != v && full:
				v = 0
			case v != v:
				v = mean
			case full:
				v -= mean
			}
			values = append(values, v)
		}
		if err := b.Add(row.Idx, values); err != nil {
			return nil, err
		}
	}
	return b.Build(columns)
}
