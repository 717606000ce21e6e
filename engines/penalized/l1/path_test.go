package l1_test

import (
	"math"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/penalized/owlqn"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// Every model of a path is what a fit with that share gives, to the tolerance of the engine.
func TestFitPath(t *testing.T) {
	const n = 80
	y := make([]float64, n)
	x := enginetest.Random(7, n, 15, 0.4, false)
	for i := range y {
		if x.Row(i).Sum() > 0.3 {
			y[i] = float64(1 + i%2)
		}
	}
	v := enginetest.View(enginetest.Dataset(x, enginetest.Class("y", 3, y...)), nil)
	for _, e := range []engines.Pathed{l1.L1Kind.Defaults().(l1.L1), owlqn.OWLQNKind.Defaults().(owlqn.OWLQN)} {
		if usual, err := e.PathValues(engines.Run{Train: v}); err != nil || len(usual.Values) != 51 || usual.Values[0] != 1 || !usual.Open {
			t.Fatalf("values %v, %v", usual.Values, err)
		}
		values := []float64{1, 0.3, 0.05, 0.2}
		got := make([]engines.Model, len(values))
		err := e.FitPath(t.Context(), engines.Run{Train: v, Workers: 1}, engines.PathPoints{Parameter: e.PathParameters()[0], Values: values, MayEnd: true}, func(i int, m engines.Model) {
			got[i] = m
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, value := range values {
			m, err := e.AtValue(value).Fit(t.Context(), engines.Run{Train: v, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			a, b := got[i].(engines.Reporter).Fitted().Certificate, m.(engines.Reporter).Fitted().Certificate
			if !(math.Abs(a.Objective-b.Objective) <= 2e-6*b.Objective) || !(a.Relative() <= 1.1e-6) && value < 1 {
				t.Errorf("%T at %v: objective %v along the path, %v alone; gap %v", e, value, a.Objective, b.Objective, a.Relative())
			}
		}
		if err := e.FitPath(t.Context(), engines.Run{Train: v, Workers: 1}, engines.PathPoints{Parameter: e.PathParameters()[0], Values: []float64{0}, MayEnd: true}, nil); err == nil {
			t.Errorf("%T takes a share of 0", e)
		}
	}
}
