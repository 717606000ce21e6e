// Package univariate tests columns one at a time against a response, for screening before the searches that look at
// columns together (the first step of Transfer-TPC), and has the engines that keep the best: simes, chi2, mutual-information, anova
// and fdr.
package univariate

import (
	"context"
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/data/counts"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/numeric/survival"
)

// positiveP returns, for each column, the one-sided p-value of a positive correlation with the response: with r Pearson's, t =
// r·sqrt((n−2)/(1−r²)), p = P(T > t), T Student's with n−2 degrees of freedom, n the weight of the rows; it is small when large values go
// with large responses. It is 1 for a constant column or response. P-values keep the relative accuracy of 1−r² as far
// down as float64 goes; of zeros and ones that is exact. y has one value a row, 0 or 1 for a task of two classes; errors
// name the row, and the column, of what is not finite. O(nnz + columns), without densifying.
func positiveP(ctx context.Context, x *sparse.Matrix, y response) ([]float64, error) {
	_, columns := x.Dims()
	p := make([]float64, columns)
	for j := range p {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		m, err := y.momentsOf(x.Col(j))
		if err != nil {
			return nil, fmt.Errorf("column %d, %w", j, err)
		}
		p[j] = m.correlationTail(y.n)
	}
	return p, nil
}

// Task returns the rows of the view where a target is defined, and the response there: 1 for one level of a class against all
// others (one task of one-against-all), or the values themselves where they are real. The matrix is shared with the view
// where the target is defined on every row.
func Task(v *data.View, target, level int) (*sparse.Matrix, []float64) {
	rows, values := v.Target(target)
	if rows != nil {
		v = v.Sub(rows)
	}
	if v.TargetInfo(target).Type == data.Real {
		return v.Matrix(), values
	}
	y := make([]float64, len(values))
	for i, label := range values {
		if int(label) == level {
			y[i] = 1
		}
	}
	return v.Matrix(), y
}

// Number returns the rows on which the target is defined, and the number of each that columns are compared with: the response itself, the rate
// of a count, or of times until an event the martingale residual of the model without columns. Times without any event are an error, and so
// are counts that are all 0.
func Number(v *data.View) (rows *data.View, y []float64, err error) {
	rows, y = v.Defined(0)
	switch v.TargetInfo(0).Type {
	case data.Survival:
	case data.Count:
		rows, y, _, err = counts.Rates(v, 0)
		return rows, y, err
	default:
		return rows, y, nil
	}
	weight, _ := rows.TestWeights()
	y, err = survival.MartingaleResiduals(y, v.Events(0), weight)
	for i := range y { // of the row, once
		y[i] /= weight.Of(i)
	}
	return rows, y, err
}
