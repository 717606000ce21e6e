package refit

import (
	"context"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/methods/lasso"
	"tenfold/engines/methods/subset"
)

// Plain is the model of filters: least squares or logistic regression, with a ridge of 1, on all columns that it is given; of survival targets
// that of cox with lambda2: 1.
type Plain struct{}

// Validate has nothing to check.
func (Plain) Validate() error { return nil }

// Needs are any targets, several of numbers.
func (Plain) Needs() engines.Needs { return engines.Needs{Tasks: true} }

// Fit the model.
func (Plain) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if run.Train.TargetInfo(0).Type == data.Survival {
		cox := lasso.CoxKind.Defaults().(lasso.Cox)
		cox.Lambda, cox.Lambda2 = 0, 1
		return cox.Fit(ctx, run)
	}
	return subset.Fit(ctx, run, data.AllRows(run.Train.Columns()), 1)
}
