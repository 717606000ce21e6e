// Package loglin computes log-linear models from their definitions, on dense rows: slow, and with nothing in common with the engines that tests
// hold to it. It also draws problems, and solves them with what is tested.
package loglin

import (
	"math"
	"slices"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/elementary"
)

// Sketch is a problem as the definition has it: dense rows, one weight a column and block, the column of ones last.
type Sketch struct {
	X       [][]float64
	Y       []int32
	M       []float64 // weights of rows; nil: 1 each
	Classes int
	Bias    logits.Bias
}

// Problem returns it as engines solve it.
func (s Sketch) Problem(t testing.TB) *logits.Problem {
	t.Helper()
	p, err := logits.New(enginetest.Matrix(s.X...), s.Y, s.M, s.Classes, s.Bias)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Blocks returns the weights of a column.
func (s Sketch) Blocks() int {
	if s.Classes <= 2 {
		return 1
	}
	return s.Classes
}

// Row returns row i with the column of ones.
func (s Sketch) Row(i int) []float64 {
	if s.Bias == logits.NoBias {
		return s.X[i]
	}
	return append(slices.Clone(s.X[i]), 1)
}

// Weight returns that of row i.
func (s Sketch) Weight(i int) float64 {
	if s.M == nil {
		return 1
	}
	return s.M[i]
}

// Probabilities returns those of the classes in row i.
func (s Sketch) Probabilities(w []float64, i int) []float64 {
	k := s.Blocks()
	z := make([]float64, max(2, s.Classes))
	for j, x := range s.Row(i) {
		for b := range k {
			z[len(z)-k+b] += x * w[j*k+b]
		}
	}
	high, sum := slices.Max(z), 0.0
	for c := range z {
		z[c] = math.Exp(z[c] - high)
		sum += z[c]
	}
	for c := range z {
		z[c] /= sum
	}
	return z
}

// Loss returns the loss and its gradient.
func (s Sketch) Loss(w []float64) (value float64, g []float64) {
	g = make([]float64, len(w))
	k := s.Blocks()
	for i, y := range s.Y {
		q := s.Probabilities(w, i)
		value -= s.Weight(i) * math.Log(max(q[y], 1e-300))
		q[y]--
		for j, x := range s.Row(i) {
			for b := range k {
				g[j*k+b] += s.Weight(i) * x * q[len(q)-k+b]
			}
		}
	}
	return value, g
}

// Penalty returns that of weights.
func (s Sketch) Penalty(p *logits.Problem, pen logits.Penalty, w []float64) float64 {
	sum := 0.0
	for k, v := range w {
		if !p.Free(k) {
			sum += pen.L1*math.Abs(v) + pen.L2/2*v*v
		}
	}
	return sum
}

// Dual returns the value of the feasible point on the line from the labels to the probabilities (the sum of entropies, less the cost of
// gradients beyond C1 where there is an L2 penalty), for a share t.
func (s Sketch) Dual(p *logits.Problem, pen logits.Penalty, w []float64, t float64) float64 {
	value := 0.0
	k := s.Blocks()
	u := make([]float64, len(w))
	for i, y := range s.Y {
		alpha := s.Probabilities(w, i)
		for c := range alpha {
			alpha[c] *= t
		}
		alpha[y] += 1 - t
		for c, a := range alpha {
			if a > 0 {
				value -= s.Weight(i) * a * math.Log(a)
			}
			d := -a
			if c == int(y) {
				d++
			}
			for j, x := range s.Row(i) {
				if b := c - (len(alpha) - k); b >= 0 {
					u[j*k+b] += s.Weight(i) * x * d
				}
			}
		}
	}
	for j, v := range u {
		over := math.Abs(v) - pen.L1
		switch {
		case p.Free(j):
			if math.Abs(v) > 1e-7*p.Total() {
				return math.Inf(-1)
			}
		case over > 0 && pen.L2 > 0:
			value -= over * over / (2 * pen.L2)
		case over > 1e-9*(1+pen.L1):
			return math.Inf(-1)
		}
	}
	return value
}

// Bound returns the dual value of the certificate at a point: the better of those at the largest feasible share, and with an L2 penalty at 1.
func (s Sketch) Bound(p *logits.Problem, pen logits.Penalty, pt *logits.Point) float64 {
	_, g := s.Loss(pt.W)
	maxGradient := 0.0
	for k, v := range g {
		if !p.Free(k) {
			maxGradient = max(maxGradient, math.Abs(v))
		}
	}
	value := s.Dual(p, pen, pt.W, min(1, pen.L1/maxGradient))
	if pen.L2 > 0 {
		value = max(value, s.Dual(p, pen, pt.W, 1))
	}
	return value
}

// Minimum finds that of the objective by accelerated proximal gradient steps (FISTA, begun again whenever the objective rises), until
// no weight violates its condition by more than 1e-9.
func (s Sketch) Minimum(t testing.TB, p *logits.Problem, pen logits.Penalty) (value float64, w []float64) {
	t.Helper()
	w = make([]float64, p.Width())
	total := func(w []float64) float64 { v, _ := s.Loss(w); return v + s.Penalty(p, pen, w) }
	last, point, next := slices.Clone(w), slices.Clone(w), slices.Clone(w)
	step, momentum := 1.0, 1.0
	value = total(w)
	for range 100_000 {
		base, g := s.Loss(point)
		worst := 0.0
		for {
			bound := base
			for k := range w {
				worst = max(worst, Violation(p, pen, point[k], g[k], k))
				c1, c2 := pen.L1, pen.L2
				if p.Free(k) {
					c1, c2 = 0, 0
				}
				d := elementary.SoftThreshold(point[k]-step*(g[k]+c2*point[k]), step*c1) - point[k]
				next[k] = point[k] + d
				bound += g[k]*d + d*d/(2*step)
			}
			if v, _ := s.Loss(next); v <= bound+1e-14*math.Abs(bound) {
				break
			}
			step /= 2
		}
		if worst < 1e-9 {
			return value, point
		}
		now := total(next)
		if now > value && momentum > 1 {
			copy(point, w)
			momentum = 1
			continue
		}
		last, w, next, value = w, next, last, min(now, value)
		m := (1 + math.Sqrt(1+4*momentum*momentum)) / 2
		for k := range w {
			point[k] = w[k] + (momentum-1)/m*(w[k]-last[k])
		}
		momentum = m
	}
	t.Fatal("the slow way did not arrive")
	return 0, nil
}

// Violation returns by how much weight k at w breaks its optimality condition, where the loss has the derivative g.
func Violation(p *logits.Problem, pen logits.Penalty, w, g float64, k int) float64 {
	if p.Free(k) {
		return math.Abs(g)
	}
	if g += pen.L2 * w; w != 0 {
		return math.Abs(g + math.Copysign(pen.L1, w))
	}
	return max(0, math.Abs(g)-pen.L1)
}
