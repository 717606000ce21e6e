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
// several classes: from its Kronecker approximation) at a point of reference, which is the same for all penalties.

const (
	fewColumns   = 300 // maximum cost of a Hessian with its factor, in multiplications for each entry of X
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

// fewColumnsBytes returns the memory of solveFewColumns, 0 where there are too many columns: gradients of stretches of rows, Gram matrices with
// their factors, and the reference.
func fewColumnsBytes(s engines.Shape) int64 {
	if factorCost(float64(s.Columns), max(1, s.Levels)) > fewColumns*float64(s.Entries) {
		return 0
	}
	columns, classes := int64(s.Columns), max(1, int64(s.Levels))
	return 8 * (columns*classes*(2+int64(s.Rows)/logits.Stretch) + columns*columns/2*(1+logits.GramParts+classes) + 2*int64(s.Rows)*classes)
}

// solveFewColumns returns a logits.Solver of problems with few columns, without C1 and with one factor for all penalties, which starts from
// their reference. It leaves all other problems, and those that it cannot solve to the goal's gap, to another solver.
func solveFewColumns(reference referrer, otherwise logits.Solver) logits.Solver {
	return func(ctx context.Context, pt *logits.Point, goal logits.Goal) (logits.Outcome, error) {
		if pt.Problem.HasFactors() || !hasFewColumns(pt.Problem) {
			return otherwise(ctx, pt, goal)
		}
		r, err := reference(ctx, pt, goal.Workers)
		if err != nil {
			return logits.Outcome{}, err
		}
		s := fewColumnsSolver{pt: pt, goal: goal, start: r.point, hessian: r.hessian, share: 1, passes: r.passes}
		copy(pt.W, r.point.W)
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
	start      *logits.Point // at the weights that the point begins with, evaluated; nil where that is to be done
	hessian    *hessian      // to begin with; nil: that at the point,
	share      int           // of every so many-th row; later ones are of all, lest these are alike
	gradient   []float64     // with the penalty's, at the point
	iterations int
	passes     int // evaluations of all rows
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
		if s.start != nil {
			copy(pt.Z, s.start.Z)
			copy(pt.R, s.start.R)
			copy(pt.G, s.start.G)
			pt.Loss, s.start = s.start.Loss, nil
		} else {
			s.passes++
			pt.Evaluate(ctx, w, goal.Workers)
		}
		if ctx.Err() != nil {
			return math.NaN()
		}
		value := pt.Penalized(grad, w, goal.L2)
		copy(s.gradient, grad)
		return value
	}
	for before := math.Inf(1); s.iterations < goal.MaxIter; {
		var factor *hessianFactor
		decrease := math.Inf(1)
		opt := optim.Options{MaxIter: min(stepsBetween*pt.Problem.Blocks, goal.MaxIter-s.iterations), Precondition: func(d []float64) { factor.solve(d) }}
		opt.Each = func(iter int, value float64) string {
			if iter == 0 {
				if s.hessian == nil {
					s.hessian = newHessian(ctx, pt, s.share, goal.Workers)
				}
				factor = s.hessian.factor(ctx, goal.L2)
				s.hessian, s.share = nil, 1
			} else {
				s.iterations++
				if goal.Trace != nil {
					goal.Trace(s.iterations, pt.Loss, pt.W)
				}
			}
			copy(direction, s.gradient)
			factor.solve(direction)
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
