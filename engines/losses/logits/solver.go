package logits

import (
	"context"
	"errors"

	"tenfold/engines"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
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

// Stopping says how far a solver goes.
type Stopping struct {
	Tol     float64 `yaml:"tol" doc:"stop where the duality gap is at most this share of max(1, objective), > 0"`
	MaxIter int     `yaml:"max_iter" doc:"iterations at most, for each penalty"`
}

// ValidateStopping checks both.
func (s Stopping) ValidateStopping() error {
	return errors.Join(
		param.Require("tol", s.Tol > 0 && elementary.IsFinite(s.Tol), "%v, expected a number above 0", s.Tol),
		param.Require("max_iter", s.MaxIter > 0, "%d, expected 1 or more", s.MaxIter),
	)
}

// Criterion returns that of the duality gap, as a share of max(1, objective).
func (s Stopping) Criterion() convex.Criterion {
	return convex.Criterion{Tol: s.Tol, MaxIter: s.MaxIter}
}

// FootprintBytes returns those of a fit: margins, residuals, weights, gradient, and so many layouts of the matrix.
func FootprintBytes(s engines.Shape, layouts, vectors int64) int64 {
	return 8*vectors*int64(s.Columns) + 32*int64(s.Rows) + layouts*12*s.Entries
}

// Tell reports to a trace, where there is one, the model with the given weights, an iteration at the penalty c1, 0 for none.
func (p *Problem) Tell(trace engines.Trace, iter int, loss float64, w []float64, c1 float64) {
	if trace != nil {
		trace(convex.Step(iter, loss/p.Total(), CountNonzero(w[:p.Columns()*p.Blocks]), "c1", c1))
	}
}

// CountNonzero returns how many weights are not zero.
func CountNonzero(w []float64) (n int) {
	for _, v := range w {
		if v != 0 {
			n++
		}
	}
	return n
}
