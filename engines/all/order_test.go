package all

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/prepare"
)

// inOrder returns a problem that meets the needs: its columns, of measurements and with names of their own, stand in an order.
func inOrder(needs engines.Needs, order []int) *data.View {
	const rows = 90
	levels := 2
	rng := rand.New(rand.NewPCG(5, 5))
	x, y, z, class := make([][]float64, rows), make([]float64, rows), make([]float64, rows), make([]float64, rows)
	for i := range x {
		own := make([]float64, len(order))
		for j := range own {
			own[j] = math.Abs(rng.NormFloat64())
			if needs.Binary {
				own[j] = float64(rng.IntN(2))
			}
		}
		y[i] = 4 + own[0] - 2*own[3] + own[7] + rng.NormFloat64()/2
		y[i], z[i] = max(0.1, y[i]), own[1]-own[3]+rng.NormFloat64()/2
		if y[i] > 4 {
			class[i] = 1
		}
		if needs.Levels == 0 && z[i] > 0.5 { // of two levels, candidates of either are alike
			levels, class[i] = 3, 2
		}
		for _, j := range order {
			x[i] = append(x[i], own[j])
		}
	}
	targets := []data.Target{enginetest.Real("y", y...)}
	switch {
	case needs.Target == data.Class:
		targets = []data.Target{enginetest.Class("y", levels, class...)}
	case needs.Target == data.Survival:
		targets = []data.Target{enginetest.Survival("y", y...)}
	case needs.Tasks:
		targets = append(targets, enginetest.Real("z", z...))
	}
	set := enginetest.Dataset(enginetest.Matrix(x...), targets...)
	names, classes := make([]string, len(order)), make([]int32, len(order))
	for k, j := range order {
		names[k], classes[k] = string(rune('a'+j)), int32(j%3)
		if j == 0 && needs.Truth {
			set.Truth = []data.True{{Feature: int32(k), Value: 1}}
		}
	}
	set.Features = data.NewFeatures(names)
	if needs.FeatureClasses {
		set.Features = set.Features.WithClasses(classes, []string{"A", "B", "C"})
	}
	p, err := prepare.Recipe{}.Fit(set, nil)
	if err != nil {
		panic(err)
	}
	return p.View(data.Numbers(rows))
}

// The order of columns changes nothing, where ties do not decide: predictions and selections are those of the columns in another order.
func TestOrderOfColumnsChangesNothing(t *testing.T) {
	t.Parallel()
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	first, second := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, []int{7, 2, 11, 0, 9, 4, 1, 10, 3, 8, 6, 5}
	for name, kind := range set {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := smaller(kind.Defaults())
			scores := func(order []int) (dst []float64, columns []int) {
				v := inOrder(e.Needs(), order)
				run := engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1}
				if e.Needs().Watch {
					run.Watch = v
				}
				m, err := e.Fit(t.Context(), run)
				if err != nil {
					t.Fatal(err)
				}
				dst = make([]float64, v.Len()*m.Outputs())
				m.Predict(dst, v.Inputs())
				for _, j := range engines.ColumnsOf(m, len(order)) {
					columns = append(columns, order[j])
				}
				slices.Sort(columns)
				return dst, columns
			}
			want, selected := scores(first)
			got, again := scores(second)
			if !slices.Equal(selected, again) {
				t.Errorf("it selects %v, and in another order %v", selected, again)
			}
			for k, v := range want {
				if !(math.Abs(got[k]-v) <= 1e-4*max(1, math.Abs(v))) {
					t.Fatalf("score %d is %v, and in another order %v", k, v, got[k])
				}
			}
		})
	}
}
