package all

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/penalized/dual"
	"tenfold/engines/penalized/hazards"
)

// countWeights are engines that take a weight for so many equal rows.
var countWeights = []string{
	"adaptive-lasso", "ando-zhang", "cox", "elastic-net", "forward-stepwise", "group-lasso", "l0", "l1", "l1-dual", "lars", "lasso", "linear-svm", "logistic", "mcp", "mdl", "multitask-lasso", "ols",
	"owl-qn", "random", "relaxed-lasso", "ridge", "scad", "slope", "svm",
}

// TestWeightsAreRows: of linear models, a row with the weight of two is the row twice, but for what the stopping rules leave.
func TestWeightsAreRows(t *testing.T) {
	t.Parallel()
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	const rows, columns = 36, 5
	rng := rand.New(rand.NewPCG(6, 6))
	draw := func(target data.Type) (once, twice *data.View) {
		var x, x2 [][]float64
		var y, y2, weight []float64
		var events, events2 []int8
		for i := range rows {
			row := make([]float64, columns)
			for j := range row {
				row[j] = rng.NormFloat64()
			}
			v, event := row[0]-row[1]+rng.NormFloat64(), int8(min(1, i%5))
			switch {
			case target == data.Survival:
				v = math.Exp(-v)
			case target == data.Class && v > 0:
				v = 1
			case target == data.Class:
				v = 0
			}
			n := 1 + i%2
			x, y, events, weight = append(x, row), append(y, v), append(events, event), append(weight, float64(n))
			for range n {
				x2, y2, events2 = append(x2, row), append(y2, v), append(events2, event)
			}
		}
		view := func(x [][]float64, y []float64, events []int8, weight []float64) *data.View {
			response := enginetest.Real("y", y...)
			switch target {
			case data.Class:
				response = enginetest.Class("y", 2, y...)
			case data.Survival:
				response = data.Target{Name: "y", Type: data.Survival, Values: y, Events: events}
			}
			d := enginetest.Dataset(enginetest.Matrix(x...), response)
			d.Features = d.Features.WithClasses([]int32{0, 1, 0, 1, 0}, []string{"even", "odd"})
			d.Weight = weight
			return enginetest.View(d, nil)
		}
		return view(x, y, events, weight), view(x2, y2, events2, nil)
	}
	for _, target := range []data.Type{data.Real, data.Class, data.Survival} {
		once, twice := draw(target)
		for _, name := range countWeights {
			e := set[name].Defaults()
			if cox, ok := e.(hazards.Cox); ok { // of events at one time, Breslow's way knows weights alone
				cox.Ties = "breslow"
				e = cox
			}
			if p, ok := e.(engines.Pathed); ok && e.Needs().Inner { // inner folds divide rows, not weights
				e = p.AtValue(0.1)
			}
			if dual, ok := e.(dual.Dual); ok { // likewise
				dual.Ratio = 0.1
				e = dual
			}
			if name == "random" || name == "forward-stepwise" && target == data.Survival || !e.Needs().Takes(target) { // draws as many columns as rows say; has Efron's ties
				continue
			}
			scores := func(v *data.View) []float64 {
				m, err := e.Fit(t.Context(), engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1})
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				out := make([]float64, rows*m.Outputs())
				m.Predict(out, once.Inputs())
				return out
			}
			got, want := scores(once), scores(twice)
			size := slices.Max(want) - slices.Min(want)
			for i := range want {
				if !(math.Abs(got[i]-want[i]) <= 5e-3*size) {
					t.Errorf("%s of %s: score %d is %v, expected %v", name, target, i, got[i], want[i])
					break
				}
			}
		}
	}
}
