package logits

import (
	"context"
	"math"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/sparse"
)

// Margins sets z[i·Blocks + b] = w_b·x_i, biases included. O(nnz · Blocks).
func (p *Problem) Margins(ctx context.Context, z, w []float64, workers int) {
	parallel.Stretches(workers, grain, p.Rows(), func(first, last int) {
		if ctx.Err() != nil {
			return
		}
		for i := first; i < last; i++ {
			p.margin(z[i*p.Blocks:(i+1)*p.Blocks], w, p.X.Row(i))
		}
	})
}

func (p *Problem) margin(z, w []float64, row sparse.Vec) {
	if bias := p.Biases(w); len(bias) > 0 {
		copy(z, bias)
	} else {
		clear(z)
	}
	if len(z) == 1 {
		z[0] += row.Dot(w)
		return
	}
	for k, j := range row.Idx {
		x, first := row.At(k), int(j)*len(z)
		for b, v := range w[first : first+len(z)] {
			z[b] += float64(x * v)
		}
	}
}

// Residuals sets r[i·Blocks + b] = m_i (p(b|x_i) − [y_i = b]) for the margins z, and returns the loss Σ m_i (log Z − z_y).
// In the binary form b is class 1. r may be z itself. The sum runs over stretches of rows, added in order. O(rows · Blocks).
func (p *Problem) Residuals(ctx context.Context, r, z []float64, workers int) (loss float64) {
	n := p.Rows()
	part := make([]float64, (n+Stretch-1)/Stretch)
	parallel.Stretches(workers, 4, len(part), func(first, last int) {
		if ctx.Err() != nil {
			return
		}
		for s := first; s < last; s++ {
			from, to := s*Stretch, min(n, (s+1)*Stretch)
			part[s] = p.residuals(r[from*p.Blocks:to*p.Blocks], z[from*p.Blocks:to*p.Blocks], from, to)
		}
	})
	return dense.Sum(part)
}

// grain is how many rows are passed between two looks at a context.
const grain = 4096

// Stretch is how many rows' losses are one sum: the same for any number of workers.
const Stretch = 1024

// residuals computes Residuals of the rows from first up to last, whose loss is one sum.
func (p *Problem) residuals(r, z []float64, first, last int) (loss float64) {
	switch {
	case p.Blocks > 1:
		return p.classResiduals(r, z, first)
	case p.Weight == nil:
		return residualsOnce(r, z, p.Y[first:last])
	}
	for i, t := range z {
		m, y := p.Weight[first+i], p.Y[first+i]
		if y == 0 {
			t = -t
		}
		e := elementary.Exp(-math.Abs(t))
		wrong := 1 / (1 + e) // probability of the other label
		if t >= 0 {
			wrong = e / (1 + e)
		}
		if r[i] = m * wrong; y == 1 {
			r[i] = -r[i]
		}
		loss += float64(m * (elementary.Log1p(e) + max(0, -t)))
	}
	return loss
}

// residualsOnce computes that for rows that count once in the binary form: one logarithm, of a product, does for all.
func residualsOnce(r, z []float64, label []int32) (loss float64) {
	const chunk = 64
	var exps [chunk]float64
	product := 1.0
	for first := 0; first < len(z); first += chunk {
		last := min(len(z), first+chunk)
		z, r, y := z[first:last], r[first:last], label[first:last]
		e := exps[:len(z)]
		for i, t := range z {
			e[i] = -math.Abs(t)
		}
		elementary.SumExp(e, e, 0)
		for i, e := range e {
			sign := float64(2*y[i] - 1)
			t := sign * z[i] // how much the margin speaks for the row's label
			// The probability of the other label has e above the line where t is positive, else 1: no branch, which a processor could not foresee.
			negative := uint64(int64(math.Float64bits(t)) >> 63)
			above := math.Float64frombits(math.Float64bits(e)&^negative | math.Float64bits(1)&negative)
			r[i] = -sign * (above / (1 + e))
			loss -= math.Float64frombits(math.Float64bits(t) & negative)
			if product *= 1 + e; product > 1e300 { // a factor is at most 2
				loss += elementary.Log(product)
				product = 1
			}
		}
	}
	return loss + elementary.Log(product)
}

// classResiduals computes that of several blocks, for the rows from first on.
func (p *Problem) classResiduals(r, z []float64, first int) (loss float64) {
	k := p.Blocks
	for from := 0; from < len(z); from += k {
		to, row := r[from:from+k:from+k], z[from:from+k:from+k]
		high := row[0]
		for _, s := range row[1:] {
			high = max(high, s)
		}
		m, y := p.Weight.Of(first+from/k), int(p.Y[first+from/k])
		over := high - row[y]
		sum := elementary.SumExp(to, row, high)
		by := m / sum
		for b := range to {
			to[b] *= by
		}
		to[y] -= m
		loss += float64(m * (elementary.Log(sum) + over))
	}
	return loss
}

// Gradient sets g = Σ_i r_i x_i, the gradient of the loss, for residuals r. Each sum runs in order of row. O(nnz · Blocks).
func (p *Problem) Gradient(ctx context.Context, g, r []float64, workers int) {
	k := p.Blocks
	sparse.Together(p.strips(workers), func(s *sparse.Strip) {
		if k == 1 {
			s.MulTVec(g, r)
			return
		}
		clear(g[s.First*k : s.Last*k])
		for i := range p.Rows() {
			if i%1024 == 0 && ctx.Err() != nil {
				return
			}
			row, ri := s.Row(i), r[i*k:(i+1)*k]
			for q, j := range row.Idx {
				x, first := row.At(q), int(j)*k
				for b, v := range g[first : first+k] {
					g[first+b] = v + float64(x*ri[b])
				}
			}
		}
	})
	if bias := p.Biases(g); len(bias) > 0 {
		clear(bias)
		for i := range p.Rows() {
			for b := range bias {
				bias[b] += r[i*k+b]
			}
		}
	}
}

// strips divides the columns between workers. They are kept, and belong to the matrix they were cut from: a copy of the
// problem may get another. One goroutine at a time.
func (p *Problem) strips(workers int) []sparse.Strip {
	if p.cutOf != p.X || p.cutFor != workers {
		p.cut, p.cutOf, p.cutFor = p.X.Strips(workers), p.X, workers
	}
	return p.cut
}
