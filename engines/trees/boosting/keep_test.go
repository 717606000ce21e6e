package boosting

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// Every tree may split on a column that is kept, whatever share of the others is drawn for it; kept columns are in every selection, besides as
// many others as are asked for.
func TestColumnsToKeep(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const columns, telling = 12, 7
	var x [][]float64
	var y []float64
	for i := range 80 {
		row := make([]float64, columns)
		for j := range row {
			row[j] = rng.NormFloat64()
		}
		row[telling] = float64(i % 2)
		x, y = append(x, row), append(y, row[telling]+0.1*rng.NormFloat64())
	}
	kept := func(kept ...int) *data.View {
		factor := slices.Repeat([]float64{1}, columns)
		for _, j := range kept {
			factor[j] = 0
		}
		return enginetest.Treated(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), data.Treatment{Factor: factor})
	}
	e := with(func(e *Boosted) { e.Trees, e.MaxDepth, e.ColumnShare = 6, 1, 0.1 })
	roots := func(v *data.View) (n int) {
		f, err := e.boost(t.Context(), runOn(v))
		if err != nil {
			t.Fatal(err)
		}
		for _, tree := range f.trees {
			if tree.Nodes[0].Column == telling {
				n++
			}
		}
		return n
	}
	if with, without := roots(kept(telling)), roots(kept()); with != e.Trees || without == e.Trees {
		t.Errorf("%d of %d trees split on the column kept, %d where it is not", with, e.Trees, without)
	}
	e.ColumnShare = 1
	for _, features := range []int{0, 1} {
		e.Features = features
		chosen, _, err := e.Choose(t.Context(), runOn(kept(2, 5)))
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, c := range chosen {
			got = append(got, c.Feature)
		}
		if !slices.Contains(got, 2) || !slices.Contains(got, 5) || !slices.Contains(got, telling) || features > 0 && len(got) != features+2 {
			t.Errorf("features %d: selected %v, expected the columns kept, 2 and 5, and others with %d", features, got, telling)
		}
		m, err := e.Fit(t.Context(), runOn(kept(2, 5)))
		if err != nil {
			t.Fatal(err)
		}
		if used := engines.ColumnsOf(m, columns); !slices.Contains(used, 2) || !slices.Contains(used, 5) {
			t.Errorf("features %d: the model has columns %v", features, used)
		}
	}
}
