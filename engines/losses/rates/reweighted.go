package rates

import (
	"context"
	"iter"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/targets"
)

// SolveReweighted goes down from tangent to tangent (targets.Reweighted): each step has the factors that the coefficients have then.
func (p *Problem) SolveReweighted(ctx context.Context, pen targets.Penalty, _, tol float64, factor func(j int, b float64) float64) (out convex.Outcome, violation float64, err error) {
	tangent := func(j int, b float64) float64 {
		if f := p.factorOf(j); b == 0 || f == 0 {
			return f
		}
		return factor(j, b)
	}
	err = p.descend(ctx, pen, tangent, &out, func(stalled bool) string {
		violation = p.violation(pen, tangent)
		switch {
		case violation <= float64(tol*pen.L1):
			return convex.Stationary
		case p.isFarOff():
			return convex.Infinite
		case stalled:
			return convex.Precision
		case out.Iterations >= p.maxIter:
			return convex.MaxIter
		}
		return ""
	})
	return out, violation / pen.L1, err
}

// isFarOff reports whether a column with a penalty has a coefficient that no finite optimum has.
func (p *Problem) isFarOff() bool {
	for j, b := range p.Coefficients() {
		if p.factorOf(j) > 0 && (b > 2*farOff || -b > 2*farOff) {
			return true
		}
	}
	return false
}

// Curvature returns the second derivative of the loss along a column of standard deviation 1, at the model without columns: the sum of the
// weighted counts.
func (p *Problem) Curvature() float64 { return p.counts }

// Factor returns the given factor of column j in the penalties.
func (p *Problem) Factor(j int) float64 { return p.factorOf(j) }

// Coefficients returns those other than 0, by column.
func (p *Problem) Coefficients() iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		for j, b := range p.coefficients() {
			if b != 0 && !yield(j, b) {
				return
			}
		}
	}
}

// LossSum returns half the deviance.
func (p *Problem) LossSum() float64 { return p.state.Loss }

// Curvatures returns the columns, and the second derivatives w·μ of the rows.
func (p *Problem) Curvatures() (*scaled.Matrix, []float64) {
	curvature := make([]float64, len(p.rate))
	for i, z := range p.state.Z {
		curvature[i] = float64(p.weight.Of(i) * elementary.Exp(z))
	}
	ones := make([]float64, len(p.gradient))
	for j := range ones {
		ones[j] = 1
	}
	return &scaled.Matrix{X: p.x.X, N: p.weight.Sum(len(p.rate)), Mean: make([]float64, len(ones)), Scale: ones}, curvature
}

// Separation says what columns do where there is no finite optimum.
func (p *Problem) Separation() string { return "tell rows without counts apart" }
