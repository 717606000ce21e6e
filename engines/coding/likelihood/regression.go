package likelihood

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/growing"
)

// Regression is a logistic regression of one response of zeros and ones:
//
//	minimise  Σ_i m_i·log(1 + e^{−s_i·h_i}) + ½·ridge·Σ_k w_k²,   h = w₀ + Σ_k w_k·x̃_k,   s_i = ±1,
//
// over w. The intercept is free. Columns are centred, which changes w₀ alone and keeps the equations well-conditioned.
type Regression struct {
	y       []float64
	columns []int32
	z       [][]float64 // x̃ of the columns, unless rows has them
	rows    *rowMajor
	w       []float64 // intercept first
	p       []float64 // probability of 1, by row
	nll     float64   // without the ridge's part, in nats
}

// FitRegression fits the regression of y on some columns of d.
func FitRegression(ctx context.Context, d *growing.Design, y []float64, columns []int32, ridge float64) *Regression {
	f := &Regression{y: y, columns: columns, w: make([]float64, len(columns)+1), rows: newRowMajor(d, columns)}
	if f.rows == nil {
		for _, j := range columns {
			f.z = append(f.z, d.CentredColumn(j))
		}
	}
	f.fit(ctx, d, ridge)
	return f
}

// addColumn returns the regression on one more column, of which z is x̃, started at the weights of this one. It is not fitted yet.
func (f *Regression) addColumn(j int32, z []float64) *Regression {
	return &Regression{y: f.y, columns: append(slices.Clip(f.columns), j), z: append(slices.Clip(f.z), z), w: append(slices.Clip(f.w), 0)}
}

// removeColumn returns the regression without the k-th column, started at the other weights. It is not fitted yet.
func (f *Regression) removeColumn(k int) *Regression {
	return &Regression{
		y: f.y, columns: slices.Delete(slices.Clone(f.columns), k, k+1),
		z: slices.Delete(slices.Clone(f.z), k, k+1), w: slices.Delete(slices.Clone(f.w), k+1, k+2),
	}
}

const (
	newtonSteps = 100
	decrement   = 1e-22 // of Newton's method, as a share of the loss, that counts as converged
)

// fit minimises by Newton's method from the weights at hand, halving steps that overshoot. It returns early when ctx ends.
// O(rows · columns²) a step, of columns kept by row O(Σ entries of the row² + columns³).
func (f *Regression) fit(ctx context.Context, d *growing.Design, ridge float64) {
	f.w = slices.Clone(f.w)
	value := f.setProbabilities(d, f.w, ridge)
	for range newtonSteps {
		gradient, hessian := f.derivatives(ctx, d, ridge)
		if ctx.Err() != nil {
			return
		}
		factor := slices.Clone(hessian)
		for jitter := 1e-12; !factor.Factor(ctx); jitter *= 10 {
			if ctx.Err() != nil || !elementary.IsFinite(jitter) {
				return
			}
			for k := range f.w {
				hessian.Row(k)[k] += jitter
			}
			copy(factor, hessian)
		}
		step := slices.Clone(gradient)
		factor.Solve(step)
		slope := dense.DotInOrder(step, gradient)
		if !(slope > decrement*(1+value)) {
			return
		}
		before, start := value, slices.Clone(f.w)
		for size := 1.0; ; size /= 2 {
			for k := range f.w {
				f.w[k] = start[k] - float64(size*step[k])
			}
			if value = f.setProbabilities(d, f.w, ridge); value <= before+float64(1e-15*before) || size < 1e-9 || ctx.Err() != nil {
				break
			}
		}
	}
}

// setProbabilities sets probabilities and nll, and returns the value of the objective.
func (f *Regression) setProbabilities(d *growing.Design, w []float64, ridge float64) float64 {
	if f.p == nil {
		f.p = make([]float64, len(f.y))
	}
	for i := range f.p {
		f.p[i] = w[0]
	}
	for k, z := range f.z {
		dense.AddTo(f.p, z, w[k+1])
	}
	if f.rows != nil {
		f.rows.margins(f.p, w[1:], f.columns, d)
	}
	penalty := dense.DotInOrder(w[1:], w[1:])
	f.nll = 0
	for i, h := range f.p {
		e := elementary.Exp(-math.Abs(h))
		right := h // the margin of the row's own class
		if f.y[i] == 0 {
			right = -h
		}
		f.nll += float64(d.RowWeight(i) * (elementary.Log1p(e) + max(0, -right)))
		if h >= 0 {
			f.p[i] = 1 / (1 + e)
		} else {
			f.p[i] = e / (1 + e)
		}
	}
	return f.nll + float64(ridge*penalty/2)
}

// derivatives returns the gradient and the Hessian of the objective at the present probabilities; incomplete once ctx ends.
func (f *Regression) derivatives(ctx context.Context, d *growing.Design, ridge float64) (gradient []float64, hessian dense.Triangle) {
	if f.rows != nil {
		return f.rows.derivatives(ctx, f, d, ridge)
	}
	k := len(f.w)
	gradient, hessian = make([]float64, k), dense.NewTriangle(k)
	residual, curve := make([]float64, len(f.y)), f.curvature()
	ones := slices.Repeat([]float64{1}, len(f.y))
	for i, p := range f.p {
		residual[i] = p - f.y[i]
	}
	column := func(a int) []float64 {
		if a == 0 {
			return ones
		}
		return f.z[a-1]
	}
	weighted := make([]float64, len(f.y))
	for a := 0; a < k && ctx.Err() == nil; a++ {
		line := hessian.Row(a)
		gradient[a] = d.Inner(residual, column(a))
		for i, z := range column(a) {
			weighted[i] = curve[i] * z
		}
		for b := range a + 1 {
			line[b] = d.Inner(weighted, column(b))
		}
		if a > 0 {
			gradient[a] += float64(ridge * f.w[a])
			line[a] += ridge
		}
	}
	return gradient, hessian
}

// curvature returns p(1−p) by row.
func (f *Regression) curvature() []float64 {
	out := make([]float64, len(f.p))
	for i, p := range f.p {
		out[i] = p * (1 - p)
	}
	return out
}

// Weights returns the weights by column, and the intercept, on the scale of the data.
func (f *Regression) Weights(d *growing.Design) (w map[int32]float64, bias float64) {
	w, bias = map[int32]float64{}, f.w[0]
	for k, j := range f.columns {
		w[j] = d.Unscale(int(j), f.w[k+1], &bias)
	}
	return w, bias
}

// IsSeparated reports whether the model predicts the class of every row: then only the ridge keeps the weights finite.
func (f *Regression) IsSeparated() bool {
	for i, p := range f.p {
		if (p > 0.5) != (f.y[i] == 1) || p == 0.5 {
			return false
		}
	}
	return true
}
