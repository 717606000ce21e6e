package l1

import (
	"context"
	"math"

	"tenfold/engines/sparse"
)

// coordinate is one weight of the working set.
type coordinate struct {
	number    int // of the weight
	x         sparse.Vec
	block     int
	l1, l2    float64 // its penalty: none for a free bias
	weight    float64 // where the model was made
	slope     float64 // of the loss there
	flat      float64 // the least curvature, so that rows which the model is certain of leave some
	limit     float64 // of the move
	curvature float64
	move      float64
}

// violation is how far a coordinate is from its condition at the minimum, for a slope of the loss: with that of the L2
// penalty it is −L1·sign(w), or within ±L1 where w is zero.
func (c *coordinate) violation(slope float64) float64 {
	w := c.weight + c.move
	slope += float64(c.l2 * w)
	switch {
	case w > 0:
		return math.Abs(slope + c.l1)
	case w < 0:
		return math.Abs(slope - c.l1)
	}
	return max(0, math.Abs(slope)-c.l1)
}

// step to the coordinate's minimum of the model with the penalty, the others staying, within the limit.
func (c *coordinate) step(slope float64) float64 {
	w := c.weight + c.move
	h := max(c.curvature, c.flat) + c.l2
	by := soft(w-(slope+float64(c.l2*w))/h, c.l1/h) - w
	return max(-c.limit-c.move, min(c.limit-c.move, by))
}

// soft thresholding: z, closer to zero by t.
func soft(z, t float64) float64 {
	switch {
	case z > t:
		return z - t
	case z < -t:
		return z + t
	}
	return 0
}

// descent minimises a model of the loss plus the penalty over some weights, one at a time.
type descent struct {
	model   quadratic
	all     []coordinate
	entries float64 // of columns gone through so far
}

const (
	nearly  = 0.1  // share of the violations at the start that is left when a pass goes through the columns,
	closely = 1e-3 // and when it goes through the Hessian
	passes  = 1000 // at most,
	rounds  = 200  // and with the Hessian
	settled = 10   // passes after which signs have mostly settled, and steps of a leap
	likely  = 8    // a descent is expected to go through the columns so many times
	heavy   = 2048 // weights are too many for a Hessian: more than 32 MB
)

// run cycles through the weights that are not zero or violate their conditions. As soon as the passes have gone through as
// many entries as the Hessian of these weights takes, it is made, after which a pass costs next to nothing: the work is
// at most about twice what knowing beforehand would have cost. The moves of what it leaves behind are found by the next
// look at all slopes. It returns how much the weights violated their conditions together before.
func (d *descent) run(ctx context.Context) (start float64) {
	entries := 0.0
	active := make([]*coordinate, len(d.all))
	for k := range d.all {
		active[k] = &d.all[k]
		start += active[k].violation(active[k].slope)
		entries += float64(active[k].x.Len())
	}
	if d.worthwhile(active, likely*entries) {
		d.closely(ctx, active, start)
		return start
	}
	for _, c := range active {
		if ctx.Err() != nil {
			return start
		}
		c.curvature = d.model.curvature(c.x, c.block)
	}
	for range passes {
		var left float64
		if left, active = d.pass(ctx, active); left <= nearly*start || ctx.Err() != nil {
			return start
		}
		if d.worthwhile(active, d.entries) {
			d.closely(ctx, active, start)
			return start
		}
	}
	return start
}

// worthwhile tells whether the Hessian takes less than a number of entries gone through.
func (d *descent) worthwhile(active []*coordinate, entries float64) bool {
	n := float64(len(active))
	return n <= heavy && d.model.cost(active)+float64(8*n*n) <= entries
}

// pass steps along every weight once. It tells how much those that moved violated their conditions together, and which to
// go on with.
func (d *descent) pass(ctx context.Context, active []*coordinate) (left float64, on []*coordinate) {
	on = active[:0]
	for _, c := range active {
		if ctx.Err() != nil {
			return left, on
		}
		slope := c.slope + d.model.slope(c.x, c.block)
		over := c.violation(slope)
		d.entries += float64(c.x.Len())
		if by := c.step(slope); by != 0 {
			left += over
			c.move += by
			d.model.move(c.x, c.block, by)
			d.entries += float64(c.x.Len())
		}
		if over > 0 || c.weight+c.move != 0 {
			on = append(on, c)
		}
	}
	return left, on
}

// closely continues with the Hessian.
func (d *descent) closely(ctx context.Context, active []*coordinate, start float64) {
	g := newGram(active)
	d.model.fill(ctx, g)
	g.mirror()
	for a, c := range active {
		c.curvature = g.h[a][a]
		g.slope[a] += c.slope
		g.add(a, c.move)
	}
	for n := 1; n <= rounds && ctx.Err() == nil; n++ {
		if g.pass(closely*start) <= closely*start {
			return
		}
		if n%settled == 0 {
			g.leap(settled)
		}
	}
}
