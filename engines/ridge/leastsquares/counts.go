package leastsquares

import (
	"context"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/data/counts"
	"tenfold/engines/losses/rates"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/penalized/targets"
)

// fitCounts minimises the sum of Poisson deviances plus λ‖β‖² for each target of counts, to a duality gap.
func (e Ridge) fitCounts(ctx context.Context, run engines.Run) (engines.Model, error) {
	var bias []float64
	var coefs []engines.Coef
	var fitted engines.Fitted
	several := run.Train.Targets() > 1
	for t := range run.Train.Targets() {
		train, _ := run.Train.Defined(t)
		l2, err := e.ofCounts(ctx, train, t)
		if err != nil {
			return nil, err
		}
		p, err := rates.New(ctx, train, t, e.Scale != "none", e.Tol, e.squares().limit(train.Columns()), run.Workers)
		if err != nil {
			return nil, err
		}
		trace := func(iter int) {
			run.Trace.At(engines.Step{Iter: iter, TrainError: p.TrainError(), Active: p.Selected(), Changed: engines.Coef{Feature: -1}, Whole: iter > 0})
		}
		if !several {
			trace(0)
		}
		out, err := p.Solve(ctx, targets.Penalty{L2: l2}, 0)
		if err != nil {
			return nil, err
		}
		m := p.Model(out.Fitted())
		bias = append(bias, engines.Biases(m)...)
		for _, c := range m.Coefs() {
			c.Output, c.Rank = t, -1
			coefs = append(coefs, c)
		}
		report := m.(engines.Reporter).Fitted()
		if several {
			report = joined(fitted, report, train.TargetInfo(t).Name)
		} else {
			trace(out.Iterations)
		}
		fitted = report
	}
	return engines.NewLinear(run.Train.Columns(), bias, coefs, fitted), nil
}

// ofCounts returns the weight of half the squares of the coefficients of columns as package rates scales them, beside half the deviance:
// lambda, times the weight of the rows where columns have a norm of 1. Where lambda is −1 the logarithms of the rates have a variance of
// about 1 by it.
func (e Ridge) ofCounts(ctx context.Context, train *data.View, t int) (float64, error) {
	_, _, weight, err := counts.Rates(train, t)
	if err != nil {
		return 0, err
	}
	g, err := scaled.StandardizeFar(ctx, train.Matrix(), weight, e.Scale)
	if err != nil {
		return 0, err
	}
	lambda := e.Lambda
	if lambda == byVariances {
		if lambda, err = variances(g); err != nil {
			return 0, err
		}
	}
	if e.Scale == "unit" {
		lambda *= g.N
	}
	return lambda, nil
}
