package all

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// TestSignsOfThePositiveClass: of two classes, a model with one coefficient a column has it for the positive class, which is the second
// (source.Positive): above 0 where larger values make it likelier.
func TestSignsOfThePositiveClass(t *testing.T) {
	t.Parallel()
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	const rows, columns = 60, 4
	rng := rand.New(rand.NewPCG(7, 7))
	x, level := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = make([]float64, columns)
		for j := range x[i] {
			x[i][j] = rng.NormFloat64()
		}
		if x[i][0]+rng.NormFloat64()/2 > 0 {
			level[i] = 1
		}
	}
	for _, name := range set.Names() {
		e := smaller(set[name].Defaults())
		target := enginetest.Class("y", 2, level...)
		if !e.Needs().Takes(target.Type) {
			continue
		}
		v := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), target), nil)
		m, err := e.Fit(t.Context(), engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1})
		if err != nil {
			continue // it takes other columns
		}
		seen, first := map[int]bool{}, math.NaN()
		for _, c := range m.Coefs() {
			seen[c.Output] = true
			if c.Feature == 0 {
				first = c.Value
			}
		}
		if len(seen) == 1 && (!seen[1] || first < 0) {
			t.Errorf("%s: the column that goes with the positive class, the second, has the coefficient %g of the class %v", name, first, seen)
		}
	}
}
