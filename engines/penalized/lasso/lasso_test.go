package lasso

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/losses/logits"
	"tenfold/engines/param"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/penalized/targets"
)

var _ engines.Pathed = Lasso{}
var _ engines.Pathed = ElasticNet{}

func TestSuite(t *testing.T) {
	path := Lasso{Strength: Strength{Ratio: 0.01, Standardize: true}, Path: convex.Path{Steps: 5}, Stopping: DefaultStopping}
	t.Run("lasso", func(t *testing.T) { enginetest.Suite(t, LassoKind.Defaults()) })
	t.Run("elastic-net", func(t *testing.T) { enginetest.Suite(t, ElasticNetKind.Defaults()) })
	t.Run("path", func(t *testing.T) { enginetest.Suite(t, path) })
	t.Run("class", func(t *testing.T) { enginetest.Suite(t, classes{path}) })
}

// classes asks the suite for class targets.
type classes struct{ Lasso }

func (classes) Needs() engines.Needs { return engines.Needs{Target: data.Class, Tasks: true} }

func TestValidate(t *testing.T) {
	nan := math.NaN()
	good := Strength{Lambda: 1}
	for _, c := range []struct {
		engine engines.Engine
		fields string
	}{
		{LassoKind.Defaults(), ""},
		{ElasticNetKind.Defaults(), ""},
		{Lasso{Strength: Strength{Lambda: -1}, Stopping: DefaultStopping}, "lambda"},
		{Lasso{Strength: Strength{Lambda: math.Inf(1)}, Stopping: DefaultStopping}, "lambda"},
		{Lasso{Strength: Strength{Lambda: nan, Ratio: nan}}, "lambda lambda_ratio tol max_iter"},
		{Lasso{Strength: Strength{Ratio: 1.5}, Path: convex.Path{Steps: -1}, Stopping: DefaultStopping}, "lambda_ratio path"},
		{Lasso{Strength: good, Path: convex.Path{Features: 3}, Stopping: DefaultStopping}, "features"},
		{Lasso{Strength: good, Path: convex.Path{Steps: 5, Features: 3}, Stopping: DefaultStopping}, ""},
		{ElasticNet{Alpha: 0, Strength: good, Stopping: DefaultStopping}, "alpha"},
		{ElasticNet{Alpha: 1.01, Strength: good, Stopping: DefaultStopping}, "alpha"},
		{ElasticNet{Alpha: nan, Lambda2: -1, Strength: good, Stopping: DefaultStopping}, "alpha lambda2"},
	} {
		err := c.engine.Validate()
		var got []string
		for _, line := range strings.Split(fmt.Sprint(err), "\n") {
			if name, _, ok := strings.Cut(line, ": "); ok {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != c.fields {
			t.Errorf("%+v: complaints about %v, want %s", c.engine, got, c.fields)
		}
		var field *param.FieldError
		if c.fields != "" && !errors.As(err, &field) {
			t.Errorf("%+v: no field named", c.engine)
		}
	}
}

// The fit reaches the minimum of the plainest program, and its certificate holds: on numbers and ones, with weights, with and
// without an L2 penalty, with more columns than rows, from products of columns and from the rows.
func TestAgreesWithLiteral(t *testing.T) {
	for seed := range uint64(24) {
		rows, columns := 40, 9
		if seed%3 == 2 {
			rows, columns = 20, 45
		}
		s := draw(seed, rows, columns, seed%2 == 0, seed%4 < 2)
		e := ElasticNet{Alpha: 1, Strength: Strength{Standardize: seed%8 < 4}, Stopping: Stopping{1e-13, 100_000}}
		if seed%5 > 2 {
			e.Alpha, e.Lambda2 = 0.7, float64(seed%2)
		}
		for _, share := range []float64{0.8, 0.3, 0.03} {
			e.Lambda = share * s.largest(e)
			m := mustFit(t, e, s.view())
			fitted := m.(engines.Reporter).Fitted()
			if fitted.Stop != "gap" || len(fitted.Notes) > 0 {
				t.Errorf("seed %d, share %v: %+v", seed, share, fitted)
			}
			want, b0 := s.minimum(e, e.Lambda)
			best := s.objective(e, e.Lambda, want, b0)
			got := s.objective(e, e.Lambda, coefficients(m, columns), m.(*engines.Linear).Bias(0))
			if !(math.Abs(got-best) <= 1e-9*best) {
				t.Errorf("seed %d, share %v: objective %v, the plain way reached %v", seed, share, got, best)
			}
			if c := fitted.Certificate; !(math.Abs(c.Objective-got) <= 1e-9*got) || c.Dual > best*(1+1e-12) {
				t.Errorf("seed %d, share %v: certificate %+v of an objective of %v, minimum %v", seed, share, c, got, best)
			}
			if e.Alpha < 1 || e.Lambda2 > 0 { // the minimum is one point
				oracle.NearAll(t, "coef", coefficients(m, columns), want, 1e-6)
			}
		}
	}
}

// conditions of the minimum, from the model alone.
func (s sketch) conditions(t *testing.T, e ElasticNet, lambda float64, m engines.Model, tol float64) {
	t.Helper()
	b := coefficients(m, len(s.x[0]))
	r := s.residuals(b, m.(*engines.Linear).Bias(0))
	sum := 0.0
	for i, v := range r {
		sum += s.mult(i) * v
	}
	if !(math.Abs(sum) <= tol) {
		t.Errorf("residuals sum to %v", sum)
	}
	for j, sd := range s.deviation(e.Standardize) {
		if sd < 1e-9 {
			if b[j] != 0 {
				t.Errorf("constant column %d has a coefficient", j)
			}
			continue
		}
		gradient := 0.0
		for i := range r {
			gradient += s.mult(i) * s.x[i][j] * r[i]
		}
		gradient = gradient/sd - ((1-e.Alpha)*lambda+e.Lambda2)*b[j]*sd
		most := e.Alpha * lambda
		if b[j] == 0 && !(math.Abs(gradient) <= most+tol) || b[j] > 0 && !(math.Abs(gradient-most) <= tol) || b[j] < 0 && !(math.Abs(gradient+most) <= tol) {
			t.Errorf("column %d: coefficient %v, gradient %v, λ1 %v", j, b[j], gradient, most)
		}
	}
}

// Every point of a path meets the conditions, whatever the order of the values, and is the minimum that a fit by itself finds.
func TestPath(t *testing.T) {
	for seed := range uint64(8) {
		s := draw(100+seed, 60, 30, seed%2 == 0, seed%3 == 0)
		view := s.view()
		e := ElasticNet{Alpha: 1, Strength: Strength{Standardize: seed%4 < 2}, Stopping: Stopping{1e-12, 100_000}}
		if seed%4 == 3 {
			e.Alpha = 0.5
		}
		values := []float64{1, 0.9, 0.7, 0.5, 0.45, 0.4, 0.2, 0.05, 0.01, 0.3, 1}
		n := 0
		err := e.FitPath(context.Background(), engines.Run{Train: view, Workers: 1}, engines.PathPoints{Parameter: e.PathParameters()[0], Values: values, MayEnd: true}, func(i int, m engines.Model) {
			n++
			lambda := values[i] * s.largest(e)
			s.conditions(t, e, lambda, m, 1e-4*s.largest(e)*values[i])
			alone := mustFit(t, e.AtValue(values[i]), view)
			got := s.objective(e, lambda, coefficients(m, 30), m.(*engines.Linear).Bias(0))
			want := s.objective(e, lambda, coefficients(alone, 30), alone.(*engines.Linear).Bias(0))
			if !(math.Abs(got-want) <= 1e-9*want) {
				t.Errorf("seed %d, value %v: objective %v, alone %v", seed, values[i], got, want)
			}
			if values[i] == 1 && len(m.Coefs()) > 0 {
				t.Errorf("seed %d, value 1: coefficients %v", seed, m.Coefs())
			}
		})
		if err != nil || n != len(values) { // 1 twice
			t.Errorf("%d points, %v", n, err)
		}
	}
}

func TestPathValues(t *testing.T) {
	for _, c := range []struct {
		rows, columns int
		near          int
	}{{60, 10, 25}, {20, 30, 1}} {
		usual, err := LassoKind.Defaults().(Lasso).PathValues(engines.Run{Train: draw(1, c.rows, c.columns, true, false).view()})
		if n := len(usual.Values); err != nil || n != 51 || usual.Values[0] != 1 || usual.Onward[0].Near != c.near || !usual.Open {
			t.Errorf("%d values, %v", n, err)
		}
	}
	view := draw(1, 20, 30, true, false).view()
	for _, v := range []float64{0, -0.1, 1.1, math.NaN()} {
		err := Lasso{Stopping: DefaultStopping}.FitPath(context.Background(), engines.Run{Train: view}, engines.PathPoints{Parameter: Lasso{Stopping: DefaultStopping}.PathParameters()[0], Values: []float64{v}, MayEnd: true}, nil)
		if err == nil || !strings.Contains(err.Error(), "lambda_ratio") {
			t.Errorf("value %v: %v", v, err)
		}
	}
}

// A model of a size is what a fit with that limit ends with.
func TestSizes(t *testing.T) {
	view := draw(5, 80, 30, false, false).view()
	e := Lasso{Strength: Strength{Ratio: 0.01}, Path: convex.Path{Steps: 40, Features: 40}, Stopping: DefaultStopping}
	kept := map[int]engines.Model{}
	sizes := []int{1, 2, 5, 9, 20, 40}
	last, err := e.Fit(context.Background(), engines.Run{Train: view, At: sizes, Keep: func(size int, m engines.Model) { kept[size] = m }})
	if err != nil {
		t.Fatal(err)
	}
	if kept[40] != nil { // there are not so many columns
		t.Errorf("size 40: %v", kept[40].Coefs())
	}
	for _, size := range sizes[:5] {
		e.Features = size
		want := mustFit(t, e, view)
		if got := kept[size]; got == nil || !reflect.DeepEqual(got.Coefs(), want.Coefs()) || len(got.Coefs()) > size {
			t.Errorf("size %d: got %v, want %v", size, got, want.Coefs())
		}
	}
	if len(last.Coefs()) <= 20 || len(kept[5].Coefs()) < 3 {
		t.Errorf("sizes %d and %d", len(last.Coefs()), len(kept[5].Coefs()))
	}
}

// Of equal columns the first has the coefficient; with an L2 penalty all have the same.
func TestEqualColumns(t *testing.T) {
	for seed := range uint64(10) {
		s := draw(seed, 50, 12, seed%2 == 0, false)
		for i := range s.x {
			s.x[i][7], s.x[i][9] = s.x[i][6], s.x[i][6]
			s.y[i] += 3*s.x[i][6] - 2*s.x[i][3]
		}
		for _, standardize := range []bool{false, true} {
			e := ElasticNet{Alpha: 1, Strength: Strength{Ratio: 0.02, Standardize: standardize}, Stopping: Stopping{1e-12, 100_000}}
			b := coefficients(mustFit(t, e, s.view()), 12)
			if b[3] == 0 || b[4] != 0 || b[6] == 0 || b[7] != 0 || b[9] != 0 {
				t.Errorf("seed %d: coefficients %v", seed, b)
			}
			e.Alpha = 0.5
			b = coefficients(mustFit(t, e, s.view()), 12)
			for _, d := range []float64{b[3] - b[4], b[6] - b[7], b[6] - b[9]} {
				if !(math.Abs(d) <= 1e-5) {
					t.Errorf("seed %d, alpha 0.5: coefficients %v", seed, b)
				}
			}
		}
	}
}

// Gradients from the rows lead where those from products of columns do.
func TestWithoutProducts(t *testing.T) {
	for seed := range uint64(6) {
		view := draw(seed, 60, 25, seed%2 == 0, seed%3 == 0).view()
		var found [2]convex.Outcome
		var size [2]int
		for k := range found {
			s, err := newLeastSquares(context.Background(), view, 0, "sd", Stopping{1e-12, 100_000}, 1)
			if err != nil {
				t.Fatal(err)
			}
			if k == 1 {
				s.set.inner = nil
			}
			for _, share := range []float64{0.6, 0.2, 0.05} {
				if found[k], err = s.Solve(context.Background(), targets.Penalty{L1: share * s.LambdaMax()}, 0); err != nil {
					t.Fatal(err)
				}
			}
			size[k] = s.Selected()
		}
		if d := found[0].Objective - found[1].Objective; found[1].Stop != "gap" || !(math.Abs(d) <= 1e-10*found[0].Objective) || size[0] != size[1] {
			t.Errorf("seed %d: %+v, %d columns; from the rows %+v, %d", seed, found[0], size[0], found[1], size[1])
		}
	}
}

// A row of weight m counts as m rows.
func TestWeightIsMultiplicity(t *testing.T) {
	s := draw(3, 40, 10, true, true)
	var repeated sketch
	for i, m := range s.m {
		for range int(m) {
			repeated.x, repeated.y = append(repeated.x, s.x[i]), append(repeated.y, s.y[i])
		}
	}
	e := Lasso{Strength: Strength{Lambda: 2, Standardize: true}, Stopping: Stopping{1e-13, 100_000}}
	oracle.NearAll(t, "coef", coefficients(mustFit(t, e, s.view()), 10), coefficients(mustFit(t, e, repeated.view()), 10), 1e-7)
}

func TestWorkers(t *testing.T) {
	x := enginetest.Random(4, 400, 3000, 0.02, true)
	y := make([]float64, 400)
	for i := range y {
		y[i] = x.Row(i).Sum() + float64(i%7)
	}
	view := enginetest.View(enginetest.Dataset(x, enginetest.Real("y", y...)), nil)
	e := Lasso{Strength: Strength{Ratio: 0.05}, Stopping: DefaultStopping}
	want := mustFit(t, e, view)
	for _, workers := range []int{0, 2, 5} {
		m, err := e.Fit(context.Background(), engines.Run{Train: view, Workers: workers})
		if err != nil || !reflect.DeepEqual(m.Coefs(), want.Coefs()) || !reflect.DeepEqual(m.(engines.Reporter).Fitted(), want.(engines.Reporter).Fitted()) {
			t.Errorf("%d workers: another model, %v", workers, err)
		}
	}
}

func TestEdges(t *testing.T) {
	e := Lasso{Strength: Strength{Lambda: 0.5}, Stopping: Stopping{1e-12, 100_000}}
	x := enginetest.Matrix([]float64{1, 1}, []float64{0, 1}, []float64{1, 1}, []float64{0, 1})
	for _, c := range []struct {
		name  string
		y     []float64
		e     Lasso
		coefs int
		bias  float64
		err   string
	}{
		{name: "one column", y: []float64{3, 1, 3, 1}, e: e, coefs: 1, bias: 1.25},
		{name: "a coefficient of one", y: []float64{3, 1, 3, 1}, e: Lasso{Strength: Strength{Lambda: 1}, Stopping: Stopping{1e-12, 100_000}}, coefs: 1, bias: 1.5},
		{name: "more than selects anything", y: []float64{3, 1, 3, 1}, e: Lasso{Strength: Strength{Lambda: 100}, Stopping: DefaultStopping}, bias: 2},
		{name: "just what selects nothing", y: []float64{3, 1, 3, 1}, e: Lasso{Strength: Strength{Ratio: 1}, Stopping: DefaultStopping}, bias: 2},
		{name: "no column that tells", y: []float64{3, 3, 1, 1}, e: e, bias: 2},
		{name: "a share of nothing", y: []float64{3, 3, 1, 1}, e: Lasso{Strength: Strength{Ratio: 0.1}, Path: convex.Path{Steps: 3}, Stopping: DefaultStopping}, bias: 2},
		{name: "constant response", y: []float64{1e6, 1e6, 1e6, 1e6}, e: e, err: "target y is constant"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := c.e.Fit(context.Background(), engines.Run{Train: enginetest.View(enginetest.Dataset(x, enginetest.Real("y", c.y...)), nil)})
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("%v, want %s", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if bias := m.(*engines.Linear).Bias(0); len(m.Coefs()) != c.coefs || !(math.Abs(bias-c.bias) <= 1e-4) || m.(engines.Reporter).Fitted().Stop != "gap" {
				t.Errorf("coefficients %v, bias %v, %+v", m.Coefs(), bias, m.(engines.Reporter).Fitted())
			}
		})
	}
	m := mustFit(t, Lasso{Strength: Strength{Ratio: 1e-3}, Stopping: Stopping{1e-9, 2}}, draw(7, 60, 30, true, false).view())
	if f := m.(engines.Reporter).Fitted(); f.Stop != "max_iter" || len(f.Notes) != 1 || len(m.Coefs()) == 0 {
		t.Errorf("two passes: %+v", f)
	}
}

// Each of several targets, some with rows of their own, is fitted as it is alone.
func TestSeveralTargets(t *testing.T) {
	s := draw(9, 40, 8, false, true)
	for _, x := range s.x {
		x[4] = 0 // equal columns of a class target share as they like
	}
	own := data.Target{Name: "own", Type: data.Real}
	class := enginetest.Class("class", 3, make([]float64, 40)...)
	for i, y := range s.y {
		if i%3 > 0 {
			own.Rows, own.Values = append(own.Rows, int32(i)), append(own.Values, y*y)
		}
		class.Values[i] = math.Mod(math.Floor(math.Abs(y)), 3)
	}
	with := func(targets ...data.Target) *data.View {
		set := enginetest.Dataset(enginetest.Matrix(s.x...), targets...)
		set.Weight = s.m
		return enginetest.View(set, nil)
	}
	targets := []data.Target{enginetest.Real("y", s.y...), class, own}
	e := Lasso{Strength: Strength{Ratio: 0.1, Standardize: true}, Path: convex.Path{Steps: 4}, Stopping: DefaultStopping}
	all := with(targets...)
	m := mustFit(t, e, all)
	scores := make([]float64, all.Len()*m.Outputs())
	m.Predict(scores, all.Inputs())
	var coefs []engines.Coef
	var sum engines.Fitted
	sum.Certificate = new(engines.Certificate)
	first := 0
	for _, target := range targets {
		alone := mustFit(t, e, with(target))
		f := alone.(engines.Reporter).Fitted()
		sum.Iterations += f.Iterations
		sum.Certificate.Objective += f.Certificate.Objective
		sum.Certificate.Dual += f.Certificate.Dual
		k := alone.Outputs()
		want := make([]float64, all.Len()*k)
		alone.Predict(want, all.Inputs())
		for i := range all.Len() {
			if got := scores[i*m.Outputs()+first : i*m.Outputs()+first+k]; !reflect.DeepEqual(got, want[i*k:(i+1)*k]) {
				t.Fatalf("target %s, row %d: scores %v, alone %v", target.Name, i, got, want[i*k:(i+1)*k])
			}
		}
		for _, c := range alone.Coefs() {
			c.Output += first
			coefs = append(coefs, c)
		}
		first += k
	}
	if m.Outputs() != 5 || first != 5 || !reflect.DeepEqual(m.Coefs(), coefs) {
		t.Errorf("%d outputs, coefficients %v, want %v", m.Outputs(), m.Coefs(), coefs)
	}
	if f := m.(engines.Reporter).Fitted(); f.Iterations != sum.Iterations || *f.Certificate != *sum.Certificate || !f.Probabilities || f.Stop != "gap" {
		t.Errorf("%+v with %+v, want the sums %+v with %+v", f, f.Certificate, sum, sum.Certificate)
	}
	row := make([]float64, 5)
	m.(engines.Scorer).Score(row, all.Row(4))
	oracle.NearAll(t, "score", row, scores[20:25], 1e-12)
	n := 0
	err := e.FitPath(context.Background(), engines.Run{Train: all}, engines.PathPoints{Parameter: e.PathParameters()[0], Values: []float64{0.5, 0.1}, MayEnd: true}, func(i int, m engines.Model) {
		if n++; i == 1 {
			for k, c := range m.Coefs() {
				if k >= len(coefs) || c.Feature != coefs[k].Feature || c.Output != coefs[k].Output || !(math.Abs(c.Value-coefs[k].Value) <= 1e-2*(1+math.Abs(c.Value))) {
					t.Fatalf("along the path %v, want %v", m.Coefs(), coefs)
				}
			}
		}
	})
	if err != nil || n != 2 {
		t.Errorf("%d points, %v", n, err)
	}
	if _, err := e.Fit(context.Background(), engines.Run{Train: enginetest.View(enginetest.Dataset(enginetest.Matrix(s.x...), targets...), []int32{0, 3, 6})}); err == nil || !strings.Contains(err.Error(), "target own") {
		t.Errorf("a target without rows: %v", err)
	}
}

// Of a class target the problem is that of engine l1; standardised, it is that of columns divided by their deviation.
func TestClasses(t *testing.T) {
	for _, levels := range []int{2, 3} {
		s := draw(20, 70, 8, false, true)
		y := make([]float64, len(s.y))
		for i, v := range s.y {
			y[i] = math.Mod(math.Floor(math.Abs(v)), float64(levels))
		}
		view := func(x [][]float64) *data.View {
			set := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", levels, y...))
			set.Weight = s.m
			return enginetest.View(set, nil)
		}
		e := ElasticNet{Alpha: 0.8, Lambda2: 0.1, Strength: Strength{Lambda: 2}, Stopping: Stopping{1e-10, 1000}}
		other := l1.L1{Objective: l1.Objective{C1: 1.6, C2: 0.5, Bias: "free"}, Stopping: logits.Stopping{Tol: 1e-10, MaxIter: 1000}}
		near := func(got, want engines.Model, sd []float64) {
			t.Helper()
			if len(got.Coefs()) != len(want.Coefs()) || len(want.Coefs()) < 3 {
				t.Fatalf("%d levels: %v, want %v", levels, got.Coefs(), want.Coefs())
			}
			for k, c := range want.Coefs() {
				if d := got.Coefs()[k]; d.Feature != c.Feature || d.Output != c.Output || !(math.Abs(d.Value*sd[c.Feature]-c.Value) <= 1e-5) {
					t.Errorf("%d levels: %+v, want %+v", levels, d, c)
				}
			}
		}
		near(mustFit(t, e, view(s.x)), mustFit(t, other, view(s.x)), s.deviation(false))
		e.Standardize = true
		sd := s.deviation(true)
		scaled := make([][]float64, len(s.x))
		for i := range s.x {
			for j, v := range s.x[i] {
				if sd[j] < 1e-9 {
					sd[j], v = 1, 0 // constant
				}
				scaled[i] = append(scaled[i], v/sd[j])
			}
		}
		near(mustFit(t, e, view(s.x)), mustFit(t, other, view(scaled)), sd)
	}
}

// The fixtures say which program made them, in which version, and each case by which call.
func TestPeers(t *testing.T) {
	for _, name := range []string{"sklearn", "glmnet"} {
		t.Run(name, func(t *testing.T) { peers(t, filepath.Join("testdata", name+".json")) })
	}
}

func peers(t *testing.T, path string) {
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Cases []struct {
			Name, Model string
			Standardize bool
			X           [][]float64
			Y, Weight   []float64
			Coef        [][]float64
			Intercept   []float64
			Params      struct{ Lambda, Alpha float64 }
		}
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	for _, c := range all.Cases {
		t.Run(c.Name, func(t *testing.T) {
			target, outputs := enginetest.Real("y", c.Y...), []int{0}
			if strings.HasSuffix(strings.TrimSuffix(c.Name, ", elastic net"), "classes") {
				if target, outputs = enginetest.Class("y", 2, c.Y...), []int{1}; len(c.Coef) > 1 {
					target, outputs = enginetest.Class("y", len(c.Coef), c.Y...), []int{0, 1, 2}
				}
			}
			set := enginetest.Dataset(enginetest.Matrix(c.X...), target)
			set.Weight = c.Weight
			e := ElasticNet{Alpha: c.Params.Alpha, Strength: Strength{Lambda: c.Params.Lambda, Standardize: c.Standardize}, Stopping: Stopping{1e-12, 100_000}}
			m := mustFit(t, e, enginetest.View(set, nil))
			biases := m.(interface{ Bias(int) float64 })
			shift := biases.Bias(outputs[0]) - c.Intercept[0]
			if len(c.Intercept) == 1 {
				oracle.Near(t, "intercept", biases.Bias(outputs[0]), c.Intercept[0], 1e-5)
			}
			for k, want := range c.Coef {
				got := make([]float64, len(want))
				for _, b := range m.Coefs() {
					if b.Output == outputs[k] {
						got[b.Feature] = b.Value
					}
				}
				oracle.NearAll(t, "coef", got, want, 1e-5)
				oracle.Near(t, "intercept", biases.Bias(outputs[k])-shift, c.Intercept[k], 1e-5)
			}
		})
	}
}

func TestOracle(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"lasso": check, "enet": check})
}

func check(t *testing.T, c oracle.Case) {
	var in struct {
		X [][]float64
		Y []float64
	}
	var options struct{ Lambda1, Lambda2 float64 }
	var want struct {
		Coef                 []float64
		Intercept, Objective float64
		Most                 float64 `json:"lambda_max"`
	}
	var tol struct{ Coef, Objective float64 }
	c.Decode(t, c.Input, &in)
	c.Decode(t, c.Options, &options)
	c.Decode(t, c.Expected, &want)
	c.Decode(t, c.Tolerance, &tol)
	view := sketch{x: in.X, y: in.Y}.view()
	e := ElasticNet{Alpha: 1, Lambda2: options.Lambda2, Strength: Strength{Lambda: options.Lambda1}, Stopping: Stopping{1e-15, 100_000}}
	m := mustFit(t, e, view).(*engines.Linear)
	oracle.NearAll(t, "coef", coefficients(m, len(in.X[0])), want.Coef, max(tol.Coef, 1e-9))
	oracle.Near(t, "intercept", m.Bias(0), want.Intercept, max(tol.Coef, 1e-9))
	oracle.Near(t, "objective", m.Fitted().Certificate.Objective, want.Objective, max(tol.Objective, 1e-9))
	s, err := newLeastSquares(context.Background(), view, 0, "none", e.Stopping, 1)
	if err != nil {
		t.Fatal(err)
	}
	oracle.Near(t, "lambda_max", s.LambdaMax(), want.Most, 1e-9)
	if options.Lambda2 > 0 { // the same, as a mixture
		e.Alpha, e.Lambda, e.Lambda2 = options.Lambda1/(options.Lambda1+options.Lambda2), options.Lambda1+options.Lambda2, 0
		oracle.NearAll(t, "coef of a mixture", coefficients(mustFit(t, e, view), len(in.X[0])), want.Coef, max(tol.Coef, 1e-9))
	}
}

// With all columns in the working set, the gap that a descent knows without the rows is the one that they tell.
func TestGapWithin(t *testing.T) {
	for seed := range uint64(4) {
		ctx := context.Background()
		s, err := newLeastSquares(ctx, draw(seed, 50, 20, seed%2 == 0, seed < 2).view(), 0, "sd", DefaultStopping, 1)
		if err != nil {
			t.Fatal(err)
		}
		pen := targets.Penalty{L1: 0.1 * s.LambdaMax(), L2: float64(seed)}
		if _, err := s.extendWorkingSet(ctx, 0, pen); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			d := s.descentTo(pen)
			d.sweep(0)
			got := d.dualityGap()
			s.updateResidual(pen.L1)
			if err := s.computeGradient(ctx, 0); err != nil {
				t.Fatal(err)
			}
			s.set.recomputeGradient(s)
			oracle.Near(t, "gap", got, s.certify(pen).Gap(), 1e-10*s.null)
			if got < 1e-9*s.null {
				t.Errorf("seed %d: a gap of %v shows nothing", seed, got)
			}
		}
	}
}

// Steps of a path move all coefficients, the intercept too: none of them, nor the one without coefficients, has a test error that
// could be followed from what moved.
func TestStepsAreWhole(t *testing.T) {
	e := Lasso{Strength: Strength{Ratio: 0.01}, Path: convex.Path{Steps: 10}, Stopping: DefaultStopping}
	var steps []engines.Step
	run := engines.Run{Train: draw(5, 80, 30, false, false).view(), Trace: func(s engines.Step) { steps = append(steps, s) }}
	if _, err := e.Fit(context.Background(), run); err != nil || len(steps) < 10 {
		t.Fatal(err, len(steps))
	}
	for _, s := range steps {
		if !s.Whole {
			t.Errorf("step %d: expected one of the whole model", s.Iter)
		}
	}
}
