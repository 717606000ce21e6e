package lasso

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/targets"
)

// Paths where columns exceed rows go through the reference minima, for numbers and for two classes.
func TestWideOracle(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"wide_path": checkWide})
}

func checkWide(t *testing.T, c oracle.Case) {
	var in struct {
		X [][]float64
		Y []float64
	}
	var options struct {
		Family      string
		Alpha       float64
		Standardize bool
		Ratios      []float64
	}
	var want struct {
		Most float64 `json:"lambda_max"`
		Null float64 `json:"null_loss"`
		Path []struct {
			Objective, Loss, Explained, Intercept float64
			Coef                                  []float64
		}
	}
	c.Decode(t, c.Input, &in)
	c.Decode(t, c.Options, &options)
	c.Decode(t, c.Expected, &want)
	view := sketch{x: in.X, y: in.Y}.view()
	rows := float64(len(in.Y))
	half := rows / 2 // the loss of numbers is half the sum of squares
	if options.Family == "binomial" {
		half = rows
		view = enginetest.View(enginetest.Dataset(enginetest.Matrix(in.X...), enginetest.Class("y", 2, in.Y...)), nil)
	}
	e := ElasticNet{Alpha: options.Alpha, Strength: Strength{Ratio: 1, Standardize: options.Standardize}, Stopping: Stopping{1e-13, 100_000}}
	p, err := targets.NewPath(context.Background(), engines.Run{Train: view, Workers: 1}, e.penalties(), 0, e.read)
	if err != nil {
		t.Fatal(err)
	}
	oracle.Near(t, "lambda_max", p.LambdaMax(), want.Most, 1e-9)
	oracle.Near(t, "null loss", half*p.Loss(), want.Null, 1e-9)
	for k, ratio := range options.Ratios {
		out, err := p.Solve(context.Background(), ratio*p.LambdaMax(), 0)
		if err != nil {
			t.Fatal(err)
		}
		m, ref := p.Model(ratio*p.LambdaMax(), out), want.Path[k]
		oracle.Near(t, "objective", out.Objective, ref.Objective, 1e-8)
		oracle.Near(t, "loss", half*p.Loss(), ref.Loss, 1e-6)
		oracle.Near(t, "explained", 1-half*p.Loss()/want.Null, ref.Explained, 1e-6)
		oracle.NearAll(t, "coef", coefficients(m, len(ref.Coef)), ref.Coef, 1e-6)
	}
}

// Every model of a path meets the conditions of its penalty in all columns, those that the strong rule left out included: for
// numbers and classes, with steps so large that the rule errs, and whatever the values asked for before.
func TestWidePathLeavesNothingOut(t *testing.T) {
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 11))
		const rows, columns = 30, 300
		var x [][]float64
		var y, labels []float64
		for range rows {
			f, row := [3]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}, make([]float64, columns)
			for j := range row {
				row[j] = f[j%3]*float64(1+j%5) + rng.NormFloat64() + 3
			}
			x, y = append(x, row), append(y, row[0]-row[1]+row[7]+rng.NormFloat64())
			labels = append(labels, 0)
			if row[0]-row[1]+rng.NormFloat64() > 0 {
				labels[len(labels)-1] = 1
			}
		}
		numbers := sketch{x: x, y: y}.view()
		classed := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 2, labels...)), nil)
		for _, ratios := range [][]float64{{1, 0.6, 0.55, 0.3, 0.29, 0.1, 0.05}, {1, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7}} {
			e := ElasticNet{Alpha: 1, Strength: Strength{Ratio: 1, Standardize: true}, Stopping: Stopping{1e-9, 100_000}}
			for _, view := range []engines.Run{{Train: numbers, Workers: 1}, {Train: classed, Workers: 1}} {
				err := targets.FitPath(context.Background(), view, e.penalties(), e.read, engines.PathPoints{Parameter: "lambda_ratio", Values: ratios}, func(k int, m engines.Model) {
					f := m.(engines.Reporter).Fitted()
					if f.Stop != convex.Gap {
						t.Errorf("seed %d, ratio %v: stop %q", seed, ratios[k], f.Stop)
					}
					alone := e
					alone.Ratio = ratios[k]
					if want := mustFit(t, alone, view.Train).(engines.Reporter).Fitted().Certificate.Objective; !(math.Abs(f.Certificate.Objective-want) <= 1e-7*want) {
						t.Errorf("seed %d, ratio %v: objective %v on the path, %v alone", seed, ratios[k], f.Certificate.Objective, want)
					}
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
