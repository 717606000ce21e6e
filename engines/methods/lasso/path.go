package lasso

import (
	"context"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/core/elementary"
	"tenfold/engines/data"
)

// problem is one target, solved for one penalty after the other, each from where it is.
type problem interface {
	lambdaMax() float64 // the λ1 from which on no column is selected
	// solve for a penalty; least is the smallest λ1 that will be asked for later, or 0.
	solve(ctx context.Context, pen penalty, least float64) (outcome, error)
	countSelected() int  // columns selected
	trainError() float64 // mean of squared errors, or of log-losses
	newModel(f engines.Fitted) engines.Model
}

// outcome tells how far a problem was solved.
type outcome struct {
	engines.Certificate
	stop       string // "gap" where the goal was met
	iterations int
	notes      []string
}

// fitTargets fits every target by itself.
func fitTargets(ctx context.Context, run engines.Run, e ElasticNet) (engines.Model, error) {
	last, sized := make([]engines.Model, run.Train.Targets()), make([][]engines.Model, len(run.At))
	for t := range last {
		w, err := e.startPath(ctx, run, t)
		if err != nil {
			return nil, err
		}
		if last[t], err = w.followPath(ctx, func(at int, m engines.Model) { sized[at] = append(sized[at], m) }); err != nil {
			return nil, err
		}
	}
	for at, models := range sized {
		run.Keep(run.At[at], joinModels(models))
	}
	return joinModels(last), nil
}

// fitPath fits every target along values of lambda_ratio, each until it is saturated, and ends where all are.
func fitPath(ctx context.Context, run engines.Run, e ElasticNet, values []float64, keep func(i int, m engines.Model)) error {
	for _, v := range values {
		if !(v > 0 && v <= 1) {
			return fmt.Errorf("lambda_ratio %v, expected a share above 0, at most 1", v)
		}
	}
	targets := run.Train.Targets()
	each, longest := make([][]engines.Model, targets), 0
	for t := range targets {
		w, err := e.startPath(ctx, run, t)
		if err != nil {
			return err
		}
		null := w.problem.trainError()
		for k, v := range values {
			least := 0.0
			if k < len(values)-1 {
				least = slices.Min(values[k+1:]) * w.most
			}
			out, err := w.solve(ctx, v*w.most, least)
			if err != nil {
				return err
			}
			m := w.newModel(out, v*w.most)
			if each[t] = append(each[t], m); targets == 1 {
				keep(k, m)
			}
			if engines.Saturated(w.problem.trainError(), null) {
				break
			}
		}
		longest = max(longest, len(each[t]))
	}
	for k := 0; k < longest && targets > 1; k++ {
		models := make([]engines.Model, targets)
		for t := range models {
			models[t] = each[t][min(k, len(each[t])-1)]
		}
		keep(k, joinModels(models))
	}
	return nil
}

// targetPath is one target at the penalties of a path, each warm-started from the last.
type targetPath struct {
	engine     ElasticNet
	run        engines.Run
	problem    problem
	most       float64 // the λ from which on no column is selected
	iterations int
}

// startPath reads a target and starts at the model without columns.
func (e ElasticNet) startPath(ctx context.Context, run engines.Run, t int) (*targetPath, error) {
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
	var p problem
	var err error
	if train.TargetInfo(t).Type == data.Class {
		p, err = newLogistic(ctx, train, t, e.Standardize, e.Stopping, run.Workers)
	} else {
		p, err = newLeastSquares(ctx, train, t, e.columnScale(), e.Stopping, run.Workers)
	}
	if err != nil {
		return nil, err
	}
	return &targetPath{engine: e, run: run, problem: p, most: p.lambdaMax() / e.Alpha}, nil
}

// requestedLambda is the λ that the parameters ask for.
func (w *targetPath) requestedLambda() float64 {
	if w.engine.Ratio > 0 {
		return w.engine.Ratio * w.most
	}
	return w.engine.Lambda
}

func (w *targetPath) solve(ctx context.Context, lambda, least float64) (outcome, error) {
	out, err := w.problem.solve(ctx, w.engine.penaltyAt(lambda), w.engine.Alpha*least)
	w.iterations += out.iterations
	return out, err
}

// followPath goes down to lambda, along a path where there is one. A model of a size that the run asks for is the last one with at most so
// many columns, the same that a fit with that limit ends with; keep gets it.
func (w *targetPath) followPath(ctx context.Context, keep func(at int, m engines.Model)) (engines.Model, error) {
	lambda := w.requestedLambda()
	if !w.engine.Along() {
		w.traceStep(0, max(lambda, w.most))
		out, err := w.solve(ctx, lambda, 0)
		if err != nil {
			return nil, err
		}
		w.traceStep(1, lambda)
		return w.newModel(out, lambda), nil
	}
	w.traceStep(0, w.most)
	at, next := max(lambda, w.most), 0
	out, err := w.solve(ctx, at, lambda)
	if err != nil {
		return nil, err
	}
	var last engines.Model
	steps := w.engine.Steps
	for k := range steps {
		if k < steps-1 && lambda >= w.most {
			continue // nothing is selected anywhere
		}
		if w.engine.Features > 0 || next < len(w.run.At) { // it may be asked for
			last = w.newModel(out, at)
		}
		least := 0.0
		if at = lambda; k < steps-1 {
			at, least = w.most*elementary.Pow(lambda/w.most, float64(k+1)/float64(steps)), lambda
		}
		if out, err = w.solve(ctx, at, least); err != nil {
			return nil, err
		}
		size := w.problem.countSelected()
		for ; next < len(w.run.At) && w.run.At[next] < size; next++ {
			keep(next, last)
		}
		if w.engine.Features > 0 && size > w.engine.Features {
			for ; next < len(w.run.At); next++ {
				keep(next, last)
			}
			return last, nil
		}
		w.traceStep(k+1, at)
	}
	last = w.newModel(out, at)
	for ; next < len(w.run.At); next++ {
		keep(next, last)
	}
	return last, nil
}

func (w *targetPath) traceStep(iter int, lambda float64) {
	w.run.Trace.At(engines.Step{
		Iter: iter, TrainError: w.problem.trainError(), Active: w.problem.countSelected(), Parameter: "lambda", ParameterValue: lambda, Whole: true,
		Changed: engines.Coef{Feature: -1},
	})
}

// newModel is the model at the present coefficients.
func (w *targetPath) newModel(out outcome, lambda float64) engines.Model {
	return w.problem.newModel(engines.Fitted{
		Stop: out.stop, Iterations: w.iterations, Best: -1, Certificate: &out.Certificate, Notes: out.notes,
		Facts: []data.Fact{{Name: "lambda", Value: fmt.Sprintf("%.6g (selects nothing from %.6g on)", lambda, w.most)}},
	})
}
