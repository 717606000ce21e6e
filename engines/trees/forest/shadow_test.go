package forest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// Shadows have the values of their columns in other rows, and columns are as they were.
func TestShadows(t *testing.T) {
	for _, sparse := range []bool{false, true} {
		x, y := table(3, 60, 3, sparse, exclusive)
		c, err := newColumns(t.Context(), view(x, enginetest.Class("y", 2, y...)), 1)
		if err != nil {
			t.Fatal(err)
		}
		kept := []int32{0, 2}
		both, at, err := c.besideShadows(t.Context(), kept, rand.New(rand.NewPCG(1, 2)), 3)
		if err != nil {
			t.Fatal(err)
		}
		if len(both.col) != 2+8 {
			t.Fatalf("%d columns", len(both.col))
		}
		values := func(of *columns, j int32) (v []float64) {
			for i := range of.rows {
				v = append(v, of.col[j].value[of.codeOf(int32(i), j)])
			}
			return v
		}
		seen := map[int]int{}
		for j := range both.col {
			got := values(both, int32(j))
			k := slices.IndexFunc(kept, func(own int32) bool {
				return slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(values(c, own))))
			})
			if k < 0 {
				t.Fatalf("sparse %v: column %d has values of none", sparse, j)
			}
			seen[k]++
			if same := slices.Equal(got, values(c, kept[k])); same != (at[k] == int32(j)) {
				t.Errorf("sparse %v: column %d is that of the data: %v", sparse, j, same)
			}
			if !slices.IsSorted(both.col[j].byKey) {
				t.Errorf("sparse %v: entries of column %d are in no order", sparse, j)
			}
		}
		if seen[0] != 5 || seen[1] != 5 {
			t.Errorf("%v columns of each", seen)
		}
	}
}

// Where nothing matters, a column of the data is the best of all in half of the runs: shadows have an equal chance, ties included.
func TestShadowsAreAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const runs, rows, columns = 150, 40, 8
	for _, importance := range []string{ZScore, Impurity} {
		above := 0
		for run := range runs {
			x, y := make([][]float64, rows), make([]float64, rows)
			for i := range x {
				x[i], y[i] = make([]float64, columns), float64(i%2)
				for j := range x[i] {
					x[i][j] = float64(rng.IntN(2))
				}
			}
			e := with(func(e *Forest) { e.Trees, e.Importance = 15, importance })
			in, err := e.Read(t.Context(), runOn(view(x, enginetest.Class("y", 2, y...))))
			if err != nil {
				t.Fatal(err)
			}
			c, err := e.CompareShadows(t.Context(), in, data.Numbers(columns), rand.New(rand.NewPCG(uint64(run), 0)), 2)
			if err != nil {
				t.Fatal(err)
			}
			if slices.Max(c.Importance) > c.Shadow {
				above++
			}
		}
		if spread := math.Sqrt(runs) / 2; !(math.Abs(float64(above)-runs/2) <= 3*spread) {
			t.Errorf("%s: a column is above all shadows in %d of %d runs", importance, above, runs)
		}
	}
}
