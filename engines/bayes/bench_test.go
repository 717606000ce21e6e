//go:build unix

package bayes

import (
	"context"
	"fmt"
	"math"
	"slices"
	"syscall"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// classes makes views with a class target of the generated problem.
func classes(b *testing.B, name string) (train, test *data.View) {
	b.Helper()
	train, test = enginetest.Benchmark(b, name)
	as := func(v *data.View) *data.View {
		_, y := v.Target(0)
		return enginetest.View(enginetest.Dataset(v.Matrix(), enginetest.Class("y", 86, y...)), nil)
	}
	return as(train), as(test)
}

func accuracy(m engines.Model, v *data.View) float64 {
	_, y := v.Target(0)
	p, right := make([]float64, v.Len()*m.Outputs()), 0
	m.Predict(p, v.Inputs())
	for i, c := range y {
		row := p[i*m.Outputs() : (i+1)*m.Outputs()]
		if slices.Index(row, slices.Max(row)) == int(c) {
			right++
		}
	}
	return 100 * float64(right) / float64(v.Len())
}

// cpu is the user and system time of the process, in seconds.
func cpu() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return math.NaN()
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + 1e-6*float64(u.Utime.Usec+u.Stime.Usec)
}

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
	train, _ := classes(b, name)
	e := Kind.Defaults().(Bayes)
	for range b.N {
		before, took, looked := cpu(), 0.0, int64(0)
		ctx, cancel := context.WithCancel(context.Background())
		run := engines.Run{Train: train, Workers: 1, Trace: func(s engines.Step) {
			if s.Iter == 49 {
				took, looked = cpu()-before, s.Evaluations
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
	train, test := classes(b, name)
	e := Kind.Defaults().(Bayes)
	e.MaxRounds = rounds
	for range b.N {
		before := cpu()
		m, err := e.Fit(context.Background(), engines.Run{Train: train, Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(cpu()-before, "cpu-s")
		b.ReportMetric(accuracy(m, test), "test-%")
		f := m.(engines.Reporter).Fitted()
		b.ReportMetric(float64(f.Evaluated), "evaluations")
		for _, f := range f.Facts {
			b.Logf("%s: %.200s", f.Name, f.Value)
		}
	}
}
