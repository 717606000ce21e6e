package group

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/penalized/lasso"
)

// TestFactorsAreLasso: with one task, blocks are columns, and the problem is that of the lasso with the same factors.
func TestFactorsAreLasso(t *testing.T) {
	t.Parallel()
	factor := []float64{0, 1, 2, 0.5, 1, 0, 1, 3}
	for _, levels := range []int{0, 2} {
		for seed := range uint64(4) {
			rng := rand.New(rand.NewPCG(seed, 5))
			var x [][]float64
			var y []float64
			for range 60 {
				row := make([]float64, len(factor))
				for j := range row {
					row[j] = rng.NormFloat64()
				}
				x = append(x, row)
				response := row[0] + row[1] - row[3] + rng.NormFloat64()
				if levels == 2 {
					response = map[bool]float64{true: 1}[response > 0.2]
				}
				y = append(y, response)
			}
			target := enginetest.Real("y", y...)
			if levels == 2 {
				target = enginetest.Class("y", 2, y...)
			}
			view := enginetest.Treated(enginetest.Dataset(enginetest.Matrix(x...), target), data.Treatment{Factor: factor})
			e := multi(defaults)
			e.Lambda, e.Tol = 2, 1e-9
			l := lasso.LassoKind.Defaults().(lasso.Lasso)
			l.Lambda, l.Tol = 2, 1e-11
			weights := func(e engines.Engine) []float64 {
				m, err := e.Fit(t.Context(), engines.Run{Train: view, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 2})
				if err != nil {
					t.Fatal(err)
				}
				if notes := m.(engines.Reporter).Fitted().Notes; len(notes) > 0 {
					t.Errorf("%T, seed %d: %s", e, seed, notes)
				}
				w := make([]float64, len(factor))
				for _, c := range m.Coefs() {
					if levels == 0 || c.Output == 1 {
						w[c.Feature] += c.Value
					}
				}
				return w
			}
			oracle.NearAll(t, fmt.Sprintf("%d levels, seed %d", levels, seed), weights(e), weights(l), 1e-4)
		}
	}
}

// TestUnits: units that are selected together are the groups, with a coefficient in all their columns or in none; a group has one factor.
func TestUnits(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 3))
	var x [][]float64
	var y []float64
	for range 80 {
		row := make([]float64, 7)
		for j := range row {
			row[j] = rng.NormFloat64()
		}
		x, y = append(x, row), append(y, row[0]+0.7*row[1]+rng.NormFloat64())
	}
	set := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...))
	treatment := data.Treatment{Unit: []int32{0, 0, 1, 1, 1, 2, 3}, Together: true}
	e := defaults
	e.Lambda = 12
	m, err := e.Fit(t.Context(), engines.Run{Train: enginetest.Treated(set, treatment), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(engines.ColumnsOf(m, 7)); got != "[0 1]" {
		t.Errorf("selected %s, expected the first unit", got)
	}
	treatment.Factor = []float64{1, 0, 1, 1, 1, 1, 1}
	_, err = e.Fit(t.Context(), engines.Run{Train: enginetest.Treated(set, treatment), Workers: 1})
	if err == nil || !strings.Contains(err.Error(), `columns "x0" and "x1" are selected together`) {
		t.Error(err)
	}
}
