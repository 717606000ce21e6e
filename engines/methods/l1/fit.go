package l1

import (
	"context"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
)

// footprintBytes of a fit: margins, residuals, weights, gradient, and so many layouts of the matrix.
func footprintBytes(s engines.Shape, layouts, vectors int64) int64 {
	return 8*vectors*int64(s.Columns) + 32*int64(s.Rows) + layouts*12*s.Entries
}

// fit runs a solver on the training rows, along a path where there is one.
func fit(ctx context.Context, run engines.Run, o Objective, path Path, stop Stopping, solve Solver) (engines.Model, error) {
	pt, largest, err := o.begin(ctx, run)
	if err != nil {
		return nil, err
	}
	f := fitRun{run: run, pt: pt, solve: solve, stop: stop, path: path, lambdaMax: largest}
	if f.penalty, err = o.Penalty(largest); err != nil {
		return nil, err
	}
	if path.Along() {
		return f.followPath(ctx)
	}
	f.traceStep(0, max(f.penalty.L1, largest))
	goal := f.goalAt(f.penalty.L1)
	goal.Trace = func(iter int, loss float64, w []float64) { pt.p.Tell(run.Trace, iter, loss, w, goal.L1) }
	out, err := solve(ctx, pt, goal)
	if err != nil {
		return nil, err
	}
	return f.newModel(out, f.penalty.L1), nil
}

// Begin reads the training rows as they are. The point is the model without weights but free biases, which is the optimum
// where C1 is largest or more.
func (o Objective) Begin(ctx context.Context, run engines.Run) (pt *Point, largest float64, err error) {
	p, err := Read(run.Train, Bias(o.Bias))
	if err != nil {
		return nil, 0, err
	}
	return p.start(ctx, run.Workers)
}

// begin is Begin with columns centred, and standardised where that is asked for.
func (o Objective) begin(ctx context.Context, run engines.Run) (pt *Point, largest float64, err error) {
	p, err := Read(run.Train, Bias(o.Bias))
	if err != nil {
		return nil, 0, err
	}
	if p, err = p.Centered(ctx, o.Standardize); err != nil {
		return nil, 0, err
	}
	return p.start(ctx, run.Workers)
}

func (p *Problem) start(ctx context.Context, workers int) (pt *Point, largest float64, err error) {
	pt = p.NewPoint(make([]float64, p.Width()))
	largest, err = pt.LambdaMax(ctx, workers)
	return pt, largest, err
}

// PenaltyFact tells of the penalty, and of the smallest that selects nothing.
func PenaltyFact(c1, largest float64) data.Fact {
	return data.Fact{Name: "c1", Value: fmt.Sprintf("%.6g (selects nothing from %.6g on)", c1, largest)}
}

// fitRun is one call of fit.
type fitRun struct {
	run       engines.Run
	pt        *Point
	solve     Solver
	stop      Stopping
	path      Path
	penalty   Penalty
	lambdaMax float64 // C_max
}

func (f *fitRun) goalAt(c1 float64) Goal {
	return Goal{Penalty: Penalty{c1, f.penalty.L2}, Stopping: f.stop, Workers: f.run.Workers}
}

// traceStep traces the point as it is.
func (f *fitRun) traceStep(iter int, c1 float64) {
	f.pt.p.Tell(f.run.Trace, iter, f.pt.Loss, f.pt.W, c1)
}

// Tell a trace, where there is one, of the model with the given weights, an iteration at the penalty c1, 0 for none.
func (p *Problem) Tell(trace engines.Trace, iter int, loss float64, w []float64, c1 float64) {
	if trace == nil {
		return
	}
	active := 0
	for _, v := range w[:p.Columns()*p.Blocks] {
		if v != 0 {
			active++
		}
	}
	step := engines.Step{Iter: iter, TrainError: loss / p.Total(), Active: active, Whole: true, Changed: engines.Coef{Feature: -1}}
	if c1 > 0 {
		step.Parameter, step.ParameterValue = "c1", c1
	}
	trace(step)
}

// newModel is the model of the point, with its certificate.
func (f *fitRun) newModel(out Outcome, c1 float64) engines.Model {
	fitted := engines.Fitted{Stop: out.Stop, Iterations: out.Iterations, Best: -1, Notes: out.Notes}
	fitted.Certificate = &out.Certificate
	fitted.Facts = append([]data.Fact{PenaltyFact(c1, f.lambdaMax)}, out.Facts...)
	m := f.pt.Model(fitted)
	if out.Scores != nil {
		f.pt.p.setScores(m.Coefs(), out.Scores)
	}
	return m
}
