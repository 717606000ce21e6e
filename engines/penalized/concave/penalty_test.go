package concave

import (
	"math"
	"testing"
)

// checkPenalty: the derivative is lambda at 0, that of the value, and falls by no more than the concavity.
func checkPenalty(t *testing.T, name string, p Penalty) {
	t.Helper()
	const lambda, h = 0.8, 1e-6
	if p.Value(0, lambda) != 0 || !(math.Abs(p.Derivative(0, lambda)-lambda) <= 1e-15) {
		t.Errorf("%s: value %v and derivative %v at 0", name, p.Value(0, lambda), p.Derivative(0, lambda))
	}
	for at := 2 * h; at < 10*lambda; at += lambda / 29 {
		now := p.Derivative(at, lambda)
		if want := (p.Value(at+h, lambda) - p.Value(at-h, lambda)) / (2 * h); !(math.Abs(now-want) <= 1e-5) {
			t.Errorf("%s: derivative %v at %v, expected %v", name, now, at, want)
		}
		if fall := (now - p.Derivative(at+h, lambda)) / h; now < 0 || !(fall >= 0) || !(fall <= p.Concavity(lambda)*(1+1e-6)) {
			t.Errorf("%s: the derivative %v at %v falls by %v, the concavity is %v", name, now, at, fall, p.Concavity(lambda))
		}
	}
}

// violation returns by how much a coefficient and the negative gradient of the loss there, for rows of curvature 1, miss the condition of a
// stationary point with an L2 penalty beside.
func violation(p Penalty, b, gradient, l1, l2 float64) float64 {
	if b == 0 {
		return max(0, math.Abs(gradient)-l1)
	}
	return math.Abs(gradient - l2*b - math.Copysign(p.Derivative(math.Abs(b), l1), b))
}

func TestPenalty(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]Clipped{"MCP": MCP(1.5), "MCP, nearly lasso": MCP(40), "SCAD": SCAD(2.5), "SCAD, usual": SCAD(3.7)} {
		checkPenalty(t, name, p)
		end := p.End * 0.8
		if p.Derivative(end, 0.8) != 0 || p.Value(2*end, 0.8) != p.Value(end, 0.8) || !(math.Abs(p.Derivative(p.Start*0.8, 0.8)-0.8) <= 1e-15) {
			t.Errorf("%s: start and end %+v", name, p)
		}
	}
}
