package lasso

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/dense"
)

// selectedFactor is the triangle R of the selected columns, R'R = G_A'G_A + λ2·F, which follows the selection along the path.
type selectedFactor struct {
	dense.Cholesky
	at []int   // places, by column of R
	in []bool  // by place: it is among these
	l2 float64 // λ2
}

// dependentBelow is the share of a column's square outside those in the factor up to which it depends on them.
const dependentBelow = 1e-11

// solveSelected goes to the minimum over the coefficients that are not zero, as long as none changes its sign: there the
// penalty is linear, and the minimum is that of a least-squares problem of as many unknowns,
//
//	(G_A'G_A + λ2·F)·δ = G_A'r − λ2·F·β_A − λ1·F·sign(β_A).
//
// Where a sign would change, it goes as far as the first coefficient that gets to zero, which leaves the selection, and on from
// there. Coordinate descent finds the selection in a few passes, and takes many for the rest where columns are correlated.
// O(selected²) for each that came or went, and O(selected·places). It tells whether it moved.
func (d *descent) solveSelected(ctx context.Context) (moved bool) {
	if !d.solvePays() {
		return false
	}
	f := &d.factor
	moved = d.factorSelected(ctx)
	places, before, rest := slices.Clone(f.at), make([]float64, len(f.at)), make([]float64, len(f.at))
	noise, settled := d.noise(), true
	for k, q := range places {
		c := &d.all[q]
		before[k] = c.beta
		rest[k] = d.gradient(q) - float64(d.pen.L2*c.factor*c.beta) - math.Copysign(c.l1Factor*d.pen.L1, c.beta)
		settled = settled && math.Abs(rest[k]) <= max(d.least, rounding*d.pen.L1, noise*math.Sqrt(c.norm))
	}
	if settled {
		return moved
	}
	for len(f.at) > 0 && ctx.Err() == nil {
		share := d.moveSelected(f.Solve(rest))
		if share == 1 {
			break
		}
		for k := len(f.at) - 1; k >= 0; k-- {
			if rest[k] *= 1 - share; d.all[f.at[k]].beta == 0 {
				f.remove(k)
				rest = slices.Delete(rest, k, k+1)
			}
		}
	}
	for k, q := range places {
		to := d.all[q].beta
		d.all[q].beta = before[k]
		d.moveTo(q, to)
		moved = moved || to != before[k]
	}
	return moved
}

// moveSelected moves the coefficients in the factor by a step, as far as none changes its sign, and returns which share of it that is.
func (d *descent) moveSelected(step []float64) (share float64) {
	share, first := 1.0, -1
	for k, q := range d.factor.at {
		if to := -d.all[q].beta / step[k]; to > 0 && to < share && d.all[q].l1Factor > 0 {
			share, first = to, k
		}
	}
	for k, q := range d.factor.at {
		c := &d.all[q]
		to := c.beta + float64(share*step[k])
		if c.l1Factor > 0 && (k == first || to*c.beta < 0 || math.Abs(to)*c.norm <= rounding*c.l1Factor*d.pen.L1) {
			to = 0
		}
		c.beta = to
	}
	return share
}

// factorSelected has the factor follow the selection, and tells whether that moved coefficients: of selected columns that depend on each
// other one leaves.
func (d *descent) factorSelected(ctx context.Context) (moved bool) {
	f := &d.factor
	if f.l2 != d.pen.L2 {
		*f = selectedFactor{l2: d.pen.L2}
	}
	for k := len(f.at) - 1; k >= 0; k-- {
		if d.all[f.at[k]].beta == 0 {
			f.remove(k)
		}
	}
	f.in = append(f.in, make([]bool, len(d.all)-len(f.in))...)
	products := make([]float64, len(d.all))
	for q := range d.all {
		for d.all[q].beta != 0 && !f.in[q] && ctx.Err() == nil {
			clear(products)
			d.inner.AddTo(products, 1, q)
			a, v := &d.all[q], make([]float64, len(f.at), len(f.at)+1)
			for k, p := range f.at {
				b := &d.all[p]
				v[k] = a.scale * b.scale * (products[p] - float64(a.total*b.total/d.g.N))
			}
			f.SolveTransposedFrom(v, v, 0)
			square := a.norm + float64(a.factor*d.pen.L2)
			if outside := square - dense.Dot(v, v); outside > dependentBelow*square {
				f.Append(v, outside)
				f.at, f.in[q] = append(f.at, q), true
				break
			}
			if moved = true; !d.slide(q, f.SolveUpper(v)) {
				break
			}
		}
	}
	return moved
}

// slide moves the coefficient at place q, of a column that is the combination of those in the factor with the given shares, and theirs so that
// the residual stays as it is, to where the penalty is less and the first of them is zero. It reports whether that is one of the factor, which
// then leaves it.
func (d *descent) slide(q int, shares []float64) bool {
	f := &d.factor
	rate := math.Copysign(d.all[q].l1Factor, d.all[q].beta)
	for k, p := range f.at {
		rate -= float64(shares[k] * math.Copysign(d.all[p].l1Factor, d.all[p].beta))
	}
	by, first := -d.all[q].beta, -1
	if rate*d.all[q].beta < 0 {
		by = math.Copysign(math.Inf(1), d.all[q].beta)
	}
	for k, p := range f.at {
		if to := d.all[p].beta / shares[k]; d.all[p].l1Factor > 0 && to*by > 0 && math.Abs(to) < math.Abs(by) {
			by, first = to, k
		}
	}
	if math.IsInf(by, 0) {
		return false // with columns that have no penalty
	}
	d.moveTo(q, d.all[q].beta+by)
	for k, p := range f.at {
		if k != first {
			d.moveTo(p, d.all[p].beta-float64(shares[k]*by))
		}
	}
	if first < 0 {
		d.moveTo(q, 0)
		return false
	}
	d.moveTo(f.at[first], 0)
	f.remove(first)
	return true
}

// moveTo moves the coefficient at place q, and the gradients.
func (d *descent) moveTo(q int, beta float64) {
	if c := &d.all[q]; beta != c.beta {
		d.moveCoefficient(q, beta-c.beta)
		c.beta = beta // not what it was + (beta − what it was)
	}
}

// remove column k.
func (f *selectedFactor) remove(k int) {
	f.Remove(k)
	f.in[f.at[k]] = false
	f.at = slices.Delete(f.at, k, k+1)
}

// solvePays tells whether a solution for the selection takes hardly longer than two passes that move it all, or than the passes since the last
// time.
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
	cost := d.solveCost(selected)
	if pays := cost <= d.spent+float64(2*selected*len(d.all)); !pays {
		return false
	}
	d.spent = max(0, d.spent-cost)
	return true
}

// solveCost returns about how many multiplications solveSelected takes.
func (d *descent) solveCost(selected int) float64 {
	f, came := &d.factor, selected
	for _, q := range f.at {
		if d.all[q].beta != 0 {
			came--
		}
	}
	went := len(f.at) - (selected - came)
	if f.l2 != d.pen.L2 {
		came, went = selected, 0
	}
	n := float64(selected)
	return n*n*(1+float64(came)/2+float64(went)) + float64(n*float64(len(d.all)))
}
