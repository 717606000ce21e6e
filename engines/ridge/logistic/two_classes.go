package logistic

import (
	"context"
	"fmt"
	"math/rand/v2"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/losses/logits"
	"tenfold/engines/ridge/margin"
)

// solveTwoClasses solves problems of two classes without C1, by dual coordinate descent and Newton steps. No seed decides the order of
// rows: the same rows give the same model.
func solveTwoClasses(ctx context.Context, pt *logits.Point, goal logits.Goal) (logits.Outcome, error) {
	p := pt.Problem
	problem := margin.Problem{X: p.X, Sign: make([]float64, p.Rows()), Weight: p.Weight, Loss: margin.Logistic, C2: goal.L2}
	for i, y := range p.Y {
		problem.Sign[i] = float64(2*y) - 1
	}
	switch {
	case p.Bias == logits.NoBias:
	case p.AnyFreeBias():
		problem.Bias = margin.FreeBias
	default:
		problem.Bias = margin.PenalizedBias
	}
	solver, err := margin.NewSolver(problem)
	if err != nil {
		return logits.Outcome{}, err
	}
	found, err := solver.Solve(ctx, margin.Goal{
		Tol: goal.Tol, MaxIter: goal.MaxIter, Workers: goal.Workers, Rand: rand.New(rand.NewPCG(0, 0)), Trace: goal.Trace,
	})
	if err != nil {
		return logits.Outcome{}, err
	}
	copy(pt.W, found.W)
	if err := pt.Update(ctx, goal.Workers); err != nil {
		return logits.Outcome{}, err
	}
	// The descent's bound may be better than that of the weights, which Update moves no further than rounding does.
	out := logits.Outcome{Certificate: pt.CertifyWithin(goal.Penalty, Logistic{}.weightLimit()), Stop: found.Stop, Iterations: found.Iterations()}
	out.Dual = max(out.Dual, found.Dual)
	out.Facts = []data.Fact{
		{Name: "passes", Value: fmt.Sprint(found.Passes)},
		{Name: "Newton steps", Value: fmt.Sprintf("%d, of %d products with the Hessian", found.Steps, found.Products)},
	}
	out.Notes = append(out.Notes, goal.Criterion().Notes(out)...)
	return out, nil
}

// twoClassesBytes returns those of solveTwoClasses: a row's place in the descent, with its scores, derivatives and steps; the layout of the block's columns, at
// most all; vectors of columns.
func twoClassesBytes(s engines.Shape) int64 {
	return 160*int64(s.Rows) + 12*s.Entries + 8*16*int64(s.Columns) + 8<<20
}
