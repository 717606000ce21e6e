package logistic

import (
	"fmt"
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/losses/logits"
)

func BenchmarkLogisticC(b *testing.B) {
	e := Kind.Defaults().(Logistic)
	e.Bias = string(logits.NoBias)
	train, _ := enginetest.BenchmarkSigns(b, "C")
	measure(b, e, train, 1, 2)
}

// BenchmarkLogisticB10 is problem B10: 60,056 rows, 8,321 columns, 86 classes. The optimum is 56,326.6172 with free biases, and
// 56,676.4633 without.
func BenchmarkLogisticB10(b *testing.B) {
	for _, bias := range []logits.Bias{logits.NoBias, logits.FreeBias} {
		for _, tol := range []float64{1e-4, 1e-5, 1e-6} {
			b.Run(fmt.Sprintf("bias=%s/tol=%v", bias, tol), func(b *testing.B) {
				train, _ := enginetest.BenchmarkClasses(b, "B10", 86)
				measure(b, Logistic{C2: 1, Bias: string(bias), Stopping: logits.Stopping{Tol: tol, MaxIter: 10_000}}, train, 1)
			})
		}
	}
}

// measure reports the processor's seconds, and what came out.
func measure(b *testing.B, e engines.Engine, train *data.View, on ...int) {
	train.Target(0)
	for _, workers := range on {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			model := enginetest.Measure(b, func() (engines.Model, error) { return e.Fit(b.Context(), engines.Run{Train: train, Workers: workers}) })
			fitted := model.(engines.Reporter).Fitted()
			b.ReportMetric(float64(fitted.Iterations), "iterations")
			b.ReportMetric(math.Log10(fitted.Certificate.Relative()), "log10-gap")
			b.ReportMetric(fitted.Certificate.Objective, "objective")
			b.ReportMetric(float64(len(model.Coefs())), "weights")
		})
	}
}
