package lasso

import (
	"context"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/core/loglinear"
	"tenfold/engines/core/sparse"
	"tenfold/engines/data"
	"tenfold/engines/methods/l1"
)

// logistic is a class target: the problem of package l1 with a free bias, solved by proximal Newton steps. A free bias makes
// centring needless, so columns are scaled alone.
type logistic struct {
	pt      *l1.Point
	most    float64
	scale   []float64 // γ by column; nil where columns are not scaled
	solver  l1.Solver
	stop    Stopping
	workers int
}

// newLogistic reads a target that the view has on every row. O(nnz · classes).
func newLogistic(ctx context.Context, v *data.View, target int, scale string, stop Stopping, workers int) (*logistic, error) {
	info := v.TargetInfo(target)
	_, y, err := v.LevelsOf(target)
	if err != nil {
		return nil, err
	}
	s := &logistic{stop: stop, workers: workers}
	_, _, s.solver = l1.L1{}.Parts()
	x := v.Matrix()
	if scale != "none" {
		g, err := sparse.Standardize(x, v.Weights(), scale)
		if err != nil {
			return nil, err
		}
		x, s.scale = g.Spread(), g.Scale
	}
	p, err := l1.New(x, y, v.Weights(), len(info.Levels), l1.FreeBias)
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", info.Name, err)
	}
	s.pt = p.NewPoint(make([]float64, p.Width()))
	s.most, err = s.pt.LambdaMax(ctx, workers)
	return s, err
}

func (s *logistic) lambdaMax() float64 { return s.most }

func (s *logistic) solve(ctx context.Context, pen penalty, least float64) (outcome, error) {
	goal := l1.Goal{
		Penalty: l1.Penalty{L1: pen.l1, L2: pen.l2}, Least: least,
		Stopping: l1.Stopping{Tol: s.stop.Tol, MaxIter: s.stop.MaxIter}, Workers: s.workers,
	}
	out, err := s.solver(ctx, s.pt, goal)
	return outcome{out.Certificate, out.Stop, out.Iterations, out.Notes}, err
}

func (s *logistic) countSelected() int {
	n, p := 0, s.pt.Problem()
	for j := range p.Columns() {
		for _, w := range s.pt.W[j*p.Blocks : (j+1)*p.Blocks] {
			if w != 0 {
				n++
				break
			}
		}
	}
	return n
}

func (s *logistic) trainError() float64 { return s.pt.Loss / s.pt.Problem().Total() }

// newModel is the model on the scale of the data.
func (s *logistic) newModel(f engines.Fitted) engines.Model {
	m := s.pt.Model(f)
	if s.scale == nil {
		return m
	}
	coefs := m.Coefs()
	for k, c := range coefs {
		coefs[k].Value = c.Value * s.scale[c.Feature]
	}
	bias := make([]float64, m.Outputs())
	for y := range bias {
		bias[y] = m.Bias(y)
	}
	return loglinear.NewModel(len(s.scale), bias, coefs, f)
}
