package l1

import (
	"context"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/losses/logits"
	"tenfold/engines/penalized/convex"
)

// PathNeeds returns those of engines that can go along a path.
func PathNeeds(o Objective, path convex.Path) engines.Needs {
	return engines.Needs{Target: data.Class, Inner: o.IsChosen() && !path.Along(), Sizes: engines.Sizes{Limit: "features"}, Keeps: true, Factors: true}
}

// FitPath solves at each of the points, from the weights of the one before.
func FitPath(ctx context.Context, run engines.Run, o Objective, stop logits.Stopping, solve logits.Solver, points engines.PathPoints, keep func(int, engines.Model)) error {
	f, err := o.newFitRun(ctx, run, stop, solve)
	if err != nil {
		return err
	}
	return convex.Along(ctx, f, "c1", points, f.lambdaMax, keep)
}

// PathParameters returns c1_ratio and c1. Paths for tuning go along shares of the smallest penalty that selects nothing, which mean the same
// on all inner folds, however many rows these have.
func (Objective) PathParameters() []string { return []string{"c1_ratio", "c1"} }

// PathValues returns shares of the largest penalty, 25 a decade from 1 on, as those of the lasso.
func (Objective) PathValues(run engines.Run) (engines.PathRange, error) {
	return engines.PenaltyPath(1, run.Train.Len(), run.Train.Columns(), 25), nil
}

// AtValue returns the engine with another c1_ratio.
func (e L1) AtValue(value float64) engines.Engine {
	e.Ratio = value
	return e
}

// FitPath goes from each point to the next.
func (e L1) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(int, engines.Model)) error {
	return FitPath(ctx, run, e.Objective, e.Stopping, new(Newton).Solve, points, keep)
}
