package mkl

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/penalized/convex"
)

// BenchmarkD is a path of 20 penalties on D2, 50 rows with 319 × 13 kernels, and D3, 350 rows with 41 × 13.
func BenchmarkD(b *testing.B) {
	for _, name := range []string{"D2", "D3"} {
		p := enginetest.BenchmarkDense(b, name)
		for _, products := range []string{bySum, byMean} {
			b.Run(name+"/"+products, func(b *testing.B) { path(b, p.Train, p.Test, with(func(e *MKL) { e.Products = products })) })
		}
	}
}

func path(b *testing.B, train, test *data.View, e MKL) {
	var models []engines.Model
	before := enginetest.CPU()
	for b.Loop() {
		models = models[:0]
		run := engines.Run{Train: train, Workers: 1}
		f, err := e.newFitRun(context.Background(), run)
		if err != nil {
			b.Fatal(err)
		}
		for k := range 20 {
			m, err := convex.Fit(context.Background(), f, f.lambdaMax*math.Pow(0.01, float64(k)/19))
			if err != nil {
				b.Fatal(err)
			}
			models = append(models, m)
		}
	}
	b.ReportMetric(1e3*(enginetest.CPU()-before)/float64(b.N), "cpu-ms/op")
	best, steps, gap := math.Inf(-1), 0, 0.0
	for _, m := range models {
		f := m.(engines.Reporter).Fitted()
		steps += f.Iterations
		gap = max(gap, f.Certificate.Gap())
		if test.TargetInfo(0).Type == data.Real {
			best = max(best, enginetest.RSquared(m, test))
		} else {
			best = max(best, enginetest.Accuracy(m, test))
		}
	}
	b.ReportMetric(best, "best")
	b.ReportMetric(float64(steps), "steps")
	b.ReportMetric(gap, "worst-gap")
}

// BenchmarkRows is a single fit of classes with the circle of the tests, 13 × 4 kernels.
func BenchmarkRows(b *testing.B) {
	for _, n := range []int{200, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			view := enginetest.View(curved(n, true, false), nil)
			before := enginetest.CPU()
			var m engines.Model
			for b.Loop() {
				var err error
				if m, err = with(func(e *MKL) { e.Ratio = 0.1 }).Fit(context.Background(), engines.Run{Train: view, Workers: 1}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(1e3*(enginetest.CPU()-before)/float64(b.N), "cpu-ms/op")
			b.ReportMetric(float64(m.(engines.Reporter).Fitted().Iterations), "steps")
		})
	}
}
