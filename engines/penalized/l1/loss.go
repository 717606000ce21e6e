package l1

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
		x, at := row.At(k), int(j)*len(z)
		for b, v := range w[at : at+len(z)] {
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
			if p.Blocks == 1 && p.Weight == nil {
				part[s] = residualsOnce(r[from:to], z[from:to], p.Y[from:to])
				continue
			}
			for i := from; i < to; i++ {
				part[s] += p.residual(i, r[i*p.Blocks:(i+1)*p.Blocks], z[i*p.Blocks:(i+1)*p.Blocks])
			}
		}
	})
	return dense.Sum(part)
}

// grain is how many rows are passed between two looks at a context.
const grain = 4096

// Stretch is how many rows' losses are one sum: the same for any number of workers.
const Stretch = 1024

// residualsOnce does what residual does for rows that count once in the binary form: one logarithm, of a product, does for all.
func residualsOnce(r, z []float64, label []int32) (loss float64) {
	product := 1.0
	for i, t := range z {
		if label[i] == 0 {
			t = -t
		}
		e := elementary.Exp(-math.Abs(t))
		wrong := 1 / (1 + e)
		if t >= 0 {
			wrong = e / (1 + e)
		} else {
			loss -= t
		}
		if r[i] = wrong; label[i] == 1 {
			r[i] = -wrong
		}
		if product *= 1 + e; product > 1e300 { // a factor is at most 2
			loss += elementary.Log(product)
			product = 1
		}
	}
	return loss + elementary.Log(product)
}

func (p *Problem) residual(i int, r, z []float64) (loss float64) {
	m, y := p.Weight.Of(i), int(p.Y[i])
	if p.Blocks == 1 {
		t := z[0] // how much the margin speaks for the row's label
		if y == 0 {
			t = -t
		}
		e := elementary.Exp(-math.Abs(t))
		wrong := 1 / (1 + e) // probability of the other label
		if t >= 0 {
			wrong = e / (1 + e)
		}
		if r[0] = m * wrong; y == 1 {
			r[0] = -r[0]
		}
		return m * (elementary.Log1p(e) + max(0, -t))
	}
	high := z[0]
	for _, s := range z[1:] {
		high = max(high, s)
	}
	own := z[y]
	sum := elementary.SumExp(r, z, high)
	for b := range r {
		r[b] *= m / sum
	}
	r[y] -= m
	return m * (elementary.Log(sum) + high - own)
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
				x, at := row.At(q), int(j)*k
				for b, v := range g[at : at+k] {
					g[at+b] = v + float64(x*ri[b])
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
