package hazards

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/penalized/convex"
)

// coxColumn is a column of the working set.
type coxColumn struct {
	column int32
	factor float64   // of its penalties
	values []float64 // G_j in the likelihood's order
}

// wakeAll computes the gradients of all columns; none sleeps any more. O(nnz).
func (s *partialLikelihood) wakeAll(ctx context.Context) error {
	sparse.Together(s.strips, func(strip *sparse.Strip) { strip.MulTVec(s.gradient, s.point.Residual) })
	sum := dense.Sum(s.point.Residual)
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

// fallAsleep puts column j to sleep.
func (s *partialLikelihood) fallAsleep(j int32) {
	s.asleep.Put(j, s.gradient[j]/s.factorOf(int(j)))
	s.gradient[j] = 0
}

// wake takes back the columns asleep whose gradients at the present residuals reach the threshold.
func (s *partialLikelihood) wake(threshold float64) {
	columns, _ := s.asleep.Wake(nil, threshold)
	s.slopesOf(s.gradient, columns, s.point.Residual)
	for _, j := range columns {
		if math.Abs(s.gradient[j]) >= float64(threshold*s.factorOf(int(j))) {
			s.awake = append(s.awake, j)
		} else {
			s.fallAsleep(j)
		}
	}
	slices.Sort(s.awake)
}

// slopesOf computes G_j'r of some columns.
func (s *partialLikelihood) slopesOf(dst []float64, columns []int32, r []float64) {
	sum := dense.Sum(r)
	dots := make([]float64, len(columns))
	parallel.Stretches(s.workers, 256, len(columns), func(first, last int) {
		some, dots := columns[first:last], dots[first:last]
		s.g.DotColumns(dots, some, r, sum)
		for k, j := range some {
			dst[j] = dots[k]
		}
	})
}

// violation returns the largest of the conditions of a minimum by any column awake.
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
	c := &coxColumn{column: j, factor: s.factorOf(int(j)), values: make([]float64, len(s.eta))}
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
	s.working, s.kept = kept, nil
}

// stays reports whether a column of the working set has a coefficient, or no penalty.
func (s *partialLikelihood) stays(c *coxColumn) bool { return s.beta[c.column] != 0 || c.factor == 0 }
