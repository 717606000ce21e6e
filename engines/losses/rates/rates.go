// Package rates fits Poisson regression of counts with an L1 and an L2 penalty, the problem of the engines lasso, elastic-net, mcp, scad and
// ridge where the target is counts. Over the coefficients b of the columns and a free intercept b₀ it minimises
//
//	½ Σ_i w_i·dev(y_i, t_i·exp(b₀ + x_i·b)) + λ1·‖b‖₁ + ½·λ2·‖b‖²
//
// with the deviance dev of package numeric/poisson, the exposures t and the weights w. An exposure is a weight: up to a constant that is the
// loss of the rates y/t with the weights w·t, which is what is fitted.
//
// A problem (this file) goes down by proximal Newton steps (descent.go) to a duality gap (certificate.go), or down the tangents of a concave
// penalty (reweighted.go).
package rates

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/data/counts"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/proximal"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/targets"
)

// Problem is a target of counts, at the coefficients of the last penalty.
type Problem struct {
	x       *scaled.Centered
	rate    []float64
	weight  sparse.Weights // times exposures; nil: 1 each
	factor  data.Weights   // of the penalties, by column; nil: 1 each
	counts  float64        // Σ w·y
	least   float64        // Σ w(y − y log y): what no loss without it is below
	null    float64        // loss of the model without columns that have a penalty
	l1Max   float64
	tol     float64 // of the gap, as a share of null
	maxIter int
	workers int
	notes   []string

	steps    *proximal.Newton
	state    proximal.State // weights of columns, then the intercept; margins; residuals w(μ − y); loss
	gradient []float64      // of the loss, by column
	largest  []float64      // entry of each column, without its sign
	ones     sparse.Vec     // the column of the intercept
}

// New reads a target of counts that the view has on every row; standardize takes columns at standard deviation 1, rows weighted by their
// exposures. Counts that are all 0 are an error. The problem is at the model without columns that have a penalty. O(nnz).
func New(ctx context.Context, v *data.View, target int, standardize bool, tol float64, maxIter, workers int) (*Problem, error) {
	rows, rate, weight, err := counts.Rates(v, target)
	if err != nil {
		return nil, err
	}
	x, err := scaled.Center(ctx, rows.FilledMatrix(), weight, scaled.Middle, standardize)
	if err != nil {
		return nil, err
	}
	n, columns := len(rate), v.Columns()
	p := &Problem{x: x, rate: rate, weight: weight, factor: v.Factors(), tol: tol, maxIter: maxIter, workers: workers}
	p.state = proximal.State{W: make([]float64, columns+1), Z: make([]float64, n), R: make([]float64, n)}
	p.gradient, p.largest, p.ones = make([]float64, columns), make([]float64, columns), sparse.Vec{Idx: data.Numbers(n)}
	for j := range columns {
		col := x.X.Col(j)
		for k := range col.Len() {
			p.largest[j] = max(p.largest[j], math.Abs(col.At(k)))
		}
	}
	for i, y := range rate {
		p.counts += float64(weight.Of(i) * y)
		if y > 0 {
			p.least += float64(weight.Of(i) * (y - float64(y*elementary.Log(y))))
		}
	}
	p.steps = proximal.New(proximal.Rows{Rate: rate, Weight: weight, Blocks: 1, Full: x.X.IsFull()}, p)
	p.state.Loss = p.Residuals(ctx, p.state.R, p.state.Z, workers)
	p.fitIntercept(ctx)
	p.computeGradient()
	if slices.Contains(p.factor, 0) {
		if err := p.fitUnpenalized(ctx, v.Features()); err != nil {
			return nil, fmt.Errorf("target %s: %w", v.TargetInfo(target).Name, err)
		}
	}
	p.null = p.state.Loss
	for j, g := range p.gradient {
		if f := p.factorOf(j); f > 0 {
			if g*g > 1e-24*p.counts*p.squaresOf(j) { // else there is nothing but rounding
				p.l1Max = max(p.l1Max, math.Abs(g)/f)
			}
		}
	}
	return p, nil
}

// squaresOf returns Σ w·x² of a column.
func (p *Problem) squaresOf(j int) (sum float64) {
	col := p.x.X.Col(j)
	for k, i := range col.Idx {
		v := col.At(k)
		sum += float64(p.weight.Of(int(i)) * v * v)
	}
	return sum
}

// Residuals sets r to w(e^z − y), the derivatives of half the deviance in the margins z, and returns the sum of that (proximal.Loss).
func (p *Problem) Residuals(_ context.Context, r, z []float64, _ int) (loss float64) {
	for i, y := range p.rate {
		w, mean := p.weight.Of(i), elementary.Exp(z[i])
		r[i] = float64(w * (mean - y))
		loss += float64(w * (mean - float64(y*z[i])))
	}
	return loss - p.least
}

// fitIntercept moves the intercept to its optimum, where residuals sum to 0. O(rows).
func (p *Problem) fitIntercept(ctx context.Context) {
	by := -elementary.Log1p(dense.Sum(p.state.R) / p.counts) // log of Σ wy/Σ wμ
	p.state.W[len(p.gradient)] += by
	for i := range p.state.Z {
		p.state.Z[i] += by
	}
	p.state.Loss = p.Residuals(ctx, p.state.R, p.state.Z, p.workers)
}

// computeGradient computes X'r of all columns. O(nnz).
func (p *Problem) computeGradient() {
	p.x.X.DotColumns(p.gradient, data.Numbers(len(p.gradient)), p.state.R)
}

func (p *Problem) factorOf(j int) float64 { return p.factor.Of(j) }

// LambdaMax returns the λ1 from which on no column is selected.
func (p *Problem) LambdaMax() float64 { return p.l1Max }

// NullObjective returns half the deviance of the model without columns that have a penalty.
func (p *Problem) NullObjective() float64 { return p.null }

// Selected returns the number of columns with a penalty that have a coefficient.
func (p *Problem) Selected() (n int) {
	for j, b := range p.coefficients() {
		if b != 0 && p.factorOf(j) > 0 {
			n++
		}
	}
	return n
}

func (p *Problem) coefficients() []float64 { return p.state.W[:len(p.gradient)] }

// TrainError returns the mean deviance of an exposure of 1, halved.
func (p *Problem) TrainError() float64 { return p.state.Loss / p.weight.Sum(len(p.rate)) }

// Infimum returns 0: no deviance is below.
func (p *Problem) Infimum() float64 { return 0 }

// Model returns the model of the logarithm of the rate, on the scale of the data.
func (p *Problem) Model(f engines.Fitted) engines.Model {
	var coefs []engines.Coef
	bias := p.state.W[len(p.gradient)]
	for j, b := range p.coefficients() {
		if p.x.Scale != nil {
			b *= p.x.Scale[j]
		}
		if b == 0 {
			continue
		}
		coefs = append(coefs, engines.Coef{Feature: j, Value: b})
		if p.x.Center != nil {
			bias -= float64(b * p.x.Center[j])
		}
	}
	f.Notes = append(f.Notes, p.notes...)
	return engines.NewLinear(len(p.gradient), []float64{bias}, coefs, f)
}

// Solve minimises for a penalty, from where it is.
func (p *Problem) Solve(ctx context.Context, pen targets.Penalty, _ float64) (out convex.Outcome, err error) {
	rule := convex.Criterion{Tol: p.tol, MaxIter: p.maxIter, Null: p.null}
	err = p.descend(ctx, pen, p.penaltyFactor, &out, func(stalled bool) string {
		out.Certificate = p.certify(pen)
		return rule.Stop(out.Certificate, out.Iterations, stalled)
	})
	out.Notes = rule.Notes(out)
	return out, err
}

// penaltyFactor returns the given factor of column j, whatever its coefficient.
func (p *Problem) penaltyFactor(j int, _ float64) float64 { return p.factorOf(j) }

// Unpenalized returns Poisson regression without a penalty on all columns of the only target, which the view has on every row.
func Unpenalized(ctx context.Context, v *data.View, workers int) (engines.Model, error) {
	const tol, maxIter = 1e-10, 1000
	p, err := New(ctx, v.WithFactors(make([]float64, v.Columns())), 0, true, tol, maxIter, workers)
	if err != nil {
		return nil, err
	}
	proof := engines.Certificate{Objective: p.state.Loss, Dual: p.state.Loss} // no derivative is above rounding
	return p.Model(convex.Outcome{Stop: convex.Stationary, Certificate: proof}.Fitted()), nil
}
