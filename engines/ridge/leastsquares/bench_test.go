package leastsquares

import (
	"context"
	"fmt"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// BenchmarkRidgeA is ridge regression on the generated problem A (764,188 × 190,103, 20.4 million ones), with the penalty
// of the peers' figures: 0.001 a row.
func BenchmarkRidgeA(b *testing.B) {
	train, test := enginetest.Benchmark(b, "A")
	ridge(b, train, test)
}

func BenchmarkRidgeA100(b *testing.B) {
	train, test := enginetest.Benchmark(b, "A100")
	ridge(b, train, test)
}

func BenchmarkRidgeSmall(b *testing.B) {
	x := enginetest.Random(1, 2000, 300, 0.05, true)
	y := make([]float64, 2000)
	for i := range y {
		y[i] = float64(i%17) + x.Row(i).Sum()
	}
	view := enginetest.View(enginetest.Dataset(x, enginetest.Real("y", y...)), nil)
	ridge(b, view, view)
}

// ridge reports seconds on one and on two goroutines; results are the same.
func ridge(b *testing.B, train, test *data.View) {
	train.Matrix()
	train.Target(0)
	e := Ridge{Lambda: 0.001 * float64(train.Len()), Scale: "sd", Tol: 1e-6}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			var model engines.Model
			for b.Loop() {
				var err error
				if model, err = e.Fit(context.Background(), engines.Run{Train: train, Workers: workers}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(model.(engines.Reporter).Fitted().Iterations), "iterations")
			b.ReportMetric(mse(model, test), "test-MSE")
		})
	}
}

func mse(m engines.Model, on *data.View) float64 {
	got := make([]float64, on.Len())
	m.Predict(got, on.Inputs())
	_, y := on.Target(0)
	sum := 0.0
	for i, v := range y {
		sum += (got[i] - v) * (got[i] - v)
	}
	return sum / float64(len(y))
}
