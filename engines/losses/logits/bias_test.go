package logits

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines/enginetest"
)

// asked counts the looks at a context, of which every pass over the rows takes some.
type asked struct {
	context.Context
	times *int
}

func (a asked) Err() error {
	*a.times++
	return nil
}

// TestCentreEnds: where the last step is too small for the sum of the losses to show, the biases are taken for what the
// gradient says, and not halved on for ever. Weights make such sums, of which every term is rounded by itself.
func TestCentreEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, classes := range []int{2, 4} {
		for try := range 20 {
			n := 500 + 100*try
			rows, y, weight := make([][]float64, n), make([]int32, n), make([]float64, n)
			for i := range rows {
				rows[i], y[i], weight[i] = []float64{rng.NormFloat64()}, int32(rng.IntN(classes)), float64(1+rng.IntN(3))
			}
			p, err := New(enginetest.Matrix(rows...), y, weight, classes, FreeBias)
			if err != nil {
				t.Fatal(err)
			}
			times := 0
			ctx := asked{t.Context(), &times}
			pt := p.NewPoint(make([]float64, p.Width()))
			pt.optimizeFreeBiases(ctx, 1)
			if gradient := maxAbs(pt.biasGradient(ctx, p.free, 1)); gradient > 1e-11*p.Total() || math.IsNaN(pt.Loss) {
				t.Errorf("%d classes, %d rows: gradient %g of total weight %g", classes, n, gradient, p.Total())
			}
			if times > 150 {
				t.Errorf("%d classes, %d rows: %d looks at the context", classes, n, times)
			}
		}
	}
}
