package lasso

import (
	"context"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/penalized/targets"
)

// logLoss is a class target: the problem of engine l1 with a free bias, and its solver.
type logLoss struct {
	pt      *logits.Point
	newton  l1.Newton
	columns *scaled.Matrix // as Curvatures returns them; nil before
	l1Max   float64
	stop    Stopping
	workers int
}

// newLogLoss reads a target that the view has on every row. O(nnz · classes).
func newLogLoss(ctx context.Context, v *data.View, target int, standardize bool, stop Stopping, workers int) (*logLoss, error) {
	info := v.TargetInfo(target)
	_, y, err := v.LevelsOf(target)
	if err != nil {
		return nil, err
	}
	s := &logLoss{stop: stop, workers: workers}
	p, err := logits.New(v.FilledMatrix(), y, v.Weights(), len(info.Levels), logits.FreeBias)
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", info.Name, err)
	}
	if p, err = p.OfView(v).Centered(ctx, standardize); err != nil {
		return nil, err
	}
	s.pt = p.NewPoint(make([]float64, p.Width()))
	s.l1Max, err = s.pt.LambdaMax(ctx, workers)
	return s, err
}

// LambdaMax returns the λ1 from which on no column is selected.
func (s *logLoss) LambdaMax() float64 { return s.l1Max }

// Solve minimises for a penalty.
func (s *logLoss) Solve(ctx context.Context, pen targets.Penalty, least float64) (convex.Outcome, error) {
	goal := logits.Goal{
		Penalty: logits.Penalty{L1: pen.L1, L2: pen.L2}, Least: least,
		Stopping: logits.Stopping(s.stop), Workers: s.workers,
	}
	return s.pt.SolveBy(ctx, s.newton.Solve, goal)
}

// NullObjective returns the objective of the model without columns.
func (s *logLoss) NullObjective() float64 { return s.pt.Loss }

// Selected returns the number of columns with a penalty that have a coefficient.
func (s *logLoss) Selected() int { return s.pt.Selected() }

// TrainError returns the mean of squared errors, or of log-losses.
func (s *logLoss) TrainError() float64 { return s.pt.Loss / s.pt.Problem.Total() }

// Infimum returns a lower bound of every model's training error.
func (s *logLoss) Infimum() float64 { return 0 }

// Model returns the model on the scale of the data.
func (s *logLoss) Model(f engines.Fitted) engines.Model { return s.pt.Model(f) }
