package logistic

import (
	"context"
	"math"

	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/dense"
)

// hessian is that of the loss at a point: of one block itself, of several approximately. With p the probabilities of a row i, whose mean S of
// diag(p) − p·pᵀ over rows of weight m is, by its eigenvectors and eigenvalues, Q·diag(λ)·Qᵀ,
//
//	H ≈ G ⊗ S,    G = Σ_i m_i (1 − ‖p_i‖²) x_i·x_iᵀ / mean.
type hessian struct {
	problem *logits.Problem
	values  []float64      // λ; 1 alone of one block
	vectors [][]float64    // the eigenvectors, by row; nil of one block
	gram    dense.Triangle // G
}

// newHessian computes that at the point's residuals, of every share-th row, which stands for so many. O(pairs of entries).
func newHessian(ctx context.Context, pt *logits.Point, share, workers int) *hessian {
	p, k := pt.Problem, pt.Problem.Blocks
	weight, spread := make([]float64, (p.Rows()+share-1)/share), make([][]float64, k)
	for b := range spread {
		spread[b] = make([]float64, k)
	}
	prob, trace := make([]float64, k), 0.0
	for r := range weight {
		i := r * share
		m := p.Weight.Of(i)
		if k == 1 {
			wrong := math.Abs(pt.R[i]) / m
			weight[r] = float64(share) * m * wrong * (1 - wrong)
			continue
		}
		square := 0.0
		for b, q := range pt.Probabilities(prob, i) {
			square += float64(q * q)
			dense.AddTo(spread[b][:b], prob[:b], -m*q)
			spread[b][b] += float64(m * q * (1 - q))
		}
		trace += max(0, m*(1-square))
		weight[r] = float64(share) * max(0, m*(1-square))
	}
	h := &hessian{problem: p, values: []float64{1}, gram: p.WeightedGram(ctx, weight, share, workers)}
	if k > 1 {
		trace = max(trace, math.SmallestNonzeroFloat64) // where every row is certain
		for b, row := range spread {
			for c := range b {
				row[c] /= trace
				spread[c][b] = row[c]
			}
			row[b] /= trace
		}
		h.values, h.vectors = dense.Eigen(spread)
	}
	return h
}

// hessianFactor solves systems of H + C2·I, the biases' part of I aside where these are free: by one Cholesky factor for each eigenvalue.
type hessianFactor struct {
	blocks  int
	vectors [][]float64
	factors []dense.Triangle // of λ·G + C2, by eigenvalue
	room    []float64
}

// factor computes the factors for a penalty. O(Blocks · columns³).
func (h *hessian) factor(ctx context.Context, l2 float64) *hessianFactor {
	p, gram := h.problem, h.gram
	f := &hessianFactor{blocks: p.Blocks, vectors: h.vectors, room: make([]float64, gram.Rows()*p.Blocks)}
	columns := p.Columns()
	for _, v := range h.values {
		factor := make(dense.Triangle, len(gram))
		for i := range gram.Rows() {
			to := factor.Row(i)
			for j, g := range gram.Row(i) {
				to[j] = max(0, v) * g
			}
			if i < columns || !p.AnyFreeBias() {
				to[i] += l2
			} else {
				to[i] += float64(1e-8 * p.Total()) // for a shift of all biases, which changes nothing
			}
		}
		if !factor.Factor(ctx) { // by rounding: the diagonal alone
			for i := range gram.Rows() {
				clear(factor.Row(i))
				factor.Row(i)[i] = math.Sqrt(float64(max(0, v)*gram.Row(i)[i]) + l2 + float64(1e-8*p.Total()))
			}
		}
		f.factors = append(f.factors, factor)
	}
	return f
}

// solve replaces d by the solution.
func (h *hessianFactor) solve(d []float64) {
	k := h.blocks
	n := len(d) / k
	for e, factor := range h.factors {
		v := h.room[e*n : (e+1)*n]
		if k == 1 {
			copy(v, d)
		} else {
			for j := range v {
				v[j] = dense.DotInOrder(h.vectors[e], d[j*k:(j+1)*k])
			}
		}
		factor.Solve(v)
	}
	for j := range n {
		to := d[j*k : (j+1)*k]
		clear(to)
		for e := range h.factors {
			x := h.room[e*n+j]
			if k == 1 {
				to[0] = x
				continue
			}
			dense.AddTo(to, h.vectors[e], x)
		}
	}
}
