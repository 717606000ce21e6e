package l1

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines/enginetest"
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
	active := make([]*coordinate, n)
	for k := range active {
		active[k] = &coordinate{l1: 0.5, l2: 0.1, minCurvature: 1e-12, maxMove: 3, gradient: rng.NormFloat64(), weight: rng.NormFloat64(), move: rng.Float64() / 10}
		switch k % 4 {
		case 0:
			active[k].weight, active[k].move = 0, 0
		case 1:
			active[k].l1, active[k].l2 = 0, 0
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
		g.gradient[k] = c.gradient
		for j, d := range active {
			g.gradient[k] += g.h[k][j] * d.move
		}
	}
	return g
}

// value of the model with the penalty at the moves, less that without any.
func (g *hessian) value() (sum float64) {
	for k, c := range g.active {
		sum += c.penaltyChange(1) + c.gradient*c.move
		for j, d := range g.active {
			sum += g.h[k][j] * c.move * d.move / 2
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
				c.maxMove = math.Abs(c.move) + 0.05
			}
		}
		before := g.value()
		was := make()
		g.leap(t.Context(), sweepsBeforeLeap)
		if after := g.value(); after > before+1e-12 {
			t.Errorf("try %d: the model rose from %v to %v", try, before, after)
		}
		for k, c := range g.active {
			from, to := c.weight+was.active[k].move, c.weight+c.move
			if from*to < 0 || from == 0 && to != 0 || !(math.Abs(c.move) <= c.maxMove*(1+1e-12)) {
				t.Errorf("try %d: weight %d went from %v to %v, moved by %v of %v", try, k, from, to, c.move, c.maxMove)
			}
			if from != 0 && to == 0 {
				zeroed++
			}
			if math.Abs(c.move) > c.maxMove*(1-1e-12) {
				limited++
			}
			gradient := c.gradient
			for j, d := range g.active {
				gradient += g.h[k][j] * d.move
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
		c.weight, c.maxMove = 1000*math.Copysign(1, float64(k%2)-0.5), 1e6
		c.l2 = 1e-3
	}
	for range 4 {
		g.leap(t.Context(), 30)
	}
	for k, c := range g.active {
		if over := c.violation(g.gradient[k]); over > 1e-6 {
			t.Errorf("weight %d is %v: its condition is violated by %v", k, c.weight+c.move, over)
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
		c.l1, c.l2, c.gradient, c.curvature, c.minCurvature = c.l1*by, c.l2*by*by, c.gradient*by, c.curvature*by*by, c.minCurvature*by*by
		c.weight, c.move, c.maxMove = c.weight*unit(k), c.move*unit(k), c.maxMove*unit(k)
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
		near(t, fmt.Sprintf("weight %d", k), other.active[k].move/unit(k), c.move, 1e-8)
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
		m := enginetest.Matrix(x...)
		p, err := New(m, y, nil, 2, NoBias)
		if err != nil {
			t.Fatal(err)
		}
		pt := p.NewPoint(make([]float64, cols))
		pt.W[1] = 0.3
		if err := pt.Update(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		q := p.quadraticModel().(*binaryModel)
		q.expandAt(pt)
		var active []*coordinate
		for j := range cols {
			active = append(active, &coordinate{weightIndex: j, x: m.Col(j)})
		}
		g := newHessian(active)
		q.fillHessian(t.Context(), g)
		for j := range cols {
			for k := range j + 1 {
				want := 0.0
				for i, d := range q.d {
					want += d * x[i][j] * x[i][k]
				}
				near(t, fmt.Sprintf("row %d without an entry: %d, %d", missing, j, k), g.h[j][k], want, 1e-12)
			}
		}
	}
}
