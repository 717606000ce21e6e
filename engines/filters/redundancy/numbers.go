package redundancy

import (
	"context"
	"fmt"
	"math"

	"tenfold/engines/data"
	"tenfold/engines/filters/univariate"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
)

// correlations are the relevance F and the distance |r| from independence of columns that are numbers.
type correlations struct {
	f      []float64
	x      *sparse.Matrix // columns divided by their standard deviations, and centred where most of them is stored
	strips []sparse.Strip
	weight data.Weights
	n      float64 // Σ weight
	floor  float64 // |r| counts at least so much
	r      []float64
}

// newCorrelations reads F. O(nnz).
func newCorrelations(ctx context.Context, v *data.View, floor float64, workers int) (*correlations, error) {
	x, f, err := univariate.F(ctx, v)
	if err != nil {
		return nil, err
	}
	rows, _ := v.Defined(0)
	weight, n := rows.TestWeights()
	c, err := scaled.Center(ctx, x, weight, scaled.Mean, true)
	if err != nil {
		return nil, err
	}
	return &correlations{f: f, x: c.X, strips: c.X.Strips(max(1, workers)), weight: weight, n: n, floor: floor, r: make([]float64, len(f))}, nil
}

func (m *correlations) relevance() []float64 { return m.f }

// with column s: |r| = |Σ weight·(s − mean)·x|/n. O(nnz).
func (m *correlations) with(ctx context.Context, s int, _ []bool) ([]float64, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	rows, _ := m.x.Dims()
	centred := make([]float64, rows)
	col, mean := m.x.Col(s), 0.0
	for k, i := range col.Idx {
		mean += float64(m.weight.Of(int(i)) * col.At(k))
	}
	mean /= m.n
	for i := range centred {
		centred[i] = -float64(m.weight.Of(i) * mean)
	}
	for k, i := range col.Idx {
		centred[i] = float64(m.weight.Of(int(i)) * (col.At(k) - mean))
	}
	sparse.Together(m.strips, func(p *sparse.Strip) { p.MulTVec(m.r, centred) })
	for j, sum := range m.r {
		m.r[j] = max(m.floor, math.Abs(sum/m.n))
	}
	return m.r, nil
}

// variances returns the variances of columns, Σ w·(x − x̄)²/Σ w, exactly 0 of those with one value. O(nnz · log nnz).
func variances(ctx context.Context, v *data.View) ([]float64, error) {
	x := v.Matrix()
	rows, cols := x.Dims()
	weight, n := v.TestWeights()
	out := make([]float64, cols)
	for j := range out {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		col := x.Col(j)
		o := col.Ordered(rows)
		if rows == 0 || o.At(0) == o.At(rows-1) {
			continue
		}
		mean, zeros, sum := 0.0, n, 0.0
		for k, i := range col.Idx {
			mean += float64(weight.Of(int(i)) * col.At(k))
			zeros -= weight.Of(int(i))
		}
		if mean /= n; col.Len() < rows { // else zeros are rounding
			sum = float64(zeros * float64(mean*mean))
		}
		for k, i := range col.Idx {
			d := col.At(k) - mean
			sum += float64(weight.Of(int(i)) * float64(d*d))
		}
		if out[j] = sum / n; !elementary.IsFinite(out[j]) {
			return nil, fmt.Errorf("column %q: the squares of the values are too large to sum", v.Features().Name(j))
		}
	}
	return out, nil
}
