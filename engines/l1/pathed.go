package l1

import (
	"context"
	"fmt"
	"math"

	"tenfold/engines"
)

// pathParameter is what paths for tuning go along: shares of the smallest penalty that selects nothing mean the same on all
// inner folds, however many rows these have.
const pathParameter = "c1_ratio"

// The usual path: so many penalties, down to such a share.
const (
	pathValues = 30
	pathLeast  = 0.01
)

func usualPath() []float64 {
	values := make([]float64, pathValues)
	for k := range values {
		values[k] = math.Pow(pathLeast, float64(k)/(pathValues-1))
	}
	return values
}

// fitPath solves penalties, shares of the largest, each from the weights of the one before.
func fitPath(ctx context.Context, run engines.Run, o Objective, stop Stopping, solve Solver, values []float64, keep func(int, engines.Model)) error {
	p, err := Read(run.Train, Bias(o.Bias))
	if err != nil {
		return err
	}
	pt := p.NewPoint(make([]float64, p.Width()))
	largest, err := pt.Max(ctx, run.Workers)
	if err != nil {
		return err
	}
	f := fitting{run: run, pt: pt, solve: solve, stop: stop, largest: largest, penalty: Penalty{L2: o.C2}}
	for i, value := range values {
		o.Ratio = value
		if !(value > 0) {
			return fmt.Errorf("%s %v, expected a share above 0", pathParameter, value)
		}
		if err := o.validate(); err != nil {
			return err
		}
		pen, err := o.Penalty(largest)
		if err != nil {
			return err
		}
		goal := f.goal(pen.L1, nil)
		if i+1 < len(values) {
			least := pen.L1
			for _, later := range values[i+1:] {
				least = min(least, later*largest)
			}
			goal.Least = least
		}
		out, err := solve(ctx, pt, goal)
		if err != nil {
			return err
		}
		keep(i, f.model(out, pen.L1))
	}
	return nil
}

// PathParameter is c1_ratio.
func (L1) PathParameter() string { return pathParameter }

// PathValues are 30 from 1 to a hundredth.
func (L1) PathValues(engines.Run) ([]float64, error) { return usualPath(), nil }

// AtValue is the engine with another c1_ratio.
func (e L1) AtValue(value float64) engines.Engine {
	e.Ratio = value
	return e
}

// FitPath goes from each value to the next.
func (e L1) FitPath(ctx context.Context, run engines.Run, values []float64, keep func(int, engines.Model)) error {
	return fitPath(ctx, run, e.Objective, e.Stopping, newton, values, keep)
}

// PathParameter is c1_ratio.
func (OWLQN) PathParameter() string { return pathParameter }

// PathValues are 30 from 1 to a hundredth.
func (OWLQN) PathValues(engines.Run) ([]float64, error) { return usualPath(), nil }

// AtValue is the engine with another c1_ratio.
func (e OWLQN) AtValue(value float64) engines.Engine {
	e.Ratio = value
	return e
}

// FitPath goes from each value to the next.
func (e OWLQN) FitPath(ctx context.Context, run engines.Run, values []float64, keep func(int, engines.Model)) error {
	return fitPath(ctx, run, e.Objective, e.Stopping, e.solve, values, keep)
}
