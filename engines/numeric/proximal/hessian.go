package proximal

import "tenfold/engines/numeric/dense"

// hessian is the quadratic model's Hessian for the weights of the working set, and the gradient after their moves.
type hessian struct {
	active   []*Coordinate
	place    []int        // of each of these in h
	h        [][]float64  // by place
	scale    float64      // the Hessian is h times this
	gradient []float64    // by place
	kept     *keptHessian // whose h it is; nil: nobody's
}

// newHessian returns a Hessian of zeros.
func newHessian(active []*Coordinate) *hessian {
	n := len(active)
	g := &hessian{active: active, place: make([]int, n), h: make([][]float64, n), scale: 1, gradient: make([]float64, n)}
	all := make([]float64, n*n)
	for k := range g.h {
		g.place[k], g.h[k] = k, all[k*n:(k+1)*n:(k+1)*n]
	}
	return g
}

// begin takes the curvatures of the weights from the Hessian, and the gradient to where they have moved.
func (g *hessian) begin() {
	for a, c := range g.active {
		p := g.place[a]
		c.curvature = g.scale * g.h[p][p]
		g.gradient[p] += c.Gradient
		g.updateGradient(p, c.Move)
	}
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
	small, moves := limit/float64(len(g.active)), 0
	for a, c := range g.active {
		p := g.place[a]
		over := c.Violation(g.gradient[p])
		if over <= small {
			continue
		}
		if by := c.minimize(g.gradient[p]); by != 0 {
			left += over
			c.Move += by
			g.updateGradient(p, by)
			moves++
		}
	}
	if g.kept != nil {
		g.kept.credit += float64(moves * len(g.h))
	}
	return left
}

// updateGradient adds the change of the gradient by a move of the weight at a place.
func (g *hessian) updateGradient(place int, by float64) {
	if by == 0 {
		return
	}
	dense.AddTo(g.gradient, g.h[place], g.scale*by)
}
