// Package loglin computes log-linear models from their definitions, on dense rows: slow, and with nothing in common with the engines that tests
// hold to it. It also draws problems.
package loglin

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// Sketch is a problem as the definition has it: dense rows, one weight a column and block, the column of ones last.
type Sketch struct {
	X       [][]float64
	Y       []int32
	M       []float64 // weights of rows; nil: 1 each
	Classes int
	Bias    string // none, free, penalized
}

// Weights is what a problem knows of its weights: how many there are, which are not penalised, and the sum of the rows' weights.
type Weights interface {
	Width() int
	Free(k int) bool
	Total() float64
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
	if s.Bias == "none" {
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
func (s Sketch) Penalty(p Weights, l1, l2 float64, w []float64) float64 {
	sum := 0.0
	for k, v := range w {
		if !p.Free(k) {
			sum += l1*math.Abs(v) + l2/2*v*v
		}
	}
	return sum
}

// Dual returns the value of the feasible point on the line from the labels to the probabilities (the sum of entropies, less the cost of
// gradients beyond C1 where there is an L2 penalty), for a share t.
func (s Sketch) Dual(p Weights, l1, l2 float64, w []float64, t float64) float64 {
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
		over := math.Abs(v) - l1
		switch {
		case p.Free(j):
			if math.Abs(v) > 1e-7*p.Total() {
				return math.Inf(-1)
			}
		case over > 0 && l2 > 0:
			value -= over * over / (2 * l2)
		case over > 1e-9*(1+l1):
			return math.Inf(-1)
		}
	}
	return value
}

// Minimum finds that of the objective by accelerated proximal gradient steps (FISTA, begun again whenever the objective rises), until
// no weight violates its condition by more than 1e-9.
func (s Sketch) Minimum(t testing.TB, p Weights, l1, l2 float64) (value float64, w []float64) {
	t.Helper()
	w = make([]float64, p.Width())
	total := func(w []float64) float64 { v, _ := s.Loss(w); return v + s.Penalty(p, l1, l2, w) }
	last, point, next := slices.Clone(w), slices.Clone(w), slices.Clone(w)
	step, momentum := 1.0, 1.0
	value = total(w)
	for range 100_000 {
		base, g := s.Loss(point)
		worst := 0.0
		for {
			bound := base
			for k := range w {
				worst = max(worst, Violation(p, l1, l2, point[k], g[k], k))
				c1, c2 := l1, l2
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
func Violation(p Weights, l1, l2 float64, w, g float64, k int) float64 {
	if p.Free(k) {
		return math.Abs(g)
	}
	if g += l2 * w; w != 0 {
		return math.Abs(g + math.Copysign(l1, w))
	}
	return max(0, math.Abs(g)-l1)
}

// Draw makes a sketch: some noise, a constant column, a column of zeros, and one column twice.
func Draw(seed uint64, rows, columns, classes int, bias string, weights bool) Sketch {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := Sketch{Classes: classes, Bias: bias}
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
		s.X, s.Y = append(s.X, x), append(s.Y, int32(y))
		if weights {
			s.M = append(s.M, float64(1+rng.IntN(3)))
		}
	}
	return s
}

// Rows draws rows, their labels, which follow a few of the columns, and their weights.
func Rows(seed uint64, rows, columns, classes int, binary bool) (x *sparse.Matrix, y []int32, weight []float64) {
	x = enginetest.Random(seed, rows, columns, 0.2, binary)
	rng := rand.New(rand.NewPCG(seed, 9))
	y, weight = make([]int32, rows), make([]float64, rows)
	for i := range y {
		score := make([]float64, classes)
		for k := range score {
			score[k] = 2 * rng.NormFloat64()
		}
		row := x.Row(i)
		for k, j := range row.Idx {
			if j < 6 {
				score[int(j)%classes] += 2 * row.At(k)
			}
		}
		y[i] = int32(slices.Index(score, slices.Max(score)))
		weight[i] = 0.5 + rng.Float64()
	}
	return x, y, weight
}
