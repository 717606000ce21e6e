package loglinear

import (
	"math"
	"slices"
	"testing"

	"tenfold/engines/enginetest"
)

// tables are the ways to keep a state.
func tables(p *Problem) map[string]*State {
	states := map[string]*State{
		"dense":   {p: p, t: newDense(p.Rows(), p.Classes), loglik: p.Uniform()},
		"touched": {p: p, t: newTouched(p.Rows(), p.Classes), loglik: p.Uniform()},
	}
	for _, s := range states {
		must(0, s.t.uniform(background))
	}
	return states
}

// A state follows the definition, feature by feature, for few classes (z is summed) and many (it moves).
func TestState(t *testing.T) {
	for _, classes := range []int{1, 3, resum + 5} {
		for _, binary := range []bool{true, false} {
			l := sample(7, binary, classes)
			p := l.problem(t)
			cands, fs, w := l.features(p, 8)
			for name, s := range tables(p) {
				var buf Buffer
				n := min(len(fs), 40)
				for k := range n {
					was := make([][]float64, p.Rows())
					for i := range was {
						was[i] = make([]float64, classes)
						s.Probabilities(was[i], i)
					}
					changed := 0
					s.AddWatched(cands[k], w[k], &buf, func(i int, before, after []float64) {
						now := make([]float64, classes)
						s.Probabilities(now, i)
						if !slices.Equal(before, was[i]) || !slices.Equal(after, now) {
							t.Errorf("row %d: told %v to %v", i, before, after)
						}
						changed++
					})
					if changed != p.Col(fs[k].Column).Len() {
						t.Errorf("told of %d rows", changed)
					}
				}
				want := l.logLik(fs[:n], w[:n])
				near(t, name+": followed", s.LogLik(), want, 1e-11)
				near(t, name+": recounted", s.Recount(), want, 1e-12)
				if err := s.Set(background, cands[:3], w[:3]); err != nil {
					t.Fatal(err)
				}
				near(t, name+": set", s.LogLik(), l.logLik(fs[:3], w[:3]), 1e-12)
			}
		}
	}
}

// Weights whose sum is beyond the range of e^x do no harm as long as the differences of classes are not.
func TestStateRange(t *testing.T) {
	x := enginetest.Matrix([]float64{1}, []float64{1})
	p, err := New(background, x, []int32{0, 1}, nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range tables(p) {
		var buf Buffer
		for range 30 {
			for y := range int32(3) {
				s.Add(p.Count(Feature{0, y}), 90+float64(y), &buf)
			}
		}
		for range 60 {
			for y := range int32(3) {
				s.Add(p.Count(Feature{0, y}), -90, &buf)
			}
		}
		got := make([]float64, 3)
		s.Probabilities(got, 0)
		z := 1 + math.Exp(30) + math.Exp(60)
		for y, want := range []float64{1 / z, math.Exp(30) / z, math.Exp(60) / z} {
			near(t, name, got[y]/want, 1, 1e-9)
		}
	}
}

// TestManyClassesFall moves one class far up and down again: z must not keep what was rounded off when it was large.
func TestManyClassesFall(t *testing.T) {
	const classes = resum + 72
	for up := 1.0; up <= 8; up++ {
		dense := newDense(1, classes)
		if err := dense.uniform(background); err != nil {
			t.Fatal(err)
		}
		for range int(up) {
			dense.multiply(0, 0, math.Exp(10))
		}
		for down := 1.0; down <= up; down++ {
			dense.multiply(0, 0, math.Exp(-10))
			var got [1]float64
			dense.share(got[:], []int32{0}, 1)
			if want := 1 / (classes - 1 + math.Exp(10*(up-down))); !(math.Abs(got[0]-want) <= 1e-9*want) {
				t.Errorf("%v up, %v down: another class has %v, expected %v", up, down, got[0], want)
			}
		}
	}
}

// A state takes 8 bytes a row and, up to a limit, a class.
func TestBytes(t *testing.T) {
	for _, c := range []struct {
		rows, classes int
		want          int64
	}{{0, 3, 32}, {10, 3, 320}, {1000, 45, 368_000}, {100_000_000, 1000, 2_400_000_000}} {
		if got := Bytes(c.rows, c.classes); got != c.want {
			t.Errorf("%d rows of %d classes: %d bytes, want %d", c.rows, c.classes, got, c.want)
		}
	}
}
