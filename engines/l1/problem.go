// Package l1 fits sparse log-linear models: it minimises
//
//	F(w) = Σ_i m_i [log Z(x_i) − w·φ(x_i, y_i)] + C1·Σ_k |w_k| + C2/2·Σ_k w_k²
//
// over the weights of all features, by several exact methods that share this problem, its certificate and its path
// (Okanohara, "Dualized L1-regularized log-linear models", 2008; Andrew and Gao 2007; Yuan, Ho and Lin 2012).
//
// With two classes φ(x, 1) = x and φ(x, 0) = 0: one weight a column. With more, φ(x, y) holds x in block y: one weight a
// column and class. (Two blocks for two classes would have a continuum of optima.) The loss is a sum, not a mean.
package l1

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/sparse"
)

// Problem is rows with class labels. Weights are laid out by column: that of column j and block b is number j·Blocks + b;
// where there are biases, they come last.
type Problem struct {
	X      *sparse.Matrix
	Y      []int32   // 0 up to Classes − 1
	Weight []float64 // m, positive; nil counts every row once
	// Classes is at least two. Blocks is 1 for the binary form, else Classes.
	Classes, Blocks int
	Bias            Bias

	free []bool // by block: its bias is not penalised; nil where none is free

	cut    []sparse.Strip // of cutOf, for so many workers: see strips
	cutOf  *sparse.Matrix
	cutFor int
}

// Bias says what the model has beside the columns: a column of ones.
type Bias string

const (
	NoBias        Bias = "none"
	FreeBias      Bias = "free"      // not penalised
	PenalizedBias Bias = "penalized" // as every other weight
)

// New problem of the rows of x with labels in 0..classes−1; weight nil counts every row once. The error names what is
// wrong with which row. O(rows).
func New(x *sparse.Matrix, y []int32, weight []float64, classes int, bias Bias) (*Problem, error) {
	rows, columns := x.Dims()
	switch {
	case rows == 0:
		return nil, fmt.Errorf("no row to learn from")
	case columns == 0 && bias == NoBias:
		return nil, fmt.Errorf("no column to learn from")
	case len(y) != rows:
		return nil, fmt.Errorf("%d labels for %d rows", len(y), rows)
	case weight != nil && len(weight) != rows:
		return nil, fmt.Errorf("%d weights for %d rows", len(weight), rows)
	}
	p := &Problem{X: x, Y: y, Weight: weight, Classes: max(2, classes), Blocks: classes, Bias: bias}
	if p.Classes == 2 {
		p.Blocks = 1
	}
	seen := make([]bool, p.Classes)
	for i, c := range y {
		if c < 0 || int(c) >= classes {
			return nil, fmt.Errorf("row %d: label %d outside 0..%d", i, c, classes-1)
		}
		if weight != nil && !(weight[i] > 0 && weight[i]-weight[i] == 0) {
			return nil, fmt.Errorf("row %d: weight %v, expected a positive number", i, weight[i])
		}
		seen[c] = true
	}
	if bias == FreeBias {
		p.freeSeen(seen)
	}
	return p, nil
}

// freeSeen frees the biases whose optimum is finite. Where one class has all rows, only a penalty holds its bias. Where a
// class has none, free biases of all others would push its probability to zero: one of them, the first, is penalised too.
func (p *Problem) freeSeen(seen []bool) {
	classes := 0
	for _, s := range seen {
		if s {
			classes++
		}
	}
	p.free = make([]bool, p.Blocks)
	for b := range p.free {
		p.free[b] = classes > 1 && (p.Blocks == 1 || seen[b])
	}
	if p.Blocks > 1 && classes < p.Classes {
		p.free[slices.Index(seen, true)] = false
	}
}

// Read is the problem of a view's only target, over the rows where it is defined.
func Read(v *data.View, bias Bias) (*Problem, error) {
	target := v.TargetInfo(0)
	at, values := v.Target(0)
	if len(values) == 0 {
		return nil, fmt.Errorf("target %s has no training row", target.Name)
	}
	x, weight := v.Matrix(), v.Weights()
	if at != nil {
		x = x.Pick(at)
		if weight != nil {
			all := weight
			weight = make([]float64, len(at))
			for k, i := range at {
				weight[k] = all[i]
			}
		}
	}
	y := make([]int32, len(values))
	for i, c := range values {
		y[i] = int32(c)
	}
	p, err := New(x, y, weight, len(target.Levels), bias)
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", target.Name, err)
	}
	return p, nil
}

// Columns is the number of columns of X.
func (p *Problem) Columns() int { _, c := p.X.Dims(); return c }

// Rows is the number of rows.
func (p *Problem) Rows() int { return len(p.Y) }

// Width is the number of weights, biases included.
func (p *Problem) Width() int {
	n := p.Columns() * p.Blocks
	if p.Bias != NoBias {
		n += p.Blocks
	}
	return n
}

// biases are the last weights, those of the column of ones; empty where there is none.
func (p *Problem) biases(w []float64) []float64 { return w[p.Columns()*p.Blocks:] }

// Free tells whether weight k is not penalised.
func (p *Problem) Free(k int) bool {
	b := k - p.Columns()*p.Blocks
	return b >= 0 && p.free != nil && p.free[b]
}

// Total is the sum of the rows' weights.
func (p *Problem) Total() float64 {
	if p.Weight == nil {
		return float64(len(p.Y))
	}
	s := 0.0
	for _, m := range p.Weight {
		s += m
	}
	return s
}

func (p *Problem) mult(i int) float64 {
	if p.Weight == nil {
		return 1
	}
	return p.Weight[i]
}

// Margins sets z[i·Blocks + b] = w_b·x_i, biases included. O(nnz · Blocks).
func (p *Problem) Margins(ctx context.Context, z, w []float64, workers int) {
	share(ctx, workers, p.Rows(), func(first, last int) {
		for i := first; i < last; i++ {
			p.margin(z[i*p.Blocks:(i+1)*p.Blocks], w, p.X.Row(i))
		}
	})
}

func (p *Problem) margin(z, w []float64, row sparse.Vec) {
	if bias := p.biases(w); len(bias) > 0 {
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
	part := make([]float64, (n+stretch-1)/stretch)
	shareBy(ctx, 4, workers, len(part), func(first, last int) {
		for s := first; s < last; s++ {
			from, to := s*stretch, min(n, (s+1)*stretch)
			if p.Blocks == 1 && p.Weight == nil {
				part[s] = residualsOnce(r[from:to], z[from:to], p.Y[from:to])
				continue
			}
			for i := from; i < to; i++ {
				part[s] += p.residual(i, r[i*p.Blocks:(i+1)*p.Blocks], z[i*p.Blocks:(i+1)*p.Blocks])
			}
		}
	})
	for _, s := range part {
		loss += s
	}
	return loss
}

// stretch is how many rows' losses are one sum: the same for any number of workers.
const stretch = 1024

// residualsOnce is residual for rows that count once in the binary form: one logarithm, of a product, does for all.
func residualsOnce(r, z []float64, label []int32) (loss float64) {
	product := 1.0
	for i, t := range z {
		if label[i] == 0 {
			t = -t
		}
		e := math.Exp(-math.Abs(t))
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
			loss += math.Log(product)
			product = 1
		}
	}
	return loss + math.Log(product)
}

func (p *Problem) residual(i int, r, z []float64) (loss float64) {
	m, y := p.mult(i), int(p.Y[i])
	if p.Blocks == 1 {
		t := z[0] // how much the margin speaks for the row's label
		if y == 0 {
			t = -t
		}
		e := math.Exp(-math.Abs(t))
		wrong := 1 / (1 + e) // probability of the other label
		if t >= 0 {
			wrong = e / (1 + e)
		}
		if r[0] = m * wrong; y == 1 {
			r[0] = -r[0]
		}
		return m * (math.Log1p(e) + max(0, -t))
	}
	high := z[0]
	for _, s := range z[1:] {
		high = max(high, s)
	}
	own, sum := z[y], 0.0
	for b, s := range z {
		r[b] = math.Exp(s - high)
		sum += r[b]
	}
	for b := range r {
		r[b] *= m / sum
	}
	r[y] -= m
	return m * (math.Log(sum) + high - own)
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
	if bias := p.biases(g); len(bias) > 0 {
		clear(bias)
		for i := range p.Rows() {
			for b := range bias {
				bias[b] += r[i*k+b]
			}
		}
	}
}

// strips divide the columns between workers. They are kept, and belong to the matrix they were cut from: a copy of the
// problem may get another. One goroutine at a time.
func (p *Problem) strips(workers int) []sparse.Strip {
	if p.cutOf != p.X || p.cutFor != workers {
		p.cut, p.cutOf, p.cutFor = p.X.Strips(workers), p.X, workers
	}
	return p.cut
}

// slope is the gradient of one column's weights.
func (p *Problem) slope(g, r []float64, col sparse.Vec) {
	if len(g) == 1 {
		g[0] = col.Dot(r)
		return
	}
	clear(g)
	for q, i := range col.Idx {
		x, at := col.At(q), int(i)*len(g)
		for b := range g {
			g[b] += float64(x * r[at+b])
		}
	}
}
