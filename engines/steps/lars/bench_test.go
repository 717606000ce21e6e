package lars

import (
	"context"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// The first steps on generated problems of 190,103 columns (A: 764,188 rows, 20.4 million ones), from the columns' layout on.
func BenchmarkA(b *testing.B)    { steps(b, "A", 100) }
func BenchmarkA10(b *testing.B)  { steps(b, "A10", 100) }
func BenchmarkA100(b *testing.B) { steps(b, "A100", 100) }

func BenchmarkA100Longer(b *testing.B) { steps(b, "A100", 1000) }

func steps(b *testing.B, problem string, steps int) {
	train, _ := enginetest.Benchmark(b, problem)
	train.Matrix()
	train.Target(0)
	for _, method := range methods {
		b.Run(method, func(b *testing.B) {
			for b.Loop() {
				m, err := with(func(e *LARS) { e.Method, e.Scale, e.Steps = method, "sd", steps }).Fit(context.Background(), engines.Run{Train: train, Workers: 1})
				if err != nil {
					b.Fatal(err)
				}
				f := m.(engines.Reporter).Fitted()
				b.ReportMetric(float64(f.Iterations), "steps")
				b.ReportMetric(float64(len(m.Coefs())), "columns")
				if f.Certificate != nil {
					b.ReportMetric(f.Certificate.Relative(), "gap")
				}
			}
		})
	}
}
