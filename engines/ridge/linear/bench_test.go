package linear

import (
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// BenchmarkC has the minima 23,523.5802 of the hinge and 21,799.9080 of its square, for c 1 and no bias.
func BenchmarkC(b *testing.B) {
	train, _ := enginetest.BenchmarkSigns(b, "C")
	for _, c := range []struct {
		loss string
		tol  float64
	}{{hinge, 1e-3}, {hinge, 1e-4}, {squaredHinge, 1e-3}, {squaredHinge, 1e-4}} {
		b.Run(c.loss, func(b *testing.B) {
			e := defaults()
			e.Loss, e.Bias, e.Tol = c.loss, noBias, c.tol
			f := enginetest.Measure(b, func() (engines.Model, error) { return e.Fit(b.Context(), engines.Run{Train: train, Workers: 1}) }).(engines.Reporter).Fitted()
			b.ReportMetric(float64(f.Iterations), "iterations")
			b.ReportMetric(math.Log10(f.Certificate.Relative()), "log10-gap")
			b.ReportMetric(f.Certificate.Objective, "objective")
		})
	}
}
