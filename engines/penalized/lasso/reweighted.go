package lasso

import (
	"context"
	"iter"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/losses/logits"
	"tenfold/engines/losses/rates"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/targets"
)

// Begin reads a target of numbers, of two classes, or of counts, that the view has on every row, for lassos whose factors change; columns are taken at
// standard deviation 1. The problem is at the model without columns.
func Begin(ctx context.Context, train *data.View, target, maxIter, workers int) (targets.Reweighted, error) {
	stop := Stopping{MaxIter: maxIter}
	switch train.TargetInfo(target).Type {
	case data.Class:
		return newLogLoss(ctx, train, target, true, stop, workers)
	case data.Count:
		return rates.New(ctx, train, target, true, stop.Tol, maxIter, workers)
	}
	return newLeastSquares(ctx, train, target, "sd", stop, workers)
}

// SolveReweighted goes down from tangent to tangent (targets.Reweighted). Between two looks at the rows it does so in the working set.
func (s *leastSquares) SolveReweighted(ctx context.Context, pen targets.Penalty, _, tol float64, factor func(j int, b float64) float64) (out convex.Outcome, violation float64, err error) {
	const share = 0.1 // of the violations by the factors of a tangent that its lasso leaves
	if err = s.begin(ctx, pen); err != nil {
		return out, 0, err
	}
	for {
		moved := false
		for out.Iterations < s.stop.MaxIter {
			s.set.reweight(factor)
			violation = s.set.violation(pen)
			if violation <= float64(tol*pen.L1/2) {
				break
			}
			d := s.descentTo(pen)
			d.least = max(float64(tol*pen.L1/4), share*violation)
			if !d.run(ctx, math.Inf(-1), s.stop.MaxIter-out.Iterations) {
				break // as far as rounding lets gradients go
			}
			out.Iterations += d.passes
			moved = true
		}
		d := s.descentTo(pen)
		if noise, _ := d.productNoise(); s.complete && noise*math.Sqrt(s.g.N) <= float64(noiseShare*tol*pen.L1) {
			s.certifyByProducts(&d)
		} else if err = s.look(ctx, pen); err != nil {
			return out, 0, err
		}
		s.set.reweight(factor)
		violation = s.set.violation(pen)
		for _, j := range s.awake {
			violation = max(violation, math.Abs(s.gradient[j])-float64(s.factorOf(int(j))*pen.L1))
		}
		joined, err := s.extendWorkingSet(ctx, pen.L1, pen)
		switch {
		case err != nil:
			return out, 0, err
		case violation <= float64(tol*pen.L1):
			out.Stop = convex.Stationary
		case out.Iterations >= s.stop.MaxIter:
			out.Stop = convex.MaxIter
		case !moved && joined == 0:
			out.Stop = convex.Precision
		default:
			continue
		}
		s.remember(pen)
		return out, violation / pen.L1, nil
	}
}

// reweight sets the factors of coefficients other than 0.
func (s *workingSet) reweight(factor func(j int, b float64) float64) {
	for q := range s.all {
		if c := &s.all[q]; c.beta == 0 {
			c.l1Factor = c.factor
		} else if c.factor > 0 {
			c.l1Factor = factor(int(s.column[q]), c.beta)
		}
	}
}

// violation returns the largest violation of a condition in the working set.
func (s *workingSet) violation(pen targets.Penalty) (worst float64) {
	for q := range s.all {
		c := &s.all[q]
		gradient := s.gradient(q) - float64(c.factor*pen.L2*c.beta)
		if c.beta == 0 {
			worst = max(worst, math.Abs(gradient)-float64(c.l1Factor*pen.L1))
		} else {
			worst = max(worst, math.Abs(gradient-math.Copysign(c.l1Factor*pen.L1, c.beta)))
		}
	}
	return worst
}

// Curvature returns that along a column of standard deviation 1: the sum of the rows' weights.
func (s *leastSquares) Curvature() float64 { return s.g.N }

// Factor returns the factor of column j in the penalties.
func (s *leastSquares) Factor(j int) float64 { return s.factorOf(j) }

// Coefficients returns those other than 0, by column.
func (s *leastSquares) Coefficients() iter.Seq2[int, float64] { return nonzero(s.beta) }

// LossSum returns half the sum of squared errors.
func (s *leastSquares) LossSum() float64 { return s.rss / 2 }

// Curvatures returns the columns, and the weights of the rows.
func (s *leastSquares) Curvatures() (*scaled.Matrix, []float64) {
	weights := make([]float64, len(s.y))
	for i := range weights {
		weights[i] = s.g.RowWeight(i)
	}
	return s.g, weights
}

// Separation says that columns can fit all rows.
func (s *leastSquares) Separation() string { return "fit all rows" }

// SolveReweighted goes down from tangent to tangent (targets.Reweighted), by Newton steps.
func (s *logLoss) SolveReweighted(ctx context.Context, pen targets.Penalty, least, tol float64, factor func(j int, b float64) float64) (convex.Outcome, float64, error) {
	goal := logits.Goal{
		Penalty: logits.Penalty(pen), Least: least, Stopping: logits.Stopping{Tol: tol, MaxIter: s.stop.MaxIter}, Workers: s.workers, Factor: factor,
	}
	out, err := s.pt.SolveBy(ctx, s.newton.Solve, goal)
	if out.Stop == convex.Gap || out.Stop == convex.Stationary {
		out.Stop = convex.Stationary
	}
	return out, s.newton.Violation(goal), err
}

// Curvature returns a bound of that along a column of standard deviation 1: a quarter of the sum of the rows' weights.
func (s *logLoss) Curvature() float64 { return s.pt.Problem.Total() / 4 }

// Factor returns the factor of column j in the penalties.
func (s *logLoss) Factor(j int) float64 { return s.pt.Problem.Factor(j * s.pt.Problem.Blocks) }

// Coefficients returns those other than 0, by column.
func (s *logLoss) Coefficients() iter.Seq2[int, float64] {
	return nonzero(s.pt.W[:s.pt.Problem.Columns()])
}

// LossSum returns the sum of log-losses.
func (s *logLoss) LossSum() float64 { return s.pt.Loss }

// Curvatures returns the columns, and the second derivatives of the log-losses.
func (s *logLoss) Curvatures() (*scaled.Matrix, []float64) {
	p := s.pt.Problem
	curvature, weight := make([]float64, p.Rows()), 1.0
	for i, r := range s.pt.R {
		if p.Weight != nil {
			weight = p.Weight[i]
		}
		r = math.Abs(r)
		curvature[i] = float64(r * (weight - r) / weight)
	}
	if s.columns == nil {
		ones := slices.Repeat([]float64{1}, p.Columns())
		s.columns = &scaled.Matrix{X: p.X, N: p.Total(), Mean: make([]float64, p.Columns()), Scale: ones}
	}
	return s.columns, curvature
}

// Separation says that columns can tell the classes apart.
func (s *logLoss) Separation() string { return "tell the classes apart" }

// nonzero returns the numbers other than 0, by place.
func nonzero(all []float64) iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		for j, v := range all {
			if v != 0 && !yield(j, v) {
				return
			}
		}
	}
}
