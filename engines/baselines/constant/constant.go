// Package constant holds what every other engine must beat: predictions that look at no column.
package constant

import (
	"context"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/data/counts"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/survival"
)

// Mean predicts the weighted mean of each real target's training values.
type Mean struct{}

// MeanKind is the baseline for numbers.
var MeanKind = engines.Define(engines.Kind{
	Name: "mean",
	Doc:  "predicts the mean of the training rows",
	Rev:  1,
}, Mean{})

// Validate accepts: there are no parameters.
func (Mean) Validate() error { return nil }

// Needs returns what the engine asks of data: numbers or counts, any number of targets.
func (Mean) Needs() engines.Needs {
	return engines.Needs{Target: data.Real, Rates: true, Tasks: true, Keeps: true, Missing: true}
}

// Fit takes O(rows). Of counts, the mean rate is their sum over that of the exposures; counts that are all 0 are an error.
func (Mean) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	bias, err := constants(ctx, run, func(target data.Target, y []float64, weight data.Weights) []float64 {
		sum, n := 0.0, 0.0
		for i, v := range y {
			sum += float64(weight.Of(i) * v)
			n += weight.Of(i)
		}
		if target.Type == data.Count {
			return []float64{elementary.Log(sum / n)}
		}
		return []float64{sum / n}
	})
	if err != nil {
		return nil, err
	}
	return engines.NewLinear(run.Train.Columns(), bias, nil, engines.Fitted{Stop: "done", Best: -1}), nil
}

// Majority gives every level of a class target its weighted share of the training rows for a probability, so that the most
// frequent level wins, the first of them on ties.
type Majority struct{}

// MajorityKind is the baseline for classes.
var MajorityKind = engines.Define(engines.Kind{
	Name: "majority",
	Doc:  "predicts the most frequent class of the training rows; probabilities are the classes' shares",
	Rev:  1,
}, Majority{})

// Validate accepts: there are no parameters.
func (Majority) Validate() error { return nil }

// Needs returns what the engine asks of data: class targets, any number of them.
func (Majority) Needs() engines.Needs {
	return engines.Needs{Target: data.Class, Tasks: true, Keeps: true, Missing: true}
}

// Fit takes O(rows).
func (Majority) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	share, err := constants(ctx, run, func(target data.Target, y []float64, weight data.Weights) []float64 {
		share, n := make([]float64, len(target.Levels)), 0.0
		for i, v := range y {
			share[int(v)] += weight.Of(i)
			n += weight.Of(i)
		}
		for k := range share {
			share[k] /= n
		}
		return share
	})
	if err != nil {
		return nil, err
	}
	return engines.NewShares(share, engines.Fitted{Stop: "done", Best: -1}), nil
}

// Hazard is Cox's model without columns: rows share the baseline hazard of the training rows (Breslow 1974; ties by Efron 1977).
type Hazard struct{}

// Validate accepts: there are no parameters.
func (Hazard) Validate() error { return nil }

// Needs returns one survival target.
func (Hazard) Needs() engines.Needs {
	return engines.Needs{Target: data.Survival, Keeps: true, Missing: true}
}

// Fit returns the model of hazard ratio 1, with the baseline hazard of the rows that have the target. The error names a target without
// an event. O(rows · log rows).
func (Hazard) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	train, name := run.Train, run.Train.TargetInfo(0).Name
	rows, times := train.Target(0)
	if rows != nil {
		train = train.Sub(rows)
	}
	l, err := survival.NewLikelihood(times, train.Events(0), train.Weights(), true)
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", name, err)
	}
	var p survival.Point
	risks := make([]float64, len(times))
	l.At(&p, risks)
	hazard := l.BaselineAt(&p, risks, times)
	return engines.NewLinear(run.Train.Columns(), []float64{0}, nil, engines.Fitted{Stop: "done", Best: -1, Baseline: &hazard}), nil
}

// For returns the engine without columns for a view's first target.
func For(train *data.View) engines.Engine {
	switch train.TargetInfo(0).Type {
	case data.Class:
		return Majority{}
	case data.Survival:
		return Hazard{}
	}
	return Mean{}
}

// constants returns what estimate computes for each target, from its values and their weights.
func constants(ctx context.Context, run engines.Run, estimate func(target data.Target, y []float64, weight data.Weights) []float64) ([]float64, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var out []float64
	for t := range run.Train.Targets() {
		target := run.Train.TargetInfo(t)
		rows, y := run.Train.Defined(t)
		if len(y) == 0 {
			return nil, fmt.Errorf("target %s has no training row", target.Name)
		}
		weight := rows.Weights()
		if target.Type == data.Count {
			var err error
			if _, y, weight, err = counts.Rates(run.Train, t); err != nil {
				return nil, err
			}
		}
		out = append(out, estimate(target, y, weight)...)
	}
	return out, nil
}
