package targets

import (
	"context"
	"iter"

	"tenfold/engines/numeric/scaled"
	"tenfold/engines/penalized/convex"
)

// Reweighted is a Problem over columns of standard deviation 1 whose L1 penalty may be replaced by the tangent of a concave one at the present
// coefficients: a lasso with a factor for each column.
type Reweighted interface {
	Problem
	// Curvature returns the second derivative of the loss along a column, or a bound of it: what a penalty's scale is relative to.
	Curvature() float64
	// Factor returns the given factor of column j in the penalties.
	Factor(j int) float64
	// SolveReweighted goes down, by lassos with the present factors, to coefficients where no condition of a minimum is violated by more than
	// tol·λ1 with the factors that these have: factor(j, b) is that of column j at the coefficient b ≠ 0, at most Factor(j). It stops as
	// convex.Stationary, or as convex.Infinite where the coefficients have no finite optimum. least is the smallest λ1 that will be asked for later.
	// What it returns as well is the largest violation as a share of λ1.
	SolveReweighted(ctx context.Context, pen Penalty, least, tol float64, factor func(j int, b float64) float64) (convex.Outcome, float64, error)
	// Coefficients returns those other than 0, by column.
	Coefficients() iter.Seq2[int, float64]
	// LossSum returns the loss, summed over the rows.
	LossSum() float64
	// Separation says what the columns do where a problem has no finite optimum without a penalty.
	Separation() string
}

// Curved is a Reweighted problem whose second derivatives are those of a sum over rows.
type Curved interface {
	// Curvatures returns the columns, of any location and scale, and the second derivative of the loss by the score of each row.
	Curvatures() (*scaled.Matrix, []float64)
}
