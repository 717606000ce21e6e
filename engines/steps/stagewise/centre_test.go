package stagewise

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// TestColumnsFarFromZero: of measurements, where zero is makes no difference to a class. A third column has mostly zeros, a fourth
// zeros and ones: these stay as they are.
func TestColumnsFarFromZero(t *testing.T) {
	const rows = 300
	rng := rand.New(rand.NewPCG(3, 1))
	x, levels := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		a, b, rare, bit := rng.NormFloat64(), rng.NormFloat64(), 0.0, float64(rng.IntN(2))
		if i%7 == 0 {
			rare = 2.5
		}
		x[i] = []float64{a, b, rare, bit}
		switch s := a - b + bit - 0.5 + rng.NormFloat64()/2; {
		case s > 0.7:
			levels[i] = 2
		case s > 0:
			levels[i] = 1
		}
	}
	for _, n := range []int{2, 3} {
		y := make([]float64, rows)
		for i := range y {
			y[i] = min(levels[i], float64(n-1))
		}
		fit := func(far float64) (engines.Model, []float64) {
			moved := make([][]float64, rows)
			for i, row := range x {
				moved[i] = []float64{row[0] + far, 8 * (row[1] - far), row[2], row[3]}
			}
			view := viewOf(t, enginetest.Dataset(enginetest.Matrix(moved...), enginetest.Class("y", n, y...)))
			e := Kind.Defaults().(Stagewise)
			e.Epsilon, e.MaxIter = 0.02, 400
			if err := e.Validate(); err != nil {
				t.Fatal(err)
			}
			m, err := e.Fit(context.Background(), engines.Run{Train: view, Rand: rand.New(rand.NewPCG(5, 6)), Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			p := make([]float64, rows*n)
			m.Predict(p, view.Inputs())
			return m, p
		}
		m, want := fit(1)
		_, got := fit(1024)
		for i := range want {
			if !(math.Abs(got[i]-want[i]) <= 1e-6) {
				t.Fatalf("%d levels: row %d has the score %v, %v where the columns are near zero", n, i/n, got[i], want[i])
			}
		}
		coefs := m.Coefs()
		right := 0
		for i := range rows {
			best := 0
			for c := range n {
				if want[i*n+c] > want[i*n+best] {
					best = c
				}
			}
			if float64(best) == y[i] {
				right++
			}
		}
		if len(coefs) < 3 || right < rows*7/10 {
			t.Errorf("%d levels: %d coefficients, %d of %d rows right", n, len(coefs), right, rows)
		}
	}
}
