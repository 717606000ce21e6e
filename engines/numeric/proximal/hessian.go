package proximal

import "tenfold/engines/numeric/dense"

// hessian is the quadratic model's Hessian for the weights of the working set, and the gradient after their moves.
type hessian struct {
	active   []*Coordinate
	h        [][]float64
	gradient []float64
}

func newHessian(active []*Coordinate) *hessian {
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

// sweep minimises over every weight once, as descent.sweep does, with the Hessian. Violations whose sum stays within the limit are left as they are.
func (g *hessian) sweep(limit float64) (left float64) {
	small := limit / float64(len(g.active))
	for a, c := range g.active {
		over := c.Violation(g.gradient[a])
		if over <= small {
			continue
		}
		if by := c.minimize(g.gradient[a]); by != 0 {
			left += over
			c.Move += by
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
	dense.AddTo(g.gradient, g.h[a], by)
}
