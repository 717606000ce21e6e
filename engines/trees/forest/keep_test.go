package forest

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// Every node looks at a column that is kept: where it tells all, each tree splits its root on it, however few columns a node draws. Kept
// columns are in every selection, besides as many others as are asked for, also those that tell nothing; nothing else changes without them.
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
		level := float64(i % 2)
		row[telling] = level
		x, y = append(x, row), append(y, level)
	}
	view := func(kept ...int) *data.View {
		factor := slices.Repeat([]float64{1}, columns)
		for _, j := range kept {
			factor[j] = 0
		}
		return enginetest.Treated(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 2, y...)), data.Treatment{Factor: factor})
	}
	e := Kind.Defaults().(Forest)
	e.Trees, e.MTry = 40, 1
	run := func(v *data.View) engines.Run {
		return engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 2)), Workers: 2}
	}
	roots := func(v *data.View) (n int) {
		f, err := e.grow(context.Background(), run(v), true)
		if err != nil {
			t.Fatal(err)
		}
		for _, grown := range f.trees {
			if grown.Nodes[0].Column == telling {
				n++
			}
		}
		return n
	}
	if with, without := roots(view(telling)), roots(view()); with != e.Trees || without > e.Trees/2 {
		t.Errorf("%d of %d roots split on the column kept, %d where it is not", with, e.Trees, without)
	}
	e.MTry = 0
	for _, features := range []int{0, 1, 3} {
		e.Features = features
		chosen, _, err := e.Choose(context.Background(), run(view(2, 5)))
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
		m, err := e.Fit(context.Background(), run(view(2, 5)))
		if err != nil {
			t.Fatal(err)
		}
		if used := engines.ColumnsOf(m, columns); !slices.Contains(used, 2) || !slices.Contains(used, 5) {
			t.Errorf("features %d: the model has columns %v", features, used)
		}
	}
	e.Features = columns - 1
	if _, err := e.Fit(context.Background(), run(view(2, 5))); err == nil {
		t.Error("more features than are open are no error")
	}
}
