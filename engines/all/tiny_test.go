package all

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// TestTinyColumns: a column of likelihoods, of which squares are subnormal or nothing, hinders no engine: it ends, and predicts numbers.
func TestTinyColumns(t *testing.T) {
	t.Parallel()
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []float64{1e-150, 1e-154, 1e-156, 1e-159, 1e-162, 1e-170} {
		rng := rand.New(rand.NewPCG(1, 47))
		x, y, class := make([][]float64, 42), make([]float64, 42), make([]float64, 42)
		for i := range x {
			x[i] = []float64{unit * rng.NormFloat64(), rng.NormFloat64()}
			if y[i] = x[i][1] + rng.NormFloat64(); y[i] > 0 {
				class[i] = 1
			}
		}
		for _, target := range []data.Target{enginetest.Real("y", y...), enginetest.Class("y", 2, class...)} {
			view := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), target), nil)
			for _, name := range set.Names() {
				if !set[name].Defaults().Needs().Takes(target.Type) {
					continue
				}
				ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
				m, err := smaller(set[name].Defaults()).Fit(ctx, engines.Run{Train: view, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1})
				stop()
				if errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%s of a column in %g: it does not end", name, unit)
				}
				if err != nil {
					continue // it needs other data
				}
				out := make([]float64, view.Len()*m.Outputs())
				m.Predict(out, view.Inputs())
				for i, v := range out {
					if math.IsNaN(v) {
						t.Errorf("%s of a column in %g: it predicts NaN, at %d", name, unit, i)
						break
					}
				}
			}
		}
	}
}
