package l1

import (
	"context"

	"tenfold/engines"
	"tenfold/engines/core/convex"
	"tenfold/engines/data"
)

// pathNeeds are those of engines that can go along a path.
func pathNeeds() engines.Needs {
	return engines.Needs{Target: data.Class, Sizes: engines.Sizes{Limit: "features"}}
}

// Paths for tuning go along shares of the smallest penalty that selects nothing, which mean the same on all inner folds, however
// many rows these have.
const pathParameter = "c1_ratio"

// pathValues are 15 a decade from 1 on.
func pathValues(run engines.Run) engines.PathRange {
	return engines.PenaltyPath(1, run.Train.Len(), run.Train.Columns(), 15)
}

// fitPath solves for values of c1_ratio, each from the weights of the one before, until a model is saturated.
func fitPath(ctx context.Context, run engines.Run, o Objective, stop Stopping, solve Solver, values []float64, keep func(int, engines.Model)) error {
	f, err := o.newFitRun(ctx, run, stop, solve)
	if err != nil {
		return err
	}
	lambdas, err := convex.Shares("c1", values, f.lambdaMax)
	if err != nil {
		return err
	}
	o.Ratio = 1
	if _, err := o.Penalty(f.lambdaMax); err != nil {
		return err
	}
	return convex.Along(ctx, f, lambdas, keep)
}

// PathParameter is c1_ratio.
func (L1) PathParameter() string { return pathParameter }

// PathParameter is c1_ratio.
func (OWLQN) PathParameter() string { return pathParameter }

// PathValues are 15 a decade from 1 on.
func (L1) PathValues(run engines.Run) (engines.PathRange, error) { return pathValues(run), nil }

// PathValues are 15 a decade from 1 on.
func (OWLQN) PathValues(run engines.Run) (engines.PathRange, error) { return pathValues(run), nil }

// AtValue is the engine with another c1_ratio.
func (e L1) AtValue(value float64) engines.Engine {
	e.Ratio = value
	return e
}

// FitPath goes from each value to the next.
func (e L1) FitPath(ctx context.Context, run engines.Run, values []float64, keep func(int, engines.Model)) error {
	return fitPath(ctx, run, e.Objective, e.Stopping, newton, values, keep)
}

// AtValue is the engine with another c1_ratio.
func (e OWLQN) AtValue(value float64) engines.Engine {
	e.Ratio = value
	return e
}

// FitPath goes from each value to the next.
func (e OWLQN) FitPath(ctx context.Context, run engines.Run, values []float64, keep func(int, engines.Model)) error {
	return fitPath(ctx, run, e.Objective, e.Stopping, e.solve, values, keep)
}
