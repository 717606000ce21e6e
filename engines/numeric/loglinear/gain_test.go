package loglinear

import (
	"math"
	"testing"
)

// The best weight is a zero of the slope, or an end.
func TestMaximise(t *testing.T) {
	for _, binary := range []bool{true, false} {
		l := sample(13, binary, 3)
		p := l.problem(t)
		cands, _, w := l.features(p, 14)
		s := started(p)
		var buf Buffer
		for k := range 12 {
			s.Add(cands[k], 3*w[k], &buf)
		}
		for _, lim := range []Limits{{Bound: 10}, {Bound: 0.2}, {Bound: 10, Variance: 0.5}, {Bound: math.Inf(1), Variance: 4}, {Bound: math.Inf(1), Variance: 1e6}} {
			for _, c := range cands {
				line := s.Line(c, &buf)
				a, gain := line.Maximise(lim)
				slope, curve := line.Derivatives(a)
				value := line.Value(a)
				if lim.Variance > 0 {
					slope -= a / lim.Variance
					curve += 1 / lim.Variance
					value -= a * a / (2 * lim.Variance)
				}
				near(t, "gain", gain, value, 1e-12)
				inside := math.Abs(slope) <= 1e-10*(curve+1)
				if !inside && !(a == lim.Bound && slope > 0) && !(a == -lim.Bound && slope < 0) || gain < 0 {
					t.Errorf("%+v, %+v: slope %v at %v, gain %v", lim, c, slope, a, gain)
				}
			}
		}
	}
	always := Line{e: 3, n: 3, p: []float64{0.2, 0.3, 0.9}}
	if a, gain := always.Maximise(Limits{Bound: 5}); a != 5 || !(gain > 0) {
		t.Errorf("always right: weight %v, gain %v", a, gain)
	}
	never := Line{e: 0, n: 3, p: []float64{0.2, 0.3, 0.9}}
	if a, gain := never.Maximise(Limits{Bound: 5}); a != -5 || !(gain > 0) {
		t.Errorf("never right: weight %v, gain %v", a, gain)
	}
	if a, gain := (Line{}).Maximise(Limits{Bound: 5}); a != 0 || gain != 0 {
		t.Errorf("no row: weight %v, gain %v", a, gain)
	}
}

func TestFirstGain(t *testing.T) {
	l := sample(17, true, 4)
	p := l.problem(t)
	s := started(p)
	for _, lim := range []Limits{{Bound: 10}, {Bound: 0.1}, {Bound: 10, Variance: 2}} {
		for _, c := range candidates(p, 1, true) {
			a, gain := s.Gain(c, lim, &Buffer{})
			b, first := p.FirstGain(c, lim)
			near(t, "weight", b, a, 1e-10)
			near(t, "gain", first, gain, 1e-11)
		}
	}
}
