package refit

import (
	"context"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/data"
)

// Plain is the model of filters: least squares, logistic regression or Cox's, with a ridge of 1, on all columns of its data.
type Plain struct{}

// Validate has nothing to check.
func (Plain) Validate() error { return nil }

// Needs accepts any targets, and several of numbers.
func (Plain) Needs() engines.Needs { return engines.Needs{Survival: true, Tasks: true} }

// Fit fits the model.
func (Plain) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return subset.Fit(ctx, run, data.Numbers(run.Train.Columns()), 1)
}
