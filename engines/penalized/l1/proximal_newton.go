package l1

import (
	"context"
	"math"
	"slices"
	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/proximal"
)

// Newton holds what Newton steps keep of the point that they were last called with: along a path, each penalty is solved from there.
// The zero value has seen none. One goroutine at a time.
type Newton struct {
	pt         *logits.Point
	candidates *candidateColumns
	steps      *proximal.Newton
}

// ProximalNewton solves one problem by proximal Newton steps, as Newton.Minimize does.
func ProximalNewton(ctx context.Context, pt *logits.Point, goal logits.Goal) (logits.Outcome, error) {
	return new(Newton).Minimize(ctx, pt, goal)
}

// Minimize solves by proximal Newton steps on a working set (Yuan, Ho and Lin, "An improved GLMNET for L1-regularized
// logistic regression", 2012; working sets as in Massias, Gramfort and Salmon, "Celer", 2018). An iteration
//
//  1. computes the gradient of the columns that the penalty could give a weight, which are laid out once (newCandidateColumns), and that
//     the strong rule does not discard (selectStrong),
//  2. computes the duality gap where it may be small enough, and screens columns out by it (Point.Screen),
//  3. takes into the working set the weights that are not zero and those that violate their optimality conditions most, at
//     most as many again,
//  4. minimises the quadratic model of the loss plus the penalty over the working set (descent),
//  5. and searches along the line to that minimum.
//
// An iteration is O(rows·Blocks + entries not screened·Blocks) and the descent. The final certificate is that of all columns.
func (n *Newton) Minimize(ctx context.Context, pt *logits.Point, goal logits.Goal) (logits.Outcome, error) {
	s, err := n.begin(ctx, pt, goal)
	if err != nil {
		return logits.Outcome{}, err
	}
	for {
		s.candidates.gradient(ctx, pt.G, pt.R, goal.Workers)
		if err := s.checkConvergence(ctx); err != nil {
			return logits.Outcome{}, err
		}
		if s.outcome.Stop != "" {
			return s.outcome, nil
		}
		work := s.candidates.selectWeights(pt, goal.Penalty, s.steps.TrustRadius())
		for k := range work {
			reweight(&work[k], &goal, pt.Problem.Blocks)
		}
		s.steps.Step(ctx, &pt.State, work, goal.Workers)
		s.candidates.removeCommonShifts(pt, goal.Penalty)
		if ctx.Err() != nil {
			return logits.Outcome{}, context.Cause(ctx)
		}
		s.outcome.Iterations++
		if goal.Trace != nil {
			goal.Trace(s.outcome.Iterations, pt.Loss, pt.W)
		}
	}
}

// maxTangentSteps is proximal.MaxIdleSteps for factors that depend on the weights: tangents halve violations the slower the less convex the
// objective is.
const maxTangentSteps = 200

// proximalNewton is the state of one call of Minimize.
type proximalNewton struct {
	*Newton
	goal    logits.Goal
	tol     float64
	outcome logits.Outcome
}

func (n *Newton) begin(ctx context.Context, pt *logits.Point, goal logits.Goal) (*proximalNewton, error) {
	if n.pt != pt {
		*n = Newton{pt: pt, steps: pt.Problem.NewSteps()}
	}
	if err := pt.Ensure(ctx, goal.Workers); err != nil {
		return nil, err
	}
	least := goal.L1
	if goal.Least > 0 {
		least = min(least, goal.Least)
	}
	if n.candidates == nil || !n.candidates.coversPenalty(pt.W, least) {
		set, err := newCandidateColumns(ctx, pt.Problem, pt.W, least, goal.Workers)
		if err != nil {
			return nil, err
		}
		n.candidates = set
	}
	n.steps.Restart()
	if n.steps.MaxIdleSteps = proximal.MaxIdleSteps; goal.Factor != nil {
		n.steps.MaxIdleSteps = maxTangentSteps
	}
	if n.candidates.asleep == nil {
		n.candidates.unscreen()
		if goal.Least > 0 && pt.Problem.Blocks == 1 {
			n.candidates.sleep()
		}
	}
	n.candidates.selectStrong(ctx, pt, goal.Penalty, goal.Workers)
	return &proximalNewton{Newton: n, goal: goal, tol: goal.Tol}, nil
}

// checkConvergence sets outcome.Stop where the duality gap is small enough, where steps no longer lower the objective, or after
// MaxIter iterations. Else it screens columns out. It looks when the gap may be small, and every fourth iteration.
func (s *proximalNewton) checkConvergence(ctx context.Context) error {
	if s.goal.Factor != nil {
		return s.checkStationarity(ctx)
	}
	last := s.steps.Stalled() || s.outcome.Iterations >= s.goal.MaxIter
	if !last && !s.gapMayBeSmall() && s.outcome.Iterations%4 != 3 {
		return nil
	}
	if s.pt.Problem.AnyFree() {
		if err := s.pt.OptimizeFree(ctx, s.goal.Workers); err != nil {
			return err
		}
		s.candidates.gradient(ctx, s.pt.G, s.pt.R, s.goal.Workers)
	}
	d := s.pt.CertifyWeights(s.goal.Penalty, s.candidates.weights())
	if !last && d.Relative() > s.tol {
		s.candidates.screenColumns(d, s.pt, s.goal.Penalty)
		return nil
	}
	s.outcome.Certificate = d.Certificate
	looked, violates := s.candidates.unscreened, false
	if s.goal.Least == 0 || !s.candidates.isComplete() {
		looked = slices.Clone(looked)
		if err := s.recomputeAll(ctx); err != nil {
			return err
		}
		s.outcome.Certificate = s.pt.CertifyWeights(s.goal.Penalty, s.candidates.weights()).Certificate
		violates = s.candidates.anyViolates(looked, s.pt, s.goal.L1)
	}
	criterion := s.goal.Criterion()
	s.outcome.Stop = criterion.Stop(s.outcome.Certificate, s.outcome.Iterations, s.steps.Stalled() && !violates)
	switch {
	case s.outcome.Stop != "":
		s.outcome.Notes = criterion.Notes(s.outcome)
	case violates: // columns that had been left out join
		s.join(looked)
	default:
		s.tol /= 2 // rounding parted the two certificates
	}
	return nil
}

// gapMayBeSmall does a cheap test before the gap is computed. The dual point scales the gradient down to the penalty, by t;
// near the optimum, where the entropy exceeds the loss by C1·Σ|w|, that alone costs a share 1−t of the difference.
func (s *proximalNewton) gapMayBeSmall() bool {
	pt, pen := s.pt, s.goal.Penalty
	value, norm, maxGradient := pt.Loss, 0.0, 0.0
	for _, q := range s.candidates.unscreened {
		w := s.candidates.Weights(pt.W, q)
		for b, g := range s.candidates.Weights(pt.G, q) {
			if k := s.candidates.FirstWeight(q) + b; !pt.Problem.Free(k) {
				f := pt.Problem.Factor(k)
				norm += float64(f * math.Abs(w[b]))
				maxGradient = max(maxGradient, math.Abs(g)/f)
			}
		}
	}
	norm = float64(norm * pen.L1)
	value += norm
	return pen.L2 > 0 || maxGradient <= pen.L1 || (1-pen.L1/maxGradient)*norm <= 4*s.tol*max(1, value)
}

// recomputeAll recomputes the gradient of all columns, screened ones included, before the final certificate. On a path, whose
// Least is set, columns outside the working set are known to need none, nor those that sleep on.
func (s *proximalNewton) recomputeAll(ctx context.Context) error {
	switch {
	case s.goal.Least == 0:
		s.candidates.unscreen()
		return s.pt.Update(ctx, s.goal.Workers)
	case s.candidates.asleep != nil:
		s.candidates.moveTo(s.pt, s.goal.L1)
		s.candidates.wake(ctx, s.pt, s.goal.L1, s.goal.Workers)
	default:
		s.candidates.unscreen()
		s.candidates.gradient(ctx, s.pt.G, s.pt.R, s.goal.Workers)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
