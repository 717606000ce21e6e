package lasso

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/response"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/targets"
)

// leastSquares is a real target: over coefficients β of centred and, where asked for, scaled columns G it minimises
//
//	½‖ỹ − G·β‖² + λ1·‖β‖₁ + ½·λ2·‖β‖²,
//
// with norms weighted by the rows' m_i. The residual r = ỹ − G·β is kept as v = m∘(ỹ − X·w), w = γ∘β, which changes only in
// the rows of a column that moves, and a number: r_i = v_i/m_i + shift. So centring costs one addition a step.
//
// The gradients G_j'r are kept too. Those of most columns need not be looked at again for a while (convex.Asleep, which knows the
// columns and their gradients divided by the factors of their penalties).
type leastSquares struct {
	g        *scaled.Matrix
	y        []float64    // ỹ
	mean     float64      // of y
	null     float64      // ½‖ỹ‖²: the objective of the model without columns
	l1Max    float64      // λ1 from which on no column is selected
	factor   data.Weights // of the penalties, by column; nil: 1 each
	free     *unpenalized
	constant int // columns without variation
	workers  int
	stop     Stopping

	beta      []float64 // by column
	v         []float64
	shift     float64
	rss       float64   // ‖r‖²
	rowsRSS   float64   // ‖r‖² when the rows were last looked at
	explained float64   // ỹ'r
	gradient  []float64 // G_j'r, at the present residual in the working set and for the columns awake
	moved     bool      // the residual is another one than that of the working set's gradients
	asleep    *convex.Asleep
	awake     []int32 // columns outside the working set
	strips    []sparse.Strip
	scaled    []float64 // √m∘r, work space
	dots      []float64 // of columns, work space

	set        *workingSet
	looks      int  // at the rows
	complete   bool // all columns are in the working set
	last, prev previousMinimum
}

// previousMinimum is a minimum at an earlier penalty.
type previousMinimum struct {
	l1   float64
	beta []float64 // by place in the working set
}

// newLeastSquares reads a target that the view has on every row. O(nnz).
func newLeastSquares(ctx context.Context, v *data.View, target int, scale string, stop Stopping, workers int) (*leastSquares, error) {
	g, err := scaled.StandardizeFar(ctx, v.FilledMatrix(), v.Weights(), scale)
	if err != nil {
		return nil, err
	}
	_, values := v.Target(target)
	if err := response.CheckSquares(v.TargetInfo(target).Name, values); err != nil {
		return nil, err
	}
	y, mean, tss := g.Center(values)
	if slices.Min(values) == slices.Max(values) {
		info := v.TargetInfo(target)
		return nil, info.RefuseOnly(values[0], len(values))
	}
	columns := v.Columns()
	s := &leastSquares{
		g: g, y: y, mean: mean, null: tss / 2, workers: workers, stop: stop, rss: tss, rowsRSS: tss, explained: tss,
		beta: make([]float64, columns), gradient: make([]float64, columns), v: make([]float64, len(y)), scaled: make([]float64, len(y)),
	}
	for i, r := range y {
		s.v[i] = g.RowWeight(i) * r
	}
	s.set = newWorkingSet(g, s.v)
	if s.factor = v.Factors(); s.factor != nil {
		if err := s.fitUnpenalized(ctx); err != nil {
			return nil, fmt.Errorf("target %s: %w", v.TargetInfo(target).Name, err)
		}
	}
	s.constant = len(g.Constant())
	norms := make([]float64, columns)
	for j, square := range g.Norm2 {
		if f := s.factorOf(j); f > 0 { // others are in the working set, or left out
			norms[j] = math.Sqrt(square) / f
		}
		if g.Scale[j] != 0 {
			s.awake = append(s.awake, int32(j))
		}
	}
	if err := s.readGradients(ctx, s.awake); err != nil {
		return nil, err
	}
	s.asleep = convex.NewAsleep(norms, len(y))
	for j, c := range s.gradient {
		if f := s.factorOf(j); f > 0 && c*c > 1e-24*tss*g.Norm2[j] { // else there is nothing but rounding
			s.l1Max = max(s.l1Max, math.Abs(c)/f)
		}
	}
	s.free.join(ctx, s)
	s.last.l1 = s.l1Max
	if s.l1Max > 0 {
		s.moveTo(s.l1Max)
	}
	return s, nil
}

// LambdaMax returns the λ1 from which on no column is selected.
func (s *leastSquares) LambdaMax() float64 { return s.l1Max }

// computeGradient computes the gradient of the working set, and wakes all columns whose gradient may exceed the threshold.
func (s *leastSquares) computeGradient(ctx context.Context, threshold float64) error {
	var exact int
	s.fallAsleep()
	s.awake, exact = s.asleep.Wake(s.awake[:0], threshold)
	wanted := s.awake[exact:]
	if s.moved {
		wanted = slices.Concat(wanted, s.set.column)
	}
	s.moved = false
	return s.readGradients(ctx, wanted)
}

// readGradients computes the gradients of columns from the rows: by column where they are few, else all by row, which is faster.
// O(nnz) at most.
func (s *leastSquares) readGradients(ctx context.Context, columns []int32) error {
	entries := len(columns) * len(s.v)
	if !s.g.X.IsFull() {
		entries = 0
		for _, j := range columns {
			entries += s.g.X.Col(int(j)).Len()
		}
	}
	if 4*entries > 3*s.g.X.NNZ() {
		if s.strips == nil {
			s.strips = s.g.X.Strips(s.workers)
		}
		sparse.Together(s.strips, func(strip *sparse.Strip) { strip.MulTVec(s.gradient, s.v) })
		for j, xv := range s.gradient {
			s.setGradient(j, xv)
		}
	} else {
		s.dots = slices.Grow(s.dots[:0], len(columns))[:len(columns)]
		parallel.Stretches(s.workers, 256, len(columns), func(first, last int) {
			if ctx.Err() != nil {
				return
			}
			some, dots := columns[first:last], s.dots[first:last]
			s.g.X.DotColumns(dots, some, s.v)
			for k, j := range some {
				s.setGradient(int(j), dots[k])
			}
		})
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// fallAsleep lets the columns sleep that are awake and have not joined the working set.
func (s *leastSquares) fallAsleep() {
	for _, j := range s.awake {
		if s.set.place[j] == outside {
			s.asleep.Put(j, s.gradient[j]/s.factorOf(int(j)))
		}
	}
	s.awake = s.awake[:0]
}

// moveTo tells the columns asleep of the present residual, and of the penalty.
func (s *leastSquares) moveTo(l1 float64) {
	for i, v := range s.v {
		if m := s.g.RowWeight(i); m == 1 {
			s.scaled[i] = v + s.shift
		} else {
			s.scaled[i] = (v + float64(m*s.shift)) / math.Sqrt(m)
		}
	}
	s.asleep.MoveTo(s.scaled, l1)
	s.moved = true
}

// setGradient sets the gradient of column j from x_j'v.
func (s *leastSquares) setGradient(j int, xv float64) {
	s.gradient[j] = s.g.Scale[j] * (xv + float64(s.shift*s.g.N*s.g.Mean[j]))
}

// updateResidual applies the moves of the working set to the residual.
func (s *leastSquares) updateResidual(l1 float64) {
	s.fallAsleep()
	for q := range s.set.all {
		c := &s.set.all[q]
		s.beta[s.set.column[q]] = c.beta
		if d := c.beta - c.beta0; d != 0 && s.set.inner != nil {
			s.set.moveResidual(int(s.set.column[q]), d)
		}
	}
	s.measureResidual()
	s.free.optimize(s)
	s.moveTo(l1)
}

// measureResidual sets what follows from v.
func (s *leastSquares) measureResidual() {
	g, sum := s.g, dense.Sum(s.v)
	s.shift = -sum / g.N
	s.rss, s.explained = 0, 0
	for i, v := range s.v {
		r := v + s.shift
		if g.Weight != nil {
			r = v + float64(g.Weight[i]*s.shift) // m·r
			s.rss += float64(r * r / g.Weight[i])
		} else {
			s.rss += float64(r * r)
		}
		s.explained += float64(r * s.y[i])
	}
	s.rowsRSS = s.rss
}

// certify certifies the coefficients, which are 0 outside the working set, by the dual point t·r, with t the best of those for which no
// gradient exceeds λ1. With λ2 > 0, which is as if there were further rows √λ2·I, gradients are G_j'r − λ2·β_j. O(working set).
func (s *leastSquares) certify(pen targets.Penalty) engines.Certificate {
	maxGradient, l1, l2 := pen.L1, 0.0, 0.0
	for _, j := range s.awake { // those of columns asleep are smaller
		if f := s.factorOf(int(j)); f > 0 {
			maxGradient = max(maxGradient, math.Abs(s.gradient[j])/f)
		}
	}
	for _, j := range s.set.column {
		b, f := s.beta[j], s.factorOf(int(j))
		if f > 0 {
			maxGradient = max(maxGradient, math.Abs(s.gradient[j]-float64(pen.L2*f*b))/f)
		}
		l1 += float64(f * math.Abs(b))
		l2 += float64(f * b * b)
	}
	return certificate(pen, s.rss, s.explained, maxGradient, l1, l2)
}

// certificate returns the certificate for ‖r‖², ỹ'r, the largest gradient, ‖β‖₁ and ‖β‖².
func certificate(pen targets.Penalty, rss, explained, maxGradient, l1, l2 float64) engines.Certificate {
	c := engines.Certificate{Objective: float64(rss/2) + float64(pen.L1*l1) + float64(pen.L2*l2/2)}
	square := rss + float64(pen.L2*l2)
	if square > 0 {
		t := max(0, explained/square)
		if maxGradient > pen.L1 {
			t = min(t, pen.L1/maxGradient)
		}
		t = min(t, 1)
		c.Dual = float64(t*explained) - float64(t*t*square/2)
	}
	return c
}

// Selected returns the number of columns with a penalty that have a coefficient.
func (s *leastSquares) Selected() int {
	n := 0
	for _, j := range s.set.column { // other coefficients are 0
		if s.beta[j] != 0 && s.factorOf(int(j)) > 0 {
			n++
		}
	}
	return n
}

// NullObjective returns the objective of the model without columns.
func (s *leastSquares) NullObjective() float64 { return s.null }

// TrainError returns the mean squared error.
func (s *leastSquares) TrainError() float64 { return s.rss / s.g.N }

// Infimum returns a lower bound of every model's training error.
func (s *leastSquares) Infimum() float64 { return 0 }

// Model returns the model on the scale of the data: b_j = γ_j·β_j, and the intercept ȳ − Σ b_j·μ_j.
func (s *leastSquares) Model(f engines.Fitted) engines.Model {
	var coefs []engines.Coef
	bias := s.mean
	for _, column := range slices.Sorted(slices.Values(s.set.column)) { // other coefficients are 0
		if j := int(column); s.g.Scale[j]*s.beta[j] != 0 {
			coefs = append(coefs, engines.Coef{Feature: j, Value: s.g.Unscale(j, s.beta[j], &bias), Rank: -1})
		}
	}
	if n := s.constant - s.free.leftOut(); n > 0 {
		f.Facts = append(f.Facts, data.Fact{Name: "constant columns", Value: fmt.Sprint(n)})
	}
	f.Facts = append(f.Facts, s.free.facts()...)
	return engines.NewLinear(len(s.beta), []float64{bias}, coefs, f)
}
