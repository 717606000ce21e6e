package univariate

import (
	"context"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
)

// Ridge is the parameter of the model on the columns that a filter keeps.
type Ridge = subset.Ridge

// filter keeps the best columns of a ranking, and fits the plain model to them.
type filter struct {
	test  func(v *data.View) (*sparse.Matrix, onColumn, error)
	units unitTests // nil where units are not ranked
	keep  func(r *ranking) int
	ridge float64
}

// memoryOf estimates the bytes that a filter takes: the columns laid out, and scores, p-values and ranks.
func memoryOf(s engines.Shape) int64 {
	return 12*s.Entries + 32*int64(s.Columns) + 64*int64(s.Rows)
}

// rankRows ranks the columns of training rows.
func (f filter) rankRows(ctx context.Context, rows *data.View) (*ranking, error) {
	name := rows.TargetInfo(0).Name
	if rows.Weights() != nil {
		return nil, fmt.Errorf("tests count every row once, but the rows have weights")
	}
	if _, y := rows.Target(0); len(y) == 0 {
		return nil, fmt.Errorf("target %s has no training row", name)
	}
	x, test, err := f.test(rows)
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", name, err)
	}
	r, err := rankColumns(ctx, x, test)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, fmt.Errorf("target %s: %w", name, err)
	}
	if rows.Together() && f.units != nil {
		defined, _ := rows.Defined(0)
		if err := r.joinUnits(rows, x, f.units(defined)); err != nil {
			return nil, fmt.Errorf("target %s: %w", name, err)
		}
	}
	r.setOrder(rows)
	return r, nil
}

// chooseColumns ranks and keeps: the columns, rising, with their ranks and scores.
func (f filter) chooseColumns(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	r, err := f.rankRows(ctx, run.Train)
	if err != nil {
		return nil, engines.Fitted{}, err
	}
	r.usual = subset.Size(subset.ByDefault, run)
	chosen, fitted := r.bestColumns(f.keep(r))
	return chosen, fitted, nil
}

// fitModel fits the model to the columns that are kept. Coefficients have their columns' ranks and scores.
func (f filter) fitModel(ctx context.Context, run engines.Run) (engines.Model, error) {
	r, err := f.rankRows(ctx, run.Train)
	if err != nil {
		return nil, err
	}
	r.usual = subset.Size(subset.ByDefault, run)
	return subset.Path(ctx, run, f.keep(r), f.ridge, r.bestColumns)
}
