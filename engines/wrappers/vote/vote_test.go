package vote

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/filters/univariate"
	"tenfold/engines/penalized/lasso"
	"tenfold/engines/ridge/leastsquares"
)

// TestOracle: rankings are joined as in the cases.
func TestOracle(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"rank_aggregate": checkJoined})
}

func checkJoined(t *testing.T, c oracle.Case) {
	var in struct{ Scores [][]*float64 }
	var options struct {
		Method  string
		Q       int
		Weights []float64
		Share   float64
	}
	var want struct {
		Scores   []float64
		Selected []int32
	}
	c.Parts(t, &in, &options, &want)
	var rankings []positions
	for _, list := range in.Scores {
		scores := make([]float64, len(list))
		for j, s := range list {
			if scores[j] = math.NaN(); s != nil {
				scores[j] = *s
			}
		}
		rankings = append(rankings, place(scores))
	}
	e := Engine{Method: options.Method, Q: options.Q, Weights: options.Weights, Share: options.Share}
	scores, order := e.join(rankings)
	oracle.NearAll(t, "scores", scores, want.Scores, 1e-9)
	if !slices.Equal(order, want.Selected) {
		t.Errorf("selected %v, expected %v", order, want.Selected)
	}
}

// onReal is a vote of a filter and of a model, for numbers.
func onReal(method string) Engine {
	return Engine{
		Selectors: []engines.Engine{univariate.AnovaKind.Defaults(), lasso.LassoKind.Defaults()},
		Method:    method, Features: 4,
	}
}

// TestSuite: a vote keeps the laws of engines.
func TestSuite(t *testing.T) {
	for _, method := range []string{borda, votes} {
		t.Run(method, func(t *testing.T) { t.Parallel(); enginetest.Suite(t, onReal(method)) })
	}
}

// TestVoteOfOne: a single selector's own order comes out, and what it leaves out is left out.
func TestVoteOfOne(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	rows, y := make([][]float64, 60), make([]float64, 60)
	for i := range rows {
		rows[i] = []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), 3}
		y[i] = rows[i][1] + 3*rows[i][2] + rng.NormFloat64()
	}
	view := enginetest.View(enginetest.Dataset(enginetest.Matrix(rows...), enginetest.Real("y", y...)), nil)
	run := func() engines.Run { return engines.Run{Train: view, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1} }
	filter := univariate.AnovaKind.Defaults().(univariate.Anova)
	filter.Features = 0
	want, _, err := filter.Choose(t.Context(), run())
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{borda, median, reciprocal} {
		e := Engine{Selectors: []engines.Engine{filter}, Method: method}
		chosen, _, err := e.Choose(t.Context(), run())
		if err != nil {
			t.Fatal(err)
		}
		same := func(a, b engines.Coef) bool { return a.Feature == b.Feature && a.Rank == b.Rank }
		if !slices.EqualFunc(chosen, want, same) {
			t.Errorf("%s: %v, expected the order of %v", method, chosen, want)
		}
	}
}

// TestModelsAreRanked: a model that tells no order of entry is ranked by the sizes of its coefficients in deviations of their columns.
func TestModelsAreRanked(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	rows, y := make([][]float64, 80), make([]float64, 80)
	for i := range rows {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		rows[i] = []float64{a / 1000, b}
		y[i] = 3*a + b + 0.1*rng.NormFloat64()
	}
	view := enginetest.View(enginetest.Dataset(enginetest.Matrix(rows...), enginetest.Real("y", y...)), nil)
	scores, err := scoresBy(t.Context(), leastsquares.Ridge{Lambda: 1e-6, Scale: "none", Tol: 1e-10}, engines.Run{Train: view, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !(scores[0] > scores[1] && scores[1] > 0) {
		t.Errorf("scores %v, expected the first column before the second", scores)
	}
}
