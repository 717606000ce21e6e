package all_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/all"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/wrappers/stability"
)

// useAll are the engines that do not select, and so keep what they are to keep; or use nothing.
var useAll = []string{"mean", "majority", "mkl", "svm", "maxent"}

// TestKeptColumns: every engine that says that it keeps columns has a column without any meaning in its model, alone and where halves
// select; and of those that the halves select, it is none.
func TestKeptColumns(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 8))
	const kept, columns = 3, 12
	var x [][]float64
	var y []float64
	for range 80 {
		row := make([]float64, columns)
		for j := range row {
			row[j] = float64(rng.IntN(2))
		}
		level := 0.0
		if row[0]+row[1]+row[2]+rng.NormFloat64() > 1.5 {
			level = 1
		}
		x, y = append(x, row), append(y, level)
	}
	factor := slices.Repeat([]float64{1}, columns)
	factor[kept] = 0
	view := func(target data.Target) *data.View {
		set := enginetest.Dataset(enginetest.Matrix(x...), target)
		class := make([]int32, columns)
		set.Features = set.Features.WithClasses(class, []string{"all"})
		return enginetest.Treated(set, data.Treatment{Factor: factor})
	}
	seen := 0
	set, err := all.Engines()
	if err != nil {
		t.Fatal(err)
	}
	for name, kind := range set {
		e := kind.Defaults()
		if !e.Needs().Keeps || slices.Contains(useAll, name) || name == "group-lasso" { // whose only group would need one factor
			continue
		}
		target := enginetest.Class("y", 2, y...)
		switch e.Needs().Target {
		case data.Real:
			target = enginetest.Real("y", y...)
		case data.Survival:
			times := make([]float64, len(y))
			for i, v := range y {
				times[i] = 1 + v
			}
			target = enginetest.Survival("y", times...)
		}
		seen++
		v := view(target)
		run := func() engines.Run {
			return engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1}
		}
		m, err := e.Fit(t.Context(), run())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := engines.ColumnsOf(m, columns); !slices.Contains(got, kept) {
			t.Errorf("%s: the model has columns %v, expected %d among them", name, got, kept)
		}
		if e.Needs().Sizes.Limit == "" {
			continue
		}
		options := stability.Wrapper.Kind.Defaults().(stability.Options)
		options.Q, options.Threshold, options.Draws = 3, 0.9, 5
		stable := stability.Wrapper.Wrap(e, options).(stability.Engine)
		chosen, _, err := stable.Choose(t.Context(), run())
		if err != nil {
			t.Errorf("%s, stable: %v", name, err)
			continue
		}
		at := slices.IndexFunc(chosen, func(c engines.Coef) bool { return c.Feature == kept })
		if at < 0 || chosen[at].Score != 0 || chosen[at].Rank >= 0 {
			t.Errorf("%s, stable: chosen %+v, expected column %d among them, without rank and score", name, chosen, kept)
		}
	}
	if seen < 15 {
		t.Errorf("%d engines keep columns", seen)
	}
}
