package l1

import (
	"context"
	"errors"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/core/elementary"
	"tenfold/engines/data"
	"tenfold/engines/param"
)

// Path is a regularisation path: penalties fall geometrically from the smallest that selects nothing, each solved from the
// weights of the one before.
type Path struct {
	Steps    int `yaml:"path" doc:"penalties on a warm-started path down to c1, that one included; 0: c1 alone"`
	Features int `yaml:"features" doc:"end the path before more columns than this are selected; 0: no limit"`
}

func (p Path) validate() error {
	return errors.Join(
		param.Require("path", p.Steps >= 0, "%d, expected 0 or more", p.Steps),
		param.Require("features", p.Features >= 0, "%d, expected 0 or more", p.Features),
		param.Require("features", p.Features == 0 || p.Along(), "%d: only a path of penalties (parameter path: 2 or more) can end at a number of features", p.Features),
	)
}

// Along tells whether there is a path.
func (p Path) Along() bool { return p.Steps > 1 }

// needs of an engine that can go along a path.
func (Path) needs() engines.Needs {
	return engines.Needs{Target: data.Class, Sizes: engines.Sizes{Limit: "features"}}
}

// followPath solves every penalty of the path. A model of a given size is the last one with at most so many columns, the same
// that a fit with that limit ends with.
func (f *fitRun) followPath(ctx context.Context) (engines.Model, error) {
	f.traceStep(0, max(f.penalty.L1, f.lambdaMax))
	nothing := Outcome{Certificate: f.pt.Certify(Penalty{f.lambdaMax, f.penalty.L2}), Stop: "gap"}
	last := f.newModel(nothing, f.lambdaMax) // before the penalty at hand
	next := 0                                // of run.At
	iterations := 0
	for k := range f.path.Steps {
		goal := f.goalAt(f.penalty.L1)
		if k < f.path.Steps-1 {
			if f.penalty.L1 >= f.lambdaMax {
				continue // nothing is selected anywhere
			}
			goal.L1 = f.lambdaMax * elementary.Pow(f.penalty.L1/f.lambdaMax, float64(k+1)/float64(f.path.Steps))
			goal.Least = f.penalty.L1
		}
		c1 := goal.L1
		out, err := f.solve(ctx, f.pt, goal)
		if err != nil {
			return nil, err
		}
		iterations += out.Iterations
		out.Iterations = iterations
		size := f.countSelected()
		for next < len(f.run.At) && f.run.At[next] < size {
			f.run.Keep(f.run.At[next], last)
			next++
		}
		if f.path.Features > 0 && size > f.path.Features {
			break
		}
		f.traceStep(k+1, c1)
		last = f.newModel(out, c1)
	}
	for ; next < len(f.run.At); next++ {
		f.run.Keep(f.run.At[next], last)
	}
	return last, nil
}

// countSelected is the number of columns with a weight.
func (f *fitRun) countSelected() int {
	n, k := 0, f.pt.p.Blocks
	for j := range f.pt.p.Columns() {
		for _, v := range f.pt.W[j*k : (j+1)*k] {
			if v != 0 {
				n++
				break
			}
		}
	}
	return n
}

// pathParameter is what paths for tuning go along: shares of the smallest penalty that selects nothing mean the same on all
// inner folds, however many rows these have.
const pathParameter = "c1_ratio"

// fitPath solves penalties, shares of the largest, each from the weights of the one before, until a model is saturated.
func fitPath(ctx context.Context, run engines.Run, o Objective, stop Stopping, solve Solver, values []float64, keep func(int, engines.Model)) error {
	pt, largest, err := o.begin(ctx, run)
	if err != nil {
		return err
	}
	f := fitRun{run: run, pt: pt, solve: solve, stop: stop, lambdaMax: largest, penalty: Penalty{L2: o.C2}}
	null := pt.Loss
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
		goal := f.goalAt(pen.L1)
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
		if keep(i, f.newModel(out, pen.L1)); engines.Saturated(pt.Loss, null) {
			break
		}
	}
	return nil
}

// PathParameter is c1_ratio.
func (Path) PathParameter() string { return pathParameter }

// PathValues are 15 a decade from 1 on.
func (Path) PathValues(run engines.Run) (engines.PathRange, error) {
	return engines.PenaltyPath(1, run.Train.Len(), run.Train.Columns(), 15), nil
}

// AtValue is the engine with another c1_ratio.
func (e L1) AtValue(value float64) engines.Engine {
	e.Ratio = value
	return e
}

// FitPath goes from each value to the next.
func (e L1) FitPath(ctx context.Context, run engines.Run, values []float64, keep func(int, engines.Model)) error {
	return fitPath(ctx, run, e.Objective, e.Stopping, newton, values, keep)
}

// AtValue is the engine with another c1_ratio.
func (e OWLQN) AtValue(value float64) engines.Engine {
	e.Ratio = value
	return e
}

// FitPath goes from each value to the next.
func (e OWLQN) FitPath(ctx context.Context, run engines.Run, values []float64, keep func(int, engines.Model)) error {
	return fitPath(ctx, run, e.Objective, e.Stopping, e.solve, values, keep)
}
