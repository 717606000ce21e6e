package hazards

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
)

// factors is a problem whose columns follow a few factors, which shorten times: expressions of genes.
func factors(b *testing.B, rows, columns, few int) *data.View {
	rng := rand.New(rand.NewPCG(1, 20))
	loading := make([][]float64, few)
	for k := range loading {
		loading[k] = make([]float64, columns)
		for j := range loading[k] {
			loading[k][j] = rng.NormFloat64()
		}
	}
	var m sparse.Builder
	times, events, all := make([]float64, rows), make([]int8, rows), data.Numbers(columns)
	for i := range rows {
		row, risk := make([]float64, columns), 0.0
		for k := range loading {
			f := rng.NormFloat64()
			if k < 5 {
				risk += 0.5 * f
			}
			for j := range row {
				row[j] += f * loading[k][j]
			}
		}
		for j := range row {
			row[j] += rng.NormFloat64()
		}
		if err := m.Add(all, row); err != nil {
			b.Fatal(err)
		}
		times[i], events[i] = rng.ExpFloat64()*math.Exp(-risk), 1
		if c := 1.5 * rng.ExpFloat64(); c < times[i] {
			times[i], events[i] = c, 0
		}
	}
	d := enginetest.Dataset(m.Matrix(columns), data.Target{Name: "t", Type: data.Survival, Values: times, Events: events})
	return enginetest.View(d, nil)
}

// BenchmarkCoxGenes are paths of 100 penalties to a twentieth, or a hundredth, and a ridge.
func BenchmarkCoxGenes(b *testing.B) {
	for name, c := range map[string]struct {
		columns int
		change  func(*Cox)
	}{
		"lasso 300 x 20,000":      {20_000, func(e *Cox) { e.Steps, e.Ratio, e.Ties = 99, 0.05, breslow }},
		"elastic net 300 x 1,000": {1000, func(e *Cox) { e.Steps, e.Ratio, e.Alpha = 99, 0.01, 0.1 }},
		"ridge 300 x 1,000":       {1000, func(e *Cox) { e.Lambda, e.Lambda2 = 0, 100 }},
	} {
		b.Run(name, func(b *testing.B) {
			view, e := factors(b, 300, c.columns, 20), CoxKind.Defaults().(Cox)
			c.change(&e)
			for b.Loop() {
				if _, err := e.Fit(b.Context(), engines.Run{Train: view, Workers: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
