package all

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/kernels/mkl"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/penalized/dual"
	"tenfold/engines/penalized/group"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/penalized/lasso"
	"tenfold/engines/penalized/owlqn"
	"tenfold/engines/ridge/logistic"
)

// numbers in place of how many levels a class has: the targets are numbers.
const numbers = 0

// measured is a problem whose columns are measured in given units, from given zeros: half of the columns are nearly collinear,
// and some of them are zero in most rows. The target is a class of so many levels; with none there are two numbers.
func measured(levels int, unit, zero func(j int) float64) *data.View {
	const rows, dense, rare, classes = 150, 16, 6, 4
	rng := rand.New(rand.NewPCG(7, uint64(levels)))
	x, y, number, other := make([][]float64, rows), make([]float64, rows), make([]float64, rows), make([]float64, rows)
	for i := range x {
		common, score := rng.NormFloat64(), 0.0
		for j := range dense + rare {
			v := rng.NormFloat64()
			if j%2 == 1 {
				v = 3*common + 0.3*v
			}
			if j >= dense && rng.Float64() < 0.8 {
				v = 0
			}
			if j%3 == 0 {
				score += v
			}
			if v *= unit(j); j < dense {
				v += zero(j)
			}
			x[i] = append(x[i], v)
		}
		score += rng.NormFloat64()
		if number[i], other[i] = score, score-common; score > 0 {
			y[i] = 1
		}
		if levels == 3 && common > 0.5 {
			y[i] = 2
		}
	}
	class := make([]int32, dense+rare)
	for j := range class {
		class[j] = int32(j % classes)
	}
	targets := []data.Target{enginetest.Real("y", number...), enginetest.Real("z", other...)}
	if levels > 0 {
		targets = []data.Target{enginetest.Class("y", levels, y...)}
	}
	set := enginetest.Dataset(enginetest.Matrix(x...), targets...)
	set.Features = set.Features.WithClasses(class, []string{"a", "b", "c", "d"})
	return enginetest.View(set, nil)
}

// standardised are the engines whose penalty, with the given parameters, is that of columns in units of their standard deviation.
// A penalised bias, which l1-dual needs, is not that of columns measured from another zero.
func standardised() map[string]struct {
	engine engines.Engine
	levels []int
	zero   bool
} {
	type of = struct {
		engine engines.Engine
		levels []int
		zero   bool
	}
	newton, quasi, ridge, dual := l1.L1Kind.Defaults().(l1.L1), owlqn.OWLQNKind.Defaults().(owlqn.OWLQN), logistic.Kind.Defaults().(logistic.Logistic), dual.Kind.Defaults().(dual.Dual)
	one, net, groups := lasso.LassoKind.Defaults().(lasso.Lasso), lasso.ElasticNetKind.Defaults().(lasso.ElasticNet), group.LassoKind.Defaults().(group.Lasso)
	newton.Standardize, quasi.Standardize, ridge.Standardize, dual.Standardize = true, true, true, true
	one.Standardize, net.Standardize, groups.Standardize = true, true, true
	tasks := group.MultiTaskKind.Defaults().(group.Lasso)
	tasks.Standardize = true
	limited := ridge
	limited.C2, limited.MaxWeight = 0, 0.5
	any, two, all := []int{2, 3}, []int{2}, []int{2, 3, numbers}
	return map[string]of{
		"l1": {newton, any, true}, "owl-qn": {quasi, any, true}, "logistic": {ridge, any, true}, "logistic with max_weight": {limited, any, true},
		"l1-dual": {dual, any, false}, "lasso": {one, all, true}, "elastic-net": {net, all, true}, "group-lasso": {groups, []int{2, numbers}, true},
		"multitask-lasso": {tasks, []int{2, numbers}, true},
		"mkl":             {mkl.Kind.Defaults(), two, true},
	}
}

// Units in which columns are measured, and the zeros that they are measured from, change neither the selection nor the minimum nor
// the work.
func TestUnitsChangeNothing(t *testing.T) {
	t.Parallel()
	plain, none := func(int) float64 { return 1 }, func(int) float64 { return 0 }
	far := func(j int) float64 { return float64(j%3) * 1e4 }
	mixed := func(j int) float64 { return elementary.Pow(10, float64(j%7-3)) }
	for name, e := range standardised() {
		for _, levels := range e.levels {
			want := fitMeasured(t, e.engine, measured(levels, plain, none), plain)
			if want.selected == 0 || want.Iterations < 2 {
				t.Errorf("%s, %d levels: %d selected after %d iterations: too easy", name, levels, want.selected, want.Iterations)
			}
			for form, v := range map[string]struct{ unit, zero func(int) float64 }{
				"thousandths": {func(int) float64 { return 1e-3 }, none}, "thousands": {func(int) float64 { return 1e3 }, none}, "of all sizes": {mixed, none},
				"far from zero": {plain, far}, "small and far": {func(int) float64 { return 1e-3 }, far}, "of all sizes, far": {mixed, far},
			} {
				if !e.zero && v.zero(1) != 0 {
					continue
				}
				t.Run(fmt.Sprintf("%s, %d levels, %s", name, levels, form), func(t *testing.T) {
					got := fitMeasured(t, e.engine, measured(levels, v.unit, v.zero), v.unit)
					if got.Stop != "gap" {
						t.Errorf("stopped for %s", got.Stop)
					}
					if got.Iterations > 2*want.Iterations || want.Iterations > 2*got.Iterations {
						t.Errorf("%d iterations, in plain units %d", got.Iterations, want.Iterations)
					}
					a, b := got.Certificate, want.Certificate
					if off := math.Abs(a.Objective - b.Objective); off > max(a.Gap(), b.Gap())+1e-7*b.Objective {
						t.Errorf("objective %v, in plain units %v", a.Objective, b.Objective)
					}
					if got.selected != want.selected {
						t.Errorf("%d columns selected, in plain units %d", got.selected, want.selected)
					}
					for at, c := range want.coefs {
						if off := math.Abs(got.coefs[at] - c); off > 2e-3 || (c == 0) != (got.coefs[at] == 0) {
							t.Errorf("column %d, output %d: %v, in plain units %v", at[0], at[1], got.coefs[at], c)
						}
					}
					for i, s := range want.scores {
						if !(math.Abs(got.scores[i]-s) <= 2e-3) {
							t.Fatalf("score %d is %v, in plain units %v", i, got.scores[i], s)
						}
					}
				})
			}
		}
	}
}

// outcome of a fit, with coefficients in plain units by column and output.
type measuredFit struct {
	engines.Fitted
	coefs    map[[2]int]float64
	selected int
	scores   []float64
}

func fitMeasured(t *testing.T, e engines.Engine, v *data.View, unit func(int) float64) measuredFit {
	t.Helper()
	m, err := e.Fit(t.Context(), engines.Run{Train: v, Workers: 1, Rand: rand.New(rand.NewPCG(1, 1))})
	if err != nil {
		t.Fatal(err)
	}
	out := measuredFit{Fitted: m.(engines.Reporter).Fitted(), coefs: map[[2]int]float64{}}
	if l, ok := m.(interface{ Coefs() []engines.Coef }); ok {
		for _, c := range l.Coefs() {
			out.coefs[[2]int{c.Feature, c.Output}] = c.Value * unit(c.Feature)
		}
	}
	out.selected = len(engines.ColumnsOf(m, v.Columns()))
	out.scores = make([]float64, v.Len()*m.Outputs())
	m.Predict(out.scores, v.Inputs())
	return out
}
