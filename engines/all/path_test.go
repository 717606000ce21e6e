package all

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/elementary"
)

// pathProblem is 24 rows whose response, where exact, follows from two columns of many, and from one of two and noise elsewhere.
func pathProblem(target data.Type, exact bool) *data.View {
	rng := rand.New(rand.NewPCG(3, 3))
	columns := 40
	if !exact {
		columns = 2
	}
	dense, y := make([][]float64, 24), make([]float64, 24)
	for i := range dense {
		dense[i] = make([]float64, columns)
		for j := range dense[i] {
			dense[i][j] = rng.NormFloat64()
		}
		y[i] = dense[i][0] + 2*dense[i][1]
		if !exact {
			y[i] = dense[i][0] + 3*rng.NormFloat64()
		}
	}
	response := enginetest.Real("y", y...)
	if target == data.Class {
		for i, v := range y {
			y[i] = 0
			if v > 0 {
				y[i] = 1
			}
		}
		response = enginetest.Class("y", 2, y...)
	}
	if target == data.Survival { // the largest values die first; what is exact, all of them in this order
		for i, v := range y {
			y[i] = elementary.Exp(-v / 4)
		}
		if response = enginetest.Survival("y", y...); exact {
			for i := range response.Events {
				response.Events[i] = 1
			}
		}
	}
	d := enginetest.Dataset(enginetest.Matrix(dense...), response)
	class := make([]int32, columns)
	for j := range class {
		class[j] = int32(j % 2)
	}
	d.Features = d.Features.WithClasses(class, []string{"even", "odd"})
	return enginetest.View(d, nil)
}

// Paths of penalties end at the first model that leaves a ten-thousandth of the null model's loss or less, and go to the last value where
// none does. Of numbers the loss is that of the predictions. Kernels fit noise, too.
func TestPathsEndWhereSaturated(t *testing.T) {
	t.Parallel()
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, name := range set.Names() {
		e, ok := set[name].Defaults().(engines.Pathed)
		if !ok || e.PathParameters()[0] == "trees" { // which is no penalty
			continue
		}
		for _, target := range []data.Type{data.Real, data.Class, data.Survival} {
			if !e.Needs().Takes(target) {
				continue
			}
			for _, exact := range []bool{true, false} {
				v := pathProblem(target, exact)
				run := engines.Run{Train: v, Workers: 1}
				usual, err := e.PathValues(run)
				if err != nil {
					t.Fatal(err)
				}
				if !usual.Open {
					continue // lars: the end of its path is the model without a penalty
				}
				values := slices.Clone(usual.Values)
				for _, piece := range usual.Onward {
					values = append(values, piece.Values...)
				}
				var left []float64 // of the null model's loss
				count := 0
				if err := e.FitPath(context.Background(), run, engines.PathPoints{Parameter: e.PathParameters()[0], Values: values, MayEnd: true}, func(i int, m engines.Model) {
					if i != count {
						t.Errorf("%s: model %d came as number %d", name, i, count)
					}
					count++
					if target == data.Real && name != "relaxed-lasso" { // whose path ends where that of its lasso does
						left = append(left, 1-enginetest.RSquared(m, v))
					}
				}); err != nil {
					t.Fatal(err)
				}
				if early := count < len(values); early != (exact || name == "mkl") {
					t.Errorf("%s, %v target, exact %v: %d models of %d values", name, target, exact, count, len(values))
				}
				for i, l := range left {
					if ends := l <= 1e-3; ends != (count < len(values) && i == count-1) {
						t.Errorf("%s: model %d of %d leaves %v of the loss", name, i, count, l)
					}
				}
				seen++
			}
		}
	}
	if seen < 14 {
		t.Errorf("%d paths were tried", seen)
	}
}
