package lasso

import (
	"context"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/l1"
)

// logistic is a class target: the problem of engine l1 with a free bias, and its solver.
type logistic struct {
	pt      *l1.Point
	l1Max   float64
	solver  l1.Solver
	stop    Stopping
	workers int
}

// newLogistic reads a target that the view has on every row. O(nnz · classes).
func newLogistic(ctx context.Context, v *data.View, target int, standardize bool, stop Stopping, workers int) (*logistic, error) {
	info := v.TargetInfo(target)
	_, y, err := v.LevelsOf(target)
	if err != nil {
		return nil, err
	}
	s := &logistic{stop: stop, workers: workers}
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

func (s *logistic) lambdaMax() float64 { return s.l1Max }

func (s *logistic) solve(ctx context.Context, pen penalty, least float64) (convex.Outcome, error) {
	goal := l1.Goal{
		Penalty: l1.Penalty{L1: pen.l1, L2: pen.l2}, Least: least,
		Stopping: l1.Stopping(s.stop), Workers: s.workers,
	}
	return s.pt.SolveBy(ctx, s.solver, goal)
}

func (s *logistic) nullObjective() float64 { return s.pt.Loss }

func (s *logistic) countSelected() int { return s.pt.Selected() }

func (s *logistic) trainError() float64 { return s.pt.Loss / s.pt.Problem.Total() }

func (s *logistic) leastError() float64 { return 0 }

func (s *logistic) newModel(f engines.Fitted) engines.Model { return s.pt.Model(f) }
