package twostage

import (
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/penalized/convex"
)

func TestOracleTwoStages(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"adaptive_lasso": checkAdaptive, "relaxed_lasso": checkRelaxed})
}

func checkAdaptive(t *testing.T, c oracle.Case) {
	var in struct {
		X [][]float64
		Y []float64
	}
	var options struct{ Lam, Gamma, Ridge float64 }
	var want struct {
		Weights, Coef []float64
		Intercept     float64
	}
	c.Parts(t, &in, &options, &want)
	e := AdaptiveKind.Defaults().(Adaptive)
	e.Lambda, e.Gamma, e.Ridge, e.Tol = options.Lam, options.Gamma, options.Ridge, 1e-14
	v := enginetest.View(enginetest.Dataset(enginetest.Matrix(in.X...), enginetest.Real("y", in.Y...)), nil)
	first, err := e.first(t.Context(), engines.Run{Train: v, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	weights, _, err := e.factors(t.Context(), v, first)
	if err != nil {
		t.Fatal(err)
	}
	oracle.NearAll(t, "weights", weights, want.Weights, 1e-9)
	m, err := e.Fit(t.Context(), engines.Run{Train: v, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	checkModel(t, m, want.Coef, want.Intercept)
}

func checkModel(t *testing.T, m engines.Model, coef []float64, intercept float64) {
	t.Helper()
	got := make([]float64, len(coef))
	for _, c := range m.Coefs() {
		got[c.Feature] = c.Value
	}
	oracle.NearAll(t, "coefficients", got, coef, 1e-7)
	oracle.Near(t, "intercept", engines.Biases(m)[0], intercept, 1e-7)
}

func checkRelaxed(t *testing.T, c oracle.Case) {
	var in struct {
		X [][]float64
		Y []float64
	}
	var options struct {
		Lam  float64
		Phis []float64
	}
	var want struct {
		Models []struct {
			Phi, Intercept float64
			Coef           []float64
		}
	}
	c.Parts(t, &in, &options, &want)
	v := enginetest.View(enginetest.Dataset(enginetest.Matrix(in.X...), enginetest.Real("y", in.Y...)), nil)
	for _, w := range want.Models {
		e := RelaxedKind.Defaults().(Relaxed)
		e.Lambda, e.Phi, e.Tol, e.Standardize = options.Lam, w.Phi, 1e-14, true
		m, err := e.Fit(t.Context(), engines.Run{Train: v, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		checkModel(t, m, w.Coef, w.Intercept)
	}
}

// twoStages are both engines at a penalty that selects some columns.
func twoStages() map[string]engines.Engine {
	ridge := AdaptiveKind.Defaults().(Adaptive)
	ridge.Ratio = 0.1
	first := ridge
	first.Initial = byLasso
	relaxed := RelaxedKind.Defaults().(Relaxed)
	relaxed.Ratio, relaxed.Phi = 0.1, 0.25
	steps := relaxed
	steps.Path = convex.Path{Steps: 20}
	return map[string]engines.Engine{"adaptive": ridge, "adaptive, lasso first": first, "relaxed": relaxed, "relaxed, a path": steps}
}

func TestTwoStagesSuite(t *testing.T) {
	t.Parallel()
	for name, e := range twoStages() {
		t.Run(name, func(t *testing.T) { t.Parallel(); enginetest.Suite(t, e) })
	}
}

// Models along a path are those of separate fits.
func TestTwoStagesPaths(t *testing.T) {
	t.Parallel()
	numbers := enginetest.Dataset(enginetest.Matrix(spread(60, 12)...), enginetest.Real("y", signal(60, 12)...))
	classes := enginetest.Dataset(enginetest.Matrix(spread(60, 12)...), enginetest.Class("y", 2, signs(signal(60, 12))...))
	for name, e := range twoStages() {
		for _, set := range []*engines.Run{{Train: enginetest.View(numbers, nil), Workers: 1}, {Train: enginetest.View(classes, nil), Workers: 1}} {
			points := engines.PathPoints{Parameter: "lambda_ratio", Values: []float64{1, 0.5, 0.2, 0.05}}
			seen := 0
			err := e.(engines.Pathed).FitPath(t.Context(), *set, points, func(i int, m engines.Model) {
				seen++
				alone, err := e.(engines.Pathed).AtValue(points.Values[i]).Fit(t.Context(), *set)
				if err != nil {
					t.Fatal(err)
				}
				a, b := map[int]float64{}, map[int]float64{}
				for _, c := range m.Coefs() {
					a[c.Feature*2+c.Output] = c.Value
				}
				for _, c := range alone.Coefs() {
					b[c.Feature*2+c.Output] = c.Value
				}
				for k := range 24 {
					if !(math.Abs(a[k]-b[k]) <= 2e-3*max(1, math.Abs(b[k]))) {
						t.Errorf("%s, %s, point %v: coefficient %d is %v on the path, %v alone", name, set.Train.TargetInfo(0).Type, points.Values[i], k, a[k], b[k])
					}
				}
			})
			if err != nil || seen != len(points.Values) {
				t.Errorf("%s: %d models, %v", name, seen, err)
			}
		}
	}
}

// spread is rows of numbers without pattern.
func spread(rows, columns int) [][]float64 {
	x := make([][]float64, rows)
	for i := range x {
		x[i] = make([]float64, columns)
		for j := range x[i] {
			x[i][j] = math.Sin(float64(1+i*37+j*101+i*j*7)) * float64(1+j%3)
		}
	}
	return x
}

func signal(rows, columns int) []float64 {
	y := make([]float64, rows)
	for i, row := range spread(rows, columns) {
		y[i] = row[0] - 0.8*row[3] + 0.4*row[5] + 0.8*math.Sin(float64(i*i))
	}
	return y
}

func signs(y []float64) []float64 {
	out := make([]float64, len(y))
	for i, v := range y {
		if v > 0 {
			out[i] = 1
		}
	}
	return out
}

// The parameters.
func TestTwoStagesValidate(t *testing.T) {
	t.Parallel()
	bad := AdaptiveKind.Defaults().(Adaptive)
	bad.Gamma, bad.Initial, bad.Ridge = 0, "ols", -1
	given := AdaptiveKind.Defaults().(Adaptive)
	given.Initial, given.Ridge = byLasso, 2
	relaxed := RelaxedKind.Defaults().(Relaxed)
	relaxed.Phi, relaxed.MaxWeight = 1.5, 0
	for _, e := range []engines.Engine{bad, given, relaxed} {
		if e.Validate() == nil {
			t.Errorf("%+v is accepted", e)
		}
	}
}
