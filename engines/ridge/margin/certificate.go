package margin

import (
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/numeric/dense"
)

// scores sets f = x·w for every row, without the bias. O(nnz).
func (p *Problem) scores(look *contextChecker, f, w []float64) {
	for i := range f {
		x := p.X.Row(i)
		if look.ended(x.Len()) {
			return
		}
		f[i] = x.Dot4(w)
	}
}

// lossAt returns Σ m ℓ(s (f + b)). O(rows).
func (p *Problem) lossAt(f []float64, b float64) (sum float64) {
	for i, s := range p.Sign {
		sum += float64(p.weightOf(i) * p.Loss.value(float64(s*(f[i]+b))))
	}
	return sum
}

// bestBias returns the minimiser b of Σ m ℓ(s (f + b)), the middle if it is an interval. Both signs have rows. O(rows) an
// iteration, and for the hinge O(rows log rows).
func (p *Problem) bestBias(f []float64, start float64) float64 {
	if p.Loss == Hinge && p.smooth == nil {
		return p.bestHingeBias(f)
	}
	positive, negative := p.sides()
	from, to := math.Inf(-1), math.Inf(1)
	b := start
	for range 200 {
		slope, curvature := 0.0, 0.0
		for i, s := range p.Sign {
			_, fall, curve := p.lossOf(i, float64(s*(f[i]+b)))
			m := p.weightOf(i)
			slope -= float64(m * float64(s*fall))
			curvature += float64(m * curve)
		}
		if math.Abs(slope) <= 1e-14*(positive+negative) {
			return b
		}
		if slope > 0 {
			to = b
		} else {
			from = b
		}
		next := b - slope/curvature
		if !(math.Abs(next-b) <= 1+math.Abs(b)) { // far from the minimum the curvature is next to nothing
			next = b - math.Copysign(1+math.Abs(b), slope)
		}
		if !(next > from && next < to) {
			next = from + float64((to-from)/2)
		}
		if next == b || !(next > from && next < to) {
			return b
		}
		b = next
	}
	return b
}

// bestHingeBias visits the breakpoints, at each of which the derivative rises by a row's weight.
func (p *Problem) bestHingeBias(f []float64) float64 {
	type bend struct{ bias, by float64 }
	bends := make([]bend, len(f))
	slope := 0.0
	for i, s := range p.Sign {
		bends[i] = bend{s - f[i], p.weightOf(i)}
		if s > 0 {
			slope -= p.weightOf(i)
		}
	}
	slices.SortFunc(bends, func(a, b bend) int {
		switch {
		case a.bias < b.bias:
			return -1
		case a.bias > b.bias:
			return 1
		}
		return 0
	})
	flat := 1e-12 * -slope
	for k, b := range bends {
		if slope += b.by; slope > flat {
			return b.bias
		}
		if slope >= -flat && k+1 < len(bends) {
			return b.bias + float64((bends[k+1].bias-b.bias)/2)
		}
	}
	return bends[len(bends)-1].bias
}

// certified is a model with its certificate.
type certified struct {
	w []float64 // as in Problem.Width
	engines.Certificate
}

// certify returns the model of the descent, or the mean of its models if that is better, and the lower bound of its dual variables.
// f is work space for the rows' scores. O(nnz).
func (d *descent) certify(look *contextChecker, f, mean []float64) certified {
	p := d.p
	best := p.model(look, f, d.w, d.bias)
	if mean != nil {
		last := len(mean) - 1
		if other := p.model(look, f, mean[:last], mean[last]); other.Objective < best.Objective {
			best = other
		}
	}
	best.Dual = d.bound(look)
	return best
}

// model returns the model of the weights and the bias, with its objective; a free bias is replaced by the best. It copies the
// weights.
func (p *Problem) model(look *contextChecker, f, w []float64, bias float64) certified {
	p.scores(look, f, w)
	if p.Bias == FreeBias && !look.over {
		bias = p.bestBias(f, bias)
	}
	out := certified{w: slices.Clone(w)}
	if p.Bias != NoBias {
		out.w = append(out.w, bias)
	}
	out.Objective = p.lossAt(f, bias) + float64(0.5*p.C2*p.squaredNorm(out.w))
	return out
}

// bound returns D of the dual variables. If the bias is free, those of the sign with the larger sum are scaled down until the sums
// of both signs are equal. O(rows + columns), and with a free bias O(nnz).
func (d *descent) bound(look *contextChecker) float64 {
	p := d.p
	if p.Bias != FreeBias {
		square := dense.Dot(d.w, d.w)
		if p.Bias == PenalizedBias {
			square += float64(d.bias * d.bias)
		}
		value := float64(-0.5 * p.C2 * square)
		for i := range d.rows {
			value += p.Loss.dual(d.rows[i].a, d.rows[i].m)
		}
		return value
	}
	sum := [2]float64{}
	side := func(r *row) int {
		if r.sign > 0 {
			return 1
		}
		return 0
	}
	for i := range d.rows {
		sum[side(&d.rows[i])] += d.rows[i].a
	}
	if sum[0] == 0 || sum[1] == 0 {
		return 0 // of a = 0
	}
	share := [2]float64{min(1, sum[1]/sum[0]), min(1, sum[0]/sum[1])}
	v, value := make([]float64, len(d.w)), 0.0
	for i := range d.rows {
		r, x := &d.rows[i], p.X.Row(i)
		if look.ended(x.Len()) {
			return math.Inf(-1)
		}
		a := float64(share[side(r)] * r.a)
		value += p.Loss.dual(a, r.m)
		if a != 0 {
			x.AddTo(v, a*r.sign)
		}
	}
	return value - dense.Dot(v, v)/(2*p.C2)
}
