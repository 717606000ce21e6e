package concave

import (
	"math"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/targets"
)

var _ engines.Pathed = Concave{}

func TestSuite(t *testing.T) {
	path, classPath := mcp(3), classes{scad(3.7)}
	path.Ratio, path.Path = 0.05, convex.Path{Steps: 5}
	if parallel.RaceDetector {
		path.Ratio = 0.5 // long enough to be divided
	}
	classPath.Ratio, classPath.Path = path.Ratio, path.Path
	t.Run("mcp", func(t *testing.T) { enginetest.Suite(t, MCPKind.Defaults()) })
	t.Run("scad", func(t *testing.T) { enginetest.Suite(t, SCADKind.Defaults()) })
	t.Run("path", func(t *testing.T) { enginetest.Suite(t, path) })
	counts := ofCounts{mcp(3)}
	counts.Ratio = 0.1
	t.Run("counts", func(t *testing.T) { enginetest.Suite(t, counts) })
	t.Run("classes", func(t *testing.T) { enginetest.Suite(t, classPath) })
}

// mcp with another γ.
func mcp(gamma float64) Concave {
	e := MCPKind.Defaults().(Concave)
	e.Gamma = gamma
	return e
}

// scad with another γ.
func scad(gamma float64) Concave {
	e := SCADKind.Defaults().(Concave)
	e.Gamma = gamma
	return e
}

// ratios are points of a path.
func ratios(values []float64) engines.PathPoints {
	return engines.PathPoints{Parameter: "lambda_ratio", Values: values}
}

// classes asks the suite for class targets.
type classes struct{ Concave }

func (classes) Needs() engines.Needs { return engines.Needs{Target: data.Class, Levels: 2} }

// ofCounts asks the suite for counts.
type ofCounts struct{ Concave }

func (ofCounts) Needs() engines.Needs { return engines.Needs{Target: data.Count, Rates: true} }

func TestValidate(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		engine engines.Engine
		fields string
	}{
		{MCPKind.Defaults(), ""},
		{SCADKind.Defaults(), ""},
		{mcp(1.01), ""},
		{mcp(1), "gamma"},
		{mcp(math.Inf(1)), "gamma"},
		{scad(2), "gamma"},
		{scad(2.01), ""},
		{scad(nan), "gamma"},
		{Concave{Gamma: 3}, "alpha tol max_iter"},
		{Concave{Gamma: 3, Alpha: 1.1, Lambda: -1, Ratio: 2, Path: convex.Path{Steps: -1}, Tol: 1, MaxIter: 1}, "alpha lambda lambda_ratio path tol"},
		{Concave{Gamma: 3, Alpha: nan, Lambda: math.Inf(1), Ratio: nan, Tol: nan, MaxIter: 1}, "alpha lambda lambda_ratio tol"},
	} {
		if got := enginetest.Fields(c.engine.Validate()); got != c.fields {
			t.Errorf("%+v: complaints about %q, want %q", c.engine, got, c.fields)
		}
	}
}

// engineOf a case.
func engineOf(name string, gamma float64) Concave {
	if name == "scad" {
		return scad(gamma)
	}
	return mcp(gamma)
}

func TestOracle(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"ncv_path": checkPath, "families_bad_input": checkBadInput})
}

// checkPath goes from penalty to penalty, without those of the path in between.
func checkPath(t *testing.T, c oracle.Case) {
	var in struct {
		X [][]float64
		Y []float64
	}
	var options struct {
		Penalty, Family string
		Gamma, Alpha    float64
		Lambdas         []float64
	}
	var want struct {
		Path []struct {
			Objective, Loss, Intercept float64
			Coef                       []float64
		}
	}
	c.Parts(t, &in, &options, &want)
	target := enginetest.Real("y", in.Y...)
	if options.Family == "binomial" {
		target = enginetest.Class("y", 2, in.Y...)
	}
	e := engineOf(options.Penalty, options.Gamma)
	e.Alpha, e.Tol = options.Alpha, 1e-11
	if c.Refused(t, e.Validate()) {
		return
	}
	train := enginetest.View(enginetest.Dataset(enginetest.Matrix(in.X...), target), nil)
	p, err := e.read(t.Context(), train, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	a := p.(*approximation)
	for k, lambda := range options.Lambdas {
		out, err := a.solvePenalty(t.Context(), targets.Penalty{L1: e.Alpha * lambda, L2: (1 - e.Alpha) * lambda}, e.Alpha*slices.Min(options.Lambdas))
		if err != nil {
			t.Fatal(err)
		}
		m, expect := a.Model(out.Fitted()), want.Path[k]
		coef := make([]float64, len(in.X[0]))
		for _, b := range m.Coefs() {
			coef[b.Feature] = b.Value
		}
		if out.Stop != convex.Stationary {
			t.Errorf("λ %v: stop %s", lambda, out.Stop)
		}
		oracle.NearAll(t, "coef", coef, expect.Coef, 1e-6)
		bias := engines.Biases(m)
		oracle.Near(t, "intercept", bias[len(bias)-1], expect.Intercept, 1e-6)
		oracle.Near(t, "objective", a.objective(), expect.Objective, 1e-9)
		oracle.Near(t, "loss", a.LossSum(), expect.Loss, 1e-6)
	}
}

// lambdaMaxOf returns the λ from which on nothing is selected.
func lambdaMaxOf(t *testing.T, e Concave, run engines.Run) float64 {
	t.Helper()
	p, err := targets.NewPath(t.Context(), run, e.penalties(), 0, e.read)
	if err != nil {
		t.Fatal(err)
	}
	return p.LambdaMax()
}

func checkBadInput(t *testing.T, c oracle.Case) {
	var options struct {
		Target, Penalty string
		Gamma, Alpha    float64
		Lambdas         []float64
	}
	var want struct{ Error string }
	c.Decode(t, c.Options, &options)
	c.Decode(t, c.Expected, &want)
	if options.Target != "ncv_path" {
		t.Skipf("a case about %s", options.Target)
	}
	e := engineOf(options.Penalty, options.Gamma)
	e.Alpha, e.Lambda = options.Alpha, slices.Min(options.Lambdas)
	field, known := map[string]string{"gamma_too_small": "gamma", "bad_alpha": "alpha", "bad_parameter": "lambda"}[want.Error]
	if got := enginetest.Fields(e.Validate()); got == "" || known && got != field {
		t.Errorf("complaints about %q, expected %s", got, want.Error)
	}
}

// The path is that of the specification's passes, at every penalty: for numbers and classes, both penalties, with an L2 part and row
// weights, with more columns than rows.
func TestPathIsThatOfWholePasses(t *testing.T) {
	for seed := range uint64(24) {
		s := draw(seed, 50, 9, seed%2 == 1, seed%3 == 0)
		if seed%6 == 4 {
			s = draw(seed, 25, 40, false, false)
		}
		name, gamma := "mcp", 3.0
		if seed%4 > 1 {
			name, gamma = "scad", 3.7
		}
		e := engineOf(name, gamma)
		e.Tol = 1e-11
		if seed%5 == 2 {
			e.Alpha = 0.8
		}
		run := engines.Run{Train: s.view(), Workers: 1}
		usual, err := e.PathValues(run)
		if err != nil {
			t.Fatal(err)
		}
		values := usual.Values[:26]
		var got []engines.Model
		if err := e.FitPath(t.Context(), run, ratios(values), func(_ int, m engines.Model) { got = append(got, m) }); err != nil {
			t.Fatal(err)
		}
		lambdaMax := lambdaMaxOf(t, e, run)
		lambdas := make([]float64, len(values))
		for k, v := range values {
			lambdas[k] = v * lambdaMax
		}
		coefs, biases := s.literal(name, gamma, e.Alpha, lambdas)
		for k, m := range got {
			b := make([]float64, len(s.x[0]))
			for _, c := range m.Coefs() {
				b[c.Feature] = c.Value
			}
			bias := engines.Biases(m)
			oracle.NearAll(t, "coef", b, coefs[k], 1e-7)
			oracle.Near(t, "intercept", bias[len(bias)-1], biases[k], 1e-7)
			if t.Failed() {
				t.Fatalf("seed %d (%s), penalty %d of %d: %+v", seed, name, k, len(got), m.(engines.Reporter).Fitted())
			}
		}
	}
}

// The path that tuning follows begins with penalties down to a twentieth; from there it goes on to where that of others ends.
func TestPathValues(t *testing.T) {
	for _, c := range []struct{ rows, columns, near int }{{50, 9, 6}, {20, 30, 1}} {
		train := draw(1, c.rows, c.columns, false, false).view()
		usual, err := mcp(3).PathValues(engines.Run{Train: train})
		if err != nil || len(usual.Values) != 33 || usual.Onward[0].Near != c.near || !usual.Open {
			t.Errorf("%d × %d: %d values, %v", c.rows, c.columns, len(usual.Values), err)
		}
		all := usual.Values
		for _, piece := range usual.Onward {
			all = append(all, piece.Values...)
		}
		for k, v := range all {
			if want := math.Pow(10, -float64(k)/perDecade); !(math.Abs(v/want-1) <= 1e-12) {
				t.Errorf("%d × %d: value %d is %v, want %v", c.rows, c.columns, k, v, want)
			}
		}
		if len(all) != 1+6*perDecade {
			t.Errorf("%d × %d: %d values in all", c.rows, c.columns, len(all))
		}
	}
}
