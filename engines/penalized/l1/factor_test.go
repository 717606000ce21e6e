package l1_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"tenfold/engines/losses/logits"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/penalized/owlqn"
	"tenfold/engines/ridge/logistic"
)

// factored draws rows of numbers, classes that go with the first columns, and factors of which two are 0.
func factored(seed uint64, rows, levels int) (set *data.Dataset, x [][]float64, y []float64, factor []float64) {
	rng := rand.New(rand.NewPCG(seed, 5))
	factor = []float64{0, 1, 2, 0.5, 1, 0, 1, 3}
	for range rows {
		row := make([]float64, len(factor))
		for j := range row {
			row[j] = rng.NormFloat64()
		}
		x = append(x, row)
		y = append(y, float64(min(levels-1, int(math.Abs(row[0]+row[1]+row[3]+rng.NormFloat64())))))
	}
	return enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", levels, y...)), x, y, factor
}

// TestFactors: at the model that each engine finds, the derivative of the loss in the weight of a column is what its factor times the
// penalty lets it be, and 0 for a column without a penalty; and it says that it converged.
func TestFactors(t *testing.T) {
	t.Parallel()
	const c1, c2 = 1.5, 0.7
	objective := l1.Objective{C1: c1, C2: c2, Bias: string(logits.FreeBias)}
	stop := logits.Stopping{Tol: 1e-11, MaxIter: 10_000}
	for _, levels := range []int{2, 3} {
		for seed := range uint64(3) {
			set, x, y, factor := factored(seed, 60, levels)
			view := enginetest.Treated(set, data.Treatment{Factor: factor})
			owlqn := owlqn.OWLQNKind.Defaults().(owlqn.OWLQN)
			owlqn.Objective, owlqn.Stopping = objective, stop
			for name, of := range map[string]struct {
				engine engines.Engine
				c1     float64
			}{
				"l1": {l1.L1{Objective: objective, Stopping: stop}, c1}, "owl-qn": {owlqn, c1},
				"logistic": {logistic.Logistic{C2: c2, Bias: string(logits.FreeBias), Stopping: stop}, 0},
			} {
				m, err := of.engine.Fit(t.Context(), engines.Run{Train: view, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 2})
				if err != nil {
					t.Fatal(name, err)
				}
				what := fmt.Sprintf("%s, %d levels, seed %d", name, levels, seed)
				if notes := m.(engines.Reporter).Fitted().Notes; len(notes) > 0 {
					t.Errorf("%s: %s", what, notes)
				}
				scores, w := make([]float64, len(y)*levels), make([]float64, len(factor)*levels)
				m.Predict(scores, view.Inputs())
				for _, c := range m.Coefs() {
					w[c.Feature*levels+c.Output] = c.Value
				}
				for j, f := range factor {
					for class := range levels {
						if levels == 2 && class == 0 {
							continue
						}
						g, own := 0.0, w[j*levels+class]
						for i, row := range x {
							p := math.Exp(scores[i*levels+class])
							if int(y[i]) == class {
								p--
							}
							g += row[j] * p
						}
						g += c2 * f * own
						if own == 0 && !(math.Abs(g) <= of.c1*f+1e-3) || own != 0 && !(math.Abs(g+math.Copysign(of.c1*f, own)) <= 1e-3) {
							t.Errorf("%s, column %d, class %d, factor %v: weight %v, derivative %v", what, j, class, f, own, g)
						}
					}
				}
			}
		}
	}
}

// TestFactorsOfLargest: from the largest penalty on, just the columns without one have weights.
func TestFactorsOfLargest(t *testing.T) {
	t.Parallel()
	set, _, _, factor := factored(9, 60, 3)
	view := enginetest.Treated(set, data.Treatment{Factor: factor})
	for ratio, want := range map[float64]bool{1: false, 0.98: true} {
		e := l1.L1{Objective: l1.Objective{C1: 1, Ratio: ratio, Bias: string(logits.FreeBias)}, Stopping: logits.Stopping{Tol: 1e-10, MaxIter: 200}}
		m, err := e.Fit(t.Context(), engines.Run{Train: view, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		others, kept := 0, 0
		for _, j := range engines.ColumnsOf(m, len(factor)) {
			if factor[j] == 0 {
				kept++
			} else {
				others++
			}
		}
		if kept != 2 || (others > 0) != want {
			t.Errorf("c1_ratio %v: %d kept columns and %d others have weights", ratio, kept, others)
		}
	}
}

// TestFreeSeparate: columns without a penalty that tell the classes apart leave nothing to select by.
func TestFreeSeparate(t *testing.T) {
	t.Parallel()
	set := enginetest.Dataset(enginetest.Matrix([]float64{1, 0}, []float64{2, 1}, []float64{-1, 1}, []float64{-3, 0}), enginetest.Class("y", 2, 1, 1, 0, 0))
	_, err := l1.L1Kind.Defaults().Fit(t.Context(), engines.Run{
		Train: enginetest.Treated(set, data.Treatment{Factor: []float64{0, 1}}), Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1,
	})
	if err == nil || !strings.Contains(err.Error(), "tell the classes of all rows apart") {
		t.Error(err)
	}
}
