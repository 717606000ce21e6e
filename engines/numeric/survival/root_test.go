package survival

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The root keeps its digits where hazards differ by hundreds of orders of magnitude, and where rows have none at all beside the largest.
func TestRootOfFarHazards(t *testing.T) {
	for _, efron := range []bool{false, true} {
		for _, spread := range []float64{1, 30, 150, 300, 800} {
			rng := rand.New(rand.NewPCG(3, 4))
			times, events, weight := sample(rng, 40)
			l, err := NewLikelihood(times, events, weight, efron)
			if err != nil {
				t.Fatal(err)
			}
			eta, v := normal(rng, 40), normal(rng, 40)
			for i := range eta {
				eta[i] = float64(spread * eta[i] * eta[i] * -1)
			}
			if math.IsInf(l.Log(eta), 0) {
				continue
			}
			var p Point
			l.At(&p, eta)
			sorted, rooted, hv := make([]float64, 40), make([]float64, 40), make([]float64, 40)
			l.Sorted(sorted, v)
			l.NewRoot(&p).Product(rooted, sorted)
			l.HessianProduct(&p, hv, v)
			got, want := dot(rooted, rooted), dot(hv, v)
			if math.IsNaN(want) { // it may overflow
				want = got
			}
			if !(math.Abs(got-want) <= 1e-10*(1+math.Abs(want))) {
				t.Errorf("Efron %v, spread %v: %v, want %v", efron, spread, got, want)
			}
		}
	}
}
