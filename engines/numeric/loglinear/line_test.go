package loglinear

import (
	"math"
	"slices"
	"testing"
)

// G, its derivatives by differences, and both ways of computing them.
func TestLine(t *testing.T) {
	for _, binary := range []bool{true, false} {
		l := sample(11, binary, 3)
		p := l.problem(t)
		cands, fs, w := l.features(p, 12)
		s := started(p)
		var buf Buffer
		for k := range 10 {
			s.Add(cands[k], w[k], &buf)
		}
		before := s.Recount()
		for _, c := range cands[10:20] {
			line := s.Line(c, &Buffer{})
			for _, a := range []float64{-3, -0.1, 0, 0.7, 6} {
				want := l.logLik(append(slices.Clone(fs[:10]), c.Feature), append(slices.Clone(w[:10]), a)) - before
				near(t, "G", line.Value(a), want, 1e-11)
				const h = 1e-5
				slope, curve := line.Derivatives(a)
				near(t, "G'", slope, (line.Value(a+h)-line.Value(a-h))/(2*h), 1e-6)
				up, _ := line.Derivatives(a + h)
				down, _ := line.Derivatives(a - h)
				near(t, "−G''", curve, (down-up)/(2*h), 1e-6)
			}
			if line.x == nil { // the other way, with a value of one everywhere
				slow := line
				slow.x = slices.Repeat([]float64{1}, len(line.p))
				near(t, "G, slowly", slow.Value(2), line.Value(2), 1e-13)
			}
			for _, a := range []float64{-1000, 1000} {
				slope, curve := line.Derivatives(a)
				if v := line.Value(a); v != v || slope != slope || curve != curve {
					t.Errorf("at %v: %v %v %v", a, v, slope, curve)
				}
			}
		}
	}
}

// A line over terms of the caller's is the state's line.
func TestNewLine(t *testing.T) {
	for _, binary := range []bool{true, false} {
		l := sample(6, binary, 3)
		p := l.problem(t)
		cands, fs, w := l.features(p, 6)
		s := started(p)
		if err := s.Set(background, cands, w); err != nil {
			t.Fatal(err)
		}
		row := make([]float64, p.Classes)
		for k, c := range cands {
			col := p.Col(c.Column)
			var probability, mult []float64
			for _, i := range col.Idx {
				s.Probabilities(row, int(i))
				probability = append(probability, row[c.Class])
				if m := p.Mult(int(i)); m != 1 {
					mult = append(mult, m)
				}
			}
			got, want := NewLine(c, probability, mult, col.Val), s.Line(c, &Buffer{})
			a, b := got.Derivatives(0.3)
			x, y := want.Derivatives(0.3)
			if !(math.Abs(a-x) <= 1e-12) || !(math.Abs(b-y) <= 1e-12) || !(math.Abs(got.Value(0.3)-want.Value(0.3)) <= 1e-12) {
				t.Errorf("%v: slope %v, %v, value %v; want %v, %v, %v", fs[k], a, b, got.Value(0.3), x, y, want.Value(0.3))
			}
		}
	}
}

// Products of many factors stay within the range of numbers.
func TestLineOfManyRows(t *testing.T) {
	p := make([]float64, 5000)
	for k := range p {
		p[k] = 0.2 + 0.6*float64(k%7)/6
	}
	line := Line{e: 2000, n: 5000, p: p}
	for _, a := range []float64{-6, -1, 1, 6} {
		want := 2000 * a
		for _, q := range p {
			want -= math.Log1p(q * math.Expm1(a))
		}
		near(t, "G", line.Value(a), want, 1e-10)
	}
}
