package nonconvex

import "math"

// shape of a penalty on t = |b| ≥ 0, in units of the threshold l1: its slope is l1 up to start, falls by concavity from there to end,
// where it is 0, and stays so.
//
//	MCP:  start 0, concavity 1/γ, end γ
//	SCAD: start 1, concavity 1/(γ−1), end γ
type shape struct{ concavity, start, end float64 }

// penalty at a strength: l1 and l2 are those of one row of curvature 1.
type penalty struct {
	l1, l2, concavity, start, end float64
}

func (s shape) at(l1, l2 float64) penalty {
	return penalty{l1, l2, s.concavity, s.start * l1, s.end * l1}
}

// value of the penalty without its L2 part.
func (p penalty) value(t float64) float64 {
	t = min(t, p.end)
	over := max(0, t-p.start)
	return float64(p.l1*t) - float64(p.concavity*over*over/2)
}

// slope of the penalty without its L2 part.
func (p penalty) slope(t float64) float64 {
	if t >= p.end {
		return 0
	}
	return p.l1 - float64(p.concavity*max(0, t-p.start))
}

// step is argmin ½(b − u)² + l2/2·b² + penalty(|b|), of which there is one since 1 + l2 exceeds the concavity.
func (p penalty) step(u float64) float64 {
	t := math.Abs(u)
	if t <= p.l1 {
		return 0
	}
	b := (t - p.l1) / (1 + p.l2)
	if b > p.start {
		if b = (t - p.l1 - float64(p.concavity*p.start)) / (1 + p.l2 - p.concavity); b > p.end {
			b = t / (1 + p.l2)
		}
	}
	return math.Copysign(b, u)
}

// piece is which part of the penalty a coefficient is on: of a constant slope, a falling one, or none. Pieces of both signs differ.
func (p penalty) piece(b float64) int {
	sign, t := 1, b
	if b < 0 {
		sign, t = -1, -b
	}
	switch {
	case t == 0:
		return 0
	case t <= p.start:
		return sign
	case t <= p.end:
		return 2 * sign
	}
	return 3 * sign
}

// violation of the condition of a coefficient by the gradient of the loss, both divided by n·v.
func (p penalty) violation(b, gradient float64) float64 {
	if b == 0 {
		return max(0, math.Abs(gradient)-p.l1)
	}
	return math.Abs(p.residual(b, gradient))
}

// residual is minus the derivative of the objective by a coefficient that is not 0, divided by n·v.
func (p penalty) residual(b, gradient float64) float64 {
	return gradient - float64(p.l2*b) - math.Copysign(p.slope(math.Abs(b)), b)
}
