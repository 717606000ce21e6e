package l1

import (
	"context"
	"math"
	"slices"
)

// newton is a Solver: proximal Newton steps on a working set (Yuan, Ho and Lin, "An improved GLMNET for L1-regularized
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
func newton(ctx context.Context, pt *Point, goal Goal) (Outcome, error) {
	s, err := newProximalNewton(ctx, pt, goal)
	if err != nil {
		return Outcome{}, err
	}
	for {
		s.candidates.gradient(ctx, pt.G, pt.R, goal.Workers)
		if err := s.checkConvergence(ctx); err != nil {
			return Outcome{}, err
		}
		if s.outcome.Stop != "" {
			return s.outcome, nil
		}
		work := s.candidates.selectWeights(pt, goal.Penalty, s.trustRadius)
		for k := range work {
			goal.reweight(&work[k])
		}
		s.model.expandAt(pt)
		violation := (&descent{model: s.model, coordinates: work}).run(ctx)
		s.lineSearch(ctx, work, violation)
		if s.stalled && s.model.dropKept() {
			s.resume()
		}
		s.candidates.removeCommonShifts(pt, goal.Penalty)
		if ctx.Err() != nil {
			return Outcome{}, context.Cause(ctx)
		}
		s.outcome.Iterations++
		if goal.Trace != nil {
			goal.Trace(s.outcome.Iterations, pt.Loss, pt.W)
		}
	}
}

// maxIdleSteps bounds the steps in a row whose predicted decrease is below rounding and that do not halve the violations, which are
// gradients and tell progress longer. (Free biases are optimised in between, which may raise violations.)
const maxIdleSteps = 10

// maxTangentSteps is maxIdleSteps for factors that depend on the weights: tangents halve violations the slower the less convex the objective is.
const maxTangentSteps = 200

// proximalNewton is the state of one run of newton.
type proximalNewton struct {
	pt             *Point
	goal           Goal
	candidates     *candidateColumns
	model          quadraticModel
	tol            float64
	trustRadius    float64 // how much a margin may change by one weight
	outcome        Outcome
	stalled        bool    // no step gets any further
	leastViolation float64 // the least violations together at steps that promised less than rounding,
	idleSteps      int     // and such steps since they halved

	marginChange, trialMargins, trialResiduals []float64 // change of the margins along a step; margins and residuals tried
}

func newProximalNewton(ctx context.Context, pt *Point, goal Goal) (*proximalNewton, error) {
	if err := pt.Ensure(ctx, goal.Workers); err != nil {
		return nil, err
	}
	least := goal.L1
	if goal.Least > 0 {
		least = min(least, goal.Least)
	}
	if pt.candidates == nil || !pt.candidates.coversPenalty(pt.W, least) {
		set, err := pt.Problem.newCandidateColumns(ctx, pt.W, least, goal.Workers)
		if err != nil {
			return nil, err
		}
		pt.candidates = set
	}
	if pt.model == nil {
		pt.model = pt.Problem.quadraticModel()
	}
	if pt.candidates.asleep == nil {
		pt.candidates.unscreen()
		if goal.Least > 0 && pt.Problem.Blocks == 1 {
			pt.candidates.sleep()
		}
	}
	pt.candidates.selectStrong(ctx, pt, goal.Penalty, goal.Workers)
	n := len(pt.Z)
	return &proximalNewton{
		pt: pt, goal: goal, candidates: pt.candidates, model: pt.model, tol: goal.Tol, trustRadius: 2, leastViolation: math.Inf(1),
		marginChange: make([]float64, n), trialMargins: make([]float64, n), trialResiduals: make([]float64, n),
	}, nil
}

// checkConvergence sets outcome.Stop where the duality gap is small enough, where steps no longer lower the objective, or after
// MaxIter iterations. Else it screens columns out. It looks when the gap may be small, and every fourth iteration.
func (s *proximalNewton) checkConvergence(ctx context.Context) error {
	if s.goal.Factor != nil {
		return s.checkStationarity(ctx)
	}
	last := s.stalled || s.outcome.Iterations >= s.goal.MaxIter
	if !last && !s.gapMayBeSmall() && s.outcome.Iterations%4 != 3 {
		return nil
	}
	if s.pt.Problem.AnyFreeBias() || s.pt.Problem.freeColumns > 0 {
		if err := s.pt.OptimizeFree(ctx, s.goal.Workers); err != nil {
			return err
		}
		s.candidates.gradient(ctx, s.pt.G, s.pt.R, s.goal.Workers)
	}
	d := s.pt.certify(s.goal.Penalty, s.candidates.weights())
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
		s.outcome.Certificate = s.pt.certify(s.goal.Penalty, s.candidates.weights()).Certificate
		violates = s.candidates.anyViolates(looked, s.pt, s.goal.L1)
	}
	criterion := s.goal.Criterion()
	s.outcome.Stop = criterion.Stop(s.outcome.Certificate, s.outcome.Iterations, s.stalled && !violates)
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

// resume after a stall.
func (s *proximalNewton) resume() { s.stalled, s.idleSteps, s.leastViolation = false, 0, math.Inf(1) }

// gapMayBeSmall is a cheap test before the gap is computed. The dual point scales the gradient down to the penalty, by t;
// near the optimum, where the entropy exceeds the loss by C1·Σ|w|, that alone costs a share 1−t of the difference.
func (s *proximalNewton) gapMayBeSmall() bool {
	pt, pen := s.pt, s.goal.Penalty
	value, norm, maxGradient := pt.Loss, 0.0, 0.0
	for _, q := range s.candidates.unscreened {
		w := s.candidates.weightsOf(pt.W, q)
		for b, g := range s.candidates.weightsOf(pt.G, q) {
			if k := s.candidates.firstWeight(q) + b; !pt.Problem.Free(k) {
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

// lineSearch takes the first of the steps 1, ½, ¼, … along the moves that lowers the objective by a hundredth of what the model
// predicts (Armijo's rule as in Tseng and Yun 2009). Differences below rounding count as lower. violation is the sum of the
// violations that the moves correct. A whole step may be extended. The trust radius follows the step that was taken.
func (s *proximalNewton) lineSearch(ctx context.Context, work []coordinate, violation float64) {
	pt, p := s.pt, s.pt.Problem
	clear(s.marginChange)
	predicted, trusted := 0.0, 0.0 // trusted: the largest share of a weight's maxMove
	for k := range work {
		c := &work[k]
		if c.move != 0 {
			trusted = max(trusted, math.Abs(c.move)/c.maxMove)
			predicted += c.predictedChange()
			addMarginChange(s.marginChange, c, p.Blocks)
		}
	}
	noise := 1e-15 * max(1, pt.Loss)
	if predicted >= -100*noise { // margins are rounded, too
		if s.idleSteps++; violation <= s.leastViolation/2 {
			s.leastViolation, s.idleSteps = violation, 0
		}
		if s.stalled = !(predicted <= noise) || s.idleSteps > maxIdleSteps && (s.goal.Factor == nil || s.idleSteps > maxTangentSteps); s.stalled {
			return
		}
	}
	for t := 1.0; t > 1e-12; t /= 2 {
		for i, d := range s.marginChange {
			s.trialMargins[i] = pt.Z[i] + float64(t*d)
		}
		loss := p.Residuals(ctx, s.trialResiduals, s.trialMargins, s.goal.Workers)
		change := loss - pt.Loss
		for k := range work {
			change += work[k].penaltyChange(t)
		}
		if change <= float64(0.01*t*predicted)+float64(10*noise) {
			s.take(work, t, loss)
			if t == 1 && predicted < -leastPromise*max(1, pt.Loss) {
				s.extend(ctx, work, predicted)
			}
			if t < 1 {
				s.trustRadius *= trusted * max(t, 1.0/8)
			} else {
				s.trustRadius = min(4*s.trustRadius, maxTrust)
			}
			return
		}
	}
	s.stalled = true
}

const (
	leastPromise = 1e-6  // share of the objective by which a step must promise to lower it to be extended
	maxTrust     = 1e100 // bound of the trust radius, with room for margins of rows that others exceed by many orders of magnitude
	steadyPace   = 0.2   // share of the pace at the start at which extend goes on
)

// extend goes on along the moves, twice as far each time, as long as the objective keeps falling at a good share of the pace that
// it had at the start. That is so from afar: where the model is nearly certain of rows, a Newton step moves margins by about one.
func (s *proximalNewton) extend(ctx context.Context, work []coordinate, pace float64) {
	pt := s.pt
	for t := 1.0; s.paceAlong(work) < steadyPace*pace; t *= 2 {
		for i, d := range s.marginChange {
			s.trialMargins[i] = pt.Z[i] + float64(t*d)
		}
		loss := pt.Problem.Residuals(ctx, s.trialResiduals, s.trialMargins, s.goal.Workers)
		change := loss - pt.Loss
		for k := range work {
			change += work[k].penaltyChange(2*t) - work[k].penaltyChange(t)
		}
		if !(change < 0) || ctx.Err() != nil {
			return
		}
		s.take(work, 2*t, loss)
	}
}

// paceAlong is the derivative of the objective along the moves at the point.
func (s *proximalNewton) paceAlong(work []coordinate) (pace float64) {
	for i, d := range s.marginChange {
		pace += float64(d * s.pt.R[i])
	}
	for k := range work {
		c := &work[k]
		w := s.pt.W[c.weightIndex]
		pace += float64(c.l2 * w * c.move)
		if w == 0 {
			pace += float64(c.l1 * math.Abs(c.move))
		} else {
			pace += float64(math.Copysign(c.l1, w) * c.move)
		}
	}
	return pace
}

// take the step of length t along the moves that was tried, whose loss is given.
func (s *proximalNewton) take(work []coordinate, t, loss float64) {
	pt := s.pt
	for k := range work {
		pt.W[work[k].weightIndex] = work[k].weight + float64(t*work[k].move)
	}
	pt.Z, s.trialMargins, pt.R, s.trialResiduals, pt.Loss = s.trialMargins, pt.Z, s.trialResiduals, pt.R, loss
}

// predictedChange is the first-order change of the objective by the whole move: the gradient's, and that of the penalty.
func (c *coordinate) predictedChange() float64 {
	return float64((c.gradient+float64(c.l2*c.weight))*c.move) + float64(c.l1*(math.Abs(c.weight+c.move)-math.Abs(c.weight)))
}

// penaltyChange is the change of the penalty by a share t of the move.
func (c *coordinate) penaltyChange(t float64) float64 {
	to := c.weight + float64(t*c.move)
	return float64(c.l1*(math.Abs(to)-math.Abs(c.weight))) + float64(0.5*c.l2*(to-c.weight)*(to+c.weight))
}

// addMarginChange adds the change of the margins by the coordinate's move to z.
func addMarginChange(z []float64, c *coordinate, blocks int) {
	if blocks == 1 {
		c.x.AddTo(z, c.move)
		return
	}
	for e, i := range c.x.Idx {
		z[int(i)*blocks+c.block] += float64(c.x.At(e) * c.move)
	}
}
