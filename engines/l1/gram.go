package l1

import "math"

// gram is a model's Hessian for some weights, and the slopes of the loss after their moves.
type gram struct {
	active []*coordinate
	h      [][]float64
	slope  []float64
}

func newGram(active []*coordinate) *gram {
	n := len(active)
	g := &gram{active: active, h: make([][]float64, n), slope: make([]float64, n)}
	all := make([]float64, n*n)
	for k := range g.h {
		g.h[k] = all[k*n : (k+1)*n : (k+1)*n]
	}
	return g
}

// mirror the lower half.
func (g *gram) mirror() {
	for k, h := range g.h {
		for j, v := range h[:k] {
			g.h[j][k] = v
		}
	}
}

// pass is descent.pass with the Hessian. Violations that together stay within the limit are left as they are.
func (g *gram) pass(limit float64) (left float64) {
	small := limit / float64(len(g.active))
	for a, c := range g.active {
		over := c.violation(g.slope[a])
		if over <= small {
			continue
		}
		if by := c.step(g.slope[a]); by != 0 {
			left += over
			c.move += by
			g.add(a, by)
		}
	}
	return left
}

// add to the slopes what a move of weight a changes.
func (g *gram) add(a int, by float64) {
	if by == 0 {
		return
	}
	h, slope := g.h[a], g.slope
	h = h[:len(slope)]
	for k := range slope {
		slope[k] += float64(by * h[k])
	}
}

// leap minimises the model over the weights that are not zero, their signs kept, by conjugate gradients, and goes there as
// far as no weight changes its sign or exceeds its limit. Where columns are nearly collinear, steps along one weight at a
// time crawl; this does not. The model with the penalty is smooth there and falls along the whole way.
// O(steps · weights²).
func (g *gram) leap(steps int) {
	var at []int
	for a, c := range g.active {
		if c.weight+c.move != 0 && math.Abs(c.move) < c.limit {
			at = append(at, a)
		}
	}
	n := len(at)
	d, r, p, h := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	square := 0.0
	for k, a := range at {
		c := g.active[a]
		w := c.weight + c.move
		r[k] = -(g.slope[a] + float64(c.l2*w) + math.Copysign(c.l1, w))
		p[k] = r[k]
		square += float64(r[k] * r[k])
	}
	least := 1e-6 * square
	for step := 0; step < steps && square > least; step++ {
		curve := 0.0
		for k, a := range at {
			row, sum := g.h[a], 0.0
			for j, b := range at {
				sum += float64(row[b] * p[j])
			}
			c := g.active[a]
			h[k] = sum + float64((max(0, c.flat-c.curvature)+c.l2)*p[k])
			curve += float64(h[k] * p[k])
		}
		if !(curve > 0) {
			break
		}
		t, before := square/curve, square
		square = 0
		for k := range at {
			d[k] += float64(t * p[k])
			r[k] -= float64(t * h[k])
			square += float64(r[k] * r[k])
		}
		for k := range at {
			p[k] = r[k] + float64(square/before*p[k])
		}
	}
	t, last := 1.0, -1 // the weight that ends the way
	for k, a := range at {
		c := g.active[a]
		w := c.weight + c.move
		if s := -w / d[k]; s >= 0 && s < t { // towards zero
			t, last = s, k
		}
		if s := (math.Copysign(c.limit, d[k]) - c.move) / d[k]; s >= 0 && s < t {
			t, last = s, -1
		}
	}
	for k, a := range at {
		c := g.active[a]
		to := c.move + float64(t*d[k])
		if k == last {
			to = -c.weight
		}
		g.add(a, to-c.move)
		c.move = to
	}
}
