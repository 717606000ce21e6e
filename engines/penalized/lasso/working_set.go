package lasso

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/targets"
)

// strongShare is the share of λ1 that a gradient must have at the minimum for a larger penalty before its column is worked on, at
// least. The sequential strong rule, 2·λ1 less the larger penalty, lets too many in where the two are far apart.
const strongShare = 0.9

// Solve goes from the last minimum to that for another penalty. Where that is much smaller, minima in between, which need
// not be precise, tell which columns to work on.
func (s *leastSquares) Solve(ctx context.Context, pen targets.Penalty, _ float64) (convex.Outcome, error) {
	const (
		far    = 0.7 // of the last λ1
		coarse = 1e-2
	)
	passes := 0
	if l1 := s.last.l1; pen.L1 < far*l1 {
		steps := math.Ceil(elementary.Log(pen.L1/l1) / elementary.Log(far))
		for k := 1.0; k < steps; k++ {
			between := targets.Penalty{L1: l1 * elementary.Pow(pen.L1/l1, k/steps), L2: pen.L2}
			out, err := s.minimize(ctx, between, convex.Criterion{Tol: max(coarse, s.stop.Tol), MaxIter: s.stop.MaxIter, Null: s.null})
			if err != nil {
				return out, err
			}
			passes += out.Iterations
		}
	}
	out, err := s.minimize(ctx, pen, convex.Criterion{Tol: s.stop.Tol, MaxIter: s.stop.MaxIter, Null: s.null})
	out.Iterations += passes
	return out, err
}

// minimize goes to the minimum for a penalty, until the duality gap is a small enough share of the null model's objective.
//
//  1. Columns that the sequential strong rule cannot rule out join the working set (Tibshirani and others, "Strong rules for
//     discarding predictors in lasso-type problems", 2012).
//  2. The coefficients go on as they went from the penalty before last to the last: between changes of the selection the
//     path is straight.
//  3. Coordinate descent in the working set until the gap is small enough there.
//  4. The residual, all gradients that matter, and the gap for all columns. Columns that violate their condition join; go to 3.
func (s *leastSquares) minimize(ctx context.Context, pen targets.Penalty, criterion convex.Criterion) (convex.Outcome, error) {
	var out convex.Outcome
	if err := s.begin(ctx, pen); err != nil {
		return out, err
	}
	for inner := criterion.Tol * s.null; ; inner /= 2 { // the two gaps differ by rounding
		d := s.descentTo(pen)
		moved := d.run(ctx, 0.8*inner, criterion.MaxIter-out.Iterations)
		out.Iterations += d.passes
		if noise, sum := d.productNoise(); s.complete && float64(noise*sum) <= float64(noiseShare*criterion.Tol*s.null) {
			out.Certificate = s.certifyByProducts(&d)
		} else if err := s.look(ctx, pen); err != nil {
			return out, err
		} else {
			out.Certificate = s.certify(pen)
		}
		joined, err := s.extendWorkingSet(ctx, pen.L1, pen)
		if err != nil {
			return out, err
		}
		if out.Stop = criterion.Stop(out.Certificate, out.Iterations, !moved && joined == 0); out.Stop != "" {
			break
		}
	}
	out.Notes = criterion.Notes(out)
	s.remember(pen)
	return out, nil
}

// begin takes the columns into the working set that the sequential strong rule cannot rule out, and goes on along the path.
func (s *leastSquares) begin(ctx context.Context, pen targets.Penalty) error {
	if s.complete {
		return nil
	}
	threshold := pen.L1
	if pen.L1 < s.last.l1 {
		threshold = max(2*pen.L1-s.last.l1, strongShare*pen.L1)
	}
	if s.complete = s.productsPay(); s.complete {
		threshold = -1 // all join
	}
	if err := s.computeGradient(ctx, threshold); err != nil {
		return err
	}
	if _, err := s.extendWorkingSet(ctx, threshold, pen); err != nil {
		return err
	}
	if d := s.descentTo(pen); !d.solvePays() {
		s.extrapolate(pen)
	}
	return nil
}

// look computes the residual, and all gradients that matter, from the coefficients of the working set.
func (s *leastSquares) look(ctx context.Context, pen targets.Penalty) error {
	s.looks++
	s.updateResidual(pen.L1)
	if err := s.computeGradient(ctx, pen.L1); err != nil {
		return err
	}
	s.set.recomputeGradient(s)
	return nil
}

// remember keeps the minimum for extrapolate.
func (s *leastSquares) remember(pen targets.Penalty) {
	s.prev = s.last
	s.last = previousMinimum{pen.L1, s.set.coefficients()}
}

// extendWorkingSet adds the columns whose gradient exceeds the threshold, in order. Where only the sum of coefficients of equal columns counts,
// the first has it all.
func (s *leastSquares) extendWorkingSet(ctx context.Context, threshold float64, pen targets.Penalty) (joined int, err error) {
	first := map[float64][]int32{} // by gradient
	var joining []int32
	for _, j := range s.awake {
		if s.set.place[j] == outside && math.Abs(s.gradient[j]) > threshold*s.factorOf(int(j)) {
			joining = append(joining, j)
		}
	}
	slices.Sort(joining)
	distinct := joining[:0]
	for _, j := range joining {
		if c := s.gradient[j]; pen.L2 == 0 {
			if s.duplicatesAny(int(j), first[c]) {
				s.set.place[j] = repeated
				continue
			}
			first[c] = append(first[c], j)
		}
		distinct = append(distinct, j)
	}
	s.set.addColumns(ctx, distinct, s)
	return len(distinct), context.Cause(ctx)
}

// duplicatesAny reports whether column j equals one of others. Equal columns have equal gradients, so they join together.
func (s *leastSquares) duplicatesAny(j int, others []int32) bool {
	for _, k := range others {
		if s.factorOf(j) == s.factorOf(int(k)) && equalColumns(s.g.X.Col(j), s.g.X.Col(int(k))) {
			return true
		}
	}
	return false
}

// extrapolate continues the coefficients beyond the last minimum along the path so far. None changes its sign.
func (s *leastSquares) extrapolate(pen targets.Penalty) {
	share := (s.last.l1 - pen.L1) / (s.prev.l1 - s.last.l1)
	if !(share > 0 && share <= 2) {
		return
	}
	for q, before := range s.prev.beta {
		b := s.last.beta[q]
		if before == 0 || b == 0 {
			continue
		}
		if to := b + float64(share*(b-before)); to*b > 0 || s.set.all[q].l1Factor == 0 {
			s.set.moveCoefficient(q, to-b)
		} else {
			s.set.moveCoefficient(q, -b)
		}
	}
}
