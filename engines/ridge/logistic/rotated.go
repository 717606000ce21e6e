package logistic

import (
	"context"
	"math"

	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/penalized/convex"
)

// rotated returns a solver of problems with an L2 penalty alone, the same for all columns: where columns are many more than rows, it solves in the
// rows' own axes (sparse.Rotated), and goes on in the columns' only where rounding has left a gap.
func rotated(solve logits.Solver) logits.Solver {
	return func(ctx context.Context, pt *logits.Point, goal logits.Goal) (logits.Outcome, error) {
		turned, err := pt.Problem.X.Rotate(ctx, goal.Workers)
		if err != nil {
			return logits.Outcome{}, err
		}
		if turned == nil {
			return solve(ctx, pt, goal)
		}
		q := *pt.Problem
		q.X = turned.X
		there, inside := q.NewPoint(make([]float64, q.Width())), goal
		copy(q.Biases(there.W), pt.Problem.Biases(pt.W))
		if goal.Trace != nil {
			first := true // later weights are of the same columns, which is what is told
			inside.Trace = func(iter int, loss float64, w []float64) {
				if first {
					turnBack(ctx, pt, turned, w, goal.Workers)
					first = false
				}
				goal.Trace(iter, loss, pt.W)
			}
		}
		out, err := solve(ctx, there, inside)
		if err != nil {
			return logits.Outcome{}, err
		}
		turnBack(ctx, pt, turned, there.W, goal.Workers)
		if err := pt.Update(ctx, goal.Workers); err != nil {
			return logits.Outcome{}, err
		}
		dual := out.Dual
		out.Certificate = pt.CertifyWithin(goal.Penalty, math.Inf(1))
		out.Dual = max(out.Dual, dual)
		if out.Stop == convex.Gap && out.Relative() > goal.Tol {
			return solve(ctx, pt, goal)
		}
		out.AddFact("axes", "%d, those of the rows, in place of %d columns", q.Columns(), pt.Problem.Columns())
		return out, nil
	}
}

// turnBack sets the weights to what those in the rows' axes are in the columns'. O(nnz · Blocks).
func turnBack(ctx context.Context, pt *logits.Point, turned *sparse.Rotated, w []float64, workers int) {
	p := pt.Problem
	p.Gradient(ctx, pt.W, turned.Shares(w, p.Blocks), workers)
	copy(p.Biases(pt.W), w[len(w)-len(p.Biases(pt.W)):])
}
