package knockoff

import (
	"context"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/parallel"
)

// denseConditional draws knockoffs from the normal distribution of a row's knockoffs given the row: with R the shrunk correlations
// and S = diag(s), their mean is z − S·R⁻¹·z and their covariance 2S − S·R⁻¹·S (Candès et al. 2018, section 3.1.1).
type denseConditional struct {
	s       []float64
	inverse [][]float64
	factor  dense.Triangle // of the covariance
}

// inside keeps s off the boundary of the feasible set, where the covariance of knockoffs has no Cholesky factor.
const inside = 1 - 1e-6

// singularBelow is the eigenvalue of correlations up to which it is rounding: columns follow from others.
const singularBelow = 1e-10

func (l *Distribution) learnDense(ctx context.Context, workers int, o Options) error {
	r := l.correlations(ctx, workers, o.Shrink)
	factor := append(dense.Triangle(nil), r...)
	if !factor.Factor(ctx) {
		return l.singular(o)
	}
	smallest := l.Shrunk // with fewer degrees of freedom than columns
	if len(l.z) > len(l.Columns) {
		smallest = dense.Smallest(append(dense.Triangle(nil), r...))
	}
	if smallest <= singularBelow { // rounding decides whether there is a factor
		return l.singular(o)
	}
	equal := min(1, 2*smallest*inside)
	l.S = make([]float64, len(l.Columns))
	for j := range l.S {
		l.S[j] = equal
	}
	if o.SDP && equal < 1 {
		if l.S, _ = solveSDP(ctx, r, l.S); ctx.Err() != nil {
			return nil
		}
	}
	inverse := factor.Inverse()
	rule := &denseConditional{inverse: inverse.Square()}
	for !rule.setDiagonal(ctx, l.S, inverse) {
		if ctx.Err() != nil {
			return nil
		}
		for j := range l.S { // rounding, if columns are nearly the same
			l.S[j] /= 2
		}
	}
	l.rule = rule
	return nil
}

// correlations returns the shrunk correlations of the columns.
func (l *Distribution) correlations(ctx context.Context, workers int, shrink float64) dense.Triangle {
	columns := newRows(len(l.Columns), len(l.z))
	for i, row := range l.z {
		for j, v := range row {
			columns[j][i] = v
		}
	}
	r, squares := dense.Gram(ctx, workers, columns), 0.0
	for j := range columns {
		for _, v := range r.Row(j)[:j] {
			squares += float64(2 * float64(v*v))
		}
	}
	l.shrink(shrink, squares)
	keep := (1 - l.Shrunk) / float64(len(l.z)-1)
	for j := range columns {
		row := r.Row(j)
		for k := range row {
			row[k] *= keep
		}
		row[j] = 1
	}
	return r
}

// setDiagonal sets s, the diagonal of S, and reports false if the covariance that follows has no Cholesky factor.
func (f *denseConditional) setDiagonal(ctx context.Context, s []float64, inverse dense.Triangle) bool {
	f.s, f.factor = s, dense.NewTriangle(len(s))
	for j := range s {
		row, from := f.factor.Row(j), inverse.Row(j)
		for k := range row {
			row[k] = -s[j] * from[k] * s[k]
		}
		row[j] += 2 * s[j]
	}
	return f.factor.Factor(ctx)
}

func (f *denseConditional) conditionalMeans(ctx context.Context, workers int, z [][]float64, _ bool) [][]float64 {
	mean := newRows(len(z), len(f.s))
	dense.Products(ctx, workers, mean, z, f.inverse)
	for i, row := range mean {
		for j, v := range row {
			row[j] = z[i][j] - float64(f.s[j]*v)
		}
	}
	return mean
}

func (f *denseConditional) draw(ctx context.Context, workers int, z, given [][]float64, normal func() float64) [][]float64 {
	u, out := newRows(len(z), len(f.s)), newRows(len(z), len(f.s))
	for i := range u {
		fill(u[i], normal)
	}
	parallel.Each(workers, len(z), func(i int) {
		if ctx.Err() != nil {
			return
		}
		f.factor.LowerProduct(out[i], u[i])
		for j, v := range given[i] {
			out[i][j] += v
		}
	})
	return out
}
