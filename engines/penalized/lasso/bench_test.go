package lasso

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// BenchmarkPathA is glmnet's path on the generated problem A (764,188 × 190,103, 20.4 million ones): 100 penalties from the
// one that selects nothing to 0.0037 of it, columns standardised.
func BenchmarkPathA(b *testing.B) { alongPath(b, "A") }

func BenchmarkPathA10(b *testing.B) { alongPath(b, "A10") }

// BenchmarkOneA is the peers' single penalty on A: 0.008 a row, columns standardised, with an intercept.
func BenchmarkOneA(b *testing.B) { onePenalty(b, "A") }

func BenchmarkOneA10(b *testing.B) { onePenalty(b, "A10") }

func alongPath(b *testing.B, name string) {
	const count, least = 100, 0.0037
	values := make([]float64, count)
	for k := range values {
		values[k] = math.Pow(least, float64(k)/(count-1))
	}
	train, test := enginetest.Benchmark(b, name)
	e := Lasso{Strength: Strength{Lambda: 1, Standardize: true}, Stopping: DefaultStopping}
	measure(b, train, func(run engines.Run) engines.Model {
		var last engines.Model
		if err := e.FitPath(context.Background(), run, engines.PathPoints{Parameter: e.PathParameters()[0], Values: values, MayEnd: true}, func(_ int, m engines.Model) { last = m }); err != nil {
			b.Fatal(err)
		}
		return last
	}, test)
}

func onePenalty(b *testing.B, name string) {
	train, test := enginetest.Benchmark(b, name)
	e := Lasso{Strength: Strength{Lambda: 0.008 * float64(train.Len()), Standardize: true}, Stopping: DefaultStopping}
	measure(b, train, func(run engines.Run) engines.Model {
		m, err := e.Fit(context.Background(), run)
		if err != nil {
			b.Fatal(err)
		}
		return m
	}, test)
}

// measure reports the processor's seconds, and what came out, on one and on two goroutines. The matrix by column, which a
// fold's engines share, is laid out within the first round.
func measure(b *testing.B, train *data.View, fit func(engines.Run) engines.Model, test *data.View) {
	train.Target(0)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			var m engines.Model
			start := enginetest.CPU()
			for b.Loop() {
				m = fit(engines.Run{Train: train, Workers: workers})
			}
			cpu := enginetest.CPU() - start
			fitted := m.(engines.Reporter).Fitted()
			b.ReportMetric(cpu/float64(b.N), "cpu-s/op")
			b.ReportMetric(enginetest.Peak(), "peak-MB")
			b.ReportMetric(float64(fitted.Iterations), "passes")
			b.ReportMetric(fitted.Certificate.Objective/float64(train.Len()), "objective/row")
			b.ReportMetric(math.Log10(fitted.Certificate.Relative()), "log10-gap")
			b.ReportMetric(float64(len(m.Coefs())), "columns")
			got := make([]float64, test.Len())
			m.Predict(got, test.Inputs())
			_, y := test.Target(0)
			sum := 0.0
			for i, v := range y {
				sum += (got[i] - v) * (got[i] - v)
			}
			b.ReportMetric(sum/float64(len(y)), "test-MSE")
		})
	}
}
