package proximal

import (
	"math"
	"slices"
)

// lastStep is the moves of a step, and the change of the margins by them.
type lastStep struct {
	index   []int // of the weights that moved, rising
	move    []float64
	margins []float64
}

// remember keeps the step of length t along the moves of work, whose weights rise.
func (l *lastStep) remember(work []Coordinate, margins []float64, t float64) {
	l.index, l.move, l.margins = l.index[:0], l.move[:0], l.margins[:0]
	for k := range work {
		if c := &work[k]; c.Move != 0 {
			l.index, l.move = append(l.index, c.Index), append(l.move, t*c.Move)
		}
	}
	for _, d := range margins {
		l.margins = append(l.margins, t*d)
	}
}

// movesOf returns the moves of the step by the weights of work; nil where another weight moved.
func (l *lastStep) movesOf(work []Coordinate) []float64 {
	moves, found := make([]float64, len(work)), 0
	for k := range work {
		if q, ok := slices.BinarySearch(l.index, work[k].Index); ok {
			moves[k] = l.move[q]
			found++
		}
	}
	if found < len(l.index) {
		return nil
	}
	return moves
}

// conjugate changes the moves to the combination of themselves and of the last step's that is best by the curvatures at the point, which those of a
// kept Hessian only resemble: steps become those of conjugate gradients that have this Hessian as their preconditioner (Concus, Golub & O'Leary,
// "A generalized conjugate gradient method for the numerical solution of elliptic partial differential equations", 1976). Weights that would change
// their signs stop at zero. Where a weight would move too far, moves stay as they are. O(weights · log + rows).
func (n *Newton) conjugate(work []Coordinate) {
	d := n.model.curvatures()
	if d == nil {
		return
	}
	last := n.last.movesOf(work)
	if len(n.last.index) == 0 || last == nil {
		last, n.last.margins = make([]float64, len(work)), make([]float64, len(d))
	}
	var slope, slopeOfLast, curve, between, curveOfLast float64
	for k := range work {
		c := &work[k]
		s := c.Gradient + float64(c.L2*c.Weight) + math.Copysign(c.L1, c.sign())
		slope += float64(s * c.Move)
		slopeOfLast += float64(s * last[k])
		curve += float64(c.L2 * c.Move * c.Move)
		between += float64(c.L2 * c.Move * last[k])
		curveOfLast += float64(c.L2 * last[k] * last[k])
	}
	for i, v := range d {
		a, b := n.marginChange[i], n.last.margins[i]
		curve += float64(v * a * a)
		between += float64(v * a * b)
		curveOfLast += float64(v * b * b)
	}
	a, b := -slope/curve, 0.0
	if det := float64(curve*curveOfLast) - float64(between*between); det > parallel*curve*curveOfLast {
		a = (float64(slopeOfLast*between) - float64(slope*curveOfLast)) / det
		b = (float64(slope*between) - float64(slopeOfLast*curve)) / det
	}
	n.combine(work, last, a, b)
}

// parallel is the share of the product of two squares by which that of the inner product falls short of it where two moves are next to parallel.
const parallel = 1e-6

// combine changes the moves to a times themselves and b times others, if that promises to lower the objective.
func (n *Newton) combine(work []Coordinate, others []float64, a, b float64) {
	before := make([]float64, len(work))
	promised, allowed := 0.0, true
	var stopped []int // where a weight would change its sign
	for k := range work {
		c := &work[k]
		sign, to := c.sign(), float64(a*c.Move)+float64(b*others[k])
		allowed = allowed && math.Abs(to) <= c.MaxMove
		if before[k], c.Move = c.Move, to; c.L1 > 0 && sign*(c.Weight+to) < 0 {
			stopped = append(stopped, k)
			c.Move, others[k] = -c.Weight, -c.Weight-to
		}
		promised += c.predictedChange()
	}
	if !(allowed && promised < 0) {
		for k := range work {
			work[k].Move = before[k]
		}
		return
	}
	for i, v := range n.marginChange {
		n.marginChange[i] = float64(a*v) + float64(b*n.last.margins[i])
	}
	for _, k := range stopped {
		work[k].X.AddTo(n.marginChange, others[k])
	}
}

// sign returns that of the weight, or of its move from zero.
func (c *Coordinate) sign() float64 {
	if c.Weight != 0 {
		return c.Weight
	}
	return c.Move
}
