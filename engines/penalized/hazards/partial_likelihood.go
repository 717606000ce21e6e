// Package hazards fits Cox's proportional hazards model with an L1 penalty, an L2 penalty, both or none, or with a concave penalty: engine cox.
//
// The parameters are in cox.go. A target is a partialLikelihood (partial_likelihood.go: the problem and its Newton steps), whose quadratic
// models are minimised in partial_descent.go, whose columns sleep and wake in partial_columns.go, and whose duality gap is in
// partial_bound.go; the steps of a ridge on many columns go through the rows (by_rows.go). Concave penalties are lassos again and again
// (package concave, reweighted.go). The likelihood itself, its derivatives and bounds are in package survival, the way along penalties in package targets.
package hazards

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/numeric/survival"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/targets"
)

// partialLikelihood is a survival target: over coefficients β of centred and, where asked for, scaled columns G it minimises
//
//	−log PL(G·β) + λ1·‖β‖₁ + ½·λ2·‖β‖²,
//
// norms being weighted by the factors of the columns' penalties.
//
// Newton steps go over a working set W: the columns with a coefficient, and those of the strong set (Tibshirani et al. 2012) whose
// gradient exceeds λ1; columns outside the strong set sleep (convex.Asleep). The Hessian there is Q = (L'G)'(L'G), where L is the root of that
// of −log PL in η (survival.Root), in O(n·|W|²/2) (partial_hessian.go); a quadratic model with the penalty is minimised on it
// (partial_descent.go), and a line search the objective along its step. Martingale residuals sum to 0, so that centring costs nothing.
type partialLikelihood struct {
	g       *scaled.Matrix
	l       *survival.Likelihood
	times   []float64
	null    float64      // −log PL without columns that have a penalty
	least   float64      // what −log PL cannot be below
	factor  data.Weights // of the penalties, by column; nil: 1 each
	l1Max   float64      // λ1 from which on no column is selected
	workers int
	tol     float64 // of the gap
	maxIter int

	beta     []float64 // by column
	eta      []float64 // G·β, by row
	point    survival.Point
	gradient []float64 // of log PL: G_j'r, of columns awake; 0 of others
	lastL1   float64   // λ1 of the last minimum, at which gradient was computed
	awake    []int32   // columns, rising
	asleep   *convex.Asleep
	level    float64 // the largest gradient at the start, over the factor of its penalty
	strips   []sparse.Strip

	unproved        bool    // the last minimum is one without a penalty, of which there is no bound
	stationarityTol float64 // above 0: instead of by the gap a minimum is known by its conditions, none violated by more than this share of λ1

	working []*coxColumn // by place
	place   []int32      // of each column, −1 for none
	kept    *keptHessian // nil before the first step on the working set
	rows    *byRows      // nil before the first step through rows
}

// newPartialLikelihood reads a target. O(nnz + n log n).
func newPartialLikelihood(ctx context.Context, v *data.View, target int, efron bool, scale string, tol float64, maxIter, workers int) (*partialLikelihood, error) {
	g, err := scaled.StandardizeFar(ctx, v.FilledMatrix(), v.Weights(), scale)
	if err != nil {
		return nil, err
	}
	_, times := v.Target(target)
	l, err := survival.NewLikelihood(times, v.Events(target), v.Weights(), efron)
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", v.TargetInfo(target).Name, err)
	}
	columns := v.Columns()
	s := &partialLikelihood{
		g: g, l: l, least: l.Infimum(), times: times, workers: workers, tol: tol, maxIter: maxIter, beta: make([]float64, columns), eta: make([]float64, len(times)),
		gradient: make([]float64, columns), place: make([]int32, columns), strips: g.X.Strips(workers), factor: v.Factors(),
	}
	for j := range s.place {
		s.place[j] = -1
	}
	l.At(&s.point, s.eta)
	s.null = -s.point.Log
	if err := s.wakeAll(ctx); err != nil {
		return nil, err
	}
	if slices.Contains(s.factor, 0) {
		if err := s.fitUnpenalized(ctx); err != nil {
			return nil, fmt.Errorf("target %s: %w", v.TargetInfo(target).Name, err)
		}
	}
	for j, x := range s.gradient {
		if f := s.factorOf(j); f > 0 && x*x > 1e-24*g.N*g.Norm2[j] { // else there is nothing but rounding
			s.l1Max = max(s.l1Max, math.Abs(x)/f)
		}
	}
	s.lastL1 = s.l1Max
	return s, nil
}

// factorOf returns the factor of column j in the penalties.
func (s *partialLikelihood) factorOf(j int) float64 { return s.factor.Of(j) }

// LambdaMax returns the λ1 from which on no column is selected.
func (s *partialLikelihood) LambdaMax() float64 { return s.l1Max }

// moveTo sets the residuals at which columns fall asleep to the present ones, at a penalty: columns that fall asleep do so there.
func (s *partialLikelihood) moveTo(l1 float64) {
	scaled := slices.Clone(s.point.Residual)
	for i := range scaled {
		scaled[i] /= math.Sqrt(s.g.RowWeight(i))
	}
	s.asleep.MoveTo(scaled, max(min(l1, s.level), math.SmallestNonzeroFloat64))
}

// Solve minimises for a penalty.
func (s *partialLikelihood) Solve(ctx context.Context, pen targets.Penalty, _ float64) (convex.Outcome, error) {
	rule := convex.Criterion{Tol: s.tol, MaxIter: s.maxIter, Null: s.null - s.least}
	s.selectStrong(pen.L1)
	out, idle := convex.Outcome{}, 0 // idle: steps in a row that won nothing
	for whole := false; ; {          // whole: no column asleep has a gradient above λ1
		switch out.Certificate = s.certify(pen); {
		case pen == targets.Penalty{}:
			out.Dual = s.promised(out.Objective)
		case s.stationarityTol > 0 && s.violation(pen.L1) <= float64(s.stationarityTol*pen.L1):
			out.Dual = out.Objective
		case s.stationarityTol > 0:
			out.Dual = math.Inf(-1) // no gap tells
		}
		out.Stop = rule.Stop(out.Certificate, out.Iterations, idle > 2)
		switch {
		case (pen == targets.Penalty{} || s.stationarityTol > 0) && s.separated():
			out.Stop = convex.Infinite
		case out.Stop == "" || whole:
		default: // as far as the columns awake go
			s.moveTo(pen.L1)
			s.wake(pen.L1)
			whole = true
			continue
		}
		if out.Stop != "" {
			break
		}
		if err := context.Cause(ctx); err != nil {
			return out, err
		}
		if won := s.step(pen); won > 0 {
			idle = 0
		} else {
			idle++
		}
		s.slopesOf(s.gradient, s.awake, s.point.Residual)
		whole = false
		out.Iterations++
		out.Evaluated += int64(len(s.awake))
	}
	s.lastL1, s.unproved = pen.L1, pen == targets.Penalty{} || s.stationarityTol > 0
	if out.Notes = rule.Notes(out); out.Stop == convex.Infinite {
		out.Notes = []string{fmt.Sprintf(engines.NotConverged+": after %d iterations a coefficient is beyond %d standard deviations of its column: columns order the events, and the likelihood has no maximum (penalise, or use fewer columns)", out.Iterations, farOff)}
	}
	return out, nil
}

// step takes a Newton step on the working set, and returns how much smaller the objective gets.
func (s *partialLikelihood) step(pen targets.Penalty) (won float64) {
	if s.goesThroughRows(pen) {
		return s.stepThroughRows(pen)
	}
	m := s.newModel(pen)
	move := m.minimize()
	change, moved := 0.0, false // of the model's slope and the penalty
	for a, d := range move {
		c := s.working[a]
		b := s.beta[c.column]
		change += float64(m.slope(a)*d) + float64(pen.L1*c.factor*(math.Abs(b+d)-math.Abs(b)))
		moved = moved || d != 0
	}
	if !moved || !(change < 0) {
		return 0
	}
	direction, order := make([]float64, len(s.eta)), make([]float64, len(s.eta))
	for a, d := range move {
		if d != 0 {
			dense.AddTo(order, s.working[a].values, d)
		}
	}
	s.l.Unsorted(direction, order)
	const rounding = 1e-14 // of an objective; so near the minimum Newton's steps are right where differences show nothing
	start, eta := s.objective(pen, s.eta, move, 0), make([]float64, len(s.eta))
	for share := 1.0; share > 1e-10; share /= 2 {
		for i, x := range s.eta {
			eta[i] = x + float64(share*direction[i])
		}
		if end := s.objective(pen, eta, move, share); end <= start+float64(1e-4*share*change)+float64(rounding*math.Abs(start)) {
			copy(s.eta, eta)
			for a, d := range move {
				j := s.working[a].column
				s.beta[j] += float64(share * d)
			}
			s.l.At(&s.point, s.eta)
			return start - end
		}
	}
	s.l.At(&s.point, s.eta) // the search has been elsewhere
	return 0
}

// objective returns that a share of a move away, where G·β is eta.
func (s *partialLikelihood) objective(pen targets.Penalty, eta, move []float64, share float64) float64 {
	sum := -s.l.Log(eta)
	for a, d := range move {
		c := s.working[a]
		b := s.beta[c.column] + float64(share*d)
		sum += float64(pen.L1*c.factor*math.Abs(b)) + float64(pen.L2*c.factor*b*b/2)
	}
	return sum
}

// Selected returns the number of columns with a penalty that have a coefficient.
func (s *partialLikelihood) Selected() (n int) {
	for j, b := range s.beta {
		if b != 0 && s.factorOf(j) > 0 {
			n++
		}
	}
	return n
}

// NullObjective returns the objective of the model without columns.
func (s *partialLikelihood) NullObjective() float64 { return s.null }

// TrainError returns minus the logarithm of the partial likelihood.
func (s *partialLikelihood) TrainError() float64 { return -s.point.Log }

// Infimum returns what no model has less training error than.
func (s *partialLikelihood) Infimum() float64 { return s.least }

// Model returns the model on the scale of the data, with the hazard of the row of zeros.
func (s *partialLikelihood) Model(f engines.Fitted) engines.Model {
	var coefs []engines.Coef
	zeros := 0.0 // η of a row of zeros
	for j, b := range s.beta {
		if b != 0 {
			coefs = append(coefs, engines.Coef{Feature: j, Value: s.g.Unscale(j, b, &zeros)})
		}
	}
	raw := make([]float64, len(s.eta))
	for i, x := range s.eta {
		raw[i] = x - zeros
	}
	s.l.At(&s.point, raw)
	base := s.l.BaselineAt(&s.point, raw, s.times)
	s.l.At(&s.point, s.eta)
	if f.Baseline = &base; s.unproved { // Newton's decrement proves nothing
		f.Certificate = nil
	}
	return engines.NewLinear(len(s.beta), []float64{0}, coefs, f)
}
