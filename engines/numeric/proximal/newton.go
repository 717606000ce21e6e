// Package proximal takes proximal Newton steps on the loss of log-linear models with an L1 and an L2 penalty, on the weights that it is given:
// which these are, what their gradients are, and when to stop, is the caller's business. A step minimises the quadratic model of the loss plus the
// penalty, and searches along the line to that minimum. Begin with Newton.Step:
//
//   - newton.go: the step, its line search, and the trust radius;
//   - quadratic_model.go: the model, for two classes, for more, and for columns with all their entries;
//   - coordinate_descent.go: its minimum by sweeps through columns, and hessian.go by sweeps with the Hessian, where that is cheaper
//     (columns_by_row.go lays out what it is computed from);
//   - kept_hessian.go: one that lasts for steps, with selection.go, minima over the selected weights by a factor of it, and conjugate_step.go, which
//     makes up for its age;
//   - conjugate_gradient.go: leaps to the minimum over the weights whose signs stay, between sweeps.
package proximal

import (
	"context"
	"math"

	"tenfold/engines/numeric/dense"
)

// Loss computes the loss of margins z, and sets r to its derivatives in them.
type Loss interface {
	Residuals(ctx context.Context, r, z []float64, workers int) float64
}

// State is weights with what follows from them: margins and residuals, row-major, rows × Blocks, and the loss.
type State struct {
	W    []float64
	Z, R []float64
	Loss float64
}

// Newton takes proximal Newton steps (Yuan, Ho and Lin, "An improved GLMNET for L1-regularized logistic regression", 2012): it minimises the
// quadratic model of the loss plus the penalty over some weights, and searches along the line to that minimum. Kept from one penalty to the
// next, it knows the Hessian of earlier points.
type Newton struct {
	MaxIdleSteps int // before a stall; by default the constant

	rows           Rows
	loss           Loss
	model          quadraticModel
	trustRadius    float64
	stalled        bool
	leastViolation float64 // the least violations together at steps that promised less than rounding,
	idleSteps      int     // and such steps since they halved

	last          lastStep
	lastViolation float64 // the violations together before it

	marginChange, trialMargins, trialResiduals []float64 // change of the margins along a step; margins and residuals tried
}

// New returns steps for rows whose loss is given.
func New(rows Rows, loss Loss) *Newton {
	m := rows.len() * rows.Blocks
	n := &Newton{MaxIdleSteps: MaxIdleSteps, rows: rows, loss: loss, model: rows.quadraticModel(), marginChange: make([]float64, m), trialMargins: make([]float64, m), trialResiduals: make([]float64, m)}
	n.Restart()
	return n
}

// Restart sets the trust radius to that of a first step, 2, and forgets stalls.
func (n *Newton) Restart() {
	n.trustRadius, n.lastViolation = 2, math.Inf(1)
	n.last = lastStep{}
	n.Resume()
}

// Resume forgets stalls.
func (n *Newton) Resume() { n.stalled, n.idleSteps, n.leastViolation = false, 0, math.Inf(1) }

// Stalled reports whether the last step got no further, or the last ones promised no more than rounding.
func (n *Newton) Stalled() bool { return n.stalled }

// TrustRadius returns how much a margin may change by one weight in the next step.
func (n *Newton) TrustRadius() float64 { return n.trustRadius }

// Minimize moves the coordinates to the minimum of the quadratic model around s plus the penalty, and leaves s as it is. It returns the sum of
// the violations before.
func (n *Newton) Minimize(ctx context.Context, s *State, work []Coordinate) (violation float64) {
	n.model.expandAt(s.R)
	return (&descent{model: n.model, coordinates: work}).run(ctx)
}

// Step minimises as Minimize does, and moves s along the line to that minimum as far as the objective falls.
func (n *Newton) Step(ctx context.Context, s *State, work []Coordinate, workers int) {
	violation := n.Minimize(ctx, s, work)
	n.lineSearch(ctx, s, work, violation, workers)
	if violation > n.lastViolation/2 {
		n.model.dropKept() // steps with it are slow
	}
	n.lastViolation = violation
	if n.stalled && n.model.dropKept() {
		n.Resume()
	}
}

// MaxIdleSteps bounds the steps in a row whose predicted decrease is below rounding and that do not halve the violations, which are
// gradients and tell progress longer. (Free biases are optimised in between, which may raise violations.)
const MaxIdleSteps = 10

// lineSearch takes the first of the steps 1, ½, ¼, … along the moves that lowers the objective by a hundredth of what the model
// predicts (Armijo's rule as in Tseng and Yun 2009). Differences below rounding count as lower. violation is the sum of the
// violations that the moves correct. A whole step may be extended. The trust radius follows the step that was taken.
func (n *Newton) lineSearch(ctx context.Context, s *State, work []Coordinate, violation float64, workers int) {
	clear(n.marginChange)
	predicted, trusted := 0.0, 0.0 // trusted: the largest share of a weight's maxMove
	n.addMarginChanges(work)
	n.conjugate(work)
	for k := range work {
		if c := &work[k]; c.Move != 0 {
			trusted = max(trusted, math.Abs(c.Move)/c.MaxMove)
			predicted += c.predictedChange()
		}
	}
	noise := 1e-15 * max(1, s.Loss)
	if predicted >= -100*noise { // margins are rounded, too
		if n.idleSteps++; violation <= n.leastViolation/2 {
			n.leastViolation, n.idleSteps = violation, 0
		}
		if n.stalled = !(predicted <= noise) || n.idleSteps > n.MaxIdleSteps; n.stalled {
			return
		}
	}
	for t := 1.0; t > 1e-12; t /= 2 {
		for i, d := range n.marginChange {
			n.trialMargins[i] = s.Z[i] + float64(t*d)
		}
		loss := n.loss.Residuals(ctx, n.trialResiduals, n.trialMargins, workers)
		change := loss - s.Loss
		for k := range work {
			change += work[k].penaltyChange(t)
		}
		if change <= float64(0.01*t*predicted)+float64(10*noise) {
			n.take(s, work, t, loss)
			if n.model.curvatures() != nil {
				n.last.remember(work, n.marginChange, t)
			}
			if t == 1 && predicted < -leastPromise*max(1, s.Loss) {
				n.extend(ctx, s, work, predicted, workers)
			}
			if t < 1 {
				n.trustRadius *= trusted * max(t, 1.0/8)
			} else {
				n.trustRadius = min(4*n.trustRadius, maxTrust)
			}
			return
		}
	}
	n.stalled = true
}

const (
	leastPromise = 1e-6  // share of the objective by which a step must promise to lower it to be extended
	maxTrust     = 1e100 // bound of the trust radius, with room for margins of rows that others exceed by many orders of magnitude
	steadyPace   = 0.2   // share of the pace at the start at which extend goes on
)

// extend goes on along the moves, twice as far each time, as long as the objective keeps falling at a good share of the pace that
// it had at the start. That is so from afar: where the model is nearly certain of rows, a Newton step moves margins by about one.
func (n *Newton) extend(ctx context.Context, s *State, work []Coordinate, pace float64, workers int) {
	for t := 1.0; n.paceAlong(s, work) < steadyPace*pace; t *= 2 {
		for i, d := range n.marginChange {
			n.trialMargins[i] = s.Z[i] + float64(t*d)
		}
		loss := n.loss.Residuals(ctx, n.trialResiduals, n.trialMargins, workers)
		change := loss - s.Loss
		for k := range work {
			change += work[k].penaltyChange(2*t) - work[k].penaltyChange(t)
		}
		if !(change < 0) || ctx.Err() != nil {
			return
		}
		n.take(s, work, 2*t, loss)
	}
}

// paceAlong returns the derivative of the objective along the moves at the point.
func (n *Newton) paceAlong(s *State, work []Coordinate) (pace float64) {
	for i, d := range n.marginChange {
		pace += float64(d * s.R[i])
	}
	for k := range work {
		c := &work[k]
		w := s.W[c.Index]
		pace += float64(c.L2 * w * c.Move)
		if w == 0 {
			pace += float64(c.L1 * math.Abs(c.Move))
		} else {
			pace += float64(math.Copysign(c.L1, w) * c.Move)
		}
	}
	return pace
}

// take goes the step of length t along the moves that was tried, whose loss is given.
func (n *Newton) take(s *State, work []Coordinate, t, loss float64) {
	for k := range work {
		s.W[work[k].Index] = work[k].Weight + float64(t*work[k].Move)
	}
	s.Z, n.trialMargins, s.R, n.trialResiduals, s.Loss = n.trialMargins, s.Z, n.trialResiduals, s.R, loss
}

// predictedChange returns the first-order change of the objective by the whole move: the gradient's, and that of the penalty.
func (c *Coordinate) predictedChange() float64 {
	return float64((c.Gradient+float64(c.L2*c.Weight))*c.Move) + float64(c.L1*(math.Abs(c.Weight+c.Move)-math.Abs(c.Weight)))
}

// penaltyChange returns the change of the penalty by a share t of the move.
func (c *Coordinate) penaltyChange(t float64) float64 {
	to := c.Weight + float64(t*c.Move)
	return float64(c.L1*(math.Abs(to)-math.Abs(c.Weight))) + float64(0.5*c.L2*(to-c.Weight)*(to+c.Weight))
}

// addMarginChanges adds those by all moves, of columns with all their entries four at a time.
func (n *Newton) addMarginChanges(work []Coordinate) {
	var four [4][]float64
	var by [4]float64
	filled := 0
	for k := range work {
		c := &work[k]
		switch {
		case c.Move == 0:
		case n.rows.Blocks == 1 && c.X.HasAll(len(n.marginChange)):
			four[filled], by[filled] = c.X.Val, c.Move
			if filled++; filled == 4 {
				dense.AddCombination(n.marginChange, four[0], four[1], four[2], four[3], &by)
				filled = 0
			}
		default:
			addMarginChange(n.marginChange, c, n.rows.Blocks)
		}
	}
	for q, x := range four[:filled] {
		dense.AddTo(n.marginChange, x, by[q])
	}
}

// addMarginChange adds the change of the margins by the coordinate's move to z.
func addMarginChange(z []float64, c *Coordinate, blocks int) {
	if blocks == 1 {
		c.X.AddTo(z, c.Move)
		return
	}
	for e, i := range c.X.Idx {
		z[int(i)*blocks+c.Block] += float64(c.X.At(e) * c.Move)
	}
}
