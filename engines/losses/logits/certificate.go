package logits

import (
	"context"
	"math"

	"tenfold/engines"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// Dual is a dual point α' = (1−t)·onehot(y) + t·p, of which the certificate and safe screening speak: u(α') = −t·gradient.
type Dual struct {
	engines.Certificate
	t float64
}

// Certify proves the model by a dual point between the labels and its own probabilities. With C2 = 0 feasible points have
// |u_k| ≤ C1, and t is the largest that gives one; u is affine in α and zero at the labels. With C2 > 0 every t is feasible,
// at the cost of Σ (|u_k| − C1)₊²/(2 C2): the better of the two ends counts. O(rows · Blocks + Width).
func (pt *Point) Certify(pen Penalty) engines.Certificate {
	return pt.CertifyWeights(pen, nil).Certificate
}

// CertifyWeights does so by the weights of the given numbers, rising; nil: all. Others are 0, and their gradients within the penalty.
func (pt *Point) CertifyWeights(pen Penalty, weights []int) Dual {
	p := pt.Problem
	first := p.Columns() * p.Blocks // before it, no weight is free
	if p.freeColumns > 0 {
		first = 0
	}
	largest, value := 0.0, pt.Loss
	each := func(visit func(k int)) {
		if weights == nil {
			for k := range pt.W {
				visit(k)
			}
		}
		for _, k := range weights {
			visit(k)
		}
	}
	each(func(k int) {
		if k >= first && p.Free(k) {
			return
		}
		w, f := pt.W[k], p.Factor(k)
		value += float64(pen.L1*f*math.Abs(w)) + float64(0.5*pen.L2*f*w*w)
		largest = max(largest, math.Abs(pt.G[k])/f)
	})
	best := Dual{engines.Certificate{Objective: value, Dual: math.Inf(-1)}, 0}
	try := func(t float64) {
		d := p.Entropy(pt.R, t)
		each(func(k int) {
			g := pt.G[k]
			if k >= first && p.Free(k) { // 0 at a feasible point; by rounding it is not quite, and a large bias makes much of it
				d -= float64(t * math.Abs(float64(g*pt.W[k])))
				return
			}
			f := p.Factor(k)
			if over := float64(t*math.Abs(g)) - float64(pen.L1*f); over > 0 && pen.L2 > 0 {
				d -= over * over / (2 * pen.L2 * f)
			}
		})
		if d > best.Dual {
			best.Dual, best.t = d, t
		}
	}
	if largest > pen.L1 {
		try(pen.L1 / largest)
	}
	if largest <= pen.L1 || pen.L2 > 0 {
		try(1)
	}
	return best
}

// CertifyWithin proves the model of a problem without C1 whose weights are at most limit, absolutely. Every dual point is feasible,
// at the cost of the largest value of |u_k|·w − C2/2·w² over the weights allowed; the model's own probabilities are taken.
// O(rows · Blocks + Width).
func (pt *Point) CertifyWithin(pen Penalty, limit float64) engines.Certificate {
	c := engines.Certificate{Objective: pt.Loss, Dual: pt.Problem.Entropy(pt.R, 1)}
	for k, w := range pt.W {
		if pt.Problem.Free(k) {
			continue
		}
		u, l2 := math.Abs(pt.G[k]), float64(pen.L2*pt.Problem.Factor(k))
		best := min(limit, u/l2) // +Inf without a penalty
		if u == 0 {
			best = 0
		}
		c.Objective += float64(0.5 * l2 * w * w)
		c.Dual -= float64(u*best) - float64(0.5*l2*best*best)
	}
	return c
}

// Entropy returns −Σ_i m_i Σ_y α_iy log α_iy of the dual point between the labels (t = 0) and the probabilities of residuals r (t = 1).
// O(rows · Blocks).
func (p *Problem) Entropy(r []float64, t float64) float64 {
	sum := 0.0
	for i, y := range p.Y {
		m := p.Weight.Of(i)
		row := r[i*p.Blocks : (i+1)*p.Blocks]
		if p.Blocks == 1 {
			q := t * math.Abs(row[0]) / m
			sum += float64(m * (elementary.Entr(q) + elementary.Entr1m(q)))
			continue
		}
		h := 0.0
		for b, r := range row {
			if b == int(y) { // 1 − t·(1 − p_y)
				h += elementary.Entr1m(-t * r / m)
			} else {
				h += elementary.Entr(t * r / m)
			}
		}
		sum += float64(m * h)
	}
	return sum
}

// Screen keeps the columns that may have a weight at the optimum of the L1 problem, by the safe rule of a duality gap G (Ndiaye,
// Fercoq, Gramfort & Salmon 2017): one with |u_k(α')| + sqrt(2G)·reach_k < C1 in all its blocks has none. keep is rising. O(Width).
func (pt *Point) Screen(pen Penalty, reach []float64) (keep []int32) {
	d, k := pt.CertifyWeights(pen, nil), pt.Problem.Blocks
	for j, s := range reach {
		if d.KeepsColumn(pen.Times(pt.Problem.Factor(j*k)), pt.G[j*k:(j+1)*k], s) {
			keep = append(keep, int32(j))
		}
	}
	return keep
}

// KeepsColumn reports whether a column of the given gradient and reach may have a weight at the optimum.
func (d Dual) KeepsColumn(pen Penalty, gradients []float64, reach float64) bool {
	far := float64(math.Sqrt(2*d.Gap()) * reach)
	for _, g := range gradients {
		if float64(d.t*math.Abs(g))+far >= pen.L1*(1-1e-12) {
			return true
		}
	}
	return false
}

// Reach returns for every column sqrt(Σ_i m_i·spread_i²) with spread_i = |x_ij|/2: how far a dual value moves for a unit of
// sqrt(2·gap), by Pinsker's inequality for each row and Cauchy's for their sum. O(nnz).
func (p *Problem) Reach() []float64 {
	out := make([]float64, p.Columns())
	for i := range p.Rows() {
		row, m := p.X.Row(i), p.Weight.Of(i)
		for k, j := range row.Idx {
			x := row.At(k)
			out[j] += float64(m * x * x)
		}
	}
	for j, s := range out {
		out[j] = math.Sqrt(s) / 2
	}
	return out
}

// reachAndMaxAbs returns the reach of a column, and its largest absolute value.
func (p *Problem) reachAndMaxAbs(x sparse.Vec) (reach, highest float64) {
	if x.Val == nil && p.Weight == nil {
		return math.Sqrt(float64(x.Len())) / 2, 1
	}
	sum := 0.0
	if p.Weight == nil {
		bits := uint64(0) // of the largest absolute value: those of numbers above 0 have their order, and are compared in a fraction of the time
		for _, v := range x.Val {
			sum += float64(v * v)
			bits = max(bits, math.Float64bits(v)&^(1<<63))
		}
		return math.Sqrt(sum) / 2, math.Float64frombits(bits)
	}
	for k, i := range x.Idx {
		v := x.At(k)
		sum += float64(p.Weight[i] * v * v)
		highest = max(highest, math.Abs(v))
	}
	return math.Sqrt(sum) / 2, highest
}

// GradientBounds returns for every column an upper bound of its absolute gradient at any weights. O(nnz).
func (p *Problem) GradientBounds(ctx context.Context, workers int) []float64 {
	type sums [2]float64 // of positive and of negative contributions
	contributions := make([]sums, p.Columns())
	sparse.Together(p.strips(workers), func(s *sparse.Strip) {
		for i, y := range p.Y {
			if i%grain == 0 && ctx.Err() != nil {
				return
			}
			row, m, side := s.Row(i), p.Weight.Of(i), 0
			if p.Blocks == 1 {
				side = int(y)
			}
			if row.Val == nil {
				for _, j := range row.Idx {
					contributions[j][side] += m
				}
				continue
			}
			for k, j := range row.Idx {
				x := float64(m * row.Val[k])
				contributions[j][side] += max(0, x) // no branch, which a processor could not foresee
				contributions[j][1-side] += max(0, -x)
			}
		}
	})
	out := make([]float64, len(contributions))
	for j, s := range contributions {
		if out[j] = max(s[0], s[1]); p.Blocks > 1 {
			out[j] = s[0] + s[1]
		}
	}
	return out
}
