package univariate

import (
	"context"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/core/loglinear"
	"tenfold/engines/core/sparse"
	"tenfold/engines/data"
	"tenfold/engines/methods/subset"
	"tenfold/engines/param"

	"tenfold/engines/core/elementary"
)

// Ridge is the parameter of the model on the columns that a filter keeps.
type Ridge struct {
	Ridge float64 `yaml:"ridge" doc:"weight of half the sum of squared slopes in the logistic regression of classes on the columns kept, > 0 (numbers are fitted by least squares)"`
}

func (r Ridge) validateRidge() error {
	return param.Require("ridge", r.Ridge > 0 && elementary.IsFinite(r.Ridge), "%v, expected a number above 0", r.Ridge)
}

// filter keeps the best columns of a ranking, and fits the plain model to them.
type filter struct {
	test  func(v *data.View) (*sparse.Matrix, onColumn, error)
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
	return r, nil
}

// chooseColumns ranks and keeps: the columns, rising, with their ranks and scores.
func (f filter) chooseColumns(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	r, err := f.rankRows(ctx, run.Train)
	if err != nil {
		return nil, engines.Fitted{}, err
	}
	chosen, fitted := r.bestColumns(f.keep(r))
	return chosen, fitted, nil
}

// fitModel fits the model to the columns that are kept. Coefficients have their columns' ranks and scores.
func (f filter) fitModel(ctx context.Context, run engines.Run) (engines.Model, error) {
	r, err := f.rankRows(ctx, run.Train)
	if err != nil {
		return nil, err
	}
	n := f.keep(r)
	missing := run.At
	for len(missing) > 0 && missing[0] < n {
		m, err := f.modelOf(ctx, run, r, missing[0], nil)
		if err != nil {
			return nil, err
		}
		run.Keep(missing[0], m)
		missing = missing[1:]
	}
	reached := len(missing) > 0 && missing[0] == n
	if reached {
		missing = missing[1:]
	}
	m, err := f.modelOf(ctx, run, r, n, missing)
	if err == nil && reached {
		run.Keep(n, m)
	}
	return m, err
}

// modelOf fits the model to the n best columns.
func (f filter) modelOf(ctx context.Context, run engines.Run, r *ranking, n int, missing []int) (engines.Model, error) {
	chosen, fitted := r.bestColumns(n)
	if len(missing) > 0 {
		fitted.Notes = append(fitted.Notes, fmt.Sprintf("the path ends at %d columns: no more were kept, so there is no model of %v", n, missing))
	}
	return fitPlain(ctx, run, chosen, f.ridge, fitted)
}

// fitPlain is the plain model on the columns chosen, rising, as one on all of them, with their ranks and scores.
func fitPlain(ctx context.Context, run engines.Run, chosen []engines.Coef, ridge float64, fitted engines.Fitted) (engines.Model, error) {
	all, columns := run.Train.Columns(), make([]int32, len(chosen))
	for k, c := range chosen {
		columns[k] = int32(c.Feature)
	}
	run.Train = run.Train.Narrow(columns, 0)
	fit, err := subset.For(run.Train, ridge).Fit(ctx, run)
	if err != nil {
		return nil, err
	}
	if constant, ok := fit.(*engines.Shares); ok {
		return engines.NewShares(constant.Share(), fitted), nil
	}
	m, ok := fit.(interface {
		engines.Model
		engines.Reporter
		Bias(output int) float64
	})
	if !ok {
		return nil, fmt.Errorf("the model on the columns kept is a %T, expected one with weights", fit)
	}
	bias, coefs := make([]float64, m.Outputs()), slices.Clone(m.Coefs())
	for k := range bias {
		bias[k] = m.Bias(k)
	}
	for k := range coefs {
		of := chosen[coefs[k].Feature]
		coefs[k].Feature, coefs[k].Rank, coefs[k].Score = of.Feature, of.Rank, of.Score
	}
	own := m.Fitted()
	fitted.Iterations, fitted.Probabilities, fitted.Notes = own.Iterations, own.Probabilities, append(fitted.Notes, own.Notes...)
	if _, ok := fit.(*loglinear.Model); ok {
		return loglinear.NewModel(all, bias, coefs, fitted), nil
	}
	return engines.NewLinear(all, bias, coefs, fitted), nil
}
