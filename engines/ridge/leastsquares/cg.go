package leastsquares

import (
	"context"
	"math"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/scaled"
)

// problem is penalised least squares on centred and scaled columns,
//
//	minimise  ‖ỹ − G·β‖² + ρ‖β‖²    over β,
//
// with norms weighted by the rows' m_i. ρ = 0 is ordinary least squares.
type problem struct {
	g   *scaled.Matrix
	y   []float64 // ỹ, centred
	rho float64
	// factor of the penalty by column: ρ Σ f_j β_j²; nil: 1 each.
	factor []float64
}

// addPenalty sets dst to dst + a·ρ·f∘v.
func (p problem) addPenalty(dst []float64, a float64, v []float64) {
	if p.factor == nil {
		dense.AddTo(dst, v, float64(a*p.rho))
		return
	}
	for j, x := range v {
		dst[j] += float64(a * p.rho * p.factor[j] * x)
	}
}

// penalty returns ρ Σ f_j v_j².
func (p problem) penalty(v []float64) float64 {
	if p.factor == nil {
		return float64(p.rho * dense.DotInOrder(v, v))
	}
	s := 0.0
	for j, x := range v {
		s += float64(p.factor[j] * x * x)
	}
	return float64(p.rho * s)
}

// solver says when to stop, and where to tell of progress.
type solver struct {
	tol      float64 // on ‖s‖ / ‖G'ỹ‖, where s is minus half the gradient
	maxIter  int
	workers  int
	progress func(iter int, rss float64, beta []float64)
}

// solution of a problem. Where columns are dependent and ρ = 0 it is the one of minimum norm in β.
type solution struct {
	beta       []float64
	rss        float64 // ‖ỹ − G·β‖²
	ratio      float64 // final ‖s‖ / ‖G'ỹ‖; 0 where G'ỹ = 0
	iterations int
	converged  bool
}

// refreshEvery is after how many iterations s is computed from its definition.
const refreshEvery = 50

// solve runs conjugate gradients on the normal equations (CGLS: Björck, Numerical Methods for Least Squares Problems,
// 1996, section 7.4.1; Hooker & Weng 2004, section 3), from β = 0:
//
//	s = G'ỹ, d = s, τ = s's
//	repeat   q = G·d,  α = τ/(q'q + ρ·d'd),  β += α·d,  r −= α·q,  s = G'r − ρβ,  τ' = s's,  d = s + (τ'/τ)·d,  τ = τ'
//
// One thing differs from the textbook. There, G'r needs α, and with it a second pass over G. Here s moves by its own
// difference, s −= α·(G'q + ρ·d), so that one pass does both products, and r is never formed. The rounding error that this
// would gather is cleared by computing s from β every 50 iterations, and before convergence is believed.
//
// O(nnz) an iteration. It returns early when ctx ends; the caller checks that.
func (s solver) solve(ctx context.Context, p problem) solution {
	columns := len(p.g.Scale)
	normal := p.g.Normal()
	sol := solution{beta: make([]float64, columns)}
	slope, move := make([]float64, columns), make([]float64, columns) // s, and −G'q
	refresh := func() (norm2 float64) {
		sol.rss = normal.Apply(ctx, slope, sol.beta, p.y, s.workers)
		p.addPenalty(slope, -1, sol.beta)
		return dense.DotInOrder(slope, slope)
	}

	tau := refresh()
	start, squares := tau, dense.Sum(p.g.Norm2)
	if start <= 1e-24*sol.rss*squares { // nothing but rounding
		start = 0
	}
	goal := float64(s.tol*s.tol) * start
	objective := sol.rss
	dir := append([]float64(nil), slope...)
	sol.converged = start == 0
	for !sol.converged && sol.iterations < s.maxIter && ctx.Err() == nil {
		curve := normal.Apply(ctx, move, dir, nil, s.workers) + p.penalty(dir)
		if !(curve > 0) { // G·d vanished by rounding: there is nowhere left to go
			break
		}
		alpha := tau / curve
		dense.AddTo(sol.beta, dir, alpha)
		dense.AddTo(slope, move, alpha)
		p.addPenalty(slope, -alpha, dir)
		sol.iterations++

		next := dense.DotInOrder(slope, slope)
		objective -= float64(alpha * tau)
		sol.rss = objective - p.penalty(sol.beta)
		if next <= goal || sol.iterations%refreshEvery == 0 || sol.iterations == s.maxIter {
			next = refresh()
			objective = sol.rss + p.penalty(sol.beta)
		}
		s.progress(sol.iterations, sol.rss, sol.beta)
		sol.converged = next <= goal
		scaleAdd(dir, next/tau, slope)
		tau = next
	}
	if start > 0 {
		sol.ratio = math.Sqrt(tau / start)
	}
	return sol
}

// The sums below run in order of index.

// scaleAdd sets dst to v + a·dst.
func scaleAdd(dst []float64, a float64, v []float64) {
	for j, x := range v {
		dst[j] = x + float64(a*dst[j])
	}
}
