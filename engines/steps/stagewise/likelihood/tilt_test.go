package likelihood

import (
	"math"
	"math/rand/v2"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/sparse"
	"testing"
)

func TestTilt(t *testing.T) {
	for _, p := range []float64{0, 1e-300, 1e-17, 0.3, 1 - 1e-16, 1} {
		for _, x := range []float64{-2000, -800, -40, -36, -1, 0, 1e-9, 1, 36, 40, 800, 2000} {
			after, others, log := newTilt(x).apply(p)
			if !(after >= 0 && after <= 1) || !(others >= 0) || log-log != 0 {
				t.Errorf("p %g, x %g: %v, %v, %v", p, x, after, others, log)
			}
			if math.Abs(x) <= 40 && p > 1e-17 && p < 1 && (p < 0.5 || math.Abs(x) > largeExponent) { // between them, 1 + p·(eˣ − 1) loses digits where p is nearly 1
				u := (1 - p) + p*math.Exp(x)
				oracle.Near(t, "p'", after, p*math.Exp(x)/u, 1e-12)
				oracle.Near(t, "1/u", others, 1/u, 1e-12)
				oracle.Near(t, "log u", log, math.Log(u), 1e-12)
			}
		}
	}
}

// The product of many factors is the sum of their logarithms, however large they are.
func TestNormaliser(t *testing.T) {
	const n = 3000
	rng := rand.New(rand.NewPCG(1, 2))
	y, ones := make([]float64, n), make([]float64, n)
	col := sparse.Vec{}
	for i := range y {
		ones[i] = 1
		col.Idx = append(col.Idx, int32(i))
	}
	fast, slow := newClassProbabilities(y, nil, 2), newClassProbabilities(y, ones, 2)
	for i := range y {
		p := rng.Float64()
		copy(fast.Row(i), []float64{1 - p, p})
		copy(slow.Row(i), []float64{1 - p, p})
	}
	for _, h := range []float64{-36, -3, -1e-6, 1e-6, 0.1, 36} {
		oracle.Near(t, "normaliser", fast.logNormalizerChange(col, 1, h), slow.logNormalizerChange(col, 1, h), 1e-11)
	}
}
