package margin

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines/numeric/sparse"
)

// countedTexts returns counts of words, of two topics: some texts are a hundred times as long as others.
func countedTexts(rows, columns int) Problem {
	rng := rand.New(rand.NewPCG(8, 8))
	tilt := make([]float64, columns)
	for j := range tilt {
		tilt[j] = 0.5 * rng.NormFloat64()
	}
	p := Problem{C2: 1}
	var x sparse.Builder
	for range rows {
		sign := float64(2*rng.IntN(2) - 1)
		length := math.Exp(3.5 + float64(0.8*rng.NormFloat64()))
		var idx []int32
		var val []float64
		for j, t := range tilt {
			if n := math.Floor(length*math.Exp(sign*t)/float64(2*j+5) + rng.Float64()); n > 0 {
				idx, val = append(idx, int32(j)), append(val, n)
			}
		}
		if err := x.Add(idx, val); err != nil {
			panic(err)
		}
		p.Sign = append(p.Sign, sign)
	}
	p.X = x.Matrix(columns)
	return p
}

// TestFreeBiasOfTexts: where rows differ in length by two orders of magnitude, a free bias is found by passes alone, about twice as many
// as a penalised one takes.
func TestFreeBiasOfTexts(t *testing.T) {
	for _, loss := range []Loss{Hinge, SquaredHinge} {
		p := countedTexts(400, 800)
		p.Loss = loss
		passes := func(b Bias) int {
			p.Bias = b
			out := solved(t, p, Goal{Tol: 1e-4, MaxIter: 2000})
			if out.Stop != "gap" || out.Steps > 0 {
				t.Errorf("loss %d, bias %d: stops by %s after %d passes and %d steps", loss, b, out.Stop, out.Passes, out.Steps)
			}
			return out.Passes
		}
		penalized, free := passes(PenalizedBias), passes(FreeBias)
		t.Logf("loss %d: %d passes with a penalised bias, %d with a free one", loss, penalized, free)
		if free > 2*penalized+20 {
			t.Errorf("loss %d: %d passes with a free bias, %d with a penalised one", loss, free, penalized)
		}
	}
}
