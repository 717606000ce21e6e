package lasso

import (
	"context"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/l1"
)

// logLoss is a class target: the problem of engine l1 with a free bias, and its solver.
type logLoss struct {
	pt      *l1.Point
	l1Max   float64
	solver  l1.Solver
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
	_, _, s.solver = l1.L1{}.Parts()
	p, err := l1.New(v.FilledMatrix(), y, v.Weights(), len(info.Levels), l1.FreeBias)
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

func (s *logLoss) lambdaMax() float64 { return s.l1Max }

func (s *logLoss) solve(ctx context.Context, pen penalty, least float64) (convex.Outcome, error) {
	goal := l1.Goal{
		Penalty: l1.Penalty{L1: pen.l1, L2: pen.l2}, Least: least,
		Stopping: l1.Stopping(s.stop), Workers: s.workers,
	}
	return s.pt.SolveBy(ctx, s.solver, goal)
}

func (s *logLoss) nullObjective() float64 { return s.pt.Loss }

func (s *logLoss) countSelected() int { return s.pt.Selected() }

func (s *logLoss) trainError() float64 { return s.pt.Loss / s.pt.Problem.Total() }

func (s *logLoss) leastError() float64 { return 0 }

func (s *logLoss) newModel(f engines.Fitted) engines.Model { return s.pt.Model(f) }
