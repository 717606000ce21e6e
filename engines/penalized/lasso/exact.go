package lasso

import (
	"context"
	"math"

	"tenfold/engines/numeric/dense"
)

// solveSelected goes to the minimum over the coefficients that are not zero, as long as none changes its sign: there the penalty is
// linear, and the minimum is that of a least-squares problem of as many unknowns,
//
//	(G_A'G_A + λ2·I)·δ = G_A'r − λ2·β_A − λ1·sign(β_A).
//
// Where a sign would change, it goes as far as the first coefficient that gets to zero, which leaves the selection, and on from
// there. Coordinate descent finds the selection in a few passes, and takes many for the rest where columns are correlated.
// O(selected³/6 + selected·places) each time. It reports whether it moved.
func (d *descent) solveSelected(ctx context.Context) (moved bool) {
	for d.solvePays() && ctx.Err() == nil {
		selected, h := d.selectedHessian()
		d.spent -= d.solveCost(len(selected))
		if !h.Factor(ctx) {
			return moved
		}
		step := make([]float64, len(selected))
		for k, q := range selected {
			c := &d.all[q]
			step[k] = d.gradient(q) - float64(d.pen.L2*c.factor*c.beta) - math.Copysign(c.l1Factor*d.pen.L1, c.beta)
		}
		h.Solve(step)
		share, first := 1.0, -1
		for k, q := range selected {
			if to := -d.all[q].beta / step[k]; to > 0 && to < share && d.all[q].l1Factor > 0 {
				share, first = to, k
			}
		}
		for k, q := range selected {
			c := &d.all[q]
			to := c.beta + float64(share*step[k])
			if c.l1Factor > 0 && (k == first || to*c.beta < 0 || math.Abs(to)*c.norm <= rounding*c.l1Factor*d.pen.L1) {
				to = 0
			}
			d.moveCoefficient(q, to-c.beta)
			c.beta = to
		}
		if moved = true; first < 0 {
			return moved
		}
	}
	return moved
}

// selectedHessian returns the places of the coefficients that are not zero, and G_A'G_A + λ2·I for these.
func (d *descent) selectedHessian() (places []int, h dense.Triangle) {
	for q := range d.all {
		if d.all[q].beta != 0 {
			places = append(places, q)
		}
	}
	h = dense.NewTriangle(len(places))
	products := make([]float64, len(d.all))
	for k, q := range places {
		clear(products)
		d.inner.AddTo(products, 1, q)
		a, row := &d.all[q], h.Row(k)
		for l, p := range places[:k] {
			b := &d.all[p]
			row[l] = a.scale * b.scale * (products[p] - float64(a.total*b.total/d.g.N))
		}
		row[k] = a.norm + float64(a.factor*d.pen.L2)
	}
	return places, h
}

// solvePays reports whether the passes since the last time took more than a solution for the selection does, which therefore at most
// doubles the work.
func (d *descent) solvePays() bool {
	selected := 0
	for q := range d.all {
		if d.all[q].beta != 0 {
			selected++
		}
	}
	return d.inner != nil && selected > 0 && d.solveCost(selected) <= d.spent
}

// solveCost returns about how many multiplications solveSelected takes.
func (d *descent) solveCost(selected int) float64 {
	n := float64(selected)
	return float64(n*n*n/6) + float64(3*n*float64(len(d.all)))
}
