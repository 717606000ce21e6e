package logistic

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/sparse"
)

// wide is rows with many more columns, some entries of which are missing, the last row being the first once more.
func wide(t *testing.T, classes int, bias logits.Bias) *logits.Problem {
	const rows, columns = 30, 200
	rng := rand.New(rand.NewPCG(17, uint64(classes)))
	var b sparse.Builder
	var y []int32
	var weight []float64
	var first []float64
	var at []int32
	for i := range rows {
		var idx []int32
		var val []float64
		for j := range columns {
			if rng.IntN(5) > 0 {
				idx, val = append(idx, int32(j)), append(val, rng.NormFloat64()+float64(i%classes*(j%7)/4))
			}
		}
		if i == 0 {
			first, at = slices.Clone(val), slices.Clone(idx)
		}
		if i == rows-1 {
			val, idx = first, at
		}
		if err := b.Add(idx, val); err != nil {
			t.Fatal(err)
		}
		y, weight = append(y, int32(i%classes)), append(weight, float64(1+i%3))
	}
	p, err := logits.New(b.Matrix(columns), y, weight, classes, bias)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// In the rows' own axes the minimum is the one of the columns, with its proof, for every bias and penalty.
func TestRotatedIsTheSame(t *testing.T) {
	ctx := context.Background()
	for _, classes := range []int{2, 5} {
		for _, bias := range []logits.Bias{logits.NoBias, logits.FreeBias, logits.PenalizedBias} {
			for _, c2 := range []float64{100, 1, 0.01} {
				e := Logistic{C2: c2, Bias: string(bias), Stopping: logits.Stopping{Tol: 1e-9, MaxIter: 10_000}}
				p := wide(t, classes, bias)
				solve := func(s logits.Solver) (*logits.Point, logits.Outcome) {
					pt := p.NewPoint(nullWeights(p))
					if err := pt.OptimizeFree(ctx, 1); err != nil {
						t.Fatal(err)
					}
					out, err := s(ctx, pt, logits.Goal{Penalty: logits.Penalty{L2: c2}, Stopping: e.Stopping, Workers: 1})
					if err != nil {
						t.Fatal(err)
					}
					if out.Stop != "gap" || !(out.Relative() <= e.Tol) {
						t.Errorf("%d classes, bias %s, c2 %v: stop %q, gap %v", classes, bias, c2, out.Stop, out.Relative())
					}
					return pt, out
				}
				want, plain := solve(e.solveSmooth)
				got, turned := solve(rotated(e.solveSmooth))
				if i := len(turned.Facts) - 1; i < 0 || turned.Facts[i].Name != "axes" {
					t.Fatalf("%d classes: not solved in the rows' axes: %v", classes, turned.Facts)
				}
				if !(math.Abs(turned.Objective-plain.Objective) <= 2e-9*max(1, plain.Objective)) {
					t.Errorf("%d classes, bias %s, c2 %v: objective %v, want %v", classes, bias, c2, turned.Objective, plain.Objective)
				}
				for i, z := range want.Z {
					if !(math.Abs(got.Z[i]-z) <= 1e-2*max(1, math.Abs(z))) { // as far as the gap allows
						t.Errorf("%d classes, bias %s, c2 %v: margin %d is %v, want %v", classes, bias, c2, i, got.Z[i], z)
					}
				}
			}
		}
	}
}
