package l1

import (
	"context"

	"tenfold/engines/penalized/convex"
)

// Goal is one problem for a solver.
type Goal struct {
	Penalty
	Stopping
	Workers int
	// Least is the smallest L1 penalty that the point will be asked for after this one; 0: none comes after. Where one does, a
	// solver may leave the gradient of columns that none of the penalties selects as it is.
	Least float64
	// Factor, where given, returns the factor of a column's L1 penalty at a weight, in place of the problem's, which it does not exceed: that of
	// the tangent of a concave penalty (reweighted.go). Tol is then the largest violation of a condition, as a share of L1.
	Factor func(column int, weight float64) float64
	// Trace hears of every iteration; nil where nobody listens. w is read-only.
	Trace func(iter int, loss float64, w []float64)
}

// Solver goes from the weights of pt, which it improves, towards the goal. It leaves pt updated: margins, residuals,
// gradient and loss are those of its weights, free biases are at their optimum.
type Solver func(ctx context.Context, pt *Point, goal Goal) (Outcome, error)

// Outcome tells how a solver ended.
type Outcome = convex.Outcome

// Criterion returns that of the duality gap, as a share of max(1, objective).
func (s Stopping) Criterion() convex.Criterion {
	return convex.Criterion{Tol: s.Tol, MaxIter: s.MaxIter}
}
