// Package refit registers the engine that fits one engine to what another one selects, so that selections are compared on equal terms.
package refit

import (
	"context"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/data"
	"tenfold/engines/model/narrowed"
)

// Pair registers the engine for experiment files.
var Pair = engines.Pair{
	Keys: [2]string{"select", "refit"},
	Docs: [2]string{
		"an engine whose selected features the one under refit is fitted to",
		"the engine that is fitted to the features that the one under select selects",
	},
	Rev: 1,
	Join: func(first, second engines.Engine) engines.Engine {
		return narrowed.Engine{Select: first, Refit: second}
	},
}

// Plain is the model of filters: least squares, logistic regression or Cox's, on all columns of its data.
type Plain struct{}

// Validate accepts: there are no parameters.
func (Plain) Validate() error { return nil }

// Needs accepts any targets, and several of numbers.
func (Plain) Needs() engines.Needs { return engines.Needs{Survival: true, Tasks: true} }

// Fit fits the model.
func (Plain) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return subset.Fit(ctx, run, data.Numbers(run.Train.Columns()), 0)
}
