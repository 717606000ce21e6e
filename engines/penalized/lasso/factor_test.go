package lasso

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/penalized/targets"
)

// TestOracleFactors: the coefficients, the objective and the largest penalty of the cases, of numbers and of classes.
func TestOracleFactors(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"factor_lasso": checkFactors})
}

func checkFactors(t *testing.T, c oracle.Case) {
	var in struct {
		X       [][]float64
		Y       []float64
		Factors []any
	}
	var options struct {
		Lambda float64
		Loss   string
	}
	var want struct {
		Coef                 []float64
		Intercept, Objective float64
		LambdaMax            float64 `json:"lambda_max"`
	}
	c.Parts(t, &in, &options, &want)
	factor, columns := make([]float64, len(in.Factors)), []int32{}
	for j, f := range in.Factors {
		if f, ok := f.(float64); ok { // infinite ones, as text, are left out by the preparation
			factor[j], columns = f, append(columns, int32(j))
		}
	}
	set := enginetest.Dataset(enginetest.Matrix(in.X...), enginetest.Real("y", in.Y...))
	if options.Loss == "logistic" {
		set = enginetest.Dataset(enginetest.Matrix(in.X...), enginetest.Class("y", 2, in.Y...))
	}
	view := enginetest.Treated(set, data.Treatment{Factor: factor}).Narrow(columns)
	e := ElasticNet{Alpha: 1, Strength: Strength{Lambda: options.Lambda}, Stopping: Stopping{1e-13, 100_000}}
	m := mustFit(t, e, view)
	got, bias := make([]float64, len(in.X[0])), engines.Biases(m)
	for _, c := range m.Coefs() {
		got[columns[c.Feature]] = c.Value
	}
	oracle.NearAll(t, "coef", got, want.Coef, 1e-6)
	oracle.Near(t, "intercept", bias[len(bias)-1], want.Intercept, 1e-6)
	oracle.Near(t, "objective", m.(engines.Reporter).Fitted().Certificate.Objective, want.Objective, 1e-9)
	p, err := targets.NewPath(context.Background(), engines.Run{Train: view, Workers: 1}, e.penalties(), 0, e.read)
	if err != nil {
		t.Fatal(err)
	}
	oracle.Near(t, "lambda_max", p.LambdaMax(), want.LambdaMax, 1e-8)
}

// TestFactorsAreScales: with an L1 penalty alone, a column with the factor f is one divided by f, whose coefficient is multiplied by it.
func TestFactorsAreScales(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		s := draw(seed, 40, 12, false, seed%2 == 1)
		rng := rand.New(rand.NewPCG(seed, 7))
		factor, scaled := make([]float64, 12), sketch{y: s.y, m: s.m}
		for j := range factor {
			factor[j] = 0.25 + rng.Float64()*2
		}
		for _, row := range s.x {
			r := make([]float64, len(row))
			for j, x := range row {
				r[j] = x / factor[j]
			}
			scaled.x = append(scaled.x, r)
		}
		set := enginetest.Dataset(enginetest.Matrix(s.x...), enginetest.Real("y", s.y...))
		set.Weight = s.m
		e := Lasso{Strength: Strength{Ratio: 0.2}, Stopping: Stopping{1e-13, 100_000}}
		got := coefficients(mustFit(t, e, enginetest.Treated(set, data.Treatment{Factor: factor})), 12)
		want := coefficients(mustFit(t, e, scaled.view()), 12)
		for j := range want {
			want[j] /= factor[j]
		}
		oracle.NearAll(t, fmt.Sprint("seed ", seed), got, want, 1e-6)
	}
}

// TestUnpenalized: with an L2 part beside it, the optimality conditions of each column hold with its factor; kept columns that others
// determine have no coefficient.
func TestUnpenalized(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		s := draw(seed, 50, 14, seed%2 == 0, seed%3 == 1)
		for _, row := range s.x {
			row[13] = 2*row[5] - row[7] // of the span of two that are kept
		}
		factor := []float64{1, 1, 1, 2, 1, 0, 0.5, 0, 3, 1, 1, 1, 1, 0}
		set := enginetest.Dataset(enginetest.Matrix(s.x...), enginetest.Real("y", s.y...))
		set.Weight = s.m
		view := enginetest.Treated(set, data.Treatment{Factor: factor})
		e := ElasticNet{Alpha: 0.7, Strength: Strength{Lambda: 1.5}, Stopping: Stopping{1e-12, 100_000}}
		m := mustFit(t, e, view)
		if notes := m.(engines.Reporter).Fitted().Notes; len(notes) > 0 {
			t.Errorf("seed %d: %s", seed, notes)
		}
		b, bias := coefficients(m, 14), engines.Biases(m)[0]
		gradient := make([]float64, 14)
		for i, row := range s.x {
			r := s.y[i] - bias
			for j, x := range row {
				r -= b[j] * x
			}
			for j, x := range row {
				gradient[j] += s.mult(i) * x * r
			}
		}
		for j, f := range factor {
			switch g := gradient[j] - 1.5*0.3*f*b[j]; {
			case j == 13:
				if b[j] != 0 {
					t.Errorf("seed %d, column %d: coefficient %v, expected none", seed, j, b[j])
				}
			case b[j] != 0 && !(math.Abs(g-math.Copysign(1.5*0.7*f, b[j])) <= 1e-4), !(math.Abs(g) <= 1.5*0.7*f+1e-4):
				t.Errorf("seed %d, column %d, factor %v: coefficient %v, gradient %v", seed, j, f, b[j], g)
			}
		}
	}
}

// TestAllKept: as many columns without a penalty as rows leave nothing to select by.
func TestAllKept(t *testing.T) {
	t.Parallel()
	s := draw(3, 8, 12, false, false)
	set := enginetest.Dataset(enginetest.Matrix(s.x...), enginetest.Real("y", s.y...))
	_, err := Lasso{Strength: Strength{Lambda: 1}, Stopping: DefaultStopping}.Fit(context.Background(), engines.Run{
		Train: enginetest.Treated(set, data.Treatment{Factor: []float64{1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0}}), Workers: 1,
	})
	if err == nil || !strings.Contains(err.Error(), "fit all 8 rows exactly") {
		t.Error(err)
	}
}

// TestFactorsAlongWidePath: along a path with many more columns than rows, where most gradients are bounds of earlier ones, each
// model has the optimality conditions of all columns with their factors.
func TestFactorsAlongWidePath(t *testing.T) {
	t.Parallel()
	const columns, rows = 600, 30
	s := draw(3, rows, columns, false, true)
	factor, rng := make([]float64, columns), rand.New(rand.NewPCG(5, 7))
	for j := range factor {
		factor[j] = math.Exp2(float64(rng.IntN(9) - 4))
	}
	factor[17], factor[400] = 0, 0
	set := enginetest.Dataset(enginetest.Matrix(s.x...), enginetest.Real("y", s.y...))
	set.Weight = s.m
	v := enginetest.Treated(set, data.Treatment{Factor: factor})
	e := Lasso{Strength: Strength{Ratio: 1}, Stopping: Stopping{1e-12, 100_000}}
	ratios := make([]float64, 40)
	for k := range ratios {
		ratios[k] = math.Pow(0.01, float64(k)/39)
	}
	models, atStart := 0, 0.0
	points := engines.PathPoints{Parameter: "lambda_ratio", Values: ratios}
	err := e.FitPath(t.Context(), engines.Run{Train: v, Workers: 1}, points, func(k int, m engines.Model) {
		models++
		beta, bias := coefficients(m, columns), m.(*engines.Linear).Bias(0)
		residual, largest := make([]float64, rows), make([]float64, columns)
		for i, row := range s.x {
			residual[i] = s.y[i] - bias
			for j, x := range row {
				residual[i] -= x * beta[j]
			}
		}
		strength := 0.0
		for j := range columns {
			for i, row := range s.x {
				largest[j] += s.m[i] * row[j] * residual[i]
			}
			if factor[j] > 0 {
				strength = max(strength, math.Abs(largest[j])/factor[j])
			}
		}
		for j, g := range largest {
			switch f := factor[j]; {
			case f == 0 && !(math.Abs(g) <= 1e-5*strength):
				t.Errorf("ratio %v, column %d without a penalty: gradient %v", ratios[k], j, g)
			case beta[j] != 0 && !(math.Abs(g-math.Copysign(f*strength, beta[j])) <= 1e-4*f*strength+1e-5*strength):
				t.Errorf("ratio %v, selected column %d: gradient %v, factor times penalty %v", ratios[k], j, g, f*strength)
			}
		}
		if k == 0 {
			atStart = strength
		}
		oracle.Near(t, fmt.Sprint("penalty at ratio ", ratios[k]), strength/atStart, ratios[k], 1e-4)
	})
	if err != nil || models != len(ratios) {
		t.Fatal(models, err)
	}
}
