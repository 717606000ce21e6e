//go:build unix

package maxent

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// The benchmarks run on problems B10 (60,056 rows, 23,253 candidates) and B (599,964 rows, 189,664 candidates) of 86
// classes in the folder that TENFOLD_BENCH names; candidates are pairs seen 8 times, without biases. They report CPU time,
// not elapsed time.

func benchFit(b *testing.B, name string, e engines.Engine) {
	train, test := enginetest.BenchmarkClasses(b, name, 86)
	b.ResetTimer()
	for range b.N {
		before := enginetest.CPU()
		m, err := e.Fit(context.Background(), engines.Run{Train: train, Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(enginetest.CPU()-before, "cpu-s")
		b.ReportMetric(enginetest.Peak(), "peak-MB")
		b.ReportMetric(enginetest.Accuracy(m, test), "test-%")
		for _, f := range m.(engines.Reporter).Fitted().Facts {
			b.Logf("%s: %.120s", f.Name, f.Value)
		}
	}
}

func selectN(n int, refit bool) Selection {
	e := defaults
	e.Features, e.FinalRefit, e.Cutoff, e.Bias = n, refit, 8, false
	return e
}

func BenchmarkSGC(b *testing.B) {
	for _, c := range []struct {
		name   string
		counts []int
	}{{"B10", []int{200, 1000, 2000, 3000, 4000, 5000}}, {"B", []int{1000, 3000, 10_000}}} {
		for _, n := range c.counts {
			b.Run(fmt.Sprintf("%s-%d", c.name, n), func(b *testing.B) { benchFit(b, c.name, SGC{Selection: selectN(n, false)}) })
			b.Run(fmt.Sprintf("%s-%d-refit", c.name, n), func(b *testing.B) { benchFit(b, c.name, SGC{Selection: selectN(n, true)}) })
		}
	}
}

func BenchmarkExact(b *testing.B) {
	for _, n := range []int{10, 50, 200} {
		b.Run(fmt.Sprintf("B10-sgc-%d", n), func(b *testing.B) { benchFit(b, "B10", SGC{Selection: selectN(n, false), Exact: true}) })
		b.Run(fmt.Sprintf("B10-ifs-%d", n), func(b *testing.B) { benchFit(b, "B10", IFS{selectN(n, false)}) })
	}
	for _, n := range []int{10, 50} {
		b.Run(fmt.Sprintf("B-sgc-%d", n), func(b *testing.B) { benchFit(b, "B", SGC{Selection: selectN(n, false), Exact: true}) })
		b.Run(fmt.Sprintf("B-ifs-%d", n), func(b *testing.B) { benchFit(b, "B", IFS{selectN(n, false)}) })
	}
}

// BenchmarkSameAsIFS compares the first 200 features of B10.
func BenchmarkSameAsIFS(b *testing.B) {
	train, _ := enginetest.BenchmarkClasses(b, "B10", 86)
	for range b.N {
		paths := [2][]engines.Coef{}
		for k, e := range []engines.Engine{IFS{selectN(200, false)}, SGC{Selection: selectN(200, false), Exact: true}} {
			run := engines.Run{Train: train, Workers: 1, Trace: func(s engines.Step) { paths[k] = append(paths[k], s.Changed) }}
			if _, err := e.Fit(context.Background(), run); err != nil {
				b.Fatal(err)
			}
		}
		for k, want := range paths[0] {
			if got := paths[1][k]; got.Feature != want.Feature || got.Output != want.Output || !(math.Abs(got.Score-want.Score) <= 1e-9*want.Score) {
				b.Fatalf("stage %d: %+v, ifs takes %+v", k, got, want)
			}
		}
	}
}

func BenchmarkMaxEnt(b *testing.B) {
	for _, variance := range []float64{0.1, 1, 10} {
		b.Run(fmt.Sprint("B10-", variance), func(b *testing.B) {
			e := MaxEnt{Candidates{Cutoff: 8}, estimation}
			e.RefitVariance = variance
			benchFit(b, "B10", e)
		})
	}
}

// BenchmarkObjective is one evaluation over all candidates.
func BenchmarkObjective(b *testing.B) {
	for _, name := range []string{"B10", "B"} {
		b.Run(name, func(b *testing.B) {
			train, _ := enginetest.BenchmarkClasses(b, name, 86)
			ctx := context.Background()
			p, fs, err := Candidates{Cutoff: 8}.readProblem(ctx, engines.Run{Train: train})
			if err != nil {
				b.Fatal(err)
			}
			o, err := p.Objective(ctx, fs, make([]float64, len(fs)))
			if err != nil {
				b.Fatal(err)
			}
			f := o.Func(ctx, 1)
			w, grad := make([]float64, len(fs)), make([]float64, len(fs))
			b.ResetTimer()
			for range b.N {
				f(grad, w)
			}
		})
	}
}
