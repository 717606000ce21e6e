//go:build unix

package bayes

import (
	"context"
	"fmt"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// BenchmarkBayes runs on problem B10 (60,056 rows, 8,321 columns, 86 classes) in the folder that TENFOLD_BENCH names, 50
// pairs a round: the first batch, whole fits of some rounds, and what a round takes. It reports CPU time.
func BenchmarkBayes(b *testing.B) {
	for _, name := range []string{"B10", "B"} {
		b.Run(name+"-first-batch", func(b *testing.B) { first(b, name) })
		for _, rounds := range []int{1, 2, 10, 40} {
			b.Run(fmt.Sprintf("%s-%d", name, rounds), func(b *testing.B) { whole(b, name, rounds) })
		}
	}
}

// first is the time to the 50th pair, from the data's reading on.
func first(b *testing.B, name string) {
	train, _ := enginetest.BenchmarkClasses(b, name, 86)
	e := Kind.Defaults().(Bayes)
	for range b.N {
		before, took, looked := enginetest.CPU(), 0.0, int64(0)
		ctx, cancel := context.WithCancel(context.Background())
		run := engines.Run{Train: train, Workers: 1, Trace: func(s engines.Step) {
			if s.Iter == 49 {
				took, looked = enginetest.CPU()-before, s.Evaluations
				cancel()
			}
		}}
		if _, err := e.Fit(ctx, run); err == nil {
			b.Fatal("the fit ended before the first batch did")
		}
		b.ReportMetric(took, "cpu-s")
		b.ReportMetric(float64(looked), "evaluations")
	}
}

func whole(b *testing.B, name string, rounds int) {
	train, test := enginetest.BenchmarkClasses(b, name, 86)
	e := Kind.Defaults().(Bayes)
	e.MaxRounds = rounds
	for range b.N {
		before := enginetest.CPU()
		m, err := e.Fit(context.Background(), engines.Run{Train: train, Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(enginetest.CPU()-before, "cpu-s")
		b.ReportMetric(enginetest.Accuracy(m, test), "test-%")
		f := m.(engines.Reporter).Fitted()
		b.ReportMetric(float64(f.Evaluated), "evaluations")
		for _, f := range f.Facts {
			b.Logf("%s: %.200s", f.Name, f.Value)
		}
	}
}
