package ranking

import (
	"context"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
)

// Filter keeps the best columns of a ranking, and fits the plain model to them.
type Filter struct {
	Rank  func(ctx context.Context, run engines.Run) (*Ranking, error)
	Count func(r *Ranking) int // columns or units that are kept, from the best on
	Ridge float64
}

func (f Filter) rank(ctx context.Context, run engines.Run) (*Ranking, error) {
	r, err := f.Rank(ctx, run)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err == nil {
		r.Usual = subset.Size(subset.ByDefault, run)
	}
	return r, err
}

// Choose ranks and keeps. It returns the columns, rising, with their ranks and scores.
func (f Filter) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	r, err := f.rank(ctx, run)
	if err != nil {
		return nil, engines.Fitted{}, err
	}
	chosen, fitted := r.best(f.Count(r))
	return chosen, fitted, nil
}

// Fit fits the model to the columns that are kept. Coefficients have their columns' ranks and scores.
func (f Filter) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	r, err := f.rank(ctx, run)
	if err != nil {
		return nil, err
	}
	return subset.Path(ctx, run, f.Count(r), f.Ridge, r.best)
}

// CountUpTo returns a count of at most so many columns or units; 0: no limit, subset.ByDefault: the usual number.
func CountUpTo(features int) func(r *Ranking) int {
	return func(r *Ranking) int {
		switch n := len(r.Order); features {
		case 0:
			return n
		case subset.ByDefault:
			return min(n, r.Usual)
		default:
			return min(n, features)
		}
	}
}
