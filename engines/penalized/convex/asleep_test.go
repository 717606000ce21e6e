package convex

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Along residuals that shrink and turn, no column sleeps whose gradient reaches the threshold; those that wake first, as many as are
// told, are those computed at the present residual; and most sleep on. Norms differ or not, and residuals are forgotten or not.
func TestAsleep(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 1))
		const rows, columns, steps = 40, 300, 60
		x, norms := make([][]float64, columns), make([]float64, columns)
		for j := range x {
			scale := 1.0
			if seed%2 == 0 {
				scale = math.Exp(2 * rng.NormFloat64())
			}
			square := 0.0
			for range rows {
				v := scale * rng.NormFloat64()
				x[j] = append(x[j], v)
				square += v * v
			}
			norms[j] = math.Sqrt(square)
		}
		x[7], norms[7] = make([]float64, rows), 0
		s := NewAsleep(norms, rows)
		if seed%3 == 0 {
			s.most = 3
		}
		r := make([]float64, rows)
		for i := range r {
			r[i] = rng.NormFloat64()
		}
		gradient := func(j int32) float64 { _, g := products(x[j], r); return math.Abs(g) }
		readAt, read, level := make([]int, columns), 0, 0.0
		for j := range int32(columns) {
			level = max(level, gradient(j))
		}
		s.MoveTo(r, level)
		for j := range int32(columns) {
			s.Put(j, gradient(j))
		}
		for step := 1; step <= steps; step++ {
			for i := range r {
				r[i] = 0.97*r[i] + 0.004*rng.NormFloat64()
			}
			level *= 0.97
			s.MoveTo(r, level)
			for _, threshold := range []float64{level, 0.95 * level} {
				woken, exact := s.Wake(nil, threshold)
				for k, j := range woken {
					if (readAt[j] == step) != (k < exact) {
						t.Fatalf("seed %d, step %d: column %d, computed at step %d, is number %d of %d computed now", seed, step, j, readAt[j], k, exact)
					}
					if readAt[j] != step {
						readAt[j] = step
						read++
					}
				}
				for j := range int32(columns) {
					if gradient(j) >= threshold && !slices.Contains(woken, j) {
						t.Fatalf("seed %d, step %d: column %d sleeps, its gradient is %v, the threshold %v", seed, step, j, gradient(j), threshold)
					}
				}
				for _, j := range woken {
					s.Put(j, gradient(j))
				}
			}
		}
		if read > steps*columns/2 {
			t.Errorf("seed %d: %d of %d gradients were computed", seed, read, steps*columns)
		}
	}
}

// Columns without a gradient sleep at a level so small that classes of gradients have no width, and wake at any threshold.
func TestAsleepWithoutWidth(t *testing.T) {
	t.Parallel()
	s := NewAsleep([]float64{1, 0}, 2)
	s.MoveTo([]float64{0, 0}, math.SmallestNonzeroFloat64)
	s.Put(0, 0)
	s.Put(1, 0)
	if woken, _ := s.Wake(nil, 1); len(woken) != 2 {
		t.Errorf("columns %v wake", woken)
	}
}
