package sequential

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"tenfold/engines"
	"tenfold/engines/baselines/constant"
	"tenfold/engines/data"
	"tenfold/engines/filters/univariate"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/searches"
)

// fits measures sets of units: it fits the base to their columns on the inner folds.
type fits struct {
	base       engines.Engine
	run        engines.Run
	seed       uint64
	validation engines.Validation
	columns    [][]int32 // by unit
	kept       []int32   // in every set, and not counted
	search     *search
	seconds    map[string][]float64 // of the fits to a set, by inner fold
	failed     int                  // sets without a measurement because a fit failed
	first      error                // the error of the first of them
}

// prepare divides the rows, and finds the units that may be in a set.
func (e Engine) prepare(ctx context.Context, run engines.Run) (*fits, error) {
	f := &fits{base: e.Base, run: run, seed: run.Rand.Uint64(), kept: run.Train.Kept()}
	units, constants, err := f.findUnits()
	if err != nil {
		return nil, err
	}
	if err := e.suits(len(units), "the data has %d columns to choose from"); err != nil {
		return nil, err
	}
	if e.Direction == forward {
		units = slices.DeleteFunc(units, func(u int32) bool { _, is := slices.BinarySearch(constants, u); return is })
		if err := e.suits(len(units), "of the columns to choose from %d vary on the training rows"); err != nil {
			return nil, err
		}
		if units, err = f.screen(ctx, units, e.Screen); err != nil {
			return nil, err
		}
	}
	if f.validation, err = run.Divide(ctx, run, e.InnerFolds, f.seed); err != nil {
		return nil, err
	}
	f.seconds = map[string][]float64{}
	f.search = &search{Options: e.Options, units: units, constant: constants, metrics: f.validation.Metrics, measure: f.measure}
	return f, nil
}

// suits refuses sizes that cannot be reached; found says of how many units there are, and of what kind.
func (o Options) suits(units int, found string) error {
	size, fixed := o.number()
	if !fixed {
		if size = 1; len(o.Sizes) == 2 {
			size = max(1, o.Sizes[0])
		}
	}
	if size > units {
		return fmt.Errorf("size: it searches for %d columns, and "+found, size, units)
	}
	return nil
}

// findUnits returns the units that compete, and those of them without two values on the training rows.
func (f *fits) findUnits() (units, constants []int32, err error) {
	v := f.run.Train
	if v.Together() {
		if f.columns, err = v.WholeUnits(); err != nil {
			return nil, nil, err
		}
	} else {
		for j := range int32(v.Columns()) {
			f.columns = append(f.columns, []int32{j})
		}
	}
	constant := v.Matrix().ConstantColumns()
	for u, columns := range f.columns {
		if !v.Competes(int(columns[0])) {
			continue
		}
		units = append(units, int32(u))
		if !slices.ContainsFunc(columns, func(j int32) bool { _, is := slices.BinarySearch(constant, j); return !is }) {
			constants = append(constants, int32(u))
		}
	}
	return units, constants, nil
}

// screen returns the first units of a ranking by F, or by Cox's score test, rising; all if n is 0.
func (f *fits) screen(ctx context.Context, units []int32, n int) ([]int32, error) {
	if n == 0 || n >= len(units) {
		return units, nil
	}
	anova := univariate.AnovaKind.Defaults().(univariate.Anova)
	anova.Features = n
	var filter engines.Chooser = anova
	if f.run.Train.TargetInfo(0).Type == data.Survival {
		cox := univariate.CoxFilterKind.Defaults().(univariate.CoxFilter)
		cox.Features = n
		filter = cox
	}
	chosen, _, err := filter.Choose(ctx, engines.Run{Train: f.run.Train, Workers: f.run.Workers})
	if err != nil {
		return nil, fmt.Errorf("screen: %w", err)
	}
	return slices.DeleteFunc(units, func(u int32) bool {
		return !slices.ContainsFunc(chosen, func(c engines.Coef) bool { return c.Feature == int(f.columns[u][0]) })
	}), nil
}

// measure returns the metrics of the base on every set of units: by set, metric and inner fold; nil for a set that cannot be fitted to
// all folds. Equal sets are fitted with equal draws, whenever they are.
func (f *fits) measure(ctx context.Context, sets [][]int32) ([][][]float64, error) {
	folds := f.validation.Folds
	values, errs := make([][][]float64, len(sets)), make([]error, len(sets)*len(folds))
	seconds := make([]float64, len(errs))
	for k := range values {
		f.seconds[nameOf(sets[k])] = seconds[k*len(folds) : (k+1)*len(folds)]
		values[k] = make([][]float64, len(f.validation.Metrics))
		for m := range values[k] {
			values[k][m] = make([]float64, len(folds))
		}
	}
	counter := searches.NewCounter(f.run.ShowProgress, f.search.progress(), len(errs))
	var ended atomic.Bool
	parallel.Each(f.run.Workers, len(errs), func(k int) {
		set, fold := k/len(folds), k%len(folds)
		if ended.Load() || ctx.Err() != nil {
			ended.Store(true)
			return
		}
		var measured engines.Measured
		if measured, errs[k] = f.measureOn(ctx, fold, sets[set]); errs[k] == nil {
			for m, v := range measured.Values {
				values[set][m][fold] = v
			}
		}
		seconds[k] = measured.Seconds
		counter.Add()
	})
	if ended.Load() || ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	for k, err := range errs { // the first in the order of sets
		switch set := k / len(folds); {
		case err == nil:
		case errors.As(err, new(engines.Disturbance)):
			return nil, err
		case values[set] != nil:
			values[set] = nil
			if f.failed++; f.first == nil {
				f.first = err
			}
		}
	}
	return values, nil
}

// measureOn fits the base to a set of units on one inner fold, and measures it there.
func (f *fits) measureOn(ctx context.Context, fold int, units []int32) (engines.Measured, error) {
	columns := slices.Clone(f.kept)
	for _, u := range units {
		columns = append(columns, f.columns[u]...)
	}
	slices.Sort(columns)
	run, engine, on := f.run, f.base, f.validation.Folds[fold]
	if run.Workers = 1; len(columns) == 0 {
		engine, columns = constant.For(on.Train), []int32{}
	}
	measured, err := f.validation.Try(ctx, run, engines.Trial{Engine: engine, On: on, Columns: columns, Seed: [2]uint64{f.seed, uint64(fold)}})
	return measured[0], errors.Join(err, measured[0].Err)
}
