package proximal

import (
	"context"
	"math"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// Coordinate is a weight that a step may move.
type Coordinate struct {
	Index        int // number of the weight in State.W
	X            sparse.Vec
	Block        int
	L1, L2       float64 // its penalty: none for a free bias
	Weight       float64 // at the point that the model is expanded at
	Gradient     float64 // of the loss there
	MinCurvature float64 // lower bound of the curvature, which vanishes where the model is certain of all rows
	MaxMove      float64 // bound of |move|: the trust radius over the column's largest entry
	curvature    float64 // of the quadratic model along the weight
	Move         float64 // change of the weight so far
}

// Violation returns by how much the weight breaks its optimality condition where the loss has the given partial derivative: with that of the L2
// penalty it has to be −L1·sign(w), or within ±L1 where w is zero.
func (c *Coordinate) Violation(gradient float64) float64 {
	w := c.Weight + c.Move
	gradient += float64(c.L2 * w)
	switch {
	case w > 0:
		return math.Abs(gradient + c.L1)
	case w < 0:
		return math.Abs(gradient - c.L1)
	}
	return max(0, math.Abs(gradient)-c.L1)
}

// minimize returns the step to the coordinate's minimum of the model with the penalty, at most maxMove long, the others fixed.
func (c *Coordinate) minimize(gradient float64) float64 {
	w := c.Weight + c.Move
	h := max(c.curvature, c.MinCurvature) + c.L2
	by := elementary.SoftThreshold(w-(gradient+float64(c.L2*w))/h, c.L1/h) - w
	return max(-c.MaxMove-c.Move, min(c.MaxMove-c.Move, by))
}

// descent minimises the quadratic model of the loss plus the penalty by cyclic coordinate descent over the working set.
type descent struct {
	model          quadraticModel
	coordinates    []Coordinate
	entriesVisited float64 // of columns gone through so far
}

const (
	sweepTolerance    = 0.1  // share of the initial violations at which sweeps through columns end,
	hessianTolerance  = 1e-3 // and those with the Hessian
	maxSweeps         = 1000 // at most,
	maxHessianSweeps  = 200  // and with the Hessian
	sweepsBeforeLeap  = 10   // before conjugate gradients; also the least number of their steps
	maxLeapSteps      = 200  // and the largest
	expectedSweeps    = 8    // that a descent is expected to take
	entryCost         = 16   // of a column in a sweep, in elements of the Hessian
	maxHessianWeights = 2048 // a Hessian of more would take over 32 MB
)

// HessianBytes is the most that a Hessian takes.
const HessianBytes = 8 * maxHessianWeights * maxHessianWeights

// run cycles through the weights that are not zero or violate their conditions. Once the sweeps have visited as many entries as
// the Hessian of these weights would, it computes the Hessian, after which a sweep is cheap: the total is at most about twice
// that of the better choice. It returns the sum of violations at the start. Weights that it leaves unfinished are found by the
// next gradient over all columns.
func (d *descent) run(ctx context.Context) (start float64) {
	entries := 0.0
	active := make([]*Coordinate, len(d.coordinates))
	for k := range d.coordinates {
		active[k] = &d.coordinates[k]
		start += active[k].Violation(active[k].Gradient)
		entries += float64(active[k].X.Len())
	}
	if d.hessianPays(active, expectedSweeps*entries) {
		d.runWithHessian(ctx, active, start)
		return start
	}
	for _, c := range active {
		if ctx.Err() != nil {
			return start
		}
		c.curvature = d.model.curvature(c.X, c.Block)
	}
	steps := sweepsBeforeLeap
	for n := 1; n <= maxSweeps; n++ {
		var left float64
		left, active = d.sweep(ctx, active)
		if left <= sweepTolerance*start && d.remaining(active) <= sweepTolerance*start || ctx.Err() != nil {
			return start
		}
		if d.hessianPays(active, d.entriesVisited) {
			d.runWithHessian(ctx, active, start)
			return start
		}
		if n%sweepsBeforeLeap == 0 && !hessianSuits(active) { // else the Hessian will be there soon
			steps = leapSteps(steps, d.leap(ctx, active, steps))
		}
	}
	return start
}

// hessianPays reports whether computing the Hessian, where it suits, takes less than visiting so many entries.
func (d *descent) hessianPays(active []*Coordinate, entries float64) bool {
	n := float64(len(active))
	return hessianSuits(active) && d.model.hessianCost(active)+float64(8*n*n) <= entries
}

// hessianSuits reports whether a sweep with the Hessian would take less than one through the columns, whose entries are read and written at
// their rows, one by one; the Hessian's lie together.
func hessianSuits(active []*Coordinate) bool {
	entries := 0
	for _, c := range active {
		entries += c.X.Len()
	}
	return len(active) <= maxHessianWeights && len(active)*len(active) <= entryCost*entries
}

// remaining returns the sum of violations. A sweep sees that of each weight after the ones before it have moved: where two dense columns, or one and
// the column of ones, nearly repeat each other, the last one moves all gradients back. O(entries).
func (d *descent) remaining(active []*Coordinate) (sum float64) {
	for _, c := range active {
		sum += c.Violation(c.Gradient + d.model.gradient(c.X, c.Block))
		d.entriesVisited += float64(c.X.Len())
	}
	return sum
}

// sweep minimises over every weight once. It returns the sum of the violations of those that moved, and the weights that the
// next sweep visits: those that are not zero, have moved, or violated their conditions. Weights that moved to zero stay, so that all moves are in the
// gradient that the Hessian is begun with.
func (d *descent) sweep(ctx context.Context, active []*Coordinate) (left float64, on []*Coordinate) {
	on = active[:0]
	for _, c := range active {
		if ctx.Err() != nil {
			return left, on
		}
		gradient := c.Gradient + d.model.gradient(c.X, c.Block)
		over := c.Violation(gradient)
		d.entriesVisited += float64(c.X.Len())
		if by := c.minimize(gradient); by != 0 {
			left += over
			c.Move += by
			d.model.update(c.X, c.Block, by)
			d.entriesVisited += float64(c.X.Len())
		}
		if over > 0 || c.Weight+c.Move != 0 || c.Move != 0 {
			on = append(on, c)
		}
	}
	return left, on
}

// runWithHessian continues run with the Hessian of the active weights.
func (d *descent) runWithHessian(ctx context.Context, active []*Coordinate, start float64) {
	g := d.model.hessian(ctx, active)
	g.begin()
	steps, limit := sweepsBeforeLeap, hessianTolerance*start
	for n := 1; n <= maxHessianSweeps && ctx.Err() == nil; n++ {
		if g.solveSelected(ctx, limit/float64(len(active))) || g.sweep(limit) <= limit {
			return
		}
		if n%sweepsBeforeLeap == 0 {
			steps = leapSteps(steps, g.leap(ctx, steps))
		}
	}
}
