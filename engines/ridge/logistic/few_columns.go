package logistic

import (
	"context"
	"math"

	"tenfold/engines"
	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/optim"
	"tenfold/engines/penalized/convex"
)

// Problems without C1 that have few columns, as everyday tables do, are solved by quasi-Newton steps that start from the Hessian (of
// several classes: from its Kronecker approximation), itself estimated on a sample of the rows, at the minimum of a sample (Byrd, Chin,
// Neveitt & Nocedal 2011, On the use of stochastic Hessian information in optimization methods for machine learning).

const (
	fewColumns   = 300 // maximum cost of a Hessian with its factor, in multiplications for each entry of X
	hessianShare = 16  // rows for each row from which a Hessian is estimated, at most,
	hessianRows  = 80  // and minimum number of these, for each weight of a class
	stepsBetween = 10  // iterations after which the Hessian is computed anew, for each block
)

// hasFewColumns reports whether the Hessian costs little beside passes over the data. O(rows).
func hasFewColumns(p *logits.Problem) bool {
	columns, entries, pairs := float64(p.Columns()), 0.0, 0.0
	if p.X.IsFull() {
		entries = columns * float64(p.Rows())
		return float64(entries*(columns+1)/2)+factorCost(columns, p.Blocks) <= fewColumns*entries
	}
	for i := range p.Y {
		n := float64(p.X.Row(i).Len())
		entries += n
		pairs += float64(n * (n + 1) / 2)
	}
	return pairs+factorCost(columns, p.Blocks) <= fewColumns*entries
}

// factorCost returns the number of multiplications of a Hessian's factors.
func factorCost(columns float64, blocks int) float64 {
	return float64(blocks) * columns * columns * columns / 6
}

// fewColumnsBytes returns the memory of solveFewColumns, 0 where there are too many columns: gradients of stretches of rows, and Gram
// matrices with their factors.
func fewColumnsBytes(s engines.Shape) int64 {
	if factorCost(float64(s.Columns), max(1, s.Levels)) > fewColumns*float64(s.Entries) {
		return 0
	}
	columns, classes := int64(s.Columns), max(1, int64(s.Levels))
	return 8 * (columns*classes*(2+int64(s.Rows)/logits.Stretch) + columns*columns/2*(logits.GramParts+classes))
}

// solveFewColumns returns an logits.Solver of problems with few columns, without C1 and with one factor for all penalties. It leaves all other
// problems, and those that it cannot solve to the goal's gap, to another solver.
func solveFewColumns(otherwise logits.Solver) logits.Solver {
	return func(ctx context.Context, pt *logits.Point, goal logits.Goal) (logits.Outcome, error) {
		if pt.Problem.HasFactors() || !hasFewColumns(pt.Problem) {
			return otherwise(ctx, pt, goal)
		}
		s := fewColumnsSolver{pt: pt, goal: goal}
		if q := pt.Problem.Sample(); q != nil {
			if err := s.startFrom(ctx, q); err != nil {
				return logits.Outcome{}, err
			}
		}
		out, err := s.solve(ctx)
		if err != nil || out.Stop == convex.Gap || s.iterations >= goal.MaxIter {
			return out, err
		}
		goal.MaxIter -= s.iterations
		return otherwise(ctx, pt, goal)
	}
}

// fewColumnsSolver is one run of solveFewColumns.
type fewColumnsSolver struct {
	pt         *logits.Point
	goal       logits.Goal
	gradient   []float64 // with the penalty's, at the point
	iterations int
	passes     int // evaluations of all rows
}

// startFrom moves the point to the minimum of a sample of its rows, up to what another sample would change.
func (s *fewColumnsSolver) startFrom(ctx context.Context, sample *logits.Problem) error {
	small := fewColumnsSolver{pt: sample.NewPoint(s.pt.W), goal: s.goal}
	small.goal.Trace = nil
	small.goal.L2 *= sample.Total() / s.pt.Problem.Total()
	done := float64(0.05 * float64(sample.Width()))
	_, err := small.descend(ctx, func(_, decrease, _ float64) bool { return decrease <= done })
	s.passes = (small.passes*sample.Rows() + s.pt.Problem.Rows() - 1) / s.pt.Problem.Rows()
	return err
}

// precise is the share of the goal's gap down to which the predicted decrease of the objective falls as well: where the problem is well
// conditioned the gap is not much larger, and a last step costs little.
const precise = 0.01

// solve minimises to the goal's gap, which a copy of the point with its free biases at their optimum proves.
func (s *fewColumnsSolver) solve(ctx context.Context) (logits.Outcome, error) {
	pt, goal := s.pt, s.goal
	proved := pt.Problem.NewPoint(make([]float64, pt.Problem.Width()))
	out := logits.Outcome{}
	prove := func() error {
		copy(proved.W, pt.W)
		copy(proved.Z, pt.Z)
		if pt.Problem.Blocks == 1 && pt.Problem.AnyFreeBias() {
			proved.OptimizeBias(ctx, goal.Workers)
		} else if err := proved.OptimizeFree(ctx, goal.Workers); err != nil {
			return err
		}
		proved.Evaluate(ctx, proved.W, goal.Workers)
		s.passes++
		out.Certificate = proved.CertifyWithin(goal.Penalty, math.Inf(1))
		return context.Cause(ctx)
	}
	met, err := s.descend(ctx, func(value, decrease, gap float64) bool {
		limit := goal.Tol * max(1, value)
		return gap <= limit && decrease <= precise*limit && prove() == nil && out.Relative() <= goal.Tol
	})
	if err == nil && !met {
		err = prove()
	}
	if err != nil {
		return logits.Outcome{}, err
	}
	pt.Replace(proved)
	out.Iterations = s.iterations
	switch {
	case out.Relative() <= goal.Tol:
		out.Stop = convex.Gap
	case s.iterations >= goal.MaxIter:
		out.Stop = convex.MaxIter
	default:
		out.Stop = convex.Precision
	}
	out.AddFact("evaluations", "%d", s.passes)
	out.Notes = append(out.Notes, goal.Criterion().Notes(out)...)
	return out, nil
}

// descend takes quasi-Newton steps until done accepts the objective, the decrease that the Hessian predicts, and the gap of the certificate
// to expect, which it reports. It gives up where rounding hides all progress.
func (s *fewColumnsSolver) descend(ctx context.Context, done func(value, decrease, gap float64) bool) (bool, error) {
	pt, goal := s.pt, s.goal
	s.gradient = make([]float64, len(pt.W))
	direction := make([]float64, len(pt.W))
	f := func(grad, w []float64) float64 {
		s.passes++
		pt.Evaluate(ctx, w, goal.Workers)
		if ctx.Err() != nil {
			return math.NaN()
		}
		value := pt.Penalized(grad, w, goal.L2)
		copy(s.gradient, grad)
		return value
	}
	// At first every so many-th row stands for all; afterwards all rows count, lest these are alike.
	p := pt.Problem
	share := max(1, p.Rows()/max(hessianRows*p.Width()/p.Blocks, p.Rows()/hessianShare))
	for before := math.Inf(1); s.iterations < goal.MaxIter; share = 1 {
		var hessian *hessianFactor
		decrease := math.Inf(1)
		opt := optim.Options{MaxIter: min(stepsBetween*p.Blocks, goal.MaxIter-s.iterations), Precondition: func(d []float64) { hessian.solve(d) }}
		opt.Each = func(iter int, value float64) string {
			if iter == 0 {
				hessian = newHessianFactor(ctx, pt, goal.L2, share, goal.Workers)
			} else {
				s.iterations++
				if goal.Trace != nil {
					goal.Trace(s.iterations, pt.Loss, pt.W)
				}
			}
			copy(direction, s.gradient)
			hessian.solve(direction)
			if decrease = dense.Dot(direction, s.gradient) / 2; done(value, decrease, decrease+s.penalizedGap()) {
				return convex.Gap
			}
			return ""
		}
		result, err := optim.LBFGS(ctx, f, pt.W, opt)
		if err != nil || result.Stop == convex.Gap {
			return err == nil, err
		}
		if result.Stop == "precision" || !(decrease < before/2) {
			return false, nil
		}
		before = decrease
	}
	return false, nil
}

// penalizedGap returns the duality gap at the gradient where no bias is free: the objective is strongly convex.
func (s *fewColumnsSolver) penalizedGap() float64 {
	square := 0.0
	for k, g := range s.gradient {
		if !s.pt.Problem.Free(k) {
			square += float64(g * g)
		}
	}
	return square / (2 * s.goal.L2)
}
