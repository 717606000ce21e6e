package onevsrest_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/losses/logits"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/wrappers/onevsrest"
)

// BenchmarkL1B10 is problem B10, each class against the rest, with an L1 penalty and without a bias, as liblinear -s 6 -c 1 has it. The
// sum of the minima is 129,361.787.
func BenchmarkL1B10(b *testing.B) {
	train, _ := enginetest.BenchmarkClasses(b, "B10", 86)
	for _, tol := range []float64{0.1, 1e-6} {
		b.Run(fmt.Sprintf("tol=%v", tol), func(b *testing.B) {
			e := onevsrest.Engine{Base: l1.L1{Objective: l1.Objective{C1: 1, Bias: string(logits.NoBias)}, Stopping: logits.Stopping{Tol: tol, MaxIter: 200}}}
			model := enginetest.Measure(b, func() (engines.Model, error) {
				return e.Fit(b.Context(), engines.Run{Train: train, Rand: rand.New(rand.NewPCG(1, 2)), Workers: 1})
			})
			fitted := model.(engines.Reporter).Fitted()
			b.ReportMetric(float64(fitted.Iterations), "iterations")
			b.ReportMetric(fitted.Certificate.Objective-129361.787, "above-minimum")
			b.ReportMetric(math.Log10(fitted.Certificate.Relative()), "log10-gap")
			b.ReportMetric(float64(len(model.Coefs())), "weights")
		})
	}
}
