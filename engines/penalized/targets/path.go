// Package targets fits each target of the training rows by itself, for one penalty λ or along a path of them: a Problem says how one target is
// solved, Fit and FitPath do the rest, and the models of several targets become one (targets.go), which can be kept (saved.go).
//
// It knows neither losses nor solvers: those are in the packages of the problems, whose parameters become Penalties.
package targets

import (
	"context"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/penalized/convex"
)

// Penalty is λ1·‖β‖₁ + ½·λ2·‖β‖².
type Penalty struct{ L1, L2 float64 }

// Penalties are λ·(α·‖β‖₁ + (1−α)/2·‖β‖²) + λ2/2·‖β‖² for every λ, and which λ a fit is for.
type Penalties struct {
	Alpha, Lambda2 float64
	Lambda, Ratio  float64     // as convex.Path.Strength takes them
	Unpenalized    bool        // λ is 0, and no default replaces it
	Path           convex.Path // down to λ
}

// forLambda returns the penalty for a λ.
func (p Penalties) forLambda(lambda float64) Penalty {
	return Penalty{p.Alpha * lambda, float64((1-p.Alpha)*lambda) + p.Lambda2}
}

// Problem is one target, solved for one penalty after the other, each from where it is.
type Problem interface {
	LambdaMax() float64 // the λ1 from which on no column is selected
	// Solve minimises for a penalty, from where it is; least is the smallest λ1 that will be asked for later, or 0.
	Solve(ctx context.Context, pen Penalty, least float64) (convex.Outcome, error)
	Selected() int          // columns selected
	NullObjective() float64 // of the model without columns
	TrainError() float64    // mean of squared errors, or of log-losses
	Infimum() float64       // what no model has less than
	Model(f engines.Fitted) engines.Model
}

// Reader reads a target that the view has on every row.
type Reader func(ctx context.Context, train *data.View, t, workers int) (Problem, error)

// Fit fits every target by itself.
func Fit(ctx context.Context, run engines.Run, pen Penalties, read Reader) (engines.Model, error) {
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
		p, err := NewPath(ctx, each, pen, t, read)
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

// FitPath fits every target along a path, each until it is saturated where it may end there, and ends where all are.
func FitPath(ctx context.Context, run engines.Run, pen Penalties, read Reader, points engines.PathPoints, keep func(i int, m engines.Model)) error {
	targets := run.Train.Targets()
	each, last := make([][]engines.Model, targets), make([]engines.Model, targets) // by target and point; with the smallest penalty
	for t := range targets {
		each[t] = make([]engines.Model, len(points.Values))
		p, err := NewPath(ctx, run, pen, t, read)
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

// Path is one target on its path of λ (convex.Selecting).
type Path struct {
	penalties Penalties
	run       engines.Run
	problem   Problem
	lambdaMax float64 // the λ from which on no column is selected
}

// NewPath reads a target and starts at the model without columns.
func NewPath(ctx context.Context, run engines.Run, pen Penalties, t int, read Reader) (*Path, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if run.Train.Targets() > 1 {
		run.Trace = nil
	}
	train := run.Train
	name := train.TargetInfo(t).Name
	if rows, y := train.Target(t); len(y) == 0 {
		return nil, fmt.Errorf("target %s has no training row", name)
	} else if rows != nil {
		train = train.Sub(rows)
	}
	p, err := read(ctx, train, t, run.Workers)
	if err != nil {
		return nil, err
	}
	return &Path{penalties: pen, run: run, problem: p, lambdaMax: p.LambdaMax() / pen.Alpha}, nil
}

// fit goes down to lambda, along a path where there is one.
func (p *Path) fit(ctx context.Context) (engines.Model, error) {
	lambda := p.penalties.Lambda
	if !p.penalties.Unpenalized {
		lambda = p.penalties.Path.Strength(lambda, p.penalties.Ratio, p.lambdaMax)
	}
	return p.penalties.Path.Fit(ctx, p.run, p, lambda)
}

// Solve minimises for λ. Where no column goes with the target, none of them is selected by any.
func (p *Path) Solve(ctx context.Context, lambda, least float64) (convex.Outcome, error) {
	if null := p.problem.NullObjective(); p.lambdaMax == 0 {
		return convex.Outcome{Certificate: engines.Certificate{Objective: null, Dual: null}, Stop: convex.Gap}, nil
	}
	return p.problem.Solve(ctx, p.penalties.forLambda(lambda), p.penalties.Alpha*least)
}

// LambdaMax returns the λ from which on no column is selected.
func (p *Path) LambdaMax() float64 { return p.lambdaMax }

// Loss returns the training error above its infimum.
func (p *Path) Loss() float64 { return p.problem.TrainError() - p.problem.Infimum() }

// Selected returns the number of columns with a coefficient.
func (p *Path) Selected() int { return p.problem.Selected() }

// Trace reports the present model.
func (p *Path) Trace(iter int, lambda float64) {
	p.run.Trace.At(convex.Step(iter, p.problem.TrainError(), p.Selected(), "lambda", lambda))
}

// Model returns the model of the present coefficients.
func (p *Path) Model(lambda float64, out convex.Outcome) engines.Model {
	out.Facts = append([]data.Fact{convex.StrengthFact("lambda", lambda, p.lambdaMax)}, out.Facts...)
	return p.problem.Model(out.Fitted())
}
