package lasso

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/core/parallel"
	"tenfold/engines/core/sparse"
	"tenfold/engines/data"
)

// leastSquares is a real target: over coefficients β of centred and, where asked for, scaled columns G it minimises
//
//	½‖ỹ − G·β‖² + λ1·‖β‖₁ + ½·λ2·‖β‖²,
//
// with norms weighted by the rows' m_i. The residual r = ỹ − G·β is kept as v = m∘(ỹ − X·w), w = γ∘β, which changes only in
// the rows of a column that moves, and a number: r_i = v_i/m_i + shift. So centring costs one addition a step.
//
// The gradients G_j'r are kept too, each with the distance that r had covered when it was computed. Since then it has
// changed by at most ‖G_j‖ times the distance covered since, so that as long as penalties are large, most columns need not be looked at again.
type leastSquares struct {
	g       *sparse.Scaled
	y       []float64 // ỹ
	mean    float64   // of y
	null    float64   // ½‖ỹ‖²: the objective of the model without columns
	l1Max   float64   // λ1 from which on no column is selected
	workers int
	stop    Stopping

	beta       []float64 // by column
	v          []float64
	shift      float64
	rss        float64   // ‖r‖²
	explained  float64   // ỹ'r
	gradient   []float64 // G_j'r
	distanceAt []float64 // when it was computed; −1 before the first time
	distance   float64   // that r has covered so far, a sum of the lengths of its moves
	strips     []sparse.Strip
	list       []int32 // work space of computeGradient

	set        *workingSet
	last, prev previousMinimum
}

// previousMinimum is a minimum at an earlier penalty.
type previousMinimum struct {
	l1   float64
	beta []float64 // by place in the working set
}

// newLeastSquares reads a target that the view has on every row. O(nnz).
func newLeastSquares(ctx context.Context, v *data.View, target int, scale string, stop Stopping, workers int) (*leastSquares, error) {
	g, err := sparse.Standardize(v.Matrix(), v.Weights(), scale)
	if err != nil {
		return nil, err
	}
	_, values := v.Target(target)
	y, mean, tss := g.Center(values)
	if slices.Min(values) == slices.Max(values) {
		return nil, fmt.Errorf("target %s has one value in all training rows; leave such responses out with target: {constant: drop}", v.TargetInfo(target).Name)
	}
	columns := v.Columns()
	s := &leastSquares{
		g: g, y: y, mean: mean, null: tss / 2, workers: workers, stop: stop, rss: tss, explained: tss,
		beta: make([]float64, columns), gradient: make([]float64, columns), distanceAt: make([]float64, columns),
		v: make([]float64, len(y)),
	}
	for i, r := range y {
		s.v[i] = g.RowWeight(i) * r
	}
	for j := range s.distanceAt {
		s.distanceAt[j] = -1
	}
	s.set = newWorkingSet(g, s.v)
	if err := s.computeGradient(ctx, 0); err != nil {
		return nil, err
	}
	for j, c := range s.gradient {
		if c*c > 1e-24*tss*g.Norm2[j] { // else there is nothing but rounding
			s.l1Max = max(s.l1Max, math.Abs(c))
		}
	}
	s.last.l1 = s.l1Max
	return s, nil
}

// lambdaMax is the λ1 from which on no column is selected.
func (s *leastSquares) lambdaMax() float64 { return s.l1Max }

// computeGradient computes the gradient of the working set, and of all columns whose gradient may exceed the threshold: by column where they
// are few, else all by row, which is faster. O(nnz) at most.
func (s *leastSquares) computeGradient(ctx context.Context, threshold float64) error {
	wanted, entries := s.list[:0], 0
	for j := range s.gradient {
		if s.needsGradient(j, threshold) {
			wanted = append(wanted, int32(j))
			entries += s.g.X.Col(j).Len()
		}
	}
	s.list = wanted
	if 4*entries > 3*s.g.X.NNZ() {
		if s.strips == nil {
			s.strips = s.g.X.Strips(s.workers)
		}
		sparse.Together(s.strips, func(strip *sparse.Strip) { strip.MulTVec(s.gradient, s.v) })
		for j, xv := range s.gradient {
			s.setGradient(j, xv)
		}
	} else {
		parallel.Stretches(s.workers, 256, len(wanted), func(first, last int) {
			if ctx.Err() != nil {
				return
			}
			for _, j := range wanted[first:last] {
				s.setGradient(int(j), s.g.X.Col(int(j)).Dot4(s.v))
			}
		})
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// needsGradient tells whether the gradient of a column has to be computed: it varies, and is in the working set or its gradient may
// have come to the threshold.
func (s *leastSquares) needsGradient(j int, threshold float64) bool {
	switch {
	case s.distanceAt[j] == s.distance || s.g.Scale[j] == 0:
		return false
	case s.distanceAt[j] < 0 || s.set.place[j] >= 0:
		return true
	}
	return math.Abs(s.gradient[j])+float64(math.Sqrt(s.g.Norm2[j])*(s.distance-s.distanceAt[j])) >= threshold
}

// setGradient sets the gradient of column j from x_j'v.
func (s *leastSquares) setGradient(j int, xv float64) {
	s.gradient[j] = s.g.Scale[j] * (xv + float64(s.shift*s.g.N*s.g.Mean[j]))
	s.distanceAt[j] = s.distance
}

// updateResidual applies the moves of the working set to the residual.
func (s *leastSquares) updateResidual() {
	g, moved := s.g, 0.0 // moved: squared distance
	for q := range s.set.all {
		c := &s.set.all[q]
		d := c.beta - c.beta0
		if d == 0 {
			continue
		}
		moved += float64(d * (c.gradient0 - s.set.gradient(q)))
		if s.set.inner != nil {
			s.set.updateResidual(q, d)
		}
		s.beta[s.set.column[q]] = c.beta
	}
	if moved != 0 {
		s.distance = math.Nextafter(s.distance+float64((1+1e-9)*math.Sqrt(max(0, moved))), math.Inf(1))
	}
	sum := 0.0
	for _, v := range s.v {
		sum += v
	}
	s.shift = -sum / g.N
	s.rss, s.explained = 0, 0
	if g.Weight == nil {
		for i, v := range s.v {
			r := v + s.shift
			s.rss += float64(r * r)
			s.explained += float64(r * s.y[i])
		}
		return
	}
	for i, v := range s.v {
		r := v + float64(g.Weight[i]*s.shift) // m·r
		s.rss += float64(r * r / g.Weight[i])
		s.explained += float64(r * s.y[i])
	}
}

// certify the coefficients by the dual point t·r, with t the best of those for which no gradient exceeds λ1. With λ2 > 0, which
// is as if there were further rows √λ2·I, gradients are G_j'r − λ2·β_j. O(columns).
func (s *leastSquares) certify(pen penalty) engines.Certificate {
	maxGradient, l1, l2 := pen.l1, 0.0, 0.0
	for j, b := range s.beta {
		if s.distanceAt[j] == s.distance { // those of the others are smaller
			maxGradient = max(maxGradient, math.Abs(s.gradient[j]-float64(pen.l2*b)))
		}
		l1 += math.Abs(b)
		l2 += float64(b * b)
	}
	return certificate(pen, s.rss, s.explained, maxGradient, l1, l2)
}

// certificate for ‖r‖², ỹ'r, the largest gradient, ‖β‖₁ and ‖β‖².
func certificate(pen penalty, rss, explained, maxGradient, l1, l2 float64) engines.Certificate {
	c := engines.Certificate{Objective: float64(rss/2) + float64(pen.l1*l1) + float64(pen.l2*l2/2)}
	square := rss + float64(pen.l2*l2)
	if square > 0 {
		t := max(0, explained/square)
		if maxGradient > pen.l1 {
			t = min(t, pen.l1/maxGradient)
		}
		t = min(t, 1)
		c.Dual = float64(t*explained) - float64(t*t*square/2)
	}
	return c
}

// countSelected is the number of columns with a coefficient.
func (s *leastSquares) countSelected() int {
	n := 0
	for _, b := range s.beta {
		if b != 0 {
			n++
		}
	}
	return n
}

// trainError is the mean squared error.
func (s *leastSquares) trainError() float64 { return s.rss / s.g.N }

// newModel is the model on the scale of the data: b_j = γ_j·β_j, and the intercept ȳ − Σ b_j·μ_j.
func (s *leastSquares) newModel(f engines.Fitted) engines.Model {
	var coefs []engines.Coef
	bias := s.mean
	for j, v := range s.beta {
		if b := s.g.Scale[j] * v; b != 0 {
			coefs = append(coefs, engines.Coef{Feature: j, Value: b, Rank: -1})
			bias -= float64(b * s.g.Mean[j])
		}
	}
	if n := len(s.g.Constant()); n > 0 {
		f.Facts = append(f.Facts, data.Fact{Name: "constant columns", Value: fmt.Sprint(n)})
	}
	return engines.NewLinear(len(s.beta), []float64{bias}, coefs, f)
}
