package proximal

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// model with a Hessian AᵀA of nearly collinear weights, some of which have moved.
func collinear(rng *rand.Rand, n int) *hessian {
	a := make([][]float64, n+3)
	for i := range a {
		a[i] = make([]float64, n)
		common := rng.NormFloat64()
		for k := range a[i] {
			a[i][k] = common + 0.1*rng.NormFloat64()
		}
	}
	active := make([]*Coordinate, n)
	for k := range active {
		active[k] = &Coordinate{L1: 0.5, L2: 0.1, MinCurvature: 1e-12, MaxMove: 3, Gradient: rng.NormFloat64(), Weight: rng.NormFloat64(), Move: rng.Float64() / 10}
		switch k % 4 {
		case 0:
			active[k].Weight, active[k].Move = 0, 0
		case 1:
			active[k].L1, active[k].L2 = 0, 0
		}
	}
	g := newHessian(active)
	for k, c := range active {
		for j := range k + 1 {
			for i := range a {
				g.h[k][j] += a[i][k] * a[i][j]
			}
		}
		c.curvature = g.h[k][k]
	}
	g.symmetrize()
	for k, c := range active {
		g.gradient[k] = c.Gradient
		for j, d := range active {
			g.gradient[k] += g.h[k][j] * d.Move
		}
	}
	return g
}

// value of the model with the penalty at the moves, less that without any.
func (g *hessian) value() (sum float64) {
	for k, c := range g.active {
		sum += c.penaltyChange(1) + c.Gradient*c.Move
		for j, d := range g.active {
			sum += g.h[k][j] * c.Move * d.Move / 2
		}
	}
	return sum
}

// A leap lowers the model by more than as many single steps, changes no sign, keeps limits, and leaves weights of zero alone;
// the gradients follow.
func TestLeap(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	better, zeroed, limited := 0, 0, 0
	for try := range 60 {
		seed := rng.Uint64()
		n := 4 + try%9
		make := func() *hessian { return collinear(rand.New(rand.NewPCG(seed, 1)), n) }
		g, steps := make(), make()
		if try%3 == 0 {
			for _, c := range g.active {
				c.MaxMove = math.Abs(c.Move) + 0.05
			}
		}
		before := g.value()
		was := make()
		g.leap(t.Context(), sweepsBeforeLeap)
		if after := g.value(); after > before+1e-12 {
			t.Errorf("try %d: the model rose from %v to %v", try, before, after)
		}
		for k, c := range g.active {
			from, to := c.Weight+was.active[k].Move, c.Weight+c.Move
			if from*to < 0 || from == 0 && to != 0 || !(math.Abs(c.Move) <= c.MaxMove*(1+1e-12)) {
				t.Errorf("try %d: weight %d went from %v to %v, moved by %v of %v", try, k, from, to, c.Move, c.MaxMove)
			}
			if from != 0 && to == 0 {
				zeroed++
			}
			if math.Abs(c.Move) > c.MaxMove*(1-1e-12) {
				limited++
			}
			gradient := c.Gradient
			for j, d := range g.active {
				gradient += g.h[k][j] * d.Move
			}
			near(t, fmt.Sprintf("try %d: gradient %d", try, k), g.gradient[k], gradient, 1e-9)
		}
		for range sweepsBeforeLeap {
			steps.sweep(0)
		}
		if g.value() < steps.value() {
			better++
		}
	}
	if better == 0 || zeroed == 0 || limited == 0 {
		t.Errorf("%d leaps were better than steps, %d ended at a weight of 0, %d at a limit: some of it was not tested", better, zeroed, limited)
	}
}

// Where nothing is in the way, conjugate gradients of as many steps as weights end where the gradient of the model is 0.
func TestLeapArrives(t *testing.T) {
	g := collinear(rand.New(rand.NewPCG(7, 8)), 6)
	for k, c := range g.active {
		c.Weight, c.MaxMove = 1000*math.Copysign(1, float64(k%2)-0.5), 1e6
		c.L2 = 1e-3
	}
	for range 4 {
		g.leap(t.Context(), 30)
	}
	for k, c := range g.active {
		if over := c.Violation(g.gradient[k]); over > 1e-6 {
			t.Errorf("weight %d is %v: its condition is violated by %v", k, c.Weight+c.Move, over)
		}
	}
}

// The units of columns change nothing about where a leap goes.
func TestLeapInAnyUnits(t *testing.T) {
	const n = 9
	g, other := collinear(rand.New(rand.NewPCG(9, 1)), n), collinear(rand.New(rand.NewPCG(9, 1)), n)
	unit := func(k int) float64 { return math.Pow(10, float64(k%7-3)) } // of weight k, in those of g
	for k, c := range other.active {
		by := 1 / unit(k)
		c.L1, c.L2, c.Gradient, c.curvature, c.MinCurvature = c.L1*by, c.L2*by*by, c.Gradient*by, c.curvature*by*by, c.MinCurvature*by*by
		c.Weight, c.Move, c.MaxMove = c.Weight*unit(k), c.Move*unit(k), c.MaxMove*unit(k)
		other.gradient[k] *= by
		for j := range other.h[k] {
			other.h[k][j] *= by / unit(j)
		}
	}
	before := g.value()
	g.leap(t.Context(), 4)
	other.leap(t.Context(), 4)
	if g.value() > before-1e-6 {
		t.Errorf("the leap lowered the model from %v to %v", before, g.value())
	}
	for k, c := range g.active {
		near(t, fmt.Sprintf("weight %d", k), other.active[k].Move/unit(k), c.Move, 1e-8)
	}
}

// The Hessian is Σ d_i x_ij x_ik, whether rows have an entry for every weight, which go four at a time, or not.
func TestHessianOfFullRows(t *testing.T) {
	const rows, cols = 23, 5
	for _, missing := range []int{-1, 0, 9, 22} {
		rng := rand.New(rand.NewPCG(3, 3))
		x, y := make([][]float64, rows), make([]int32, rows)
		for i := range x {
			for range cols {
				x[i] = append(x[i], 1+rng.Float64())
			}
			if i == missing {
				x[i][2] = 0
			}
			y[i] = int32(i % 2)
		}
		s := at{x: x, y: y, blocks: 1, w: []float64{0, 0.3, 0, 0, 0}}.state()
		q := s.rows.quadraticModel().(*binaryModel)
		q.expandAt(s.residuals)
		var active []*Coordinate
		for j := range cols {
			active = append(active, &Coordinate{Index: j, X: s.columns[j]})
		}
		g := q.hessian(t.Context(), active)
		for j := range cols {
			for k := range j + 1 {
				want := 0.0
				for i, d := range q.d {
					want += d * x[i][j] * x[i][k]
				}
				near(t, fmt.Sprintf("row %d without an entry: %d, %d", missing, j, k), g.h[g.place[j]][g.place[k]], want, 1e-12)
			}
		}
	}
}
