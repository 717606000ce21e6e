package lasso

import (
	"context"
	"math"
)

// solveSelected goes to the minimum over the coefficients that are not zero, as long as none changes its sign (package activeset), where that
// pays. It reports whether it moved.
func (d *descent) solveSelected(ctx context.Context) (moved bool) {
	if !d.solvePays() {
		return false
	}
	d.rounded = d.noise()
	return d.factor.Minimize(ctx, d, d.pen.L2)
}

// solvePays reports whether a solution for the selection takes hardly longer than two passes that move it all, or than the passes since the last
// time, which it then accounts for.
func (d *descent) solvePays() bool {
	selected := 0
	for q := range d.all {
		if d.all[q].beta != 0 {
			selected++
		}
	}
	if d.inner == nil || selected == 0 {
		return false
	}
	cost := d.factor.Cost(d, selected, d.pen.L2)
	if cost > d.spent+float64(2*selected*len(d.all)) {
		return false
	}
	d.spent = max(0, d.spent-cost)
	return true
}

// Places returns the number of columns in the working set.
func (d *descent) Places() int { return len(d.all) }

// Coefficient returns that at place q, and the weights of its penalties.
func (d *descent) Coefficient(q int) (value, l1, l2 float64) {
	c := &d.all[q]
	return c.beta, float64(c.l1Factor * d.pen.L1), float64(c.factor * d.pen.L2)
}

// Gradient returns G_k'r, k being the column at place q.
func (d *descent) Gradient(q int) float64 { return d.gradient(q) }

// Products sets dst[k] to the product of the columns at places[k] and q.
func (d *descent) Products(dst []float64, places []int, q int) {
	d.products = append(d.products[:0], make([]float64, len(d.all))...)
	d.inner.AddTo(d.products, 1, q)
	a := &d.all[q]
	for k, p := range places {
		b := &d.all[p]
		dst[k] = a.scale * b.scale * (d.products[p] - float64(a.total*b.total/d.g.N))
	}
}

// Square returns that of the column at place q.
func (d *descent) Square(q int) float64 { return d.all[q].norm }

// Negligible reports whether a derivative is rounding, or less than the descent goes for.
func (d *descent) Negligible(q int, derivative float64) bool {
	return math.Abs(derivative) <= max(d.least, rounding*d.pen.L1, d.rounded*math.Sqrt(d.all[q].norm))
}

// MoveTo moves the coefficient at place q, and the gradients.
func (d *descent) MoveTo(q int, value float64) {
	if c := &d.all[q]; value != c.beta {
		d.moveCoefficient(q, value-c.beta)
		c.beta = value // not what it was + (value − what it was)
	}
}
