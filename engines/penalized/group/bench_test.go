package group

import (
	"context"
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// BenchmarkGroups is the group lasso's path of 100 penalties down to a twentieth of the largest: D1 350 × 7,000 in 40 classes,
// D2 50 × 15,056 in 318, D3 350 × 1,000 in 40.
func BenchmarkGroups(b *testing.B) {
	for _, name := range []string{"D1", "D2", "D3"} {
		b.Run(name, func(b *testing.B) {
			path(b, enginetest.BenchmarkDense(b, name), defaults, 100, 0.05)
		})
	}
}

// BenchmarkTasks is the multi-task lasso on E, 104 × 6,715 with 20 responses: glmnet's 100 penalties down to a hundredth of the
// largest, on columns of equal deviation as it has them, and 50 down to a twentieth.
func BenchmarkTasks(b *testing.B) {
	p := enginetest.BenchmarkDense(b, "E")
	scaled := multi(defaults)
	scaled.Standardize = true
	b.Run("E/100", func(b *testing.B) { path(b, p, scaled, 100, 0.01) })
	b.Run("E/50", func(b *testing.B) { path(b, p, multi(defaults), 50, 0.05) })
}

// path reports processor time, as machines are shared, and what the best model on test rows is like.
func path(b *testing.B, p enginetest.DenseProblem, e engines.Pathed, steps int, least float64) {
	var models []engines.Model
	before := enginetest.CPU()
	for b.Loop() {
		run := engines.Run{Train: enginetest.Fresh(p.Train), Workers: 1}
		all, err := e.PathValues(run)
		if err != nil {
			b.Fatal(err)
		}
		values := make([]float64, steps)
		for k := range values {
			values[k] = all.Values[0] * math.Pow(least, float64(k)/float64(steps-1))
		}
		models = models[:0]
		if err := e.FitPath(context.Background(), run, engines.PathPoints{Parameter: e.PathParameters()[0], Values: values, MayEnd: true}, func(_ int, m engines.Model) { models = append(models, m) }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(1e3*(enginetest.CPU()-before)/float64(b.N), "cpu-ms/op")
	best, rounds, worst := 0, 0, 0.0
	for k, m := range models {
		f := m.(engines.Reporter).Fitted()
		rounds += f.Iterations
		worst = max(worst, f.Certificate.Gap()/models[0].(engines.Reporter).Fitted().Certificate.Objective)
		if enginetest.RSquared(m, p.Test) > enginetest.RSquared(models[best], p.Test) {
			best = k
		}
	}
	b.ReportMetric(enginetest.RSquared(models[best], p.Test), "test-R²")
	b.ReportMetric(float64(len(models[best].Coefs())), "coefs")
	b.ReportMetric(float64(rounds), "rounds")
	b.ReportMetric(worst, "worst-gap")
}
