package l1_test

import (
	"fmt"
	"math"
	"tenfold/engines/losses/logits"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/penalized/owlqn"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/penalized/convex"
)

// peers is the objective of their figures on the generated problem C (179,118 × 400,530, 5.7 million ones, labels ±1):
// Σ log-loss + 20·‖w‖₁, optimum 101,174.859.
var peers = l1.Objective{C1: 20, Bias: string(logits.NoBias)}

func BenchmarkL1C(b *testing.B) {
	for _, tol := range []float64{1e-4, 1e-6} {
		b.Run(fmt.Sprintf("tol=%v", tol), func(b *testing.B) {
			onC(b, l1.L1{Objective: peers, Stopping: logits.Stopping{Tol: tol, MaxIter: 200}})
		})
	}
}

// BenchmarkL1PathC is a path of 30 penalties down to 20.
func BenchmarkL1PathC(b *testing.B) {
	onC(b, l1.L1{Objective: peers, Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 200}, Path: convex.Path{Steps: 30}})
}

// onC reports the processor's seconds, and what came out, on one and on two goroutines.
func onC(b *testing.B, e engines.Engine) {
	train, _ := enginetest.BenchmarkSigns(b, "C")
	measure(b, e, train, 1, 2)
}

func onB10(b *testing.B, e engines.Engine) {
	train, _ := enginetest.BenchmarkClasses(b, "B10", 86)
	measure(b, e, train, 1)
}

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

// BenchmarkL1B10 is problem B10 with an L1 penalty and without a bias: the optimum is 76,645.27 at most, with 28,021 weights.
func BenchmarkL1B10(b *testing.B) {
	for _, tol := range []float64{1e-2, 1e-3, 1e-4} {
		b.Run(fmt.Sprintf("tol=%v", tol), func(b *testing.B) {
			onB10(b, l1.L1{Objective: l1.Objective{C1: 1, Bias: string(logits.NoBias)}, Stopping: logits.Stopping{Tol: tol, MaxIter: 200}})
		})
	}
}

// BenchmarkOWLQNPathC times a path of 30 penalties down to 20.
func BenchmarkOWLQNPathC(b *testing.B) {
	e := owlqn.OWLQNKind.Defaults().(owlqn.OWLQN)
	e.Objective, e.Tol, e.Steps = peers, 1e-4, 30
	onC(b, e)
}

func BenchmarkOWLQNC(b *testing.B) {
	for _, screen := range []bool{false, true} {
		for _, tol := range []float64{1e-3, 1e-4, 1e-6} {
			b.Run(fmt.Sprintf("screen=%v/tol=%v", screen, tol), func(b *testing.B) {
				e := owlqn.OWLQNKind.Defaults().(owlqn.OWLQN)
				e.Objective, e.Tol, e.Screen = peers, tol, screen
				onC(b, e)
			})
		}
	}
}
