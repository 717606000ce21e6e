package margin

import (
	"context"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/sparse"
)

// newton is Newton's method on a loss with a second derivative, each step by conjugate gradients.
type newton struct {
	p              *Problem
	ctx            context.Context
	workers        int
	strips         []sparse.Strip
	preconditioner *preconditioner

	w        []float64 // as in Problem.Width
	f        []float64 // scores of the rows, with the bias
	residual []float64 // derivative of the loss in the score
	curve    []float64 // second derivative
	loss     float64
	gradient []float64 // of P
	row      []float64 // work space
	products int       // with the Hessian
}

// newNewton starts from weights, which it keeps.
func (p *Problem) newNewton(ctx context.Context, w []float64, workers int) *newton {
	n := len(p.Sign)
	room := make([]float64, 4*n)
	k := &newton{p: p, ctx: ctx, workers: workers, strips: p.X.Strips(workers), w: w, gradient: make([]float64, len(w))}
	k.f, k.residual, k.curve, k.row = room[:n:n], room[n:2*n:2*n], room[2*n:3*n:3*n], room[3*n:]
	k.preconditioner = p.newPreconditioner()
	return k
}

// stretch is the number of rows whose losses are one sum, the same for any number of workers.
const stretch = 1024

// setScores sets f = X·w + b.
func (k *newton) setScores(f, w []float64) {
	weights, bias := k.p.split(w)
	parallel.Stretches(k.workers, stretch, len(f), func(first, last int) {
		if k.ctx.Err() != nil {
			return
		}
		for i := first; i < last; i++ {
			f[i] = k.p.X.Row(i).Dot4(weights) + bias
		}
	})
}

// evaluate computes the loss and its derivatives at the scores, after moving a free bias to its minimiser.
func (k *newton) evaluate() {
	p := k.p
	if p.Bias == FreeBias {
		by := p.bestBias(k.f, 0)
		for i := range k.f {
			k.f[i] += by
		}
		k.w[len(k.w)-1] += by
	}
	part := make([]float64, (len(k.f)+stretch-1)/stretch)
	parallel.Each(k.workers, len(part), func(piece int) {
		sum := 0.0
		for i := piece * stretch; i < min(len(k.f), (piece+1)*stretch); i++ {
			s, m := p.Sign[i], p.weightOf(i)
			z := float64(s * k.f[i])
			value, fall, curve := p.lossOf(i, z)
			k.residual[i] = -m * float64(s*fall)
			k.curve[i] = m * curve
			sum += float64(m * value)
		}
		part[piece] = sum
	})
	k.loss = dense.Sum(part)
}

// multiply sets dst = Xᵀ·r, with the sum of r for the bias.
func (k *newton) multiply(dst, r []float64) {
	weights, _ := k.p.split(dst)
	sparse.Together(k.strips, func(s *sparse.Strip) { s.MulTVec(weights, r) })
	if k.p.Bias != NoBias {
		dst[len(dst)-1] = dense.Sum(r)
	}
}

// addPenalty adds C2·v.
func (k *newton) addPenalty(dst, v []float64) {
	if k.p.Bias == FreeBias {
		v = v[:len(v)-1]
	}
	for j, x := range v {
		dst[j] += float64(k.p.C2 * x)
	}
}

// objective returns P.
func (k *newton) objective() float64 { return k.loss + float64(0.5*k.p.C2*k.p.squaredNorm(k.w)) }

// certify sets the gradient, and returns the certificate: at the dual variables a = −m ℓ' of the margins, D is P minus the squared
// gradient over twice C2. A free bias is at its minimiser, so their signed sum is 0, up to rounding, which a large bias amplifies.
func (k *newton) certify() engines.Certificate {
	k.multiply(k.gradient, k.residual)
	c := engines.Certificate{Objective: k.objective()}
	c.Dual = c.Objective
	if k.p.Bias == FreeBias {
		last := len(k.w) - 1
		c.Dual -= math.Abs(float64(k.gradient[last] * k.w[last]))
	}
	k.addPenalty(k.gradient, k.w)
	c.Dual -= k.p.squaredNorm(k.gradient) / (2 * k.p.C2)
	return c
}

// hessianProduct sets dst = H·v, H being the Hessian, and room to X·v. O(nnz).
func (k *newton) hessianProduct(dst, room, v []float64) {
	k.products++
	weights, bias := k.p.split(v)
	into, _ := k.p.split(dst)
	if len(k.strips) == 1 {
		clear(dst)
		for i, h := range k.curve {
			x := k.p.X.Row(i)
			room[i] = x.Dot4(weights) + bias
			x.AddTo(into, float64(h*room[i]))
		}
	} else {
		k.setScores(room, v)
		for i, h := range k.curve {
			k.row[i] = h * room[i]
		}
		sparse.Together(k.strips, func(s *sparse.Strip) { s.MulTVec(into, k.row) })
	}
	if k.p.Bias != NoBias {
		dst[len(dst)-1] = dense.DotInOrder(k.curve, room)
	}
	k.addPenalty(dst, v)
}

// step moves the weights by conjugate gradients on the quadratic model, followed by a line search. It returns the step length, 0 if
// P did not fall, and at the end of ctx.
func (k *newton) step() float64 {
	n, rows := len(k.w), len(k.f)
	k.preconditioner.factor(k.ctx, k.curve)
	all := make([]float64, 4*n+2*rows)
	cut := func(m int) (v []float64) { v, all = all[:m:m], all[m:]; return v }
	d, r, dir, image := cut(n), cut(n), cut(n), cut(n)
	moved, along := cut(rows), cut(rows) // X·d, X·dir
	for j, g := range k.gradient {
		r[j] = -g
	}
	precise := make([]float64, n)
	k.preconditioner.solve(precise, r)
	copy(dir, precise)
	size := dense.Dot(r, precise)
	gain := 0.0 // of the quadratic model
	for count := 1; count <= n+10; count++ {
		if k.ctx.Err() != nil {
			return 0
		}
		k.hessianProduct(image, along, dir)
		curve := dense.Dot(dir, image)
		if !(curve > 0) {
			break
		}
		t := size / curve
		for j, v := range dir {
			d[j] += float64(t * v)
			r[j] -= float64(t * image[j])
		}
		for i, v := range along {
			moved[i] += float64(t * v)
		}
		last := float64(0.5 * t * size)
		gain += last
		if last < quiet*gain/float64(count) {
			break
		}
		k.preconditioner.solve(precise, r)
		before := size
		size = dense.Dot(r, precise)
		if k.preconditioner.isWhole() && 0.5*size < quiet*gain/float64(count+1) { // what the next iteration would gain
			break
		}
		for j, v := range precise {
			dir[j] = v + float64(size/before*dir[j])
		}
	}
	return k.search(d, moved, dense.Dot(k.gradient, d))
}

// quiet is the share of the mean gain of a conjugate gradient iteration below which an iteration is the last one (Galli & Lin
// 2021).
const quiet = 0.1

// search moves along d by a backtracking line search, and returns the share of d that it moved: it halves the step until P falls by a
// hundredth of the linear prediction. Near the minimum rounding hides the decrease.
func (k *newton) search(d, moved []float64, slope float64) float64 {
	before := k.objective()
	w, f := slices.Clone(k.w), slices.Clone(k.f)
	for t := 1.0; t > 1e-9; t /= 2 {
		for j, v := range d {
			k.w[j] = w[j] + float64(t*v)
		}
		for i, v := range moved {
			k.f[i] = f[i] + float64(t*v)
		}
		k.evaluate()
		if k.objective() <= before+float64(0.01*t*slope)+float64(1e-14*math.Abs(before)) {
			return t
		}
	}
	copy(k.w, w)
	copy(k.f, f)
	k.evaluate()
	return 0
}
