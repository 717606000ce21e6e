package group

import (
	"context"
	"math"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/sparse"
)

// newton is a step of Newton's method on the blocks that have coefficients, where the penalty is smooth too: the minimum of
// the objective to second order is found by conjugate gradients, with the diagonal as preconditioner. Blocks whose columns are
// nearly collinear take it where steps of 1/L would crawl.
type newton struct {
	d       *descent
	columns []smoothColumn
	blocks  []smoothBlock
	v, sum  []float64 // change of the descent's along a direction
	image   []float64 // room for one number a task
}

// smoothColumn is a column of such a block; its coefficients stand at the same places of all vectors of the system.
type smoothColumn struct {
	block *workingBlock
	q     int // its number in the block
	x     sparse.Vec
	b     []float64
}

// smoothBlock is a block, of which the first of the coefficients are at from and to.
type smoothBlock struct {
	from, to     int
	norm, weight float64 // ‖B_g‖, λ·ω_g
}

const (
	newtonSteps     = 50   // of conjugate gradients, at most
	newtonPrecision = 1e-2 // share of the gradient at which they end
)

// newtonStep moves the descent along Newton's direction until the objective falls. O(entries of the blocks with coefficients ·
// tasks) a step of conjugate gradients.
func (d *descent) newtonStep(ctx context.Context) {
	n := d.newNewton()
	if len(n.columns) == 0 {
		return
	}
	b := d.smoothCoefficients(n)
	smooth, gradient := n.gradient(b)
	s := n.solve(ctx, b, gradient)
	along, curve := dense.DotInOrder(smooth, s), n.smoothCurve(s)
	fall := n.penaltySlope(b, s) + along
	if !(fall < 0) {
		return
	}
	for t := 1.0; t > 1e-3; t /= 2 {
		change := float64(t*along) + float64(float64(t*t)*curve/2) + n.penaltyChange(b, s, t)
		if change <= 1e-4*t*fall {
			n.move(s, t)
			return
		}
	}
}

func (d *descent) newNewton() *newton {
	n := &newton{d: d, v: make([]float64, len(d.v)), sum: make([]float64, len(d.sum)), image: make([]float64, len(d.sum))}
	for k := range d.workingSet {
		w := &d.workingSet[k]
		norm := d.pt.blockNorm(w.block)
		if norm == 0 {
			continue
		}
		from := len(n.columns) * len(d.sum)
		for q, j := range w.columns {
			n.columns = append(n.columns, smoothColumn{w, q, d.pt.p.x.X.Col(int(j)), d.pt.coefficientsOf(j)})
		}
		n.blocks = append(n.blocks, smoothBlock{from, len(n.columns) * len(d.sum), norm, d.lambda * w.weight})
	}
	return n
}

// smoothCoefficients returns the coefficients of the system.
func (d *descent) smoothCoefficients(n *newton) (b []float64) {
	for _, c := range n.columns {
		b = append(b, c.b...)
	}
	return b
}

// gradientOf sets dst to X̃'u, less the best shift, for u row by row with the given sums.
func (n *newton) gradientOf(dst, u, sum []float64) {
	tasks, x := len(sum), n.d.pt.p.x
	for k, c := range n.columns {
		dotRows(n.image, c.x, u)
		for t, v := range n.image {
			dst[k*tasks+t] = x.Scale[c.block.columns[c.q]] * (v - float64(sum[t]/n.d.total[t]*c.block.cross[c.q*tasks+t]))
		}
	}
}

// gradient returns the gradient of Q's smooth part, and that of Q.
func (n *newton) gradient(b []float64) (smooth, all []float64) {
	smooth, all = make([]float64, len(b)), make([]float64, len(b))
	n.gradientOf(smooth, n.d.v, n.d.sum)
	for k := range smooth {
		smooth[k] = -smooth[k]
	}
	for _, g := range n.blocks {
		for k := g.from; k < g.to; k++ {
			all[k] = smooth[k] + float64(g.weight/g.norm*b[k])
		}
	}
	return smooth, all
}

// smoothCurve returns the second derivative of Q's smooth part along s.
func (n *newton) smoothCurve(s []float64) float64 {
	clear(n.v)
	clear(n.sum)
	n.addTo(n.v, n.sum, s, 1)
	fall := make([]float64, len(s))
	n.gradientOf(fall, n.v, n.sum)
	return -dense.DotInOrder(s, fall)
}

// product sets dst to the Hessian times p.
func (n *newton) product(dst, b, p []float64) {
	clear(n.v)
	clear(n.sum)
	n.addTo(n.v, n.sum, p, 1)
	n.gradientOf(dst, n.v, n.sum)
	for k := range dst {
		dst[k] = -dst[k]
	}
	for _, g := range n.blocks {
		inner := 0.0
		for k := g.from; k < g.to; k++ {
			inner += float64(b[k] * p[k])
		}
		for k := g.from; k < g.to; k++ {
			dst[k] += float64(g.weight / g.norm * (p[k] - float64(inner/(g.norm*g.norm)*b[k])))
		}
	}
}

// addTo adds to v and its sums what they change by when the coefficients move along p.
func (n *newton) addTo(v, sum, p []float64, size float64) {
	tasks, x := len(sum), n.d.pt.p.x
	for k, c := range n.columns {
		by := -size * x.Scale[c.block.columns[c.q]]
		for t := range n.image {
			n.image[t] = float64(by * p[k*tasks+t])
			sum[t] += float64(n.image[t] * c.block.cross[c.q*tasks+t])
		}
		addRows(v, c.x, n.image, n.d.h)
	}
}

// solve returns the step. It ends before directions along which H is flat but for rounding, as it is where columns are equal.
func (n *newton) solve(ctx context.Context, b, gradient []float64) (step []float64) {
	size := len(b)
	step, rest := make([]float64, size), make([]float64, size)
	dir, image, diagonal := make([]float64, size), make([]float64, size), n.diagonal()
	before, least := 0.0, 0.0
	for k, g := range gradient {
		rest[k] = -g
	}
	for i := range newtonSteps {
		now := 0.0
		for k, r := range rest {
			now += float64(r*r) / diagonal[k]
		}
		if i == 0 {
			least = newtonPrecision * newtonPrecision * now
		}
		if !(now > least) || ctx.Err() != nil {
			break
		}
		for k, r := range rest {
			if i > 0 {
				dir[k] *= now / before
			}
			dir[k] += r / diagonal[k]
		}
		before = now
		n.product(image, b, dir)
		curve, most := dense.DotInOrder(dir, image), 0.0
		for k, v := range dir {
			most += float64(diagonal[k] * float64(v*v))
		}
		if !(curve > 1e-13*most) {
			break
		}
		for k, v := range dir {
			step[k] += float64(now / curve * v)
			rest[k] -= float64(now / curve * image[k])
		}
	}
	return step
}

func (n *newton) diagonal() (out []float64) {
	tasks := len(n.sum)
	for _, c := range n.columns {
		out = append(out, c.block.curve[c.q*tasks:][:tasks]...)
	}
	for _, g := range n.blocks {
		for k := g.from; k < g.to; k++ {
			out[k] += g.weight / g.norm
		}
	}
	return out
}

// penaltySlope and penaltyChange return the derivative of the penalty along s, and its change at t·s.
func (n *newton) penaltySlope(b, s []float64) (sum float64) {
	for _, g := range n.blocks {
		sum += float64(g.weight / g.norm * dense.DotInOrder(b[g.from:g.to], s[g.from:g.to]))
	}
	return sum
}

func (n *newton) penaltyChange(b, s []float64, t float64) (sum float64) {
	for _, g := range n.blocks {
		square := 0.0
		for k := g.from; k < g.to; k++ {
			v := b[k] + float64(t*s[k])
			square += float64(v * v)
		}
		sum += float64(g.weight * (math.Sqrt(square) - g.norm))
	}
	return sum
}

// move moves the descent by t·s.
func (n *newton) move(s []float64, t float64) {
	tasks := len(n.sum)
	for k, c := range n.columns {
		for i := range c.b {
			c.b[i] += float64(t * s[k*tasks+i])
		}
	}
	n.addTo(n.d.v, n.d.sum, s, t)
}
