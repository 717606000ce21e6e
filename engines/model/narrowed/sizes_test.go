package narrowed_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/filters/redundancy"
	"tenfold/engines/filters/univariate"
	"tenfold/engines/model/narrowed"
	"tenfold/engines/penalized/lasso"
	"tenfold/engines/ridge/leastsquares"
	"tenfold/engines/ridge/logistic"
	"tenfold/engines/steps/forward"
	"tenfold/engines/trees/forest"
	"tenfold/engines/wrappers/rfe"
)

// The models of several sizes are those of separate fits with these limits, whatever selects and whatever is fitted to it.
func TestSizesAreSeparateFits(t *testing.T) {
	trees := forest.Kind.Defaults().(forest.Forest)
	trees.Trees = 20
	anova := univariate.AnovaKind.Defaults().(univariate.Anova)
	jmi := redundancy.JMIKind.Defaults().(redundancy.Informed)
	jmi.Discretize = "terciles"
	stepwise := forward.Kind.Defaults().(forward.Stepwise)
	stepwise.Criterion = "none" // which ends no path
	penalised := lasso.LassoKind.Defaults().(lasso.Lasso)
	penalised.Path.Steps = 60
	random := subset.RandomKind.Defaults().(subset.Random)
	for name, limited := range map[string]func(size int) engines.Engine{
		"anova":    func(n int) engines.Engine { e := anova; e.Features = n; return e },
		"jmi":      func(n int) engines.Engine { e := jmi; e.Features = n; return e },
		"forest":   func(n int) engines.Engine { e := trees; e.Features = n; return e },
		"stepwise": func(n int) engines.Engine { e := stepwise; e.MaxFeatures = n; return e },
		"lasso":    func(n int) engines.Engine { e := penalised; e.Features = n; return e },
		"random":   func(n int) engines.Engine { e := random; e.Features = n; return e },
		"rfe": func(n int) engines.Engine {
			return rfe.Engine{Base: logistic.Kind.Defaults(), Options: rfe.Options{Size: n, Step: 0.3, Scale: "none"}}
		},
	} {
		for _, second := range []engines.Engine{logistic.Kind.Defaults(), trees} {
			v := classes(60, 14)
			sizes := []int{1, 3, 4, 9, 12}
			kept := 0
			run := on(v)
			run.At = sizes
			run.Keep = func(size int, m engines.Model) {
				if size != sizes[kept] {
					t.Fatalf("%s: a model of %d columns comes where one of %d should", name, size, sizes[kept])
				}
				kept++
				alone, err := narrowed.Engine{Select: limited(size), Refit: second}.Fit(t.Context(), on(v))
				if err != nil {
					t.Fatal(err)
				}
				if err := same(m, alone, v); err != nil {
					t.Errorf("%s, then %T: at %d columns: %v", name, second, size, err)
				}
				if n := len(engines.ColumnsOf(m, v.Columns())); n > size {
					t.Errorf("%s: %d columns, expected at most %d", name, n, size)
				}
			}
			e := narrowed.Engine{Select: limited(12), Refit: second}
			if e.Needs().Sizes.Limit == "" {
				t.Errorf("%s makes no sizes", name)
			}
			last, err := e.Fit(t.Context(), run)
			if err != nil || kept != len(sizes) {
				t.Fatalf("%s: %d models, %v", name, kept, err)
			}
			alone, err := e.Fit(t.Context(), on(v))
			if err != nil {
				t.Fatal(err)
			}
			if err := same(last, alone, v); err != nil {
				t.Errorf("%s, then %T: the last: %v", name, second, err)
			}
		}
	}
}

// Columns that every model has are in the models of all sizes beside as many others; what the selection has to say is of the whole, and stands
// in the last alone.
func TestSizesBesideKept(t *testing.T) {
	factor := slices.Repeat([]float64{1}, 14)
	factor[2], factor[13] = 0, 0
	v := classes(60, 14).WithFactors(factor)
	anova := univariate.AnovaKind.Defaults().(univariate.Anova)
	anova.Features = 5
	said := func(m engines.Model) bool {
		return slices.ContainsFunc(m.(engines.Reporter).Fitted().Facts, func(f data.Fact) bool { return f.Name == "selection: columns kept" })
	}
	run := on(v)
	run.At = []int{1, 3, 5}
	run.Keep = func(size int, m engines.Model) {
		columns := engines.ColumnsOf(m, 14)
		if len(columns) != size+2 || !slices.Contains(columns, 2) || !slices.Contains(columns, 13) || said(m) != (size == 5) {
			t.Errorf("size %d has the columns %v, and tells of the selection: %v", size, columns, said(m))
		}
	}
	if _, err := (narrowed.Engine{Select: anova, Refit: logistic.Kind.Defaults()}).Fit(t.Context(), run); err != nil {
		t.Fatal(err)
	}
}

// A selection that ends early hands out the models of the sizes that it reaches, whether it ranks columns or steps to them.
func TestSizesBeyondTheEnd(t *testing.T) {
	stepwise := forward.Kind.Defaults().(forward.Stepwise)
	stepwise.MaxFeatures = 13
	anova := univariate.AnovaKind.Defaults().(univariate.Anova)
	anova.Features, anova.Alpha = 13, 0.05
	for name, first := range map[string]engines.Engine{"steps": stepwise, "ranks": anova} {
		v := classes(60, 14)
		run := on(v)
		run.At = []int{1, 12, 13}
		var sizes []string
		run.Keep = func(size int, m engines.Model) {
			sizes = append(sizes, fmt.Sprint(size, ":", len(engines.ColumnsOf(m, v.Columns()))))
		}
		m, err := narrowed.Engine{Select: first, Refit: leastsquares.RidgeKind.Defaults()}.Fit(t.Context(), run)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(engines.ColumnsOf(m, v.Columns())); !slices.Equal(sizes, []string{"1:1"}) || n < 1 || n >= 12 {
			t.Errorf("%s: sizes and columns %v, at the end %d", name, sizes, n)
		}
	}
}

// same models predict the same by the same coefficients, that entered likewise.
func same(a, b engines.Model, v *data.View) error {
	x, y := make([]float64, v.Len()*a.Outputs()), make([]float64, v.Len()*b.Outputs())
	a.Predict(x, v.Inputs())
	b.Predict(y, v.Inputs())
	if !slices.Equal(x, y) {
		return fmt.Errorf("predictions %v and %v", x, y)
	}
	if p, q := engines.Entries(a), engines.Entries(b); !slices.Equal(p, q) {
		return fmt.Errorf("columns %v and %v", p, q)
	}
	return nil
}

// classes is rows of normal columns, of which a few tell the class.
func classes(rows, columns int) *data.View {
	rng := rand.New(rand.NewPCG(3, 9))
	x, y := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = make([]float64, columns)
		sum := 0.0
		for j := range x[i] {
			x[i][j] = rng.NormFloat64()
			if j%5 == 1 {
				sum += x[i][j]
			}
		}
		if sum+rng.NormFloat64() > 0 {
			y[i] = 1
		}
	}
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 2, y...)), nil)
}

func on(v *data.View) engines.Run {
	return engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 2}
}
