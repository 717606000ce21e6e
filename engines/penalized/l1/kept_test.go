package l1_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"tenfold/engines/enginetest/loglin"
	"tenfold/engines/losses/logits"
	"tenfold/engines/penalized/l1"
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
		stop := logits.Stopping{Tol: 1e-2, MaxIter: 1000}
		p, err := logits.Read(run.Train, logits.FreeBias)
		if err != nil {
			t.Fatal(err)
		}
		if p, err = p.Centered(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		pt, lambdaMax, err := p.NullPoint(t.Context(), 1)
		if want.Max == 0 {
			if err == nil || !strings.Contains(err.Error(), "tell the classes of all rows apart") {
				t.Errorf("nothing is left to select by: %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		oracle.Near(t, "C_max", lambdaMax, want.Max, 1e-6)
		out, err := pt.SolveBy(t.Context(), l1.ProximalNewton, logits.Goal{Penalty: logits.Penalty{L1: lambdaMax}, Stopping: stop, Workers: 1})
		if err != nil || (out.Stop == convex.Infinite) != (len(want.Separated) > 0) {
			t.Errorf("ended by %s, %v; the rows that are told apart are %v", out.Stop, err, want.Separated)
		}
		for name, solve := range solvers {
			m, err := l1.Fit(t.Context(), run, l1.Objective{C1: 1, Ratio: 1, Bias: string(logits.FreeBias)}, convex.Path{}, stop, solve)
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

// Kept levels that lack a class are named, and why the fit ends says that their weights are infinite: whatever the number of classes, the
// engine, and the penalty. A level with rows of all classes is none of them.
func TestKeptLevelsAreNamed(t *testing.T) {
	const rows, columns = 60, 6
	for _, levels := range []int{2, 3} {
		rng := rand.New(rand.NewPCG(uint64(levels), 16))
		x, y := make([][]float64, rows), make([]float64, rows)
		for i := range x {
			x[i] = make([]float64, columns)
			x[i][i%4] = 1 // the last of four wards is told by the other three
			x[i][3] = rng.NormFloat64()
			x[i][4], x[i][5] = rng.NormFloat64(), rng.NormFloat64()
			if y[i] = float64(rng.IntN(levels)); i%4 == 1 {
				y[i] = 1
			}
		}
		set := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", levels, y...))
		run := engines.Run{Train: enginetest.Treated(set, data.Treatment{Factor: []float64{0, 0, 0, 1, 1, 1}}), Workers: 1}
		for name, solve := range solvers {
			for _, ratio := range []float64{1, 0.3} {
				m, err := l1.Fit(t.Context(), run, l1.Objective{Ratio: ratio, Bias: string(logits.FreeBias)}, convex.Path{}, logits.Stopping{Tol: 1e-6, MaxIter: 1000}, solve)
				if err != nil {
					t.Fatalf("%s, %d levels: %v", name, levels, err)
				}
				f := m.(engines.Reporter).Fitted()
				if f.Stop != convex.Infinite || len(f.Notes) != 1 || !strings.HasPrefix(f.Notes[0], "x1: without a penalty") {
					t.Errorf("%s, %d levels, share %v: stop %s, notes %q", name, levels, ratio, f.Stop, f.Notes)
				}
			}
		}
	}
}

// TestKeptWithEachBias: with columns without a penalty, fits end at their gap whatever penalty the bias has, and the gradients of kept
// columns vanish there.
func TestKeptWithEachBias(t *testing.T) {
	for _, classes := range []int{2, 3} {
		for _, bias := range []logits.Bias{logits.NoBias, logits.FreeBias, logits.PenalizedBias} {
			p := loglin.Drawn(t, 3, 150, 8, classes, bias, false)
			factor := []float64{0, 1, 1, 1, 0, 1, 1, 1}
			p = p.WithFactors(factor)
			pt := p.NewPoint(make([]float64, p.Width()))
			lambdaMax, err := pt.LambdaMax(t.Context(), 1)
			if err != nil {
				t.Fatal(err)
			}
			goal := logits.Goal{Penalty: logits.Penalty{L1: 0.2 * lambdaMax}, Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 200}, Workers: 1}
			out, err := pt.SolveBy(t.Context(), l1.ProximalNewton, goal)
			if err != nil || out.Stop != convex.Gap || !(out.Relative() <= goal.Tol) {
				t.Errorf("%d classes, bias %s: %v, %s with a gap of %v", classes, bias, err, out.Stop, out.Relative())
			}
			for k, g := range pt.G[:p.Columns()*p.Blocks] {
				if p.Free(k) && !(math.Abs(g) <= 1e-6*p.Total()) {
					t.Errorf("%d classes, bias %s: gradient %v of kept weight %d", classes, bias, g, k)
				}
			}
		}
	}
}
