package l1

import (
	"context"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/losses/logits"
	"tenfold/engines/penalized/convex"
)

// Fit runs a solver on the training rows, along a path where there is one.
func Fit(ctx context.Context, run engines.Run, o Objective, path convex.Path, stop logits.Stopping, solve logits.Solver) (engines.Model, error) {
	if !path.Along() {
		var err error
		if o, err = o.Chosen(ctx, run); err != nil {
			return nil, err
		}
	}
	f, err := o.newFitRun(ctx, run, stop, solve)
	if err != nil {
		return nil, err
	}
	c1 := path.Strength(o.C1, o.Ratio, f.lambdaMax)
	if path.Along() {
		null := logits.Outcome{Certificate: f.pt.Certify(logits.Penalty{L1: f.lambdaMax, L2: o.C2}), Stop: convex.Gap}
		return path.Follow(ctx, run, f, null, c1)
	}
	f.Trace(0, max(c1, f.lambdaMax))
	goal := f.goalAt(c1)
	goal.Trace = func(iter int, loss float64, w []float64) { f.pt.Problem.Tell(run.Trace, iter, loss, w, goal.L1) }
	out, err := f.pt.SolveBy(ctx, solve, goal)
	if err != nil {
		return nil, err
	}
	return f.Model(c1, out), nil
}

// Begin reads the training rows as they are. The point is the model without weights but free biases, which is the optimum
// where C1 is lambdaMax or more.
func (o Objective) Begin(ctx context.Context, run engines.Run) (pt *logits.Point, lambdaMax float64, err error) {
	p, err := logits.Read(run.Train, logits.Bias(o.Bias))
	if err != nil {
		return nil, 0, err
	}
	return p.NullPoint(ctx, run.Workers)
}

// fitRun is a problem of the engines' at a point on its path (convex.Selecting).
type fitRun struct {
	run       engines.Run
	pt        *logits.Point
	solve     logits.Solver
	stop      logits.Stopping
	l2        float64
	lambdaMax float64 // C_max
}

// newFitRun reads the training rows with columns centred, and standardised where that is asked for.
func (o Objective) newFitRun(ctx context.Context, run engines.Run, stop logits.Stopping, solve logits.Solver) (*fitRun, error) {
	p, err := logits.Read(run.Train, logits.Bias(o.Bias))
	if err != nil {
		return nil, err
	}
	if p, err = p.Centered(ctx, o.Standardize); err != nil {
		return nil, err
	}
	f := &fitRun{run: run, solve: solve, stop: stop, l2: o.C2}
	f.pt, f.lambdaMax, err = p.NullPoint(ctx, run.Workers)
	return f, err
}

func (f *fitRun) goalAt(c1 float64) logits.Goal {
	return logits.Goal{Penalty: logits.Penalty{L1: c1, L2: f.l2}, Stopping: f.stop, Workers: f.run.Workers}
}

// Solve minimises for a penalty; least is the smallest still to come.
func (f *fitRun) Solve(ctx context.Context, c1, least float64) (logits.Outcome, error) {
	goal := f.goalAt(c1)
	goal.Least = least
	return f.pt.SolveBy(ctx, f.solve, goal)
}

// LambdaMax returns C_max.
func (f *fitRun) LambdaMax() float64 { return f.lambdaMax }

// Loss returns that at the point.
func (f *fitRun) Loss() float64 { return f.pt.Loss }

// Selected returns the number of columns with a weight.
func (f *fitRun) Selected() int { return f.pt.Selected() }

// Trace reports the point as it is.
func (f *fitRun) Trace(iter int, c1 float64) {
	f.pt.Problem.Tell(f.run.Trace, iter, f.pt.Loss, f.pt.W, c1)
}

// Model returns that of the point, with its certificate.
func (f *fitRun) Model(c1 float64, out logits.Outcome) engines.Model {
	out.Facts = append([]data.Fact{convex.StrengthFact("c1", c1, f.lambdaMax)}, out.Facts...)
	return f.pt.Model(out.Fitted())
}
