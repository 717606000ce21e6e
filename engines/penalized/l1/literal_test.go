package l1

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/elementary"
)

// sketch is a problem as the definition has it: dense rows, one weight a column and block, the column of ones last.
type sketch struct {
	x       [][]float64
	y       []int32
	m       []float64
	classes int
	bias    Bias
}

// problem of the sketch.
func (s sketch) problem(t testing.TB) *Problem {
	t.Helper()
	p, err := New(enginetest.Matrix(s.x...), s.y, s.m, s.classes, s.bias)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (s sketch) blocks() int {
	if s.classes <= 2 {
		return 1
	}
	return s.classes
}

// row i with the column of ones.
func (s sketch) row(i int) []float64 {
	if s.bias == NoBias {
		return s.x[i]
	}
	return append(slices.Clone(s.x[i]), 1)
}

func (s sketch) mult(i int) float64 {
	if s.m == nil {
		return 1
	}
	return s.m[i]
}

// probabilities of row i.
func (s sketch) probabilities(w []float64, i int) []float64 {
	k := s.blocks()
	z := make([]float64, max(2, s.classes))
	for j, x := range s.row(i) {
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

// loss and its gradient.
func (s sketch) loss(w []float64) (value float64, g []float64) {
	g = make([]float64, len(w))
	k := s.blocks()
	for i, y := range s.y {
		q := s.probabilities(w, i)
		value -= s.mult(i) * math.Log(max(q[y], 1e-300))
		q[y]--
		for j, x := range s.row(i) {
			for b := range k {
				g[j*k+b] += s.mult(i) * x * q[len(q)-k+b]
			}
		}
	}
	return value, g
}

// toll is the penalty.
func (s sketch) toll(p *Problem, pen Penalty, w []float64) float64 {
	sum := 0.0
	for k, v := range w {
		if !p.Free(k) {
			sum += pen.L1*math.Abs(v) + pen.L2/2*v*v
		}
	}
	return sum
}

// dual value of the feasible point on the line from the labels to the probabilities (the sum of entropies, less the cost of
// gradients beyond C1 where there is an L2 penalty), for a share t.
func (s sketch) dual(p *Problem, pen Penalty, w []float64, t float64) float64 {
	value := 0.0
	k := s.blocks()
	u := make([]float64, len(w))
	for i, y := range s.y {
		alpha := s.probabilities(w, i)
		for c := range alpha {
			alpha[c] *= t
		}
		alpha[y] += 1 - t
		for c, a := range alpha {
			if a > 0 {
				value -= s.mult(i) * a * math.Log(a)
			}
			d := -a
			if c == int(y) {
				d++
			}
			for j, x := range s.row(i) {
				if b := c - (len(alpha) - k); b >= 0 {
					u[j*k+b] += s.mult(i) * x * d
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

// minimum of the objective by accelerated proximal gradient steps (FISTA, begun again whenever the objective rises), until
// no weight violates its condition by more than 1e-9.
func (s sketch) minimum(t testing.TB, p *Problem, pen Penalty) (value float64, w []float64) {
	t.Helper()
	w = make([]float64, p.Width())
	total := func(w []float64) float64 { v, _ := s.loss(w); return v + s.toll(p, pen, w) }
	last, at, next := slices.Clone(w), slices.Clone(w), slices.Clone(w)
	step, momentum := 1.0, 1.0
	value = total(w)
	for range 100_000 {
		base, g := s.loss(at)
		worst := 0.0
		for {
			bound := base
			for k := range w {
				worst = max(worst, violation(p, pen, at[k], g[k], k))
				own := pen
				if p.Free(k) {
					own = Penalty{}
				}
				d := elementary.SoftThreshold(at[k]-step*(g[k]+own.L2*at[k]), step*own.L1) - at[k]
				next[k] = at[k] + d
				bound += g[k]*d + d*d/(2*step)
			}
			if v, _ := s.loss(next); v <= bound+1e-14*math.Abs(bound) {
				break
			}
			step /= 2
		}
		if worst < 1e-9 {
			return value, at
		}
		now := total(next)
		if now > value && momentum > 1 {
			copy(at, w)
			momentum = 1
			continue
		}
		last, w, next, value = w, next, last, min(now, value)
		m := (1 + math.Sqrt(1+4*momentum*momentum)) / 2
		for k := range w {
			at[k] = w[k] + (momentum-1)/m*(w[k]-last[k])
		}
		momentum = m
	}
	t.Fatal("the slow way did not arrive")
	return 0, nil
}

// violation of the optimality condition by weight k at w, where the loss has the derivative g.
func violation(p *Problem, pen Penalty, w, g float64, k int) float64 {
	if p.Free(k) {
		return math.Abs(g)
	}
	if g += pen.L2 * w; w != 0 {
		return math.Abs(g + math.Copysign(pen.L1, w))
	}
	return max(0, math.Abs(g)-pen.L1)
}

// draw makes a sketch: some noise, a constant column, a column of zeros, and one column twice.
func draw(seed uint64, rows, columns, classes int, bias Bias, weights bool) sketch {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := sketch{classes: classes, bias: bias}
	truth := make([]float64, columns*classes)
	for k := range truth {
		truth[k] = rng.NormFloat64()
	}
	for range rows {
		x := make([]float64, columns)
		for j := range x {
			if rng.Float64() < 0.6 {
				x[j] = math.Round(100*rng.NormFloat64()) / 100
			}
		}
		x[1], x[2], x[4] = 1, 0, x[3]
		y, best := 0, math.Inf(-1)
		for c := range classes {
			z := -2 * math.Log(-math.Log(rng.Float64()))
			for j, v := range x {
				z += v * truth[j*classes+c]
			}
			if z > best {
				y, best = c, z
			}
		}
		s.x, s.y = append(s.x, x), append(s.y, int32(y))
		if weights {
			s.m = append(s.m, float64(1+rng.IntN(3)))
		}
	}
	return s
}
