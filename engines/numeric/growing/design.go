package growing

import (
	"context"
	"fmt"
	"slices"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
)

// Design is the columns that several responses share. x̃_j = x_j − μ_j is a centred column; it is never stored.
type Design struct {
	*scaled.Matrix
	workers int
}

// NewDesign centres the columns of x by the means of its weighted rows. O(nnz).
func NewDesign(ctx context.Context, x *sparse.Matrix, weight sparse.Weights, workers int) (*Design, error) {
	if rows, columns := x.Dims(); rows == 0 || columns == 0 {
		return nil, fmt.Errorf("%d training rows and %d columns, expected at least one of each", rows, columns)
	}
	s, err := scaled.StandardizeFar(ctx, x, weight, "none")
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(s.Mean, func(mean float64) bool { return !elementary.IsFinite(mean) }) {
		if err := x.Check(); err != nil {
			return nil, err
		}
	}
	return &Design{Matrix: s, workers: workers}, nil
}

// Columns returns the number of columns.
func (d *Design) Columns() int { return len(d.Mean) }

// Rows returns the number of rows.
func (d *Design) Rows() int {
	rows, _ := d.X.Dims()
	return rows
}

// IsConstant reports whether a column has no variation: it is never selected, though it counts in m and m_c.
func (d *Design) IsConstant(j int32) bool { return d.Norm2[j] == 0 }

// ApplyWeights returns m∘v; v itself without weights.
func (d *Design) ApplyWeights(v []float64) []float64 {
	if d.Weight == nil {
		return v
	}
	w := make([]float64, len(v))
	for i, x := range v {
		w[i] = d.Weight[i] * x
	}
	return w
}

// CentredColumn returns x̃_j, dense.
func (d *Design) CentredColumn(j int32) []float64 {
	z := make([]float64, d.Rows())
	for i := range z {
		z[i] = -d.Mean[j]
	}
	col := d.X.Col(int(j))
	for k, i := range col.Idx {
		z[i] = col.At(k) - d.Mean[j]
	}
	return z
}

// EachInnerProduct calls use for the k-th of the columns, j, with p[l] = x̃_j·v[l], in several goroutines: use must change only
// what belongs to k. It stops early when ctx is cancelled. O(nnz · vectors).
//
// The vectors have mean 0 up to rounding. x̃_j·v = x_j·v − μ_j·Σv keeps that rounding out, which matters for columns whose mean is
// large beside their variation.
func (d *Design) EachInnerProduct(ctx context.Context, columns []int32, v [][]float64, use func(k int, p []float64)) {
	if len(v) == 0 {
		return
	}
	w, sum := make([][]float64, len(v)), make([]float64, len(v))
	for l := range v {
		w[l] = d.ApplyWeights(v[l])
		for _, x := range w[l] {
			sum[l] += x
		}
	}
	d.EachRange(ctx, len(columns), func(first, last int) {
		p := make([]float64, len(v))
		for k := first; k < last; k++ {
			j := columns[k]
			d.X.Col(int(j)).Dots(p, w)
			for l := range p {
				p[l] -= float64(d.Mean[j] * sum[l])
			}
			use(k, p)
		}
	})
}

// CheckInterval is the number of columns, or rows, between two checks of ctx.
const CheckInterval = 2048

// EachRange calls do for ranges first, …, last − 1 that cover n columns, in several goroutines. It stops early when ctx is
// cancelled.
func (d *Design) EachRange(ctx context.Context, n int, do func(first, last int)) {
	workers := max(1, min(d.workers, n/CheckInterval))
	part := func(w int) {
		last := (w + 1) * n / workers
		for first := w * n / workers; first < last && ctx.Err() == nil; first += CheckInterval {
			do(first, min(last, first+CheckInterval))
		}
	}
	var wait parallel.Group
	for w := 1; w < workers; w++ {
		wait.Go(func() { part(w) })
	}
	part(0)
	wait.Wait()
}
