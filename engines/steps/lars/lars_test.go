package lars

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
)

var methods = []string{methodLAR, methodLasso, methodStagewise}

func with(change func(e *LARS)) LARS {
	e := Kind.Defaults().(LARS)
	if change != nil {
		change(&e)
	}
	return e
}

// onReal asks the suite for a real target.
type onReal struct{ LARS }

func (e onReal) Needs() engines.Needs {
	return engines.Needs{Target: data.Real, Sizes: e.LARS.Needs().Sizes}
}

func TestSuite(t *testing.T) {
	for _, method := range methods {
		e := with(func(e *LARS) { e.Method, e.Scale = method, "sd" })
		t.Run(method, func(t *testing.T) { enginetest.Suite(t, onReal{e}) })
		t.Run(method+" classes", func(t *testing.T) { enginetest.Suite(t, e) })
	}
	t.Run("fraction", func(t *testing.T) {
		enginetest.Suite(t, onReal{with(func(e *LARS) { e.Fraction, e.Scale = 0.4, "none" })})
	})
}

// walked is a path, turn by turn, by columns of the data as scaled.
func walked(t *testing.T, e LARS, view *data.View) *larsPath {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	w, err := e.newPath(context.Background(), engines.Run{Train: view, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	w.record = &turningPoints{}
	if err := w.follow(context.Background()); err != nil {
		t.Fatal(err)
	}
	return w
}

func (p point) dense(columns int) []float64 {
	out := make([]float64, columns)
	for k, j := range p.columns {
		out[j] = p.beta[k]
	}
	return out
}

// where is the point of the path with a given λ.
func (r *turningPoints) where(lambda float64) point {
	for k, turn := range r.turns[1:] {
		if before := r.turns[k]; turn.lambda <= lambda {
			return before.interpolate(turn, (before.lambda-lambda)/(before.lambda-turn.lambda))
		}
	}
	return r.turns[len(r.turns)-1]
}

// R's lars 1.3, all three methods on both sets of columns: coefficients at every turn of its path, and the turns themselves,
// but for its steps of no length.
func TestDiabetes(t *testing.T) {
	for _, columns := range []string{"x10", "x64"} {
		for _, method := range methods {
			t.Run(columns+" "+method, func(t *testing.T) {
				names, view, knots := enginetest.Diabetes(t, columns, method)
				w := walked(t, with(func(e *LARS) { e.Method = method }), view)
				turns := slices.Clone(knots[:1])
				for k, knot := range knots[1:] {
					if knots[k].Lambda-knot.Lambda > 1e-9 {
						turns = append(turns, knot)
					}
				}
				if len(w.record.turns) != len(turns) {
					t.Fatalf("%d turns, want %d", len(w.record.turns), len(turns))
				}
				for k, got := range w.record.turns {
					oracle.Near(t, "λ at "+turns[k].Action, got.lambda, turns[k].Lambda, 1e-6)
					oracle.NearAll(t, "coefficients at "+turns[k].Action, got.dense(len(names)), turns[k].Coef, 1e-6)
				}
				w.updateResidual()
				oracle.Near(t, "RSS", w.g.Inner(w.r, w.r), knots[len(knots)-1].RSS, 1e-9)
			})
		}
	}
}

// problem is random data with what makes paths hard: more columns than rows, equal columns, sums of others, constants, ties.
func problem(seed uint64) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 9))
	rows, cols := 8+rng.IntN(20), 4+rng.IntN(20)
	whole := rng.IntN(2) == 0
	x := make([][]float64, rows)
	y := make([]float64, rows)
	for i := range x {
		x[i] = make([]float64, cols)
		for j := range cols {
			switch {
			case rng.Float64() < 0.4:
			case whole:
				x[i][j] = float64(rng.IntN(3))
			default:
				x[i][j] = rng.NormFloat64() + 1
			}
		}
		x[i][cols-1], x[i][cols-2], x[i][cols-3] = x[i][0], x[i][0]+x[i][1], 7
		y[i] = 3*x[i][0] - 2*x[i][1] + math.Round(2*rng.NormFloat64())
	}
	set := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...))
	if rng.IntN(3) == 0 {
		for range rows {
			set.Weight = append(set.Weight, float64(1+rng.IntN(3)))
		}
	}
	return set
}

// The laws of the paths, at every turn: λ is the largest correlation, and the conditions of each method hold.
func TestLaws(t *testing.T) {
	for seed := range uint64(150) {
		view := enginetest.View(problem(seed), nil)
		for _, method := range methods {
			scale := []string{"unit", "sd", "none"}[seed%3]
			w := walked(t, with(func(e *LARS) { e.Method, e.Scale = method, scale }), view)
			if w.stop != "complete" || w.lambda > nothing*w.largest {
				t.Fatalf("seed %d, %s: stopped by %s at λ = %v", seed, method, w.stop, w.lambda)
			}
			tol := 1e-8 * w.largest
			var before point
			for k, turn := range w.record.turns {
				c := correlations(w, view, turn)
				for j, v := range c {
					if !(math.Abs(v) <= turn.lambda+tol) {
						t.Fatalf("seed %d, %s, turn %d of %d: column %d has correlation %v, λ is %v", seed, method, k, len(w.record.turns), j, v, turn.lambda)
					}
				}
				for q, j := range turn.columns {
					switch {
					case method == methodLasso && !(math.Abs(c[j]-math.Copysign(turn.lambda, turn.beta[q])) <= tol):
						t.Fatalf("seed %d, turn %d: coefficient %v of column %d, correlation %v, λ %v", seed, k, turn.beta[q], j, c[j], turn.lambda)
					case method == methodStagewise && (turn.beta[q]-before.coefficientOf(j))*correlations(w, view, before)[j] < -tol*tol:
						t.Fatalf("seed %d, turn %d: coefficient of column %d went against its correlation", seed, k, j)
					}
				}
				before = turn
			}
		}
	}
}

// correlations of scaled columns with the residual of a point, from the data.
func correlations(w *larsPath, view *data.View, p point) []float64 {
	_, y := view.Target(0)
	weight := view.Weights()
	m := func(i int) float64 {
		if weight == nil {
			return 1
		}
		return weight[i]
	}
	dense := func(j int) []float64 {
		z := make([]float64, len(y))
		for i := range z {
			z[i] = -w.g.Mean[j] * w.g.Scale[j]
		}
		view.Matrix().Col(j).AddTo(z, w.g.Scale[j])
		return z
	}
	r := make([]float64, len(y))
	for i := range r {
		r[i] = y[i] - w.mean
	}
	for k, j := range p.columns {
		for i, v := range dense(int(j)) {
			r[i] -= p.beta[k] * v
		}
	}
	c := make([]float64, view.Columns())
	for j := range c {
		for i, v := range dense(j) {
			c[j] += m(i) * v * r[i]
		}
	}
	return c
}

// Without ties and drops, the three methods are one.
func TestOrthogonal(t *testing.T) {
	x := [][]float64{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}
	view := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", 9, 3, 1, -1)), nil) // 3 + 3·a + 2·b + 1·c
	for _, method := range methods {
		w := walked(t, with(func(e *LARS) { e.Method = method }), view)
		for k, want := range [][]float64{{0, 0, 0}, {2, 0, 0}, {4, 2, 0}, {6, 4, 2}} {
			oracle.NearAll(t, method, w.record.turns[k].dense(3), want, 1e-12)
			oracle.Near(t, method, w.record.turns[k].lambda, []float64{6, 4, 2, 0}[k], 1e-12)
		}
	}
}

// Where a path ends, it is the same path.
func TestLimits(t *testing.T) {
	for seed := range uint64(40) {
		view := enginetest.View(problem(seed), nil)
		for _, method := range methods {
			whole := walked(t, with(func(e *LARS) { e.Method = method }), view)
			turns := whole.record.turns
			p := view.Columns()
			for k := range turns[1:] {
				w := walked(t, with(func(e *LARS) { e.Method, e.Steps = method, k+1 }), view)
				oracle.NearAll(t, "after some steps", w.currentPoint().dense(p), turns[k+1].dense(p), 1e-9)
				lambda := (turns[k].lambda + turns[k+1].lambda) / 2
				w = walked(t, with(func(e *LARS) { e.Method, e.Lambda = method, lambda }), view)
				oracle.NearAll(t, "at a λ", w.currentPoint().dense(p), whole.record.where(lambda).dense(p), 1e-7)
				if w.lambda != lambda || w.stop != "lambda" {
					t.Errorf("stopped by %s at %v, want %v", w.stop, w.lambda, lambda)
				}
			}
			for _, fraction := range []float64{0, 0.3, 0.9} {
				got := whole.record.atFraction(fraction)
				oracle.Near(t, "Σ|β|", got.l1, fraction*turns[len(turns)-1].l1, 1e-9)
				oracle.NearAll(t, "at its λ", got.dense(p), whole.record.where(got.lambda).dense(p), 1e-7)
			}
		}
	}
}

// Models of a path are those of fits with that limit: the last with at most so many columns. What steps told adds up to them.
func TestSizes(t *testing.T) {
	for seed := range uint64(30) {
		view := enginetest.View(problem(seed), nil)
		for _, method := range methods {
			kept := map[int]engines.Model{}
			b, bias := make([]float64, view.Columns()), 0.0
			run := engines.Run{Train: view, Workers: 1, At: []int{1, 3, 50}, Keep: func(size int, m engines.Model) { kept[size] = m }}
			run.Trace = func(s engines.Step) {
				bias = s.Bias
				for _, c := range append(slices.Clone(s.Also), s.Changed) {
					if c.Feature >= 0 {
						b[c.Feature] += c.Value
					}
				}
			}
			last, err := with(func(e *LARS) { e.Method, e.MaxFeatures = method, 50 }).Fit(context.Background(), run)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]float64, len(b))
			for _, c := range last.Coefs() {
				got[c.Feature] = c.Value
			}
			oracle.NearAll(t, "what steps told", b, got, 1e-9)
			oracle.Near(t, "bias", bias, last.(*engines.Linear).Bias(0), 1e-9)
			for _, size := range run.At {
				alone, err := with(func(e *LARS) { e.Method, e.MaxFeatures = method, size }).Fit(context.Background(), engines.Run{Train: view, Workers: 1})
				if err != nil {
					t.Fatal(err)
				}
				if n := len(last.Coefs()); kept[size] == nil && n < size { // the path ended before
					kept[size] = last
				}
				if n := len(alone.Coefs()); kept[size] == nil || !slices.Equal(kept[size].Coefs(), alone.Coefs()) || n > size {
					t.Errorf("seed %d, %s: %d columns at size %d, on the path %v", seed, method, n, size, kept[size])
				}
			}
		}
	}
}

// All fractions of one walk are what fits of their own give, in any order.
func TestFitPath(t *testing.T) {
	view := enginetest.View(problem(4), nil)
	for _, method := range methods {
		e := with(func(e *LARS) { e.Method, e.Steps = method, 5 })
		run := engines.Run{Train: view, Workers: 1}
		values := []float64{1, 0, 0.25, 0.7}
		var pathed engines.Pathed = e
		err := pathed.FitPath(context.Background(), run, engines.PathPoints{Parameter: pathed.PathParameters()[0], Values: values, MayEnd: true}, func(i int, m engines.Model) {
			alone, err := pathed.AtValue(values[i]).Fit(context.Background(), run)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(m.Coefs(), alone.Coefs()) {
				t.Errorf("%s at %v: %v, alone %v", method, values[i], m.Coefs(), alone.Coefs())
			}
			if values[i] == 0 && len(m.Coefs()) > 0 {
				t.Errorf("%s at 0: %v", method, m.Coefs())
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	usual, err := with(nil).PathValues(engines.Run{})
	if values := usual.Values; err != nil || usual.Open || usual.Onward != nil || values[0] != 0 || values[50] != 0.5 || values[100] != 1 || with(nil).PathParameters()[0] != "fraction" {
		t.Errorf("%v, %v", usual, err)
	}
}

// The lasso's certificate closes.
func TestCertificate(t *testing.T) {
	for seed := range uint64(40) {
		m, err := with(func(e *LARS) { e.Steps = 1 + int(seed%5) }).Fit(context.Background(), engines.Run{Train: enginetest.View(problem(seed), nil), Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if c := m.(engines.Reporter).Fitted().Certificate; c != nil && !(c.Relative() < 1e-10 && c.Objective-c.Dual > -1e-9*c.Objective) {
			t.Errorf("seed %d: %+v", seed, c)
		}
	}
}

func TestRefusals(t *testing.T) {
	for want, change := range map[string]func(e *LARS){
		`method: "lass"`:     func(e *LARS) { e.Method = "lass" },
		`scale: "max"`:       func(e *LARS) { e.Scale = "max" },
		"steps: -1":          func(e *LARS) { e.Steps = -1 },
		"max_features: -1":   func(e *LARS) { e.MaxFeatures = -1 },
		"lambda: -1":         func(e *LARS) { e.Lambda = -1 },
		"lambda: NaN":        func(e *LARS) { e.Lambda = math.NaN() },
		"fraction: 1.5":      func(e *LARS) { e.Fraction = 1.5 },
		"fraction: NaN, exp": func(e *LARS) { e.Fraction = math.NaN() },
	} {
		if err := with(change).Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	x := enginetest.Matrix([]float64{1, 2}, []float64{0, 1}, []float64{2, 2})
	_, err := with(nil).Fit(context.Background(), engines.Run{Train: enginetest.View(enginetest.Dataset(x, enginetest.Real("y", 1, 1, 1)), nil), Workers: 1})
	if err == nil || !strings.Contains(err.Error(), "target y is constant") {
		t.Errorf("got %v", err)
	}
}

// No column tells anything: the model is the mean.
func TestNothingToFind(t *testing.T) {
	x := enginetest.Matrix([]float64{1, 5}, []float64{1, 5}, []float64{-1, 5}, []float64{-1, 5})
	m, err := with(nil).Fit(context.Background(), engines.Run{Train: enginetest.View(enginetest.Dataset(x, enginetest.Real("y", 1, -1, 1, -1)), nil), Workers: 1})
	if err != nil || len(m.Coefs()) > 0 || m.(*engines.Linear).Bias(0) != 0 {
		t.Errorf("%v, %v", m, err)
	}
}

// scikit-learn's lars_path, turn by turn, on columns that are not scaled yet.
func TestScikitLearn(t *testing.T) {
	var f struct {
		Source string
		Cases  []struct {
			Method string
			X      [][]float64
			Y      []float64
			Lambda []float64 `json:"lam"`
			Coef   [][]float64
		}
	}
	raw, err := os.ReadFile("testdata/sklearn.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &f); err != nil || f.Source == "" || len(f.Cases) == 0 {
		t.Fatalf("%v: no source or no cases", err)
	}
	for _, c := range f.Cases {
		w := walked(t, with(func(e *LARS) { e.Method, e.Steps = c.Method, len(c.Lambda)-1 }), enginetest.View(enginetest.Dataset(enginetest.Matrix(c.X...), enginetest.Real("y", c.Y...)), nil))
		if len(w.record.turns) != len(c.Lambda) {
			t.Fatalf("%s: %d turns, want %d", c.Method, len(w.record.turns), len(c.Lambda))
		}
		for k, turn := range w.record.turns {
			oracle.Near(t, c.Method+" λ", turn.lambda, c.Lambda[k], 1e-9)
			oracle.NearAll(t, c.Method, turn.dense(len(c.X[0])), c.Coef[k], 1e-8)
		}
	}
}

// TestLimit: without a number of steps a path ends, with a note, after eight times the columns, or the rows less one, or 2000.
func TestLimit(t *testing.T) {
	view := enginetest.View(enginetest.Dataset(enginetest.Random(3, 30, 5, 0.5, false), enginetest.Real("y", ramp(30)...)), nil)
	few := view.Sub([]int32{0, 1, 2, 3})
	large := enginetest.View(enginetest.Dataset(enginetest.Random(3, 300, 400, 0.01, false), enginetest.Real("y", ramp(300)...)), nil)
	for v, want := range map[*data.View]int{view: 40, few: 24, large: 2000} {
		w, err := with(nil).newPath(t.Context(), engines.Run{Train: v})
		if err != nil || w.limit != want {
			t.Fatalf("%d steps, expected %d, %v", w.limit, want, err)
		}
		w.limit = 2
		if err := w.follow(t.Context()); err != nil {
			t.Fatal(err)
		}
		if f := w.fitted(w.currentPoint()); f.Stop != "steps" || len(f.Notes) != 1 || !strings.HasPrefix(f.Notes[0], "the path ended after 2 steps") {
			t.Errorf("%+v", f)
		}
	}
	w, err := with(func(e *LARS) { e.Steps = 2 }).newPath(t.Context(), engines.Run{Train: view})
	if err != nil || w.follow(t.Context()) != nil || w.steps != 2 || len(w.fitted(w.currentPoint()).Notes) != 0 {
		t.Errorf("%d steps, %v", w.steps, err)
	}
}

func ramp(n int) []float64 {
	y := make([]float64, n)
	for i := range y {
		y[i] = math.Cos(float64(i * i))
	}
	return y
}
