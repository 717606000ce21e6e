package all

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/penalized/lasso"
)

// TestLassoOfClassesIsL1: engines lasso and l1 are one problem of a class target, by two names of its parameters: their models are the same to
// the bit, at a penalty, at a share, at the end of a path, of every size, along a path, and where inner folds choose; of two classes, of three,
// and of many in sparse rows, which begin otherwise.
func TestLassoOfClassesIsL1(t *testing.T) {
	t.Parallel()
	for _, levels := range []int{2, 3, 20} {
		rng := rand.New(rand.NewPCG(uint64(levels), 3))
		rows, columns := 120, 25
		if levels == 20 {
			rows, columns = 400, 30
		}
		x, y := make([][]float64, rows), make([]float64, rows)
		for i := range x {
			y[i] = float64(i % levels)
			x[i] = make([]float64, columns)
			for j := range x[i] {
				switch {
				case levels == 20 && rng.IntN(8) > 0:
				case levels == 20:
					x[i][j] = 1
				default:
					x[i][j] = rng.NormFloat64()
				}
			}
			if rng.IntN(3) > 0 {
				x[i][int(y[i])%columns]++
			}
		}
		v := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", levels, y...)), nil)
		told := func(m engines.Model) string {
			fitted, scores := m.(engines.Reporter).Fitted(), make([]float64, levels)
			m.Predict(scores, v.Sub([]int32{0}).Inputs())
			fitted.Facts[0].Name = "penalty" // lambda and c1
			return fmt.Sprintln(m.Coefs(), scores, *fitted.Certificate, fitted.Stop, fitted.Iterations, fitted.Notes, fitted.Facts)
		}
		run := func(seed uint64) engines.Run {
			return engines.Run{Train: v, Rand: rand.New(rand.NewPCG(seed, 1)), Workers: 2}
		}
		one, two := lasso.LassoKind.Defaults().(lasso.Lasso), l1.L1Kind.Defaults().(l1.L1)
		if one.Stopping != lasso.Stopping(two.Stopping) {
			t.Errorf("limits %v and %v", one.Stopping, two.Stopping)
		}
		for name, change := range map[string]func(){
			"chosen":       func() {},
			"penalty":      func() { one.Lambda, two.C1 = 1.5, 1.5 },
			"share":        func() { one.Ratio, two.Ratio = 0.1, 0.1 },
			"standardized": func() { one.Ratio, two.Ratio, one.Standardize, two.Standardize = 0.2, 0.2, true, true },
			"path":         func() { one.Path.Steps, two.Path.Steps = 6, 6 },
			"features":     func() { one.Path.Steps, one.Path.Features, two.Path.Steps, two.Path.Features = 6, 7, 6, 7 },
		} {
			if name == "chosen" && levels == 20 {
				continue // long, and no other path
			}
			one, two = lasso.LassoKind.Defaults().(lasso.Lasso), l1.L1Kind.Defaults().(l1.L1)
			change()
			fit := func(e engines.Engine, seed uint64) (all []string) {
				r := run(seed)
				r.At, r.Keep = []int{2, 5}, func(size int, m engines.Model) { all = append(all, told(m)) }
				m, err := e.Fit(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				return append(all, told(m))
			}
			if got, want := fit(one, 1), fit(two, 2); !slices.Equal(got, want) {
				t.Errorf("%d levels, %s:\nlasso %+v\nl1    %+v", levels, name, got, want)
			}
		}
		one, two = lasso.LassoKind.Defaults().(lasso.Lasso), l1.L1Kind.Defaults().(l1.L1)
		first, err := one.PathValues(run(1))
		if err != nil {
			t.Fatal(err)
		}
		if second, err := two.PathValues(run(1)); err != nil || !reflect.DeepEqual(first, second) {
			t.Errorf("paths %v and %v, %v", first, second, err)
		}
		along := func(e engines.Pathed) (all []string) {
			points := engines.PathPoints{Parameter: e.PathParameters()[0], Values: []float64{1, 0.5, 0.2, 0.1}, MayEnd: true}
			if err := e.FitPath(t.Context(), run(1), points, func(i int, m engines.Model) { all = append(all, fmt.Sprint(i, told(m))) }); err != nil {
				t.Fatal(err)
			}
			return all
		}
		if got, want := along(one), along(two); !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("%d levels, along a path:\nlasso %v\nl1    %v", levels, got, want)
		}
	}
}
