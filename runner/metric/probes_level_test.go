package metric

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/filters/univariate"
	drawn "tenfold/engines/prepare/probes"
)

// The share of mistakes that permuted probes estimate is above the true share, by less than as much again,
// where columns are independent; where they go with each other it says nothing of columns that merely go with true ones.
func TestProbesEstimateMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("200 data sets")
	}
	t.Parallel()
	const rows, columns, matter, draws, selected = 120, 60, 8, 100, 12
	matters := map[int]bool{}
	for j := range matter {
		matters[j*columns/matter] = true
	}
	for _, rho := range []float64{0, 0.8} {
		var estimated, off []float64
		for draw := range draws {
			rng := rand.New(rand.NewPCG(9, uint64(draw)))
			x, y := make([][]float64, rows), make([]float64, rows)
			for i := range x {
				x[i] = make([]float64, columns)
				for j := range x[i] {
					x[i][j] = rng.NormFloat64()
					if j > 0 {
						x[i][j] = rho*x[i][j-1] + math.Sqrt(1-rho*rho)*x[i][j]
					}
				}
				for j := range matter {
					y[i] += 0.6 * x[i][j*columns/matter]
				}
				y[i] += rng.NormFloat64()
			}
			v, err := drawn.Rule{Kind: drawn.Permuted, Share: 1}.Beside(enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), nil), uint64(draw))
			if err != nil {
				t.Fatal(err)
			}
			e := univariate.Anova{Keep: univariate.Keep{Features: selected, Percentile: 100, Alpha: 1}, Ridge: univariate.Ridge{Ridge: 1}}
			chosen, _, err := e.Choose(t.Context(), engines.Run{Train: v, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			p := &Probes{Columns: columns, Probes: v.Probes().Number}
			wrong, real := 0.0, 0.0
			for _, c := range chosen {
				p.Chosen = append(p.Chosen, Chosen{Probe: v.Probes().Has(c.Feature), Rank: c.Rank, Score: c.Score})
				if !v.Probes().Has(c.Feature) {
					if real++; !matters[c.Feature] {
						wrong++
					}
				}
			}
			fdp := valueOf(t, "probe_fdp", &Outcome{Probes: p})
			estimated, off = append(estimated, fdp), append(off, fdp-wrong/real)
		}
		mean, _ := meanOf(estimated)
		bias, se := meanOf(off)
		truth := mean - bias
		t.Logf("correlation %v: estimated %.3f, true %.3f, difference %.3f ± %.3f", rho, mean, truth, bias, se)
		switch {
		case rho == 0 && (bias < -3*se || mean > 2*truth):
			t.Errorf("independent columns: estimated %v, true %v", mean, truth)
		case rho > 0 && !(mean < truth/2):
			t.Errorf("columns that go with each other: estimated %v, true %v; expected far less", mean, truth)
		}
	}
}

func meanOf(v []float64) (mean, se float64) {
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		se += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(se / float64(len(v)-1) / float64(len(v)))
}
