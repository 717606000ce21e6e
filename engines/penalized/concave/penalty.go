// Package concave fits linear and two-class logistic models with penalties whose derivative falls as coefficients grow, so that large ones are
// left alone: MCP (Zhang 2010) and SCAD (Fan and Li 2001), with an L2 penalty beside them where alpha is below 1.
//
// A penalty is its value and its derivative (penalty.go; logsum_test.go is another one). approximation.go goes down in a loss with such a
// penalty, by lassos with other factors again and again; the losses, and the solvers of these lassos, are in the packages of
// targets.Reweighted problems: lasso (numbers and classes) and hazards. engine.go has the parameters. The objective has more than one
// minimum: which one is found, the path decides.
package concave

// Penalty is a penalty on t = |b| ≥ 0, the coefficient of a column of standard deviation 1, for rows of curvature 1. Its derivative is
// lambda at 0, and falls from there on or stays.
type Penalty interface {
	Value(t, lambda float64) float64      // 0 at t = 0
	Derivative(t, lambda float64) float64 // by t, from above; ≥ 0
	Concavity(lambda float64) float64     // the largest rate at which the derivative falls
}

// Clipped is a penalty whose derivative is lambda up to Start·lambda, falls at the rate Fall from there to End·lambda, where it is 0, and
// stays so.
//
//	MCP:  start 0, fall 1/γ, end γ
//	SCAD: start 1, fall 1/(γ−1), end γ
type Clipped struct{ Fall, Start, End float64 }

// MCP returns the minimax concave penalty, γ > 1.
func MCP(gamma float64) Clipped { return Clipped{Fall: 1 / gamma, End: gamma} }

// SCAD returns the smoothly clipped absolute deviation, γ > 2.
func SCAD(gamma float64) Clipped { return Clipped{Fall: 1 / (gamma - 1), Start: 1, End: gamma} }

// Value returns λt − Fall·(t − Start·λ)₊²/2, constant from End·λ on.
func (p Clipped) Value(t, lambda float64) float64 {
	t = min(t, float64(p.End*lambda))
	over := max(0, t-float64(p.Start*lambda))
	return float64(lambda*t) - float64(p.Fall*over*over/2)
}

// Derivative returns λ − Fall·(t − Start·λ)₊ below End·λ, else 0.
func (p Clipped) Derivative(t, lambda float64) float64 {
	if t >= float64(p.End*lambda) {
		return 0
	}
	return lambda - float64(p.Fall*max(0, t-float64(p.Start*lambda)))
}

// Concavity returns Fall, whatever lambda is.
func (p Clipped) Concavity(float64) float64 { return p.Fall }
