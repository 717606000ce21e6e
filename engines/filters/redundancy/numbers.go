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
	floor  float64 // |r| counts at least so much
	r      []float64
}

// newCorrelations reads F. O(nnz).
func newCorrelations(ctx context.Context, v *data.View, floor float64, workers int) (*correlations, error) {
	x, f, err := univariate.F(ctx, v)
	if err != nil {
		return nil, err
	}
	c, err := scaled.Center(ctx, x, nil, scaled.Mean, true)
	if err != nil {
		return nil, err
	}
	return &correlations{f: f, x: c.X, strips: c.X.Strips(max(1, workers)), floor: floor, r: make([]float64, len(f))}, nil
}

func (m *correlations) relevance() []float64 { return m.f }

// with column s: |r| = |Σ (s − mean)·x|/n. O(nnz).
func (m *correlations) with(ctx context.Context, s int, _ []bool) ([]float64, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	rows, _ := m.x.Dims()
	n, centred := float64(rows), make([]float64, rows)
	col := m.x.Col(s)
	mean := col.Sum() / n
	for i := range centred {
		centred[i] = -mean
	}
	for k, i := range col.Idx {
		centred[i] = col.At(k) - mean
	}
	sparse.Together(m.strips, func(p *sparse.Strip) { p.MulTVec(m.r, centred) })
	for j, sum := range m.r {
		m.r[j] = max(m.floor, math.Abs(sum/n))
	}
	return m.r, nil
}

// variances returns the variances of columns, (1/n)·Σ (x − x̄)², exactly 0 of those with one value. O(nnz).
func variances(ctx context.Context, v *data.View) ([]float64, error) {
	x := v.Matrix()
	rows, cols := x.Dims()
	n, out := float64(rows), make([]float64, cols)
	for j := range out {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		col := x.Col(j)
		o := col.Ordered(rows)
		if rows == 0 || o.At(0) == o.At(rows-1) {
			continue
		}
		mean := col.Sum() / n
		sum := float64(float64(rows-col.Len()) * float64(mean*mean))
		for k := range col.Idx {
			d := col.At(k) - mean
			sum += float64(d * d)
		}
		if out[j] = sum / n; !elementary.IsFinite(out[j]) {
			return nil, fmt.Errorf("column %q: the squares of the values are too large to sum", v.Features().Name(j))
		}
	}
	return out, nil
}
