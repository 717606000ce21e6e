package group

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
)

// Products of columns with rows of several numbers, and sums of such rows, are those of the definition for any number of tasks, of columns
// with all entries and with some.
func TestRowsOfTasks(t *testing.T) {
	t.Parallel()
	const rows = 7
	rng := rand.New(rand.NewPCG(7, 7))
	for _, density := range []float64{1, 0.6} {
		for _, binary := range []bool{false, true} {
			x := enginetest.Random(4, rows, 3, density, binary)
			for tasks := 1; tasks <= 9; tasks++ {
				v, d, curve := make([]float64, rows*tasks), make([]float64, tasks), make([]float64, rows*tasks)
				for k := range v {
					v[k], curve[k] = rng.NormFloat64(), rng.Float64()
				}
				for k := range d {
					d[k] = rng.NormFloat64()
				}
				for j := range 3 {
					col, got := x.Col(j), make([]float64, tasks)
					want, plain, curved := make([]float64, tasks), slices.Clone(v), slices.Clone(v)
					for q, i := range col.Idx {
						for t := range tasks {
							at := int(i)*tasks + t
							want[t] += col.At(q) * v[at]
							plain[at] += col.At(q) * d[t]
							curved[at] += col.At(q) * curve[at] * d[t]
						}
					}
					dotRows(got, col, v)
					oracle.NearAll(t, "products", got, want, 1e-12)
					sum := slices.Clone(v)
					addRows(sum, col, d, nil)
					oracle.NearAll(t, "sums", sum, plain, 1e-12)
					copy(sum, v)
					addRows(sum, col, d, curve)
					oracle.NearAll(t, "curved sums", sum, curved, 1e-12)
				}
			}
		}
	}
}

// The smallest penalty that selects nothing is in units of the columns, however small these are.
func TestLambdaMaxOfSmallColumns(t *testing.T) {
	t.Parallel()
	largest := func(unit float64) float64 {
		rng := rand.New(rand.NewPCG(3, 3))
		var x [][]float64
		var y []float64
		for range 20 {
			row := []float64{unit * rng.NormFloat64(), unit * rng.NormFloat64()}
			x, y = append(x, row), append(y, rng.NormFloat64())
		}
		e := MultiTaskKind.Defaults().(Lasso)
		f, err := e.read(t.Context(), engines.Run{Train: enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), nil), Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		return f.lambdaMax
	}
	for _, unit := range []float64{1e-9, 1e9} {
		oracle.Near(t, "the smallest penalty that selects nothing", largest(unit)/unit, largest(1), 1e-9)
	}
}
