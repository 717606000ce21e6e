package knockoff

import (
	"context"
	"math"

	"tenfold/engines/numeric/dense"
)

const (
	shortBy   = 1e-4 // distance from the largest sum, as a share of the number of columns, at which s is good enough
	near      = 0.98 // length, in the norm of the Hessian, below which a Newton step is near the maximum for its μ
	far       = 1.2  // maximum length of a step when μ falls, times the root of the number of columns
	mostSteps = 200
)

// solveSDP maximises Σ s_j over 0 ≤ s_j ≤ 1 with 2R − diag(s) positive semidefinite, from equal s, strictly inside: Newton's steps for
//
//	Σ_j s_j/μ + log det(2R − diag(s)) + Σ_j log s_j + Σ_j log(1 − s_j)
//
// as μ falls (Boyd and Vandenberghe, Convex Optimization, section 11.3). With X the inverse of 2R − diag(s), the derivatives of the first
// logarithm are −X_jj, and its second ones −X_jk². No feasible s has a sum above bound. O(columns³) a step.
func solveSDP(ctx context.Context, r dense.Triangle, equal []float64) (s []float64, bound float64) {
	p := float64(len(equal))
	s, bound = make([]float64, len(equal)), p
	for j, v := range equal {
		s[j] = v / 2
	}
	weight := 1.0 // 1/μ
	for factor, k := slack(ctx, r, s), 0; factor != nil && k < mostSteps; k++ {
		n := newtonAt(ctx, factor, s)
		if n == nil {
			break
		}
		if w, ok := n.weightOf(near); ok {
			bound = min(bound, n.dualBound(w))
		}
		if bound-n.sum <= shortBy*p {
			break
		}
		if w, ok := n.weightOf(far * math.Sqrt(p)); ok && n.squaredLength(weight) <= near*near {
			weight = max(weight, w)
		}
		s, factor = advance(ctx, r, s, n.step(weight))
	}
	for j := range s {
		s[j] *= inside
	}
	return s, bound
}

// newton is Newton's step at s for any weight 1/μ of Σ s: weight·along + rest. Its squared length, in the norm of the Hessian, is
// weight²·aa + 2·weight·ab + bb.
type newton struct {
	s, x, border []float64 // x is X_jj, border the second derivatives of the logarithms of s and 1 − s
	gradient     []float64 // without weight, which has 1 in each place
	along, rest  []float64
	aa, ab, bb   float64
	sum          float64 // Σ s_j
}

// newtonAt returns Newton's step at s, given the Cholesky factor of 2R − diag(s); nil if rounding makes it fail.
func newtonAt(ctx context.Context, factor dense.Triangle, s []float64) *newton {
	p := len(s)
	n := &newton{s: s, x: make([]float64, p), border: make([]float64, p), gradient: make([]float64, p), along: make([]float64, p), rest: make([]float64, p)}
	hessian := factor.Inverse()
	for j, v := range s {
		low, high := 1/v, 1/(1-v)
		row := hessian.Row(j)
		n.x[j], n.border[j] = row[j], float64(low*low)+float64(high*high)
		n.gradient[j], n.along[j] = low-high-row[j], 1
		for k := range row {
			row[k] *= row[k]
		}
		row[j] += n.border[j]
	}
	if !hessian.Factor(ctx) {
		return nil
	}
	copy(n.rest, n.gradient)
	hessian.Solve(n.along)
	hessian.Solve(n.rest)
	for j, a := range n.along {
		n.sum += s[j]
		n.aa += a
		n.ab += float64(a * n.gradient[j])
		n.bb += float64(n.rest[j] * n.gradient[j])
	}
	return n
}

func (n *newton) squaredLength(weight float64) float64 {
	return float64(weight*weight*n.aa) + float64(2*weight*n.ab) + n.bb
}

// weightOf returns the largest weight whose step has that length; false if all steps are longer.
func (n *newton) weightOf(length float64) (weight float64, ok bool) {
	square := float64(n.ab*n.ab) - float64(n.aa*(n.bb-float64(length*length)))
	if weight = (math.Sqrt(max(0, square)) - n.ab) / n.aa; !(square >= 0 && weight > 0) {
		return 0, false
	}
	return weight, true
}

func (n *newton) step(weight float64) []float64 {
	d := make([]float64, len(n.rest))
	for j, v := range n.rest {
		d[j] = v + float64(weight*n.along[j])
	}
	return d
}

// dualBound returns an upper bound of Σ s_j: the value ⟨2R, Z⟩ + Σ_j max(0, 1 − Z_jj) of the dual at Z = μ·(X + X·diag(d)·X), with
// d the step, which is positive semidefinite if the step is shorter than 1.
func (n *newton) dualBound(weight float64) float64 {
	bound := float64(len(n.s)) / weight
	for j, d := range n.step(weight) {
		second := weight + n.gradient[j] - float64(n.border[j]*d) // Σ_k X_jk²·d_k
		z := (n.x[j] + second) / weight
		bound += float64(d*n.x[j])/weight + float64(n.s[j]*z) + max(0, 1-z)
	}
	return bound
}

// advance makes a step, shortened so that s stays inside.
func advance(ctx context.Context, r dense.Triangle, s, step []float64) ([]float64, dense.Triangle) {
	length := 1.0
	for j, d := range step {
		if d > 0 {
			length = min(length, 0.95*(1-s[j])/d)
		} else if d < 0 {
			length = min(length, -0.95*s[j]/d)
		}
	}
	next := make([]float64, len(s))
	for range 60 {
		for j, d := range step {
			next[j] = s[j] + float64(length*d)
		}
		if factor := slack(ctx, r, next); factor != nil {
			return next, factor
		}
		length /= 2
	}
	return s, nil
}

// slack returns the Cholesky factor of 2R − diag(s), nil if there is none.
func slack(ctx context.Context, r dense.Triangle, s []float64) dense.Triangle {
	q := dense.NewTriangle(len(s))
	for k, v := range r {
		q[k] = 2 * v
	}
	for j, v := range s {
		q.Row(j)[j] -= v
	}
	if !q.Factor(ctx) {
		return nil
	}
	return q
}
