package proximal

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/dense"
)

// leap minimises the quadratic model over the weights of the working set that are not zero by conjugate gradients, and goes there
// as far as signs allow. With fixed signs the penalty is linear, so the objective falls along the whole line to that minimum. It
// helps where columns are nearly collinear and coordinate descent is slow.
type leap struct {
	coordinates []*Coordinate
	gradient    []float64 // of the model's loss at their moves
	// product sets h to the Hessian between the coordinates times p.
	product func(h, p []float64)
}

// keepsSign reports whether leaps move the weight.
func (c *Coordinate) keepsSign() bool { return c.Weight+c.Move != 0 && math.Abs(c.Move) < c.MaxMove }

// slope returns the derivative of the model with the penalty along a weight that is not zero, for the gradient of its loss.
func (c *Coordinate) slope(gradient float64) float64 {
	w := c.Weight + c.Move
	return gradient + float64(c.L2*w) + math.Copysign(c.L1, w)
}

// addedCurvature returns what the diagonal of the Hessian has beside the loss's.
func (c *Coordinate) addedCurvature() float64 { return max(0, c.MinCurvature-c.curvature) + c.L2 }

// changes returns those of the moves: to the end of the line, where weights that would pass zero, or their maxMove, stay there while the others go on
// to their minimum beside them, until none would. (Where columns nearly repeat each other, those stopped alone would leave the model
// higher than it was.) Where that does not lower the model it is the line until the first weight gets to zero or to its maxMove, and
// arrived is false, as after so many rounds. Between steps it looks whether ctx has ended. O(rounds · steps · a product).
func (l *leap) changes(ctx context.Context, steps int) (by []float64, arrived bool) {
	n := len(l.coordinates)
	slope, h := make([]float64, n), make([]float64, n)
	for k, c := range l.coordinates {
		slope[k] = c.slope(l.gradient[k])
	}
	by = make([]float64, n)
	held := make([]bool, n)
	var first []float64
	change := 0.0
	for range leapRounds {
		direction := l.minimize(ctx, steps, slope, held)
		if first == nil {
			first = slices.Clone(direction)
		}
		arrived = l.clip(direction, by, held)
		l.product(h, direction)
		for k, c := range l.coordinates {
			h[k] += float64(c.addedCurvature() * direction[k])
			change += float64(direction[k] * (slope[k] + float64(0.5*h[k])))
			slope[k] += h[k]
			by[k] += direction[k]
		}
		if arrived || ctx.Err() != nil {
			break
		}
	}
	if change <= 0 {
		return by, arrived
	}
	return l.stopFirst(first), false
}

const (
	leapRounds = 20    // of weights stopped, at most
	flat       = 1e-13 // share of the curvature that the diagonal gives a direction, below which its own is rounding
)

// minimize returns the way to the minimum over the weights not held by so many steps, given the slopes, preconditioned by the diagonal so
// that units of columns mean nothing.
func (l *leap) minimize(ctx context.Context, steps int, slope []float64, held []bool) (d []float64) {
	n := len(l.coordinates)
	d = make([]float64, n)
	r, p, h, diagonal := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	square := 0.0
	for k, c := range l.coordinates {
		diagonal[k] = max(c.curvature, c.MinCurvature) + c.L2
		if held[k] {
			continue
		}
		r[k] = -slope[k]
		p[k] = r[k] / diagonal[k]
		square += float64(r[k] * p[k])
	}
	least := 1e-6 * square
	for step := 0; step < steps && square > least && ctx.Err() == nil; step++ {
		l.product(h, p)
		curve, size := 0.0, 0.0
		for k, c := range l.coordinates {
			h[k] += float64(c.addedCurvature() * p[k])
			curve += float64(h[k] * p[k])
			size += float64(diagonal[k] * p[k] * p[k])
		}
		if !(curve > flat*size) {
			break
		}
		t, before := square/curve, square
		square = 0
		for k := range d {
			if held[k] {
				continue
			}
			d[k] += float64(t * p[k])
			r[k] -= float64(t * h[k])
			square += float64(r[k]*r[k]) / diagonal[k]
		}
		for k := range d {
			p[k] = r[k]/diagonal[k] + float64(square/before*p[k])
		}
	}
	return d
}

// clip shortens the way from the changes so far of weights that would pass zero, or their maxMove, and holds them there. It reports
// whether there was none.
func (l *leap) clip(direction, by []float64, held []bool) (none bool) {
	none = true
	for k, c := range l.coordinates {
		if held[k] {
			continue
		}
		to := max(-c.MaxMove, min(c.MaxMove, c.Move+by[k]+direction[k]))
		if w := c.Weight + c.Move; (w > 0) != (c.Weight+to > 0) {
			to = -c.Weight
		}
		if to != c.Move+by[k]+direction[k] {
			direction[k] = to - c.Move - by[k]
			held[k], none = true, false
		}
	}
	return none
}

// stopFirst returns the changes until the first weight gets to zero, or to its maxMove.
func (l *leap) stopFirst(direction []float64) (by []float64) {
	t, last := 1.0, -1 // the weight that ends the way at zero
	for k, c := range l.coordinates {
		w := c.Weight + c.Move
		if s := -w / direction[k]; s >= 0 && s < t {
			t, last = s, k
		}
		if s := (math.Copysign(c.MaxMove, direction[k]) - c.Move) / direction[k]; s >= 0 && s < t {
			t, last = s, -1
		}
	}
	by = make([]float64, len(direction))
	for k, d := range direction {
		by[k] = float64(t * d)
	}
	if last >= 0 {
		c := l.coordinates[last]
		by[last] = -c.Weight - c.Move
	}
	return by
}

// leapSteps returns how many steps a leap takes after one that did, or did not, arrive: most signs are final where they do.
func leapSteps(steps int, arrived bool) int {
	if arrived {
		return min(2*steps, maxLeapSteps)
	}
	return max(steps/2, sweepsBeforeLeap)
}

// leap moves the weights by conjugate gradients with the Hessian. O(steps · weights²).
func (g *hessian) leap(ctx context.Context, steps int) (arrived bool) {
	var places []int
	l := leap{}
	for a, c := range g.active {
		if c.keepsSign() {
			places = append(places, g.place[a])
			l.coordinates, l.gradient = append(l.coordinates, c), append(l.gradient, g.gradient[g.place[a]])
		}
	}
	sums := make([]float64, len(g.h))
	l.product = func(h, p []float64) { // column by column: sums wait for each of their additions
		clear(sums)
		for j, b := range places {
			dense.AddTo(sums, g.h[b], g.scale*p[j])
		}
		for k, a := range places {
			h[k] = sums[a]
		}
	}
	by, arrived := l.changes(ctx, steps)
	for k, p := range places {
		g.updateGradient(p, by[k])
		l.coordinates[k].add(by[k])
	}
	return arrived
}

// add changes the move; what goes to zero goes there exactly.
func (c *Coordinate) add(by float64) {
	if c.Move += by; math.Abs(c.Weight+c.Move) <= 1e-15*math.Abs(c.Weight) {
		c.Move = -c.Weight
	}
}

// leap moves the weights by conjugate gradients through columns: the model is linear in moves, so a product is what its gradient changes by.
// O(steps · entries).
func (d *descent) leap(ctx context.Context, active []*Coordinate, steps int) (arrived bool) {
	l := leap{}
	var last []float64 // change of the gradient since expandAt
	for _, c := range active {
		if c.keepsSign() {
			change := d.model.gradient(c.X, c.Block)
			l.coordinates, l.gradient, last = append(l.coordinates, c), append(l.gradient, c.Gradient+change), append(last, change)
		}
	}
	tried := make([]float64, len(last)) // what the model's weights have moved by
	l.product = func(h, p []float64) {
		for k, c := range l.coordinates {
			d.model.update(c.X, c.Block, p[k])
			tried[k] += p[k]
		}
		for k, c := range l.coordinates {
			now := d.model.gradient(c.X, c.Block)
			h[k], last[k] = now-last[k], now
			d.entriesVisited += float64(2 * c.X.Len())
		}
	}
	by, arrived := l.changes(ctx, steps)
	for k, c := range l.coordinates {
		d.model.update(c.X, c.Block, by[k]-tried[k])
		c.add(by[k])
	}
	return arrived
}
