package all

import (
	"math/rand/v2"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// Where no column varies, or all that goes with the response is rounding, shares of the smallest penalty that selects nothing
// lead to models without columns, which are at their minimum. (Kernels of mkl take roots of rounding.)
func TestNothingToSelectBy(t *testing.T) {
	t.Parallel()
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	constant, orthogonal, y := make([][]float64, 16), make([][]float64, 16), make([]float64, 16)
	for k := range y {
		sign := func(bit int) float64 { return float64(1 - 2*(k>>bit&1)) }
		constant[k], orthogonal[k] = []float64{0.1, 0.3}, []float64{0.1 * sign(0), 0.3 + 0.7*sign(1)}
		y[k] = 0.1 + 0.3*sign(2) + 0.05*sign(3)
	}
	level := make([]float64, len(y))
	for k, v := range y {
		if v > 0.1 {
			level[k] = 1
		}
	}
	for _, target := range []data.Target{enginetest.Real("y", y...), enginetest.Class("y", 2, level...)} {
		for what, x := range map[string][][]float64{"constant columns": constant, "orthogonal columns": orthogonal} {
			d := enginetest.Dataset(enginetest.Matrix(x...), target)
			d.Features = d.Features.WithClasses([]int32{0, 1}, []string{"first", "second"})
			v := enginetest.View(d, nil)
			run := func() engines.Run {
				return engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1}
			}
			for name, kind := range set {
				e, ok := kind.Defaults().(engines.Pathed)
				ratio := ""
				if ok {
					for _, p := range e.PathParameters() {
						if strings.HasSuffix(p, "_ratio") {
							ratio = p
						}
					}
				}
				if name == "mkl" || ratio == "" || !e.Needs().Takes(target.Type) {
					continue
				}
				models := 0
				err := e.FitPath(t.Context(), run(), engines.PathPoints{Parameter: ratio, Values: []float64{0.9, 0.3}}, func(_ int, m engines.Model) {
					models++
					f := m.(engines.Reporter).Fitted()
					if len(m.Coefs()) > 0 && name != "adaptive-lasso" { // whose first fit it may be
						t.Errorf("%s, %s of %s: coefficients %v", name, what, target.Type, m.Coefs())
					}
					if c := f.Certificate; c != nil && !(c.Relative() <= 1e-6) || len(f.Notes) > 0 && strings.HasPrefix(f.Notes[0], engines.NotConverged) {
						t.Errorf("%s, %s of %s: %+v", name, what, target.Type, f)
					}
				})
				switch {
				case err != nil:
					t.Errorf("%s, %s of %s: %v", name, what, target.Type, err)
				case models == 0:
					t.Errorf("%s, %s of %s: no model", name, what, target.Type)
				}
			}
			for _, name := range []string{"ols", "ridge", "lars", "l0", "l1", "owl-qn", "l1-dual", "lasso", "mcp", "slope"} {
				e := set[name].Defaults()
				if !e.Needs().Takes(target.Type) {
					continue
				}
				m, err := e.Fit(t.Context(), run())
				if err != nil {
					t.Errorf("%s, %s of %s: %v", name, what, target.Type, err)
					continue
				}
				if f := m.(engines.Reporter).Fitted(); len(m.Coefs()) > 0 || len(f.Notes) > 0 && strings.HasPrefix(f.Notes[0], engines.NotConverged) {
					t.Errorf("%s, %s of %s: coefficients %v, notes %v", name, what, target.Type, m.Coefs(), f.Notes)
				}
			}
		}
	}
}
