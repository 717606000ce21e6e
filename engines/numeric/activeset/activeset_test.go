package activeset

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
)

// literal is a Function with all that it says written out.
type literal struct {
	h       [][]float64
	c, b    []float64
	l1, l2  []float64
	settled float64
}

func (l *literal) Places() int { return len(l.h) }

func (l *literal) Coefficient(q int) (value, l1, l2 float64) { return l.b[q], l.l1[q], l.l2[q] }

func (l *literal) Gradient(q int) float64 { return l.c[q] - dense.Dot(l.h[q], l.b) }

func (l *literal) MoveTo(q int, value float64) { l.b[q] = value }

func (l *literal) Products(dst []float64, places []int, q int) {
	for k, p := range places {
		dst[k] = l.h[q][p]
	}
}

func (l *literal) Square(q int) float64 { return l.h[q][q] }

func (l *literal) Negligible(_ int, derivative float64) bool {
	return math.Abs(derivative) <= l.settled
}

func (l *literal) objective() (sum float64) {
	for q, b := range l.b {
		sum += float64(b*(dense.Dot(l.h[q], l.b)/2-l.c[q])) + float64(l.l1[q]*math.Abs(b)) + float64(l.l2[q]*b*b/2)
	}
	return sum
}

// sweep makes a pass of coordinate descent.
func (l *literal) sweep() {
	for q := range l.b {
		l.b[q] = elementary.SoftThreshold(l.Gradient(q)+float64(l.h[q][q]*l.b[q]), l.l1[q]) / (l.h[q][q] + l.l2[q])
	}
}

// draw returns a problem of columns of which some are equal, or sums of others; the first has no L1 penalty.
func draw(rng *rand.Rand, n int, ridge bool) *literal {
	x := make([][]float64, n)
	for j := range x {
		x[j] = make([]float64, n)
		for i := range x[j] {
			x[j][i] = rng.NormFloat64()
			switch {
			case j > 2 && j%4 == 0:
				x[j][i] = x[j-1][i] - x[j-2][i]
			case j > 2 && j%6 == 5:
				x[j][i] = x[j-3][i]
			}
		}
	}
	l := &literal{h: dense.ExtendGram(context.Background(), 1, nil, nil, x, nil), c: make([]float64, n), b: make([]float64, n), l1: make([]float64, n), l2: make([]float64, n), settled: 1e-12}
	y := make([]float64, n)
	for i := range y {
		y[i] = 3 * rng.NormFloat64()
	}
	for j := range x {
		l.c[j] = dense.Dot(x[j], y)
		if l.l1[j] = 0.5 + rng.Float64(); j == 0 {
			l.l1[j] = 0
		}
		if ridge {
			l.l2[j] = 0.1 + rng.Float64()
		}
	}
	return l
}

// From any selection the objective falls, none of the coefficients changes its sign, and those that are left have the minimum for their signs;
// with passes of coordinate descent between, the minimum over all is that of coordinate descent alone. One factor serves all penalties.
func TestMinimize(t *testing.T) {
	for seed := range uint64(16) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 2 + rng.IntN(24)
		l := draw(rng, n, seed%2 == 1)
		var f Factor
		for range 6 {
			for j := range l.l1 {
				l.l1[j] *= 0.7
			}
			for range 40 {
				before, start := slices.Clone(l.b), l.objective()
				moved := f.Minimize(t.Context(), l, float64(seed%2))
				end := l.objective()
				if !moved && !slices.Equal(before, l.b) || !(end <= start+1e-9*(1+math.Abs(start))) {
					t.Fatalf("seed %d: moved %v, from %v to %v", seed, moved, start, end)
				}
				for q, b := range l.b {
					if b*before[q] < 0 && l.l1[q] > 0 || before[q] == 0 && b != 0 && l.l1[q] > 0 {
						t.Fatalf("seed %d: coefficient %d from %v to %v", seed, q, before[q], b)
					}
					rest := l.Gradient(q) - float64(l.l2[q]*b) - math.Copysign(l.l1[q], b)
					if b != 0 && !(math.Abs(rest) <= 1e-7) {
						t.Fatalf("seed %d: coefficient %d is %v, derivative %v", seed, q, b, rest)
					}
				}
				l.sweep()
			}
			alone := *l
			alone.b = make([]float64, n)
			for range 10_000 {
				alone.sweep()
			}
			if got, want := l.objective(), alone.objective(); !(math.Abs(got-want) <= 1e-8*(1+math.Abs(want))) {
				t.Errorf("seed %d: objective %v, want %v", seed, got, want)
			}
		}
	}
}
