package subset

import (
	"context"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/softmax"
)

// Ridge is the parameter of the plain model on columns that were chosen.
type Ridge struct {
	Ridge float64 `yaml:"ridge" doc:"weight of half the sum of squared slopes in the logistic regression of classes, Cox's of times, or Poisson's of counts, on the columns kept (numbers are fitted by least squares); 0: a tenth of their number (of times and counts at least 1), each divided by its standard deviation, which stands for logarithms of odds with a variance of ten"`
}

// Validate checks the parameter.
func (r Ridge) Validate() error { return checkRidge(r.Ridge) }

// Path returns the plain model on the n columns that were chosen, and those on fewer that the run asks for. Of any number up to n, best is
// the columns, rising, with their ranks and scores, and what there is to say of them.
func Path(ctx context.Context, run engines.Run, n int, ridge float64, best func(n int) ([]engines.Coef, engines.Fitted)) (engines.Model, error) {
	smaller, reached := slices.BinarySearch(run.At, n)
	for _, size := range run.At[:smaller] {
		chosen, fitted := best(size)
		m, err := Plain(ctx, run, chosen, ridge, fitted)
		if err != nil {
			return nil, err
		}
		run.Keep(size, m)
	}
	chosen, fitted := best(n)
	m, err := Plain(ctx, run, chosen, ridge, fitted)
	if err == nil && reached {
		run.Keep(n, m)
	}
	return m, err
}

// Plain returns the plain model on the columns chosen, rising, as one on all of them, with their ranks and scores.
func Plain(ctx context.Context, run engines.Run, chosen []engines.Coef, ridge float64, fitted engines.Fitted) (engines.Model, error) {
	all, columns := run.Train.Columns(), make([]int32, len(chosen))
	for k, c := range chosen {
		columns[k] = int32(c.Feature)
	}
	if run.Train = run.Train.Narrow(columns, 0).Alike(); run.Train.TargetInfo(0).Type == data.Survival {
		run.Trace = nil // steps of cox are of a penalty that is no parameter here
	}
	fit, err := For(run.Train, ridge).Fit(ctx, run)
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
		choice := chosen[coefs[k].Feature]
		coefs[k].Feature, coefs[k].Rank, coefs[k].Score = choice.Feature, choice.Rank, choice.Score
	}
	plain := m.Fitted()
	fitted.Iterations, fitted.Probabilities, fitted.Notes = plain.Iterations, plain.Probabilities, append(fitted.Notes, plain.Notes...)
	fitted.Baseline = plain.Baseline
	if _, ok := fit.(*softmax.Model); ok {
		return softmax.NewModel(all, bias, coefs, fitted), nil
	}
	return engines.NewLinear(all, bias, coefs, fitted), nil
}
