package inner

import (
	"context"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/runner/metric"
	"tenfold/runner/score"
)

// Validation returns the engines.Divide of runs, with the metrics that a file defines.
func Validation(defined metric.Set) engines.Divide {
	return func(ctx context.Context, run engines.Run, o engines.InnerFolds, seed uint64) (engines.Validation, error) {
		return validation(ctx, defined, run, o, seed)
	}
}

// validation divides the training rows of a run into inner folds, and says how models are measured on them.
func validation(ctx context.Context, defined metric.Set, run engines.Run, o engines.InnerFolds, seed uint64) (v engines.Validation, err error) {
	ms, err := Metrics(defined, o.Metric, run.Train)
	if err != nil {
		return v, err
	}
	folds, err := Divide(ctx, run, o, seed)
	if err != nil {
		return v, err
	}
	for _, f := range folds {
		train, held := f.Views(run.Train)
		v.Folds = append(v.Folds, engines.HeldOut{Train: train, Held: held})
	}
	v.Comparison = Comparison(ms, 1)
	return v, nil
}

// Comparison says how models are measured by metrics, with so many workers.
func Comparison(ms []metric.Metric, workers int) (c engines.Comparison) {
	for _, m := range ms {
		c.Metrics = append(c.Metrics, engines.InnerMetric{Name: m.Name, Higher: bool(m.Better), ByRow: m.RowMean()})
	}
	c.Measure = func(m engines.Model, train, held *data.View) ([]float64, error) {
		return score.Measure(ms, m, train, held, workers)
	}
	return c
}
