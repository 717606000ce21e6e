package l1

import (
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// Of rows that nearly all have a few common words, whose columns nearly repeat the column of ones, Newton steps get to the certificate in a few
// iterations: sweeps do not end while such columns move each other's gradients back.
func TestCommonWords(t *testing.T) {
	t.Parallel()
	const rows, words = 900, 3000
	rng := rand.New(rand.NewPCG(5, 5))
	x, y := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = make([]float64, words)
		y[i] = float64(i % 2)
		for j := range x[i] { // Zipf's law
			often := min(0.97, 20/float64(j+1))
			if j%7 == 3 {
				often *= 1 + 0.3*(y[i]-0.5)*float64(1-j%2*2)
			}
			if rng.Float64() < often {
				x[i][j] = 1
			}
		}
	}
	e := L1Kind.Defaults().(L1)
	m, err := e.Fit(t.Context(), engines.Run{Train: enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 2, y...)), nil), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if f := m.(engines.Reporter).Fitted(); f.Stop != "gap" || f.Iterations > 15 {
		t.Errorf("ended by %s after %d iterations, gap %.3g", f.Stop, f.Iterations, f.Certificate.Relative())
	}
}
