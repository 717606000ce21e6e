package tune

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/survival"
	"tenfold/engines/penalized/hazards"
	"tenfold/runner/inner"
)

// The canary of survival targets: with times drawn at random, Cox regression tuned inside the training rows orders rows that it has not
// seen no better than chance. A screen that sees them does.
func TestCanarySurvival(t *testing.T) {
	t.Parallel()
	const rows, columns = 120, 2000
	rng := rand.New(rand.NewPCG(9, 10))
	dense, times := make([][]float64, rows), make([]float64, rows)
	for i := range dense {
		dense[i] = make([]float64, columns)
		for j := range dense[i] {
			dense[i][j] = rng.NormFloat64()
		}
		times[i] = rng.ExpFloat64()
	}
	v := enginetest.View(enginetest.Dataset(enginetest.Matrix(dense...), enginetest.Survival("t", times...)), nil)
	innerFolds, err := inner.Divide(t.Context(), engines.Run{Train: v}, engines.InnerFolds{K: 5, Repeats: 2}, 5)
	if err != nil {
		t.Fatal(err)
	}
	concordance := func(e engines.Engine, narrow []int32) (mean float64) {
		for _, p := range innerFolds {
			train, test := p.Views(v)
			if narrow != nil {
				train, test = train.Narrow(narrow), test.Narrow(narrow)
			}
			m, err := e.Fit(t.Context(), engines.Run{Train: train, Rand: random(1), Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			risk := make([]float64, test.Len())
			m.Predict(risk, test.Inputs())
			_, at := test.Target(0)
			mean += survival.Concordance(at, test.Events(0), risk, nil, nil) / float64(len(innerFolds))
		}
		return mean
	}
	var candidates []Candidate
	for _, ratio := range []float64{0.9, 0.7, 0.5, 0.3} {
		cox := hazards.CoxKind.Defaults().(hazards.Cox)
		cox.Ratio = ratio
		candidates = append(candidates, Candidate{Engine: cox})
	}
	honest := Engine{Candidates: candidates, Options: Options{InnerFolds: engines.InnerFolds{K: 3, Repeats: 1}, Choose: chooseBest}}
	if got := concordance(honest, nil); !(math.Abs(got-0.5) <= 0.1) {
		t.Errorf("shuffled times: concordance %.3f, expected chance", got)
	}

	var leaked []int32 // columns that all rows, test rows among them, speak for
	for j := range columns {
		along := 0.0
		for i := range dense {
			along += (1 - times[i]) * dense[i][j]
		}
		if along > 2*math.Sqrt(rows) {
			leaked = append(leaked, int32(j))
		}
	}
	ridge := hazards.CoxKind.Defaults().(hazards.Cox)
	ridge.Lambda, ridge.Lambda2 = 0, 10
	if got := concordance(ridge, leaked); got < 0.65 {
		t.Errorf("screening on all rows: concordance %.3f; the canary would not notice", got)
	}
}
