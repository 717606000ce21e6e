package concave

import (
	"math"
	"testing"
)

// The slope is the derivative of the value; a step goes to the minimum of what it is said to minimise, where the condition of a minimum
// holds; pieces end where slopes bend.
func TestPenalty(t *testing.T) {
	t.Parallel()
	for name, shape := range map[string]Shape{"MCP": MCP(1.5), "MCP, nearly lasso": MCP(40), "SCAD": SCAD(2.5), "SCAD, usual": SCAD(3.7)} {
		for _, l2 := range []float64{0, 0.3} {
			p := shape.At(0.8, l2)
			const h = 1e-6
			for at := 2 * h; at < 1.2*p.End; at += p.End / 97 {
				if got, want := p.Slope(at), (p.Value(at+h)-p.Value(at-h))/(2*h); !(math.Abs(got-want) <= 1e-5) {
					t.Errorf("%s: slope %v at %v, expected %v", name, got, at, want)
				}
			}
			if p.Slope(p.End) != 0 || p.Value(2*p.End) != p.Value(p.End) || !(math.Abs(p.Slope(p.Start)-0.8) <= 1e-15) {
				t.Errorf("%s: ends %+v", name, p)
			}
			for u := -2 * p.End; u < 2*p.End; u += p.End / 41 {
				value := func(b float64) float64 { return (b-u)*(b-u)/2 + l2/2*b*b + p.Value(math.Abs(b)) }
				b := p.Step(u)
				for other := -2 * p.End; other < 2*p.End; other += p.End / 301 {
					if value(other) < value(b)-1e-12 {
						t.Fatalf("%s: a step to %v from %v, and %v is better", name, b, u, other)
					}
				}
				if v := p.Violation(b, u-b); v > 1e-12 { // the gradient there
					t.Errorf("%s: a violation of %v after a step to %v from %v", name, v, b, u)
				}
			}
			for k, at := range []float64{0, p.Start, p.End, 1.01 * p.End} {
				if shape.Start == 0 && k == 1 { // its first piece is a point
					continue
				}
				if got := p.Piece(at); got != k || p.Piece(-at) != -k {
					t.Errorf("%s: %v is on piece %d, −%v on %d", name, at, got, at, p.Piece(-at))
				}
			}
		}
	}
}
