package mkl

import (
	"context"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/penalized/convex"
)

// learner minimises over functions f_m of the kernels' spaces, f_m = K_m·α_m on the training rows, and an intercept b
//
//	Σ_i loss(y_i, Σ_m f_m(x_i) + b) + λ·Σ_m ‖f_m‖,   ‖f_m‖² = α_m'·K_m·α_m,
//
// multiple kernel learning in its group form (Bach, Lanckriet and Jordan, 2004): the kernel with the weights d_m ∝ ‖f_m‖, which
// sum to 1, is the one that SimpleMKL finds (Rakotomamonjy et al. 2008, section 2.2). Its dual is to maximise −φ*(ρ) over ρ
// that sum to 0 with √(ρ'·K_m·ρ) ≤ λ for every kernel, which any ρ meets once it is shortened. That certifies a duality gap.
//
// The method is SpicyMKL (Suzuki and Tomioka, "SpicyMKL: a fast algorithm for multiple kernel learning with thousands of
// kernels", 2011): proximal steps on α of growing length γ, each found as the minimum over ρ, which sums to 0, of
//
//	φ*(ρ) + Σ_m (‖α_m + γρ‖_m − γλ)₊² / (2γ),   then   α_m := (1 − γλ/‖α_m + γρ‖_m)₊·(α_m + γρ),
//
// by Newton's method. Only kernels whose term is not 0 take part in its steps. b is the multiplier of ρ's sum.
type learner struct {
	loss    loss
	kernels []kernel
	workers int

	iterate
	rho    []float64
	start  float64 // loss of the intercept alone
	scores []float64
	iters  int

	// ‖ρ‖_m or a bound from above. A kernel matrix moves it by no more than reach times what ρ moves.
	norm []float64
	last []float64
}

// iterate is where the proximal steps are.
type iterate struct {
	alpha [][]float64 // by kernel, nil: 0
	part  [][]float64 // K_m·α_m of those
	bias  float64
	value float64 // loss
}

func newLearner(l loss, kernels []kernel, workers int) *learner {
	rho := l.nullDual()
	n := len(rho)
	s := &learner{
		loss: l, kernels: kernels, workers: workers, rho: rho, iterate: iterate{alpha: make([][]float64, len(kernels)), part: make([][]float64, len(kernels))},
		scores: make([]float64, n), norm: make([]float64, len(kernels)), last: make([]float64, n),
	}
	for m := range s.norm {
		s.norm[m] = math.Inf(1)
	}
	s.value, s.bias = l.primal(s.scores, 0)
	s.start = s.value
	s.updateNorms(0)
	return s
}

// lambdaMax returns the smallest λ that uses no kernel, of a learner that has taken no step.
func (s *learner) lambdaMax() float64 { return slices.Max(s.norm) }

// updateNorms updates the norms: those above the level are exact afterwards. The products K_m·ρ of these, and of
// kernels in use, are returned.
func (s *learner) updateNorms(level float64) (products [][]float64) {
	distance := 0.0
	for i, v := range s.rho {
		distance += float64((v - s.last[i]) * (v - s.last[i]))
	}
	distance = math.Sqrt(distance)
	copy(s.last, s.rho)
	products = make([][]float64, len(s.kernels))
	parallel.Each(s.workers, len(s.kernels), func(m int) {
		s.norm[m] += float64(distance * s.kernels[m].reach)
		if s.norm[m] > level || s.alpha[m] != nil {
			products[m] = make([]float64, len(s.rho))
			s.kernels[m].k.Product(products[m], s.rho)
			s.norm[m] = math.Sqrt(max(0, dense.DotInOrder(s.rho, products[m])))
		}
	})
	return products
}

// minimize continues from the last minimum.
func (s *learner) minimize(ctx context.Context, g convex.Goal) (convex.Outcome, error) {
	s.iters = 0
	out := convex.Outcome{Certificate: s.certify(g.Lambda, math.Inf(-1)), Evaluated: int64(len(s.kernels))}
	gamma := s.start / (g.Lambda * g.Lambda)
	for idle := 0; ; {
		out.Iterations = s.iters
		if out.Stop = g.Stop(out.Certificate, s.iters, idle > 5); out.Stop != "" {
			out.Notes = g.Notes(out)
			return out, nil
		}
		from := s.iterate
		if err := s.proximalStep(ctx, g, gamma, out.Gap()); err != nil {
			return out, err
		}
		before, next := out.Gap(), s.certify(g.Lambda, out.Dual)
		if next.Objective > out.Objective+float64(g.Tol*s.start) { // rounding has kept the inner problem from its minimum
			s.iterate, next.Objective = from, out.Objective
			gamma /= 16
		} else {
			gamma *= 2
		}
		out.Certificate = next
		if idle++; out.Gap() < 0.99*before {
			idle = 0
		}
	}
}

// certify certifies what is known, with the better of the dual bound here and the one known before.
func (s *learner) certify(lambda, known float64) engines.Certificate {
	s.updateNorms(lambda)
	shorten := 1.0
	if most := slices.Max(s.norm); most > lambda {
		shorten = lambda / most
	}
	rho := make([]float64, len(s.rho))
	for i, v := range s.rho {
		rho[i] = shorten * v
	}
	c := engines.Certificate{Objective: s.value, Dual: max(known, -s.loss.conjugate(nil, nil, rho))}
	for m, a := range s.alpha {
		if a != nil {
			c.Objective += float64(lambda * s.functionNorm(m))
		}
	}
	return c
}

// functionNorm returns ‖f_m‖.
func (s *learner) functionNorm(m int) float64 {
	if s.alpha[m] == nil {
		return 0
	}
	return math.Sqrt(max(0, dense.DotInOrder(s.alpha[m], s.part[m])))
}

// state of the inner problem at a ρ.
type state struct {
	value    float64
	gradient []float64
	curve    []float64 // of φ*
	terms    []term
}

// term is a kernel whose term is not 0.
type term struct {
	kernel int
	keep   float64   // 1 − γλ/‖u‖ with u = α_m + γρ
	image  []float64 // K_m·u
	norm   float64   // ‖u‖
}

// innerState returns the inner problem's state at the present ρ.
func (s *learner) innerState(lambda, gamma float64) state {
	n := len(s.rho)
	st := state{gradient: make([]float64, n), curve: make([]float64, n)}
	st.value = s.loss.conjugate(st.gradient, st.curve, s.rho)
	for i := range st.gradient {
		st.gradient[i] = -st.gradient[i]
	}
	for m, p := range s.updateNorms(lambda) {
		if p == nil {
			continue
		}
		t := term{kernel: m, image: p}
		square := 0.0
		for i, v := range p {
			u := float64(gamma * s.rho[i])
			p[i] = float64(gamma * v)
			if a := s.alpha[m]; a != nil {
				u += a[i]
				p[i] += s.part[m][i]
			}
			square += float64(u * p[i])
		}
		t.norm = math.Sqrt(max(0, square))
		if t.norm <= gamma*lambda {
			continue
		}
		t.keep = 1 - gamma*lambda/t.norm
		over := t.norm - float64(gamma*lambda)
		st.value += over * over / (2 * gamma)
		for i, v := range p {
			st.gradient[i] += float64(t.keep * v)
		}
		st.terms = append(st.terms, t)
	}
	return st
}

// proximalStep takes one step on α. The inner problem is solved until Newton's decrement is less than a share of the gap.
func (s *learner) proximalStep(ctx context.Context, g convex.Goal, gamma, gap float64) error {
	hessian := dense.NewTriangle(len(s.rho))
	st := s.innerState(g.Lambda, gamma)
	for s.iters < g.MaxIter {
		s.hessian(hessian, st, gamma)
		d := newtonDirection(ctx, hessian, st.gradient)
		if d == nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			break
		}
		s.iters++
		if g.Trace != nil {
			g.Trace(s.iters)
		}
		derivative := dense.DotInOrder(d, st.gradient)
		if -derivative <= 1e-3*gap*min(1, gap/s.start) || !s.lineSearch(&st, g.Lambda, gamma, d, derivative) {
			break
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	s.applyProximalStep(st, gamma)
	return nil
}

// lineSearch goes along d until Armijo's rule holds. It reports whether the value decreased.
func (s *learner) lineSearch(st *state, lambda, gamma float64, d []float64, derivative float64) bool {
	from := slices.Clone(s.rho)
	noise := float64(1e-13 * math.Abs(st.value))
	for t := s.loss.maxStep(s.rho, d); t > 1e-10; t /= 2 {
		for i, v := range from {
			s.rho[i] = v + float64(t*d[i])
		}
		next := s.innerState(lambda, gamma)
		if next.value <= st.value+float64(1e-4*t*derivative)+noise {
			better := next.value < st.value
			*st = next
			return better
		}
	}
	copy(s.rho, from)
	*st = s.innerState(lambda, gamma)
	return false
}

// hessian computes diag(φ*″) + Σ γ·(keep·K + (1 − keep)·vv') with v = K·u/‖u‖.
func (s *learner) hessian(h dense.Triangle, st state, gamma float64) {
	parallel.Stretches(s.workers, 32, len(s.rho), func(first, last int) {
		for i := first; i < last; i++ {
			row := h.Row(i)
			clear(row)
			for _, t := range st.terms {
				a, b := gamma*t.keep, gamma*(1-t.keep)*t.image[i]/(t.norm*t.norm)
				image := t.image[:len(row)]
				for j, v := range s.kernels[t.kernel].k.Row(i) {
					row[j] += float64(a*v) + float64(b*image[j])
				}
			}
			row[i] += st.curve[i]
		}
	})
}

// applyProximalStep updates α by the proximal step that belongs to ρ.
func (s *learner) applyProximalStep(st state, gamma float64) {
	n := len(s.rho)
	alpha, part := make([][]float64, len(s.kernels)), make([][]float64, len(s.kernels))
	clear(s.scores)
	for _, t := range st.terms {
		m := t.kernel
		alpha[m], part[m] = make([]float64, n), t.image
		for i, r := range s.rho {
			u := float64(gamma * r)
			if a := s.alpha[m]; a != nil {
				u += a[i]
			}
			alpha[m][i] = t.keep * u
			part[m][i] *= t.keep
			s.scores[i] += part[m][i]
		}
	}
	s.alpha, s.part = alpha, part
	s.value, s.bias = s.loss.primal(s.scores, s.bias)
}
