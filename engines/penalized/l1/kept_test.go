package l1

import (
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/penalized/convex"
)

// keptCase is a problem with kept columns, some of which tell classes of rows apart.
type keptCase struct {
	X       [][]float64
	Y       []float64
	Keep    []int
	Factors []float64
}

func (c keptCase) run() engines.Run {
	factor := append([]float64(nil), c.Factors...)
	for _, j := range c.Keep {
		factor[j] = 0
	}
	set := enginetest.Dataset(enginetest.Matrix(c.X...), enginetest.Class("y", 2, c.Y...))
	return engines.Run{Train: enginetest.Treated(set, data.Treatment{Factor: factor}), Workers: 1}
}

// C_max with kept columns is that of the limit of their fits, and from it on they are the model, whatever tol is.
func TestOracleKept(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"kept_lambda_max": func(t *testing.T, raw oracle.Case) {
		var c keptCase
		var want struct {
			Max       float64 `json:"lambda_max"`
			Separated []int   `json:"separated_rows"`
		}
		raw.Decode(t, raw.Input, &c)
		raw.Decode(t, raw.Expected, &want)
		run := c.run()
		stop := Stopping{Tol: 1e-2, MaxIter: 1000}
		f, err := Objective{C1: 1, Bias: string(FreeBias)}.newFitRun(t.Context(), run, stop, newton)
		if want.Max == 0 {
			if err == nil || !strings.Contains(err.Error(), "tell the classes of all rows apart") {
				t.Errorf("nothing is left to select by: %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		oracle.Near(t, "C_max", f.lambdaMax, want.Max, 1e-6)
		if f.pt.endless != (len(want.Separated) > 0) {
			t.Errorf("endless %v, and the rows that are told apart are %v", f.pt.endless, want.Separated)
		}
		for name, solve := range solvers {
			m, err := fit(t.Context(), run, Objective{C1: 1, Ratio: 1, Bias: string(FreeBias)}, convex.Path{}, stop, solve)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if c := m.(engines.Reporter).Fitted().Certificate; !(c.Objective-c.Dual <= 1e-6*c.Objective) {
				t.Errorf("%s: objective %v, dual %v", name, c.Objective, c.Dual)
			}
			for _, coef := range m.Coefs() {
				if factor := run.Train.Factors()[coef.Feature]; factor != 0 {
					t.Errorf("at C_max column %d has the weight %v", coef.Feature, coef.Value)
				}
			}
		}
	}})
}
