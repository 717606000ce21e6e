package hazards

import (
	"context"
	"iter"
	"slices"

	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/targets"
)

// reweighted is a survival target over columns of standard deviation 1 with factors that follow the coefficients (targets.Reweighted).
type reweighted struct {
	*partialLikelihood
	given []float64 // factors of the penalties, by column; those of partialLikelihood are those of the tangents
}

// newReweighted returns the problem at the model without columns, whose lassos leave at most tol/2 of λ1 of each violation.
func newReweighted(s *partialLikelihood, tol float64) *reweighted {
	r := &reweighted{partialLikelihood: s, given: slices.Repeat([]float64{1}, len(s.beta))}
	if s.factor != nil {
		copy(r.given, s.factor)
	}
	s.factor, s.stationarityTol = slices.Clone(r.given), tol/2
	return r
}

// SolveReweighted goes down from tangent to tangent, by a lasso each.
func (r *reweighted) SolveReweighted(ctx context.Context, pen targets.Penalty, _, tol float64, factor func(j int, b float64) float64) (all convex.Outcome, violation float64, err error) {
	const rounds = 200 // each takes the violation to about 1/γ of it
	for k := 0; ; k++ {
		r.reweight(factor)
		if violation = r.violation(pen.L1) / pen.L1; k > 0 && (violation <= tol || all.Stop == convex.Infinite || k >= rounds) {
			break
		}
		out, err := r.partialLikelihood.Solve(ctx, pen, 0)
		if err != nil {
			return out, 0, err
		}
		out.Iterations += all.Iterations
		out.Evaluated += all.Evaluated
		all = out
	}
	if all.Notes = nil; violation <= tol {
		all.Stop = convex.Stationary
	}
	return all, violation, nil
}

// reweight sets the factors to those at the coefficients.
func (r *reweighted) reweight(factor func(j int, b float64) float64) {
	for j, f := range r.given {
		r.factor[j] = f
		if b := r.beta[j]; b != 0 && f > 0 {
			r.factor[j] = factor(j, b)
		}
	}
	for _, column := range r.working {
		column.factor = r.factor[column.column]
	}
}

// Curvature returns the weight of the events, about the second derivative of −log PL along a column.
func (r *reweighted) Curvature() float64 { return r.l.EventWeight() }

// Factor returns the given factor of column j in the penalties.
func (r *reweighted) Factor(j int) float64 { return r.given[j] }

// Coefficients returns those other than 0, by column.
func (r *reweighted) Coefficients() iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		for j, b := range r.beta {
			if b != 0 && !yield(j, b) {
				return
			}
		}
	}
}

// LossSum returns minus the logarithm of the partial likelihood.
func (r *reweighted) LossSum() float64 { return -r.point.Log }

// Separation says that columns can order the events.
func (r *reweighted) Separation() string { return "order the events" }

// Selected returns the number of columns with a penalty that have a coefficient.
func (r *reweighted) Selected() (n int) {
	for j := range r.Coefficients() {
		if r.given[j] > 0 {
			n++
		}
	}
	return n
}
