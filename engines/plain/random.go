package plain

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/kind"
	"tenfold/engines/sparse"
)

// Random draws columns, and fits to them what the filters fit to theirs. A selection of the same size that is no better has
// found nothing.
type Random struct {
	Features int     `yaml:"features" doc:"columns drawn, ≥ 1, of those that vary in the training rows; all of them where there are fewer"`
	Ridge    float64 `yaml:"ridge" doc:"weight of half the sum of squared slopes in the logistic regression of classes on the columns drawn, > 0 (numbers are fitted by least squares); by default that of the filters"`
}

// RandomKind is the control for selectors.
var RandomKind = engines.Define(engines.Kind{
	Name: "random",
	Doc:  "least squares or logistic regression on columns drawn at random: the control for any selection of that size",
	Rev:  1,
}, Random{Features: 10, Ridge: 1})

// Validate checks the parameters.
func (e Random) Validate() error {
	return errors.Join(
		kind.Require("features", e.Features >= 1, "%d, expected at least 1", e.Features),
		checkRidge(e.Ridge),
	)
}

// Needs is any targets, any number of them: all get the same columns.
func (Random) Needs() engines.Needs {
	return engines.Needs{Tasks: true, Sizes: engines.Sizes{Limit: "features"}}
}

// Fit draws, and is one regression a target. Fewer columns are the first of more.
func (e Random) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	s, err := sparse.Standardize(run.Train.Matrix(), nil, "none")
	if err != nil {
		return nil, err
	}
	drawn := make([]int32, 0, len(s.Scale))
	for j, scale := range s.Scale {
		if scale != 0 {
			drawn = append(drawn, int32(j))
		}
	}
	for k := range min(e.Features, len(drawn)) {
		other := k + run.Rand.IntN(len(drawn)-k)
		drawn[k], drawn[other] = drawn[other], drawn[k]
	}
	for _, size := range run.At {
		if size < e.Features { // the largest is the model itself
			m, err := e.on(ctx, run, drawn, size)
			if err != nil {
				return nil, err
			}
			run.Keep(size, m)
		}
	}
	m, err := e.on(ctx, run, drawn, e.Features)
	if err == nil && slices.Contains(run.At, e.Features) {
		run.Keep(e.Features, m)
	}
	return m, err
}

// on is the model on the first columns that were drawn.
func (e Random) on(ctx context.Context, run engines.Run, drawn []int32, size int) (engines.Model, error) {
	m := newJoint()
	if size > len(drawn) {
		m.fitted.Notes = []string{fmt.Sprintf("%d columns were to be drawn, but %d vary in the training rows: the model has all of them", size, len(drawn))}
	}
	columns := slices.Clone(drawn[:min(size, len(drawn))])
	slices.Sort(columns)
	for t := range run.Train.Targets() {
		if err := m.add(ctx, run, t, columns, e.Ridge); err != nil {
			return nil, err
		}
	}
	return m, nil
}
