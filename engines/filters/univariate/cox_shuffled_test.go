package univariate

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/survival"
	"tenfold/engines/penalized/hazards"
)

// Of times that do not depend on the columns, models of all kinds order unseen rows no better than chance.
func TestShuffledTimes(t *testing.T) {
	t.Parallel()
	cox := func(change func(*hazards.Cox)) hazards.Cox {
		e := hazards.CoxKind.Defaults().(hazards.Cox)
		change(&e)
		return e
	}
	for name, e := range map[string]engines.Engine{
		"cox-filter": coxFilter(func(e *CoxFilter) { e.Features = 5 }),
		"ridge":      cox(func(e *hazards.Cox) { e.Lambda, e.Lambda2 = 0, 10 }),
		"lasso":      cox(func(e *hazards.Cox) { e.Ratio = 0.5 }),
		"random":     subset.RandomKind.Defaults(),
	} {
		rng := rand.New(rand.NewPCG(5, 24))
		const draws, rows, columns = 60, 60, 80
		mean, squares := 0.0, 0.0
		for range draws {
			var x [][]float64
			var times []float64
			events := make([]int8, rows)
			var train, test []int32
			for i := range rows {
				row := make([]float64, columns)
				for j := range row {
					row[j] = rng.NormFloat64()
				}
				x, times, events[i] = append(x, row), append(times, math.Ceil(20*rng.ExpFloat64())), int8(min(1, rng.IntN(4)))
				if i%2 == 0 {
					train = append(train, int32(i))
				} else {
					test = append(test, int32(i))
				}
			}
			set := timed(x, times, events)
			m, err := e.Fit(t.Context(), engines.Run{Train: enginetest.View(set, train), Rand: rng, Workers: 1})
			if err != nil {
				t.Fatal(name, ": ", err)
			}
			unseen := enginetest.View(set, test)
			risk := make([]float64, len(test))
			m.Predict(risk, unseen.Inputs())
			_, later := unseen.Target(0)
			c := survival.Concordance(later, unseen.Events(0), risk, nil, nil)
			mean += c / draws
			squares += c * c / draws
		}
		if se := math.Sqrt((squares - mean*mean) / (draws - 1)); !(math.Abs(mean-0.5) <= 4*se) || se > 0.03 {
			t.Errorf("%s: concordance %.3f ± %.3f of times that nothing tells of", name, mean, se)
		}
	}
}
