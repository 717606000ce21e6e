package subset

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/scaled"
)

// Random draws columns, and fits to them what the filters fit to theirs. A selection of the same size that is no better has
// found nothing.
type Random struct {
	Features int     `yaml:"features" simpler:"smaller,0 last" doc:"columns drawn, of those that vary in the training rows; all of them where there are fewer; 0: all; −1: as many as the filters keep, a hundred, at most half of the columns, and of numbers and times at most the root of the training rows"`
	Ridge    float64 `yaml:"ridge" doc:"weight of half the sum of squared slopes in the logistic regression of classes, Cox's of times, or Poisson's of counts, on the columns drawn (numbers are fitted by least squares); 0: a tenth of their number, each divided by its standard deviation, as the filters have it"`
}

// RandomKind is the control for selectors.
var RandomKind = engines.Define(engines.Kind{
	Name: "random",
	Doc:  "least squares, logistic, Poisson or Cox regression on columns drawn at random: the control for any selection of that size",
	Rev:  9,
}, Random{Features: ByDefault})

// Validate checks the parameters.
func (e Random) Validate() error {
	return errors.Join(
		CheckSize(e.Features),
		checkRidge(e.Ridge),
	)
}

// Needs returns what the engine asks of data: any targets, any number of them: all get the same columns.
func (Random) Needs() engines.Needs {
	return engines.Needs{Survival: true, Rates: true, Tasks: true, Sizes: engines.Sizes{Limit: "features"}, Keeps: true}
}

// Fit draws, and is one regression a target. Fewer columns are the first of more.
func (e Random) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	drawn, err := e.draw(ctx, run)
	if err != nil {
		return nil, err
	}
	e.Features = e.size(run, drawn)
	for _, size := range run.At {
		if size < e.Features && size <= len(drawn) { // the largest is the model itself
			m, err := e.on(ctx, run, drawn, size)
			if err != nil {
				return nil, err
			}
			run.Keep(size, m)
		}
	}
	m, err := e.on(ctx, run, drawn, e.Features)
	if err == nil && e.Features <= len(drawn) && slices.Contains(run.At, e.Features) {
		run.Keep(e.Features, m)
	}
	return m, err
}

// Choose draws.
func (e Random) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	drawn, err := e.draw(ctx, run)
	if err != nil {
		return nil, engines.Fitted{}, err
	}
	columns, notes := first(drawn, e.size(run, drawn), run.Train.Kept())
	chosen := make([]engines.Coef, len(columns))
	for k, j := range columns {
		chosen[k] = engines.Coef{Feature: int(j), Rank: -1}
	}
	return chosen, engines.Fitted{Stop: "done", Best: -1, Notes: notes, Facts: drawnOf(columns, drawn)}, nil
}

// size returns how many columns are drawn, of those that vary.
func (e Random) size(run engines.Run, vary []int32) int {
	if n := Size(e.Features, run); n > 0 {
		return n
	}
	return max(1, len(vary))
}

func drawnOf(columns, all []int32) []data.Fact {
	return []data.Fact{{Name: "columns drawn", Value: fmt.Sprintf("%d of %d that vary", len(columns), len(all))}}
}

// draw draws the columns that vary: of the order, the first ones are random.
func (e Random) draw(ctx context.Context, run engines.Run) ([]int32, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	s, err := scaled.StandardizeFar(ctx, run.Train.Matrix(), nil, "none")
	if err != nil {
		return nil, err
	}
	drawn, kept := make([]int32, 0, len(s.Scale)), run.Train.Kept()
	for j, scale := range s.Scale {
		if scale != 0 && !slices.Contains(kept, int32(j)) {
			drawn = append(drawn, int32(j))
		}
	}
	run.Train.Features().SortByName(drawn)
	for k := range min(e.size(run, drawn), len(drawn)) {
		other := k + run.Rand.IntN(len(drawn)-k)
		drawn[k], drawn[other] = drawn[other], drawn[k]
	}
	return drawn, nil
}

// first columns that were drawn, with those that every model has, rising, and a note where there are too few.
func first(drawn []int32, size int, kept []int32) (columns []int32, notes []string) {
	if size > len(drawn) {
		notes = []string{fmt.Sprintf("%d columns were to be drawn, but %d vary in the training rows: the model has all of them", size, len(drawn))}
	}
	columns = slices.Concat(kept, drawn[:min(size, len(drawn))])
	slices.Sort(columns)
	return columns, notes
}

// Fit fits the plain model to some columns, rising, for each target of the view; ridge is that of For.
func Fit(ctx context.Context, run engines.Run, columns []int32, ridge float64) (engines.Model, error) {
	return fit(ctx, run, columns, ridge, newJoint())
}

func fit(ctx context.Context, run engines.Run, columns []int32, ridge float64, m *joint) (engines.Model, error) {
	for t := range run.Train.Targets() {
		if err := m.add(ctx, run, t, columns, ridge); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// on returns the model on the first columns that were drawn.
func (e Random) on(ctx context.Context, run engines.Run, drawn []int32, size int) (engines.Model, error) {
	m := newJoint()
	var columns []int32
	columns, m.fitted.Notes = first(drawn, size, run.Train.Kept())
	m.fitted.Facts = drawnOf(columns, drawn)
	return fit(ctx, run, columns, e.Ridge, m)
}
