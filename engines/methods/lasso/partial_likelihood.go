package lasso

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/core/convex"
	"tenfold/engines/core/dense"
	"tenfold/engines/core/parallel"
	"tenfold/engines/core/sparse"
	"tenfold/engines/core/survival"
	"tenfold/engines/data"
)

// partialLikelihood is a survival target: over coefficients β of centred and, where asked for, scaled columns G it minimises
//
//	−log PL(G·β) + λ1·‖β‖₁ + ½·λ2·‖β‖²,
//
// norms being weighted by the factors of the columns' penalties.
//
// Newton steps go over a working set W: the columns with a coefficient, and those of the strong set (Tibshirani et al. 2012) whose
// gradient exceeds λ1; columns outside the strong set sleep (convex.Asleep). With h_i the hazards and ḡ_t means of columns over risk sets, the Hessian there is
//
//	Q_jk = Σ_i h_i G_ij G_ik − Σ_t c_t ḡ_tj ḡ_tk,
//
// O((n + events)·|W|²); coordinate descent minimises the quadratic model with the penalty, and a line search the objective along its
// step. Martingale residuals sum to 0, so that centring costs nothing.
type partialLikelihood struct {
	g       *sparse.Scaled
	l       *survival.Likelihood
	times   []float64
	null    float64   // −log PL without columns that have a penalty
	factor  []float64 // of the penalties, by column; nil: 1 each
	l1Max   float64   // λ1 from which on no column is selected
	workers int
	stop    Stopping

	beta     []float64 // by column
	eta      []float64 // G·β, by row
	at       survival.Point
	gradient []float64 // of log PL: G_j'r, of columns awake; 0 of others
	lastL1   float64   // λ1 of the last minimum, at which gradient was computed
	awake    []int32   // columns, rising
	asleep   *convex.Asleep
	level    float64 // the largest gradient at the start, over the factor of its penalty
	strips   []sparse.Strip

	unproved bool    // the last minimum is one without a penalty, of which there is no bound
	strays   float64 // above 0: instead of by the gap a minimum is known by its conditions, none violated by more than this share of λ1

	working []*coxColumn // by place
	place   []int32      // of each column, −1 for none
	rows    *byRows      // nil before the first step through rows
}

// coxColumn is a column of the working set.
type coxColumn struct {
	column       int32
	factor       float64   // of its penalties
	values       []float64 // G_j in the likelihood's order
	mean, scaled []float64 // over risk sets
}

// newPartialLikelihood reads a target. O(nnz + n log n).
func newPartialLikelihood(ctx context.Context, v *data.View, target int, efron bool, scale string, stop Stopping, workers int) (*partialLikelihood, error) {
	g, err := sparse.Standardize(v.FilledMatrix(), v.Weights(), scale)
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
		g: g, l: l, times: times, workers: workers, stop: stop, beta: make([]float64, columns), eta: make([]float64, len(times)),
		gradient: make([]float64, columns), place: make([]int32, columns), strips: g.X.Strips(workers), factor: v.Factors(),
	}
	for j := range s.place {
		s.place[j] = -1
	}
	l.At(&s.at, s.eta)
	s.null = -s.at.Log
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

// factorOf column j in the penalties.
func (s *partialLikelihood) factorOf(j int) float64 {
	if s.factor == nil {
		return 1
	}
	return s.factor[j]
}

// lambdaMax is the λ1 from which on no column is selected.
func (s *partialLikelihood) lambdaMax() float64 { return s.l1Max }

// wakeAll computes the gradients of all columns; none sleeps any more. O(nnz).
func (s *partialLikelihood) wakeAll(ctx context.Context) error {
	sparse.Together(s.strips, func(strip *sparse.Strip) { strip.MulTVec(s.gradient, s.at.Residual) })
	sum := 0.0
	for _, r := range s.at.Residual {
		sum += r
	}
	norms := make([]float64, len(s.beta))
	s.awake = s.awake[:0]
	for j, xr := range s.gradient {
		s.gradient[j] = s.g.Product(j, xr, sum)
		if f := s.factorOf(j); f > 0 {
			norms[j] = math.Sqrt(s.g.Norm2[j]) / f
			s.level = max(s.level, math.Abs(s.gradient[j])/f)
		}
		if s.g.Scale[j] != 0 {
			s.awake = append(s.awake, int32(j))
		}
	}
	s.asleep = convex.NewAsleep(norms, len(s.eta))
	return context.Cause(ctx)
}

// moveTo the present residuals, at a penalty: columns that fall asleep do so there.
func (s *partialLikelihood) moveTo(l1 float64) {
	scaled := slices.Clone(s.at.Residual)
	for i := range scaled {
		scaled[i] /= math.Sqrt(s.g.RowWeight(i))
	}
	s.asleep.MoveTo(scaled, max(min(l1, s.level), math.SmallestNonzeroFloat64))
}

// fallAsleep lets column j sleep.
func (s *partialLikelihood) fallAsleep(j int32) {
	s.asleep.Put(j, s.gradient[j]/s.factorOf(int(j)))
	s.gradient[j] = 0
}

// wake the columns asleep whose gradients at the present residuals reach the threshold; how many.
func (s *partialLikelihood) wake(threshold float64) (woken int) {
	columns, _ := s.asleep.Wake(nil, threshold)
	s.slopesOf(s.gradient, columns, s.at.Residual)
	for _, j := range columns {
		if math.Abs(s.gradient[j]) >= float64(threshold*s.factorOf(int(j))) {
			s.awake = append(s.awake, j)
			woken++
		} else {
			s.fallAsleep(j)
		}
	}
	slices.Sort(s.awake)
	return woken
}

// slopesOf some columns: G_j'r.
func (s *partialLikelihood) slopesOf(dst []float64, columns []int32, r []float64) {
	sum := 0.0
	for _, x := range r {
		sum += x
	}
	dots := make([]float64, len(columns))
	parallel.Stretches(s.workers, 256, len(columns), func(first, last int) {
		some, dots := columns[first:last], dots[first:last]
		s.g.DotColumns(dots, some, r, sum)
		for k, j := range some {
			dst[j] = dots[k]
		}
	})
}

// solve for a penalty.
func (s *partialLikelihood) solve(ctx context.Context, pen penalty, _ float64) (convex.Outcome, error) {
	rule := convex.Criterion{Tol: s.stop.Tol, MaxIter: s.stop.MaxIter, Null: s.null}
	s.selectStrong(pen.l1)
	out, idle := convex.Outcome{}, 0 // idle: steps in a row that won nothing
	for whole := false; ; {          // whole: no column asleep has a gradient above λ1
		switch out.Certificate = s.certify(pen); {
		case pen == penalty{}:
			out.Dual = s.promised(out.Objective)
		case s.strays > 0 && s.violation(pen.l1) <= float64(s.strays*pen.l1):
			out.Dual = out.Objective
		case s.strays > 0:
			out.Dual = 0
		}
		out.Stop = rule.Stop(out.Certificate, out.Iterations, idle > 2)
		switch {
		case (pen == penalty{} || s.strays > 0) && s.separated():
			out.Stop = infinite
		case out.Stop == "" || whole:
		default: // as far as the columns awake go
			s.moveTo(pen.l1)
			s.wake(pen.l1)
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
		s.slopesOf(s.gradient, s.awake, s.at.Residual)
		whole = false
		out.Iterations++
		out.Evaluated += int64(len(s.awake))
	}
	s.lastL1, s.unproved = pen.l1, pen == penalty{} || s.strays > 0
	if out.Notes = rule.Notes(out); out.Stop == infinite {
		out.Notes = []string{fmt.Sprintf(engines.NotConverged+": after %d iterations a coefficient is beyond %d standard deviations of its column: columns order the events, and the likelihood has no maximum (penalise, or use fewer columns)", out.Iterations, farOff)}
	}
	return out, nil
}

// violation of the conditions of a minimum by any column awake.
func (s *partialLikelihood) violation(l1 float64) (worst float64) {
	for _, j := range s.awake {
		b, slope, pull := s.beta[j], s.gradient[j], float64(l1*s.factorOf(int(j)))
		if b != 0 {
			worst = max(worst, math.Abs(slope-math.Copysign(pull, b)))
		} else {
			worst = max(worst, math.Abs(slope)-pull)
		}
	}
	return worst
}

// selectStrong leaves those columns awake that have a coefficient, or whose gradient may come to λ1 by the sequential strong rule.
func (s *partialLikelihood) selectStrong(l1 float64) {
	threshold := max(0, float64(2*l1)-max(s.lastL1, l1))
	s.moveTo(l1)
	s.awake = slices.DeleteFunc(s.awake, func(j int32) bool {
		if s.beta[j] != 0 || math.Abs(s.gradient[j]) >= float64(threshold*s.factorOf(int(j))) {
			return false
		}
		s.fallAsleep(j)
		return true
	})
	s.wake(threshold)
}

// join puts a column into the working set.
func (s *partialLikelihood) join(j int32) {
	if s.place[j] >= 0 {
		return
	}
	c := &coxColumn{column: j, factor: s.factorOf(int(j)), values: make([]float64, len(s.eta)), mean: make([]float64, s.l.Terms()), scaled: make([]float64, s.l.Terms())}
	raw := make([]float64, len(s.eta))
	for i := range raw {
		raw[i] = -s.g.Mean[j] * s.g.Scale[j]
	}
	s.g.X.Col(int(j)).AddTo(raw, s.g.Scale[j])
	s.l.Sorted(c.values, raw)
	s.place[j] = int32(len(s.working))
	s.working = append(s.working, c)
}

// leaveIdle drops the columns of the working set that have no coefficient, once they are many.
func (s *partialLikelihood) leaveIdle() {
	active := 0
	for _, c := range s.working {
		if s.stays(c) {
			active++
		}
	}
	if len(s.working) <= 2*active+50 {
		return
	}
	kept := s.working[:0]
	for _, c := range s.working {
		if s.place[c.column] = -1; s.stays(c) {
			s.place[c.column] = int32(len(kept))
			kept = append(kept, c)
		}
	}
	clear(s.working[len(kept):])
	s.working = kept
}

// stays tells whether a column of the working set has a coefficient, or no penalty.
func (s *partialLikelihood) stays(c *coxColumn) bool { return s.beta[c.column] != 0 || c.factor == 0 }

// model is the quadratic model of −log PL on the working set.
func (s *partialLikelihood) model(pen penalty) (q [][]float64, slope []float64) {
	s.leaveIdle()
	for _, j := range s.awake {
		if f := s.factorOf(int(j)); f == 0 || s.beta[j] != 0 || math.Abs(s.gradient[j]) > float64(pen.l1*f) {
			s.join(j)
		}
	}
	h := s.at.Hazards()
	q, slope = make([][]float64, len(s.working)), make([]float64, len(s.working))
	parallel.Stretches(s.workers, 8, len(q), func(first, last int) {
		for _, c := range s.working[first:last] {
			s.l.Means(&s.at, c.mean, c.scaled, c.values)
		}
	})
	parallel.Stretches(s.workers, 8, len(q), func(first, last int) {
		weighted := make([]float64, len(h))
		for a := first; a < last; a++ {
			c := s.working[a]
			for k, v := range c.values {
				weighted[k] = h[k] * v
			}
			row := make([]float64, len(q))
			dense.DotEach(a+1, weighted, func(b int) []float64 { return s.working[b].values }, func(b int, x float64) { row[b] = x })
			dense.DotEach(a+1, c.scaled, func(b int) []float64 { return s.working[b].mean }, func(b int, x float64) { row[b] -= x })
			q[a] = row
		}
	})
	for a, c := range s.working {
		for b := range a {
			q[b][a] = q[a][b]
		}
		q[a][a] += float64(pen.l2 * c.factor)
		slope[a] = float64(pen.l2*c.factor*s.beta[c.column]) - s.gradient[c.column]
	}
	return q, slope
}

// step is a Newton step on the working set. It returns how much smaller the objective gets.
func (s *partialLikelihood) step(pen penalty) (won float64) {
	if s.goesThroughRows(pen) {
		return s.stepThroughRows(pen)
	}
	q, slope := s.model(pen)
	move := s.descend(pen, q, slope)
	change, moved := 0.0, false // of the model's slope and the penalty
	for a, d := range move {
		b := s.beta[s.working[a].column]
		change += float64(slope[a]*d) + float64(pen.l1*s.working[a].factor*(math.Abs(b+d)-math.Abs(b)))
		moved = moved || d != 0
	}
	if !moved || !(change < 0) {
		return 0
	}
	direction, order := make([]float64, len(s.eta)), make([]float64, len(s.eta))
	for a, d := range move {
		if d != 0 {
			for k, v := range s.working[a].values {
				order[k] += float64(d * v)
			}
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
			s.l.At(&s.at, s.eta)
			return start - end
		}
	}
	s.l.At(&s.at, s.eta) // the search has been elsewhere
	return 0
}

// objective a share of a move away, where G·β is eta.
func (s *partialLikelihood) objective(pen penalty, eta, move []float64, share float64) float64 {
	sum := -s.l.Log(eta)
	for a, d := range move {
		c := s.working[a]
		b := s.beta[c.column] + float64(share*d)
		sum += float64(pen.l1*c.factor*math.Abs(b)) + float64(pen.l2*c.factor*b*b/2)
	}
	return sum
}

// countSelected is the number of columns with a penalty that have a coefficient.
func (s *partialLikelihood) countSelected() (n int) {
	for j, b := range s.beta {
		if b != 0 && s.factorOf(j) > 0 {
			n++
		}
	}
	return n
}

// trainError is minus the logarithm of the partial likelihood.
func (s *partialLikelihood) trainError() float64 { return -s.at.Log }

// newModel is the model on the scale of the data, with the hazard of the row of zeros.
func (s *partialLikelihood) newModel(f engines.Fitted) engines.Model {
	var coefs []engines.Coef
	shift := 0.0 // of a row of zeros: its η
	for j, b := range s.beta {
		if b != 0 {
			w := b * s.g.Scale[j]
			coefs = append(coefs, engines.Coef{Feature: j, Value: w})
			shift += float64(w * s.g.Mean[j])
		}
	}
	raw := make([]float64, len(s.eta))
	for i, x := range s.eta {
		raw[i] = x + shift
	}
	s.l.At(&s.at, raw)
	base := s.l.BaselineAt(&s.at, raw, s.times)
	s.l.At(&s.at, s.eta)
	if f.Baseline = &base; s.unproved { // Newton's decrement proves nothing
		f.Certificate = nil
	}
	return engines.NewLinear(len(s.beta), []float64{0}, coefs, f)
}
