package proximal

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
)

// at is dense rows with labels, and the weights that a model is expanded at, numbered j·blocks + b.
type at struct {
	x      [][]float64
	y      []int32
	weight []float64
	blocks int
	w      []float64
}

// literal is what the definitions make of them.
type literal struct {
	rows      Rows
	columns   []sparse.Vec
	w         []float64
	residuals []float64
	gradient  []float64
}

func (a at) state() literal {
	x := enginetest.Matrix(a.x...)
	s := literal{rows: Rows{Y: a.y, Weight: a.weight, Blocks: a.blocks, Full: x.IsFull()}, w: a.w, gradient: make([]float64, len(a.w))}
	for j := range a.x[0] {
		s.columns = append(s.columns, x.Col(j))
	}
	for i, row := range a.x {
		p, sum := make([]float64, a.blocks), 0.0
		for b := range p {
			for j, v := range row {
				p[b] += v * a.w[j*a.blocks+b]
			}
			p[b] = math.Exp(p[b])
			sum += p[b]
		}
		if a.blocks == 1 {
			sum++ // of class 0
		}
		for b := range p {
			r := p[b] / sum
			if int(a.y[i]) == b && a.blocks > 1 || a.y[i] == 1 && a.blocks == 1 {
				r--
			}
			r *= s.rows.weight(i)
			s.residuals = append(s.residuals, r)
			for j, v := range row {
				s.gradient[j*a.blocks+b] += r * v
			}
		}
	}
	return s
}

// coordinates returns the weights that are not zero, or violate their conditions.
func (s literal) coordinates(l1, l2, maxMove float64) (all []Coordinate) {
	for k, w := range s.w {
		c := Coordinate{
			Index: k, X: s.columns[k/s.rows.Blocks], Block: k % s.rows.Blocks, L1: l1, L2: l2, Weight: w, Gradient: s.gradient[k],
			MaxMove: maxMove, MinCurvature: math.SmallestNonzeroFloat64,
		}
		if w != 0 || c.Violation(c.Gradient) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// drawn draws sparse rows, one column of which is there twice, and weights between −½ and ½.
func drawn(seed uint64, rows, columns, classes int, weights bool) at {
	rng := rand.New(rand.NewPCG(seed, 1))
	a := at{blocks: classes}
	if classes == 2 {
		a.blocks = 1
	}
	for range rows {
		x := make([]float64, columns)
		for j := range x {
			if rng.Float64() < 0.6 {
				x[j] = math.Round(100*rng.NormFloat64()) / 100
			}
		}
		x[1], x[4] = 1, x[3]
		a.x, a.y = append(a.x, x), append(a.y, int32(rng.IntN(classes)))
		if weights {
			a.weight = append(a.weight, float64(1+rng.IntN(3)))
		}
	}
	for k := range columns * a.blocks {
		a.w = append(a.w, float64(k%5-2)/4)
	}
	return a
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if d := math.Abs(got - want); !(d <= tol*max(1, math.Abs(want))) {
		t.Errorf("%s: got %.17g, want %.17g", what, got, want)
	}
}
