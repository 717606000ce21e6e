package hazards

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/penalized/convex"
)

// Weights of rows times a number, and penalties times the same, are the same problem: also where weights below 1 take the partial
// likelihood above 1.
func TestCoxSmallWeights(t *testing.T) {
	t.Parallel()
	const rows, columns = 40, 4
	rng := rand.New(rand.NewPCG(4, 4))
	x, times, events := make([][]float64, rows), make([]float64, rows), make([]int8, rows)
	for i := range x {
		x[i] = make([]float64, columns)
		for j := range x[i] {
			x[i][j] = rng.NormFloat64()
		}
		times[i], events[i] = math.Ceil(9*math.Exp(rng.NormFloat64()-x[i][0])), int8(min(1, i%4)) // some at one time
	}
	defaults := CoxKind.Defaults().(Cox)
	for _, ties := range []string{efron, breslow} {
		for name, change := range map[string]func(*Cox, float64){
			"lasso":      func(e *Cox, by float64) { e.Lambda = 2 * by },
			"ridge":      func(e *Cox, by float64) { e.Lambda, e.Lambda2 = 0, by },
			"no penalty": func(e *Cox, _ float64) { e.Lambda = 0 },
			"MCP":        func(e *Cox, by float64) { e.Penalty, e.Lambda = byMCP, 2*by },
		} {
			var want []float64
			models := 0
			for _, by := range []float64{1, 1e-3, 1e3} {
				weights := make([]float64, rows)
				for i := range weights {
					weights[i] = by * float64(1+i%3)
				}
				view := survivalView(x, times, events, weights)
				e := defaults
				e.Ties, e.Tol = ties, 1e-9
				change(&e, by)
				m := mustFit(t, e, view)
				if f := m.(engines.Reporter).Fitted(); f.Stop == convex.Infinite || len(f.Notes) > 0 {
					t.Errorf("%s, %s, weights times %v: %+v", ties, name, by, f)
				}
				got := make([]float64, columns)
				for _, c := range m.Coefs() {
					got[c.Feature] = c.Value
				}
				kept := 0
				if err := e.FitPath(t.Context(), engines.Run{Train: view, Workers: 1}, engines.PathPoints{Parameter: "lambda_ratio", Values: []float64{1, 0.5, 0.2}, MayEnd: true}, func(int, engines.Model) { kept++ }); err != nil {
					t.Fatal(err)
				}
				if by == 1 {
					want, models = got, kept
				}
				oracle.NearAll(t, ties+", "+name, got, want, 1e-4)
				if kept != models {
					t.Errorf("%s, %s, weights times %v: a path of %d models, expected %d", ties, name, by, kept, models)
				}
			}
		}
	}
}

// Where the only event is the last time of all, there is nothing to explain: models are without columns, at their minimum.
func TestCoxNothingToExplain(t *testing.T) {
	t.Parallel()
	view := survivalView([][]float64{{1, 2}, {2, 1}, {0, 4}, {3, 3}}, []float64{1, 2, 3, 4}, []int8{0, 0, 0, 1}, nil)
	for _, change := range []func(*Cox){
		func(e *Cox) { e.Lambda = 1 }, func(e *Cox) { e.Ratio = 0.5 }, func(e *Cox) { e.Lambda = 0 }, func(e *Cox) { e.Lambda, e.Lambda2 = 0, 1 },
		func(e *Cox) { e.Penalty, e.Ratio = bySCAD, 0.5 },
	} {
		e := CoxKind.Defaults().(Cox)
		change(&e)
		m, err := e.Fit(context.Background(), engines.Run{Train: view, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if f := m.(engines.Reporter).Fitted(); len(m.Coefs()) > 0 || f.Stop == convex.Infinite || len(f.Notes) > 0 || f.Certificate == nil || f.Certificate.Gap() != 0 {
			t.Errorf("%+v: coefficients %v, %+v", e, m.Coefs(), f)
		}
	}
}

// Of few rows, columns order the events long before a coefficient is beyond all bounds: what a concave penalty leaves is told as such.
func TestCoxConcaveOfFewRows(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	x, times, events := make([][]float64, 4), make([]float64, 4), []int8{1, 1, 1, 0}
	for i := range x {
		for range 6 {
			x[i] = append(x[i], rng.NormFloat64())
		}
		times[i] = math.Exp(-(x[i][0]/2 + x[i][1] + 1.5*x[i][2] + rng.NormFloat64()) / 4)
	}
	e := CoxKind.Defaults().(Cox)
	e.Penalty, e.Ratio = byMCP, 0.3
	f := mustFit(t, e, survivalView(x, times, events, nil)).(engines.Reporter).Fitted()
	if f.Stop != convex.Infinite && f.Stop != convex.Stationary {
		t.Errorf("stop %q, notes %q", f.Stop, f.Notes)
	}
}
