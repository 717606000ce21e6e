// Package concave fits linear and two-class logistic models with penalties whose derivative falls as coefficients grow, so that large ones are
// left alone: MCP (Zhang 2010) and SCAD (Fan and Li 2001), with an L2 penalty beside them where alpha is below 1.
//
// A penalty is its value and its derivative (penalty.go). approximation.go goes down in a loss with such a penalty, by lassos with other
// factors again and again; the losses, and the solvers of these lassos, are in the packages of targets.Reweighted problems: lasso (numbers and
// classes) and hazards. engine.go has the parameters. The objective has more than one minimum: which one is found, the path decides.
package concave

import "math"

// Shape is a penalty on t = |b| ≥ 0, in units of the threshold l1: its derivative is l1 up to start, falls by concavity from there
// to end, where it is 0, and stays so.
//
//	MCP:  start 0, concavity 1/γ, end γ
//	SCAD: start 1, concavity 1/(γ−1), end γ
type Shape struct{ Concavity, Start, End float64 }

// MCP returns the minimax concave penalty, γ > 1.
func MCP(gamma float64) Shape { return Shape{Concavity: 1 / gamma, End: gamma} }

// SCAD returns the smoothly clipped absolute deviation, γ > 2.
func SCAD(gamma float64) Shape { return Shape{Concavity: 1 / (gamma - 1), Start: 1, End: gamma} }

// Penalty is a Shape at a strength: l1 and l2 are those of one row of curvature 1.
type Penalty struct {
	L1, L2, Concavity, Start, End float64
}

// At returns the penalty at a strength.
func (s Shape) At(l1, l2 float64) Penalty {
	return Penalty{l1, l2, s.Concavity, float64(s.Start * l1), float64(s.End * l1)}
}

// Value returns the penalty without its L2 part.
func (p Penalty) Value(t float64) float64 {
	t = min(t, p.End)
	over := max(0, t-p.Start)
	return float64(p.L1*t) - float64(p.Concavity*over*over/2)
}

// Slope returns the derivative of the penalty without its L2 part.
func (p Penalty) Slope(t float64) float64 {
	if t >= p.End {
		return 0
	}
	return p.L1 - float64(p.Concavity*max(0, t-p.Start))
}

// Step returns argmin ½(b − u)² + l2/2·b² + penalty(|b|), which is unique since 1 + l2 exceeds the concavity.
func (p Penalty) Step(u float64) float64 {
	t := math.Abs(u)
	if t <= p.L1 {
		return 0
	}
	b := (t - p.L1) / (1 + p.L2)
	if b > p.Start {
		if b = (t - p.L1 - float64(p.Concavity*p.Start)) / (1 + p.L2 - p.Concavity); b > p.End {
			b = t / (1 + p.L2)
		}
	}
	return math.Copysign(b, u)
}

// Piece returns the piece of the penalty that a coefficient is on: of constant derivative, of falling derivative, or of none.
// Pieces of both signs differ.
func (p Penalty) Piece(b float64) int {
	sign, t := 1, b
	if b < 0 {
		sign, t = -1, -b
	}
	switch {
	case t == 0:
		return 0
	case t <= p.Start:
		return sign
	case t <= p.End:
		return 2 * sign
	}
	return 3 * sign
}

// Violation returns the violation of a coefficient's optimality condition, given the gradient of the loss, both divided by n·v.
func (p Penalty) Violation(b, gradient float64) float64 {
	if b == 0 {
		return max(0, math.Abs(gradient)-p.L1)
	}
	return math.Abs(p.Residual(b, gradient))
}

// Residual returns minus the derivative of the objective by a coefficient other than 0, divided by n·v.
func (p Penalty) Residual(b, gradient float64) float64 {
	return gradient - float64(p.L2*b) - math.Copysign(p.Slope(math.Abs(b)), b)
}
