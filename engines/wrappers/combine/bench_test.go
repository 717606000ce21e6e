//go:build unix

package combine

import (
	"context"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/losses/logits"
	"tenfold/engines/penalized/l1"
)

// The benchmarks run on problem C (179,118 rows, 400,530 columns of ones, 2 classes) in the folder that TENFOLD_BENCH names,
// at c1 = 20 and without a bias.

// optimum is the model that combinations are found by.
func optimum(b *testing.B, v *data.View) *logits.Point {
	p, err := logits.Read(v, logits.NoBias)
	if err != nil {
		b.Fatal(err)
	}
	pt := p.NewPoint(make([]float64, p.Width()))
	_, _, solve := base(20, 0, 1e-6).Parts()
	out, err := solve(context.Background(), pt, logits.Goal{Penalty: logits.Penalty{L1: 20}, Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 500}, Workers: 2})
	if err != nil || !(out.Relative() <= 1e-6) {
		b.Fatal(out, err)
	}
	return pt
}

// BenchmarkSearch is the search alone: over all columns, or those with a weight, for pairs, triples or by sampling.
func BenchmarkSearch(b *testing.B) {
	v, _ := enginetest.BenchmarkSigns(b, "C")
	pt := optimum(b, v)
	p := pt.Problem
	p.X.Col(0) // laid out by then, as after a fit
	var active, all []int32
	for j, w := range pt.W {
		if all = append(all, int32(j)); w != 0 {
			active = append(active, int32(j))
		}
	}
	s := Search{X: p.X, R: make([]float64, len(pt.R)), Blocks: 1, Low: 20, MinSupport: 1, Keep: 1 << 20}
	for i, r := range pt.R {
		s.R[i] = -r
	}
	for _, c := range []struct {
		name           string
		columns        []int32
		order, workers int
		sketch         int
	}{
		{"all", all, 2, 1, 0}, {"all-2-workers", all, 2, 2, 0}, {"active", active, 2, 1, 0}, {"all-triples", all, 3, 1, 0}, {"active-triples", active, 3, 1, 0},
		{"all-sketch-50", all, 2, 1, 50}, {"all-sketch-200", all, 2, 1, 200}, {"all-sketch-1000", all, 2, 1, 1000},
	} {
		s := s
		s.Columns, s.Order, s.Workers = c.columns, c.order, c.workers
		b.Run(c.name, func(b *testing.B) {
			var hits []Hit
			var census Census
			var err error
			before := enginetest.CPU()
			for range b.N {
				if c.sketch > 0 {
					hits, census, err = s.Sampled(context.Background(), rand.New(rand.NewPCG(1, 2)), c.sketch)
				} else {
					hits, census, err = s.Exact(context.Background())
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((enginetest.CPU()-before)/float64(b.N), "cpu-s")
			b.ReportMetric(float64(len(hits)), "hits")
			b.ReportMetric(census.Candidates, "candidates")
			b.ReportMetric(float64(census.Columns), "columns")
			b.ReportMetric(census.Bounded, "within-bounds")
			b.ReportMetric(float64(census.Visits), "terms")
			if c.sketch > 0 {
				b.ReportMetric(100*census.Sample.Rate(), "rate-%")
				b.ReportMetric(float64(census.Sample.Estimated), "estimated")
				b.ReportMetric(float64(census.Sample.Verified), "verified")
			}
		})
	}
}

// BenchmarkFit is everything: the base's model, the search, the larger matrix, and training again.
func BenchmarkFit(b *testing.B) {
	v, _ := enginetest.BenchmarkSigns(b, "C")
	for _, of := range []string{"all", "active"} {
		b.Run(of, func(b *testing.B) {
			e := Engine{base(20, 0, 1e-6), options(func(o *Options) { o.Of = of })}
			on := e.Base.(l1.L1)
			on.Bias = string(logits.NoBias)
			e.Base = on
			for range b.N {
				before := enginetest.CPU()
				m, err := e.Fit(context.Background(), engines.Run{Train: v, Workers: 1})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(enginetest.CPU()-before, "cpu-s")
				b.ReportMetric(enginetest.Peak(), "peak-MB")
				b.ReportMetric(enginetest.Accuracy(m, v), "train-%")
				b.ReportMetric(float64(len(m.Coefs())), "weights")
				for _, f := range m.(engines.Reporter).Fitted().Facts {
					b.Logf("%s: %s", f.Name, f.Value)
				}
			}
		})
	}
}
