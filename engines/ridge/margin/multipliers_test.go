package margin

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines/numeric/sparse"
)

// uneven is rows whose columns are about zero, of sizes that differ by a factor of spread, with signs that hardly depend on them.
func uneven(rows, columns int, spread float64) Problem {
	rng := rand.New(rand.NewPCG(3, 4))
	scale := make([]float64, columns)
	for j := range scale {
		scale[j] = math.Pow(spread, rng.Float64())
	}
	var b sparse.Builder
	p := Problem{Loss: Hinge, C2: 1}
	for range rows {
		idx, val, score := make([]int32, columns), make([]float64, columns), 0.0
		for j := range idx {
			v := rng.NormFloat64()
			score += v / float64(1+j)
			idx[j], val[j] = int32(j), v*scale[j]
		}
		if err := b.Add(idx, val); err != nil {
			panic(err)
		}
		p.Sign = append(p.Sign, math.Copysign(1, score+2*rng.NormFloat64()))
	}
	p.X = b.Matrix(columns)
	return p
}

// Where passes crawl, steps of the method of multipliers end at a minimum that is proved.
func TestMultipliers(t *testing.T) {
	for _, bias := range []Bias{NoBias, FreeBias, PenalizedBias} {
		p := uneven(300, 40, 100)
		p.Bias = bias
		s, err := NewSolver(p)
		if err != nil {
			t.Fatal(err)
		}
		out, err := s.Solve(context.Background(), Goal{Tol: 1e-7, MaxIter: 2000, Workers: 1, Rand: rand.New(rand.NewPCG(1, 2))})
		if err != nil {
			t.Fatal(err)
		}
		if out.Stop != "gap" || out.Steps == 0 || !(out.Relative() <= 1e-7) || out.Gap() < 0 {
			t.Errorf("bias %d: %q after %d passes and %d steps, gap %v", bias, out.Stop, out.Passes, out.Steps, out.Relative())
		}
	}
}

// A hinge for which passes crawl: 1,700 rows of 500 columns whose sizes differ by a factor of 50.
func BenchmarkHingeUneven(b *testing.B) {
	p := uneven(1700, 500, 50)
	p.Bias = FreeBias
	for b.Loop() {
		s, err := NewSolver(p)
		if err != nil {
			b.Fatal(err)
		}
		if out, err := s.Solve(context.Background(), Goal{Tol: 1e-4, MaxIter: 2000, Workers: 1, Rand: rand.New(rand.NewPCG(1, 2))}); err != nil || out.Stop != "gap" {
			b.Fatal(out.Stop, err)
		}
	}
}
