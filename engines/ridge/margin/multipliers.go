package margin

import (
	"context"
)

// multipliers is the hinge smoothed about dual variables: with the share r = a/m of a row's weight, and the step ρ,
//
//	ℓ(z) = max over 0 ≤ q ≤ 1 of q (1 − z) − (q − r)²/(2ρ),    q = r + ρ (1 − z) within [0, 1],
//
// which is at most the hinge, by 1/(2ρ) at most, with derivative −q. Its minimiser gives the next r = q: the method of multipliers,
// whose subproblems for a piecewise linear loss Newton's method solves, and which converges to the hinge's minimum for any ρ
// (Rockafellar 1976, Augmented Lagrangians and applications of the proximal point algorithm; for support vectors Yan & Li 2020,
// Optimization Methods and Software 35).
type multipliers struct {
	share []float64 // r by row
	step  float64   // ρ
}

// at returns the smooth loss of row i at a margin, minus its derivative, and its second derivative.
func (m *multipliers) loss(i int, z float64) (value, fall, curvature float64) {
	r := m.share[i]
	q := r + float64(m.step*(1-z))
	switch {
	case q <= 0:
		q = 0
	case q >= 1:
		q = 1
	default:
		curvature = m.step
	}
	return float64(q*(1-z)) - float64((q-r)*(q-r))/(2*m.step), q, curvature
}

const (
	outerMost   = 60   // steps of multipliers
	innerMost   = 30   // Newton steps in each
	innerQuick  = 5    // Newton steps up to which the next ρ is larger
	firstStep   = 1.0  // ρ,
	stepGrowth  = 3.0  // the factor by which it grows
	largestStep = 1e5  // and its maximum: beyond, rows at the kink are too stiff for rounding
	innerShare  = 0.05 // share of the hinge's gap to which the gap of the smooth loss is reduced
)

// multiply applies the method of multipliers from the present state of the descent.
func (s *Solver) multiply(ctx context.Context, goal Goal, out *Outcome) {
	d, look := s.d, &contextChecker{ctx: ctx}
	n := len(s.p.Sign)
	smooth, f := s.p, make([]float64, n)
	smooth.smooth = &multipliers{share: make([]float64, n), step: firstStep}
	for i := range d.rows {
		smooth.smooth.share[i] = d.rows[i].a / d.rows[i].m
	}
	w := append([]float64(nil), out.W...)
	k := smooth.newNewton(ctx, w, goal.Workers)
	k.setScores(k.f, k.w)
	best, idle := out.Relative(), 0
	for range outerMost {
		k.evaluate()
		steps := 0
		for ; steps < innerMost; steps++ {
			inner := k.certify()
			if ctx.Err() != nil {
				return
			}
			if inner.Gap() <= innerShare*max(out.Gap(), goal.Tol*max(1, out.Objective)) {
				break
			}
			length := k.step()
			out.Steps++
			if length == 0 {
				break
			}
		}
		for i := range d.rows {
			r := &d.rows[i]
			_, q, _ := smooth.smooth.loss(i, float64(r.sign*k.f[i]))
			smooth.smooth.share[i], r.a = q, r.m*q
		}
		weights, bias := s.p.split(k.w)
		if s.p.Bias == FreeBias {
			d.centre = bias
		}
		d.recomputeWeights()
		s.certify(look, f, append(weights[:len(weights):len(weights)], bias), out)
		s.tell(goal, out)
		if look.over || out.met(goal, goal.Tol) {
			break
		}
		if idle++; out.Relative() < best/2 {
			best, idle = out.Relative(), 0
		}
		if idle == idleMost {
			break // continue with passes
		}
		if steps <= innerQuick {
			smooth.smooth.step = min(largestStep, stepGrowth*smooth.smooth.step)
		}
	}
	out.Products += k.products
	d.unshrink()
}
