package lasso

import (
	"context"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/penalized/convex"
)

// problem is one target, solved for one penalty after the other, each from where it is.
type problem interface {
	lambdaMax() float64 // the λ1 from which on no column is selected
	// solve for a penalty; least is the smallest λ1 that will be asked for later, or 0.
	solve(ctx context.Context, pen penalty, least float64) (convex.Outcome, error)
	countSelected() int     // columns selected
	nullObjective() float64 // of the model without columns
	trainError() float64    // mean of squared errors, or of log-losses
	leastError() float64    // what no model has less than
	newModel(f engines.Fitted) engines.Model
}

// problemReader reads a target that the view has on every row.
type problemReader func(ctx context.Context, train *data.View, t, workers int) (problem, error)

// read a target of numbers or of classes.
func (e ElasticNet) read(ctx context.Context, train *data.View, t, workers int) (problem, error) {
	if train.TargetInfo(t).Type == data.Class {
		return newLogLoss(ctx, train, t, e.Standardize, e.Stopping, workers)
	}
	return newLeastSquares(ctx, train, t, e.columnScale(), e.Stopping, workers)
}

// fitTargets fits every target by itself.
func fitTargets(ctx context.Context, run engines.Run, e ElasticNet, read problemReader) (engines.Model, error) {
	targets := run.Train.Targets()
	last, sized := make([]engines.Model, targets), map[int][]engines.Model{} // by target, nil where its path ended before the size
	for t := range last {
		each := run
		each.Keep = func(size int, m engines.Model) {
			if sized[size] == nil {
				sized[size] = make([]engines.Model, targets)
			}
			sized[size][t] = m
		}
		p, err := e.newTargetPath(ctx, each, t, read)
		if err != nil {
			return nil, err
		}
		if last[t], err = p.fit(ctx); err != nil {
			return nil, err
		}
	}
	for _, size := range run.At {
		if models := sized[size]; models != nil {
			for t, m := range models {
				if m == nil {
					models[t] = last[t]
				}
			}
			run.Keep(size, joinModels(models))
		}
	}
	return joinModels(last), nil
}

// fitPath fits every target along a path, each until it is saturated where it may end there, and ends where all are.
func fitPath(ctx context.Context, run engines.Run, e ElasticNet, read problemReader, points engines.PathPoints, keep func(i int, m engines.Model)) error {
	targets := run.Train.Targets()
	each, last := make([][]engines.Model, targets), make([]engines.Model, targets) // by target and point; with the smallest penalty
	for t := range targets {
		each[t] = make([]engines.Model, len(points.Values))
		p, err := e.newTargetPath(ctx, run, t, read)
		if err != nil {
			return err
		}
		err = convex.Along(ctx, p, "lambda", points, p.lambdaMax, func(k int, m engines.Model) {
			if each[t][k], last[t] = m, m; targets == 1 {
				keep(k, m)
			}
		})
		if err != nil {
			return err
		}
	}
	for k := 0; k < len(points.Values) && targets > 1; k++ {
		models, ended := slices.Clone(last), true
		for t := range models {
			if each[t][k] != nil {
				models[t], ended = each[t][k], false
			}
		}
		if !ended {
			keep(k, joinModels(models))
		}
	}
	return nil
}

// targetPath is one target on a path of λ (convex.Selecting).
type targetPath struct {
	engine    ElasticNet
	run       engines.Run
	problem   problem
	lambdaMax float64 // the λ from which on no column is selected
}

// newTargetPath reads a target and starts at the model without columns.
func (e ElasticNet) newTargetPath(ctx context.Context, run engines.Run, t int, read problemReader) (*targetPath, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if run.Train.Targets() > 1 {
		run.Trace = nil
	}
	train := run.Train
	name := train.TargetInfo(t).Name
	if at, y := train.Target(t); len(y) == 0 {
		return nil, fmt.Errorf("target %s has no training row", name)
	} else if at != nil {
		train = train.Sub(at)
	}
	p, err := read(ctx, train, t, run.Workers)
	if err != nil {
		return nil, err
	}
	return &targetPath{engine: e, run: run, problem: p, lambdaMax: p.lambdaMax() / e.Alpha}, nil
}

// fit goes down to lambda, along a path where there is one.
func (p *targetPath) fit(ctx context.Context) (engines.Model, error) {
	lambda := p.engine.Lambda
	if !p.engine.unpenalized {
		lambda = p.engine.Path.Strength(lambda, p.engine.Ratio, p.lambdaMax)
	}
	return p.engine.Path.Fit(ctx, p.run, p, lambda)
}

// Solve for λ. Where no column goes with the target, none of them is selected by any.
func (p *targetPath) Solve(ctx context.Context, lambda, least float64) (convex.Outcome, error) {
	if null := p.problem.nullObjective(); p.lambdaMax == 0 {
		return convex.Outcome{Certificate: engines.Certificate{Objective: null, Dual: null}, Stop: convex.Gap}, nil
	}
	return p.problem.solve(ctx, p.engine.penaltyAt(lambda), p.engine.Alpha*least)
}

// LambdaMax is the λ from which on no column is selected.
func (p *targetPath) LambdaMax() float64 { return p.lambdaMax }

// Loss is what is left of the error that a model can do something about.
func (p *targetPath) Loss() float64 { return p.problem.trainError() - p.problem.leastError() }

// Selected is the number of columns with a coefficient.
func (p *targetPath) Selected() int { return p.problem.countSelected() }

// Trace of the present model.
func (p *targetPath) Trace(iter int, lambda float64) {
	p.run.Trace.At(convex.Step(iter, p.problem.trainError(), p.Selected(), "lambda", lambda))
}

// Model at the present coefficients.
func (p *targetPath) Model(lambda float64, out convex.Outcome) engines.Model {
	out.Facts = append([]data.Fact{convex.StrengthFact("lambda", lambda, p.lambdaMax)}, out.Facts...)
	return p.problem.newModel(out.Fitted())
}
