package l1

import "math"

// hessian is the quadratic model's Hessian for the weights of the working set, and the gradient after their moves.
type hessian struct {
	active   []*coordinate
	h        [][]float64
	gradient []float64
}

func newHessian(active []*coordinate) *hessian {
	n := len(active)
	g := &hessian{active: active, h: make([][]float64, n), gradient: make([]float64, n)}
	all := make([]float64, n*n)
	for k := range g.h {
		g.h[k] = all[k*n : (k+1)*n : (k+1)*n]
	}
	return g
}

// symmetrize copies the lower triangle to the upper one.
func (g *hessian) symmetrize() {
	for k, h := range g.h {
		for j, v := range h[:k] {
			g.h[j][k] = v
		}
	}
}

// sweep is descent.sweep with the Hessian. Violations whose sum stays within the limit are left as they are.
func (g *hessian) sweep(limit float64) (left float64) {
	small := limit / float64(len(g.active))
	for a, c := range g.active {
		over := c.violation(g.gradient[a])
		if over <= small {
			continue
		}
		if by := c.minimize(g.gradient[a]); by != 0 {
			left += over
			c.move += by
			g.updateGradient(a, by)
		}
	}
	return left
}

// updateGradient adds the change of the gradient by a move of weight a.
func (g *hessian) updateGradient(a int, by float64) {
	if by == 0 {
		return
	}
	h, gradient := g.h[a], g.gradient
	h = h[:len(gradient)]
	for k := range gradient {
		gradient[k] += float64(by * h[k])
	}
}

// conjugateGradient minimises the model over the weights that are not zero by conjugate gradients, preconditioned by the diagonal
// so that units of columns mean nothing, their signs kept, and moves
// towards the minimum until a weight changes its sign or reaches its maxMove. It helps where columns are nearly collinear and
// coordinate descent is slow. With fixed signs the penalty is linear, so the objective decreases along the whole line.
// O(steps · weights²).
func (g *hessian) conjugateGradient(steps int) {
	var at []int
	for a, c := range g.active {
		if c.weight+c.move != 0 && math.Abs(c.move) < c.maxMove {
			at = append(at, a)
		}
	}
	n := len(at)
	d, r, p, h, diagonal := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	square := 0.0
	for k, a := range at {
		c := g.active[a]
		w := c.weight + c.move
		diagonal[k] = max(c.curvature, c.minCurvature) + c.l2
		r[k] = -(g.gradient[a] + float64(c.l2*w) + math.Copysign(c.l1, w))
		p[k] = r[k] / diagonal[k]
		square += float64(r[k] * p[k])
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
			h[k] = sum + float64((max(0, c.minCurvature-c.curvature)+c.l2)*p[k])
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
			square += float64(r[k]*r[k]) / diagonal[k]
		}
		for k := range at {
			p[k] = r[k]/diagonal[k] + float64(square/before*p[k])
		}
	}
	t, last := 1.0, -1 // the weight that ends the way
	for k, a := range at {
		c := g.active[a]
		w := c.weight + c.move
		if s := -w / d[k]; s >= 0 && s < t { // towards zero
			t, last = s, k
		}
		if s := (math.Copysign(c.maxMove, d[k]) - c.move) / d[k]; s >= 0 && s < t {
			t, last = s, -1
		}
	}
	for k, a := range at {
		c := g.active[a]
		to := c.move + float64(t*d[k])
		if k == last {
			to = -c.weight
		}
		g.updateGradient(a, to-c.move)
		c.move = to
	}
}
