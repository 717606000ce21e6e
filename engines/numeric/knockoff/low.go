package knockoff

import (
	"context"
	"errors"
	"fmt"
	"math"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/parallel"
)

// lowRankConditional draws knockoffs with equal s without a matrix of columns × columns: with a = (1−λ)/(n−1) and M = (λ/a)·I +
// Z·Z' = L·L', the inverse of the shrunk correlations maps a row z to (z − Z'·M⁻¹·Z·z)/λ (Woodbury), and (2s − s²/λ)^½·g +
// s/λ^½·Z'·L'⁻¹·h of normal g and h has the covariance 2s·I − s²·R⁻¹ of the knockoffs of a row, for any s up to 2λ.
type lowRankConditional struct {
	lambda, s, ratio float64        // ratio is λ/a
	factor           dense.Triangle // L, nil if λ is 1: the columns are independent then
	columns          [][]float64    // of Z
	z                [][]float64
}

// singular returns the error of correlations without an inverse.
func (l *Distribution) singular(o Options) error {
	if o.Shrink < 0 {
		return fmt.Errorf("%d training rows are too few to estimate by how much the correlations of the columns are to be shrunk, and without that they have no inverse; set shrink above 0, or take more rows", len(l.z))
	}
	return errors.New("the correlations of the columns, not shrunk, have no inverse: there are as many columns as rows, or some follow from others; expected shrink above 0")
}

func (l *Distribution) learnLow(ctx context.Context, workers int, o Options) error {
	n, p := len(l.z), len(l.Columns)
	g := dense.Gram(ctx, workers, l.z)
	squares := 0.0 // Σ_{j,k} (Σ_i z_ij·z_ik)², all pairs, is the squared norm of Z·Z'
	for i := range n {
		row := g.Row(i)
		for j, v := range row {
			if v = float64(v * v); j < i {
				v *= 2
			}
			squares += v
		}
	}
	l.shrink(o.Shrink, squares-float64(float64(p)*float64(float64(n-1)*float64(n-1))))
	if l.Shrunk == 0 {
		return l.singular(o)
	}
	rule := &lowRankConditional{lambda: l.Shrunk, s: min(1, 2*l.Shrunk), columns: newRows(p, n), z: l.z}
	for i, row := range l.z {
		for j, v := range row {
			rule.columns[j][i] = v
		}
	}
	if l.Shrunk < 1 {
		rule.ratio = l.Shrunk / (1 - l.Shrunk) * float64(n-1)
		for i := range n {
			g.Row(i)[i] += rule.ratio
		}
		if rule.factor = g; !g.Factor(ctx) {
			return l.singular(o)
		}
	}
	l.S, l.rule = make([]float64, p), rule
	for j := range l.S {
		l.S[j] = rule.s
	}
	return nil
}

// conditionalMeans returns M⁻¹·Z·z of each row, which for row i of Z is column i of I − λ/a·M⁻¹.
func (r *lowRankConditional) conditionalMeans(ctx context.Context, workers int, z [][]float64, training bool) [][]float64 {
	w := newRows(len(z), len(r.z))
	if r.factor == nil {
		return w
	}
	if !training {
		dense.Products(ctx, workers, w, z, r.z)
	}
	parallel.Each(workers, len(z), func(i int) {
		if ctx.Err() != nil {
			return
		}
		if !training {
			r.factor.Solve(w[i])
			return
		}
		w[i][i] = -r.ratio
		r.factor.Solve(w[i])
		w[i][i]++
	})
	return w
}

func (r *lowRankConditional) draw(ctx context.Context, workers int, z, given [][]float64, normal func() float64) [][]float64 {
	g, h := newRows(len(z), len(r.columns)), newRows(len(z), len(r.z))
	for i := range z {
		fill(g[i], normal)
		fill(h[i], normal)
	}
	out := newRows(len(z), len(r.columns))
	if r.factor != nil {
		c := r.s / math.Sqrt(r.lambda)
		parallel.Each(workers, len(z), func(i int) {
			if ctx.Err() != nil {
				return
			}
			r.factor.SolveUpper(h[i])
			for k, w := range given[i] {
				h[i][k] = float64(r.s/r.lambda*w) + float64(c*h[i][k])
			}
		})
		dense.Products(ctx, workers, out, h, r.columns)
	}
	kept, chance := 1-r.s/r.lambda, math.Sqrt(max(0, 2*r.s-float64(r.s*r.s)/r.lambda))
	for i, row := range out {
		for j := range row {
			row[j] += float64(kept*z[i][j]) + float64(chance*g[i][j])
		}
	}
	return out
}

func fill(to []float64, normal func() float64) {
	for k := range to {
		to[k] = normal()
	}
}
