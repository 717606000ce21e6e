package leastsquares

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
)

var (
	ols    = OLS{Scale: "sd", Tol: 1e-12}
	shrunk = Ridge{Lambda: 2, Scale: "sd", Tol: 1e-12}
)

func TestSuite(t *testing.T) {
	t.Run("ols", func(t *testing.T) { enginetest.Suite(t, OLSKind.Defaults()) })
	t.Run("ridge", func(t *testing.T) { enginetest.Suite(t, RidgeKind.Defaults()) })
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		engine engines.Engine
		fields string
	}{
		{ols, ""},
		{shrunk, ""},
		{OLS{Scale: "max", Tol: 0, MaxIter: -1}, "scale tol max_iter"},
		{OLS{Scale: "sd", Tol: 1}, "tol"},
		{OLS{Scale: "sd", Tol: math.NaN()}, "tol"},
		{Ridge{Lambda: 0, Scale: "sd", Tol: 1e-6}, "lambda"},
		{Ridge{Lambda: math.Inf(1), Scale: "sd", Tol: 1e-6}, "lambda"},
		{Ridge{Lambda: math.NaN(), Scale: "", Tol: 2}, "lambda scale tol"},
	} {
		if got := enginetest.Fields(c.engine.Validate()); got != c.fields {
			t.Errorf("%+v: complaints about %q, want %q", c.engine, got, c.fields)
		}
	}
}

// random regression data; weights 1, 2, 3 by turns.
func regression(rows, cols int, binary bool) *data.Dataset {
	rng := rand.New(rand.NewPCG(11, 12))
	x := enginetest.Random(13, rows, cols, 0.3, binary)
	y, w := make([]float64, rows), make([]float64, rows)
	for i := range y {
		y[i] = 3 + x.Row(i).Sum() + rng.NormFloat64()
		w[i] = float64(1 + i%3)
	}
	set := enginetest.Dataset(x, enginetest.Real("y", y...))
	set.Weight = w
	return set
}

func mustFit(t *testing.T, e engines.Engine, view *data.View) *engines.Linear {
	t.Helper()
	m, err := e.Fit(context.Background(), engines.Run{Train: view, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m.(*engines.Linear)
}

// At the solution the gradient vanishes: G'(ỹ − Gβ) = ρβ, on every scale, weighted or not.
func TestOptimality(t *testing.T) {
	for _, scale := range scaled.Scales {
		for _, rho := range []float64{0, 0.5} {
			for _, weighted := range []bool{false, true} {
				set := regression(80, 12, false)
				if !weighted {
					set.Weight = nil
				}
				view := enginetest.View(set, nil)
				var e engines.Engine = OLS{Scale: scale, Tol: 1e-12}
				if rho > 0 {
					e = Ridge{Lambda: rho, Scale: scale, Tol: 1e-12}
				}
				m := mustFit(t, e, view)
				g, err := scaled.Standardize(view.Matrix(), set.Weight, scale)
				if err != nil {
					t.Fatal(err)
				}
				fitted := make([]float64, view.Len())
				m.Predict(fitted, view.Inputs())
				_, y := view.Target(0)
				b := make([]float64, view.Columns())
				for _, c := range m.Coefs() {
					b[c.Feature] = c.Value
				}
				sum := 0.0
				for i := range y {
					sum += g.RowWeight(i) * (y[i] - fitted[i])
				}
				if !(math.Abs(sum) <= 1e-9) {
					t.Errorf("%s, ρ %v, weighted %v: residuals sum to %v", scale, rho, weighted, sum)
				}
				for j := range b {
					slope := 0.0
					col := view.Matrix().Col(j)
					for k, i := range col.Idx {
						slope += col.At(k) * g.RowWeight(int(i)) * (y[i] - fitted[i])
					}
					if want := rho * b[j] / g.Scale[j]; !(math.Abs(g.Scale[j]*slope-want) <= 1e-8) {
						t.Errorf("%s, ρ %v, weighted %v, column %d: gradient %v, penalty %v", scale, rho, weighted, j, g.Scale[j]*slope, want)
					}
				}
			}
		}
	}
}

// A row of weight m counts as m rows.
func TestWeightIsMultiplicity(t *testing.T) {
	set := regression(40, 8, true)
	var rows []int32
	for i, w := range set.Weight {
		for range int(w) {
			rows = append(rows, int32(i))
		}
	}
	weighted := mustFit(t, shrunk, enginetest.View(set, nil))
	set.Weight = nil
	repeated := mustFit(t, shrunk, enginetest.View(set, rows))
	same(t, weighted, repeated, 1e-10)
}

func same(t *testing.T, a, b *engines.Linear, tol float64) {
	t.Helper()
	if !(math.Abs(a.Bias(0)-b.Bias(0)) <= tol) || len(a.Coefs()) != len(b.Coefs()) {
		t.Fatalf("bias %v and %v, %d and %d coefficients", a.Bias(0), b.Bias(0), len(a.Coefs()), len(b.Coefs()))
	}
	for k, c := range a.Coefs() {
		if d := b.Coefs()[k]; c.Feature != d.Feature || !(math.Abs(c.Value-d.Value) <= tol) {
			t.Errorf("coefficient %d: %+v and %+v", k, c, d)
		}
	}
}

// A target that is defined on some rows only is fitted on those.
func TestTargetOnSomeRows(t *testing.T) {
	set := regression(40, 8, true)
	rows := []int32{1, 4, 5, 9, 11, 12, 13, 17, 20, 21, 25, 28, 30, 33, 39}
	all := enginetest.View(set, rows)
	want := mustFit(t, shrunk, all)

	some := data.Target{Name: "y", Type: data.Real, Rows: rows}
	for _, i := range rows {
		some.Values = append(some.Values, set.Targets[0].Values[i])
	}
	set.Targets = []data.Target{some}
	same(t, mustFit(t, shrunk, enginetest.View(set, nil)), want, 0)
	if _, err := ols.Fit(context.Background(), engines.Run{Train: enginetest.View(set, []int32{0, 2})}); err == nil {
		t.Error("a fit on no rows was not refused")
	}
}

// Several targets come out to the last bit as each by itself, also where they are defined on other rows.
func TestSeveralTargets(t *testing.T) {
	set := regression(60, 9, false)
	first := set.Targets[0]
	second, third := data.Target{Name: "z", Type: data.Real}, data.Target{Name: "some", Type: data.Real}
	for i, v := range first.Values {
		second.Values = append(second.Values, v*v-3*float64(i%5))
		if i%3 > 0 {
			third.Rows, third.Values = append(third.Rows, int32(i)), append(third.Values, math.Sin(v))
		}
	}
	constant := data.Target{Name: "constant", Type: data.Real, Rows: third.Rows, Values: make([]float64, len(third.Rows))}
	targets := []data.Target{first, second, third, constant, first}
	for _, e := range []engines.Engine{ols, shrunk} {
		set.Targets = targets
		var steps int
		m, err := e.Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil), Workers: 2, Trace: func(engines.Step) { steps++ }})
		if err != nil || m.Outputs() != 5 || steps != 0 {
			t.Fatalf("%v, %d steps", err, steps)
		}
		all := m.(*engines.Linear)
		iterations := 0
		for out, target := range targets {
			set.Targets = []data.Target{target}
			alone := mustFit(t, e, enginetest.View(set, nil))
			iterations += alone.Fitted().Iterations
			var coefs []engines.Coef
			for _, c := range all.Coefs() {
				if c.Output == out {
					c.Output = 0
					coefs = append(coefs, c)
				}
			}
			if all.Bias(out) != alone.Bias(0) || !slices.Equal(coefs, alone.Coefs()) {
				t.Errorf("%T, target %s: %v and %v, alone %v and %v", e, target.Name, all.Bias(out), coefs, alone.Bias(0), alone.Coefs())
			}
		}
		f := all.Fitted()
		if f.Stop != "tol" || f.Iterations != iterations || f.Best != -1 || number(t, f.Facts, "target some: residual sum of squares") <= 0 {
			t.Errorf("%+v", f)
		}
	}
	set.Targets = []data.Target{first, {Name: "none", Type: data.Real, Rows: []int32{}}}
	if _, err := ols.Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil)}); err == nil || err.Error() != "target none has no training row" {
		t.Errorf("a target without rows: %v", err)
	}
	e := ols
	e.MaxIter = 2
	set.Targets = []data.Target{first, second}
	m, err := e.Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil)})
	if f := m.(engines.Reporter).Fitted(); err != nil || f.Stop != "max_iter" || len(f.Notes) < 2 {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestEdges(t *testing.T) {
	constant := enginetest.Matrix([]float64{1, 0, 2}, []float64{1, 1, 2}, []float64{1, 0, 2}, []float64{1, 1, 2})
	for _, c := range []struct {
		name  string
		x     *sparse.Matrix
		y     []float64
		coefs string
		bias  float64
	}{
		{"constant columns get nothing", constant, []float64{1, 3, 1, 3}, "[1]", 1},
		{"constant response", constant, []float64{4, 4, 4, 4}, "[]", 4},
		{"no columns", enginetest.Matrix([]float64{}, []float64{}), []float64{1, 2}, "[]", 1.5},
		{"one row", enginetest.Matrix([]float64{1, 2}), []float64{7}, "[]", 7},
		{"duplicate columns share", enginetest.Matrix([]float64{1, 1}, []float64{0, 0}), []float64{2, 0}, "[0 1]", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := mustFit(t, ols, enginetest.View(enginetest.Dataset(c.x, enginetest.Real("y", c.y...)), nil))
			features := []int{}
			for _, b := range m.Coefs() {
				features = append(features, b.Feature)
			}
			if fmt.Sprint(features) != c.coefs || !(math.Abs(m.Bias(0)-c.bias) <= 1e-12) || m.Fitted().Stop != "tol" {
				t.Errorf("coefficients of %v, bias %v, %+v; want %s, %v", features, m.Bias(0), m.Fitted(), c.coefs, c.bias)
			}
		})
	}
}

func TestLimitOfIterations(t *testing.T) {
	view := enginetest.View(regression(200, 40, false), nil)
	e := ols
	e.MaxIter = 3
	m := mustFit(t, e, view)
	fit := m.Fitted()
	if fit.Stop != "max_iter" || fit.Iterations != 3 || !strings.Contains(strings.Join(fit.Notes, "\n"), "not converged") {
		t.Errorf("got %+v", fit)
	}
	if rss := number(t, fit.Facts, "residual sum of squares"); len(m.Coefs()) == 0 || rss <= 0 {
		t.Errorf("%d coefficients, rss %v: the result was not kept", len(m.Coefs()), rss)
	}
}

// The steps that a fit tells of end at the model that it returns, and their error never rises.
func TestTrace(t *testing.T) {
	view := enginetest.View(regression(300, 60, false), nil)
	var steps []engines.Step
	m, err := ols.Fit(context.Background(), engines.Run{Train: view, Workers: 1, Trace: func(s engines.Step) { steps = append(steps, s) }})
	if err != nil {
		t.Fatal(err)
	}
	linear := m.(*engines.Linear)
	last := steps[len(steps)-1]
	n := 0.0
	for _, w := range view.Weights() {
		n += w
	}
	rss := number(t, linear.Fitted().Facts, "residual sum of squares")
	if last.Iter != linear.Fitted().Iterations || last.Bias != linear.Bias(0) || last.Active != len(linear.Coefs()) || !(math.Abs(last.TrainError-rss/n) <= 1e-8) {
		t.Errorf("last step %+v, model %+v, bias %v", last, linear.Fitted(), linear.Bias(0))
	}
	for k, s := range steps {
		if s.Iter != k+1 || s.Changed.Feature != -1 {
			t.Fatalf("step %d is %+v", k, s)
		}
		if k > 0 && s.TrainError > steps[k-1].TrainError+1e-12 {
			t.Errorf("step %d: the error rose from %v to %v", k, steps[k-1].TrainError, s.TrainError)
		}
	}
}

// A problem of several blocks of rows: the same bits with any number of workers.
func TestWorkers(t *testing.T) {
	view := enginetest.View(regression(2000, 20, true), nil)
	want := mustFit(t, shrunk, view)
	for _, workers := range []int{0, 2, 3, 16} {
		m, err := shrunk.Fit(context.Background(), engines.Run{Train: view, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		same(t, m.(*engines.Linear), want, 0)
	}
}

// However a solution ends, what it tells is computed from its coefficients, not from differences that gathered rounding.
func TestSolutionIsChecked(t *testing.T) {
	view := enginetest.View(regression(300, 60, false), nil)
	g, err := scaled.Standardize(view.Matrix(), view.Weights(), "sd")
	if err != nil {
		t.Fatal(err)
	}
	_, y := view.Target(0)
	centred, _, _ := g.Center(y)
	for _, c := range []struct {
		tol       float64
		maxIter   int
		rho       float64
		converged bool
	}{{1e-10, 1000, 0, true}, {1e-10, 1000, 40, true}, {1e-13, 7, 0, false}, {1e-13, 7, 3, false}, {0.5, 1000, 1, true}} {
		p := problem{g: g, y: centred, rho: c.rho}
		got := solver{tol: c.tol, maxIter: c.maxIter, progress: func(int, float64, []float64) {}}.solve(t.Context(), p)
		start, slope := make([]float64, len(got.beta)), make([]float64, len(got.beta))
		g.Normal().Apply(t.Context(), start, slope, centred, 1)
		rss := g.Normal().Apply(t.Context(), slope, got.beta, centred, 1)
		dense.AddTo(slope, got.beta, -c.rho)
		ratio := math.Sqrt(dense.DotInOrder(slope, slope) / dense.DotInOrder(start, start))
		if got.ratio != ratio || got.rss != rss || got.converged != c.converged || c.converged != (ratio <= c.tol) || got.iterations > c.maxIter {
			t.Errorf("%+v: ratio %v, rss %v, converged %v after %d iterations; from the coefficients %v, %v", c, got.ratio, got.rss, got.converged, got.iterations, ratio, rss)
		}
	}
}

// By default the penalty is the sum of the variances of the scaled columns.
func TestPenaltyByVariances(t *testing.T) {
	v := enginetest.View(enginetest.Dataset(enginetest.Matrix([]float64{1, 3}, []float64{2, 5}, []float64{4, 3}, []float64{5, 5}), enginetest.Real("y", 1, 0, 3, 5)), nil)
	for scale, want := range map[string]float64{"sd": 2, "none": 2.5 + 1, "unit": 2.0 / 4} {
		byDefault := RidgeKind.Defaults().(Ridge)
		byDefault.Scale = scale
		given := byDefault
		given.Lambda = want
		a, err := byDefault.Fit(t.Context(), engines.Run{Train: v, Workers: 1})
		b, errs := given.Fit(t.Context(), engines.Run{Train: v, Workers: 1})
		if err != nil || errs != nil {
			t.Fatal(err, errs)
		}
		for k, c := range a.Coefs() {
			if !(math.Abs(c.Value-b.Coefs()[k].Value) <= 1e-9) {
				t.Errorf("scale %s: %v, want %v", scale, c, b.Coefs()[k])
			}
		}
	}
}
