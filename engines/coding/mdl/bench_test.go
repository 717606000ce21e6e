package mdl

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/coding/likelihood"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
)

// BenchmarkD is stepwise selection of one response: D1 350 × 7,000, D2 50 × 15,056, D3 350 × 1,000. Every fit lays the
// columns out anew.
func BenchmarkD(b *testing.B) {
	for _, name := range []string{"D1", "D2", "D3"} {
		p := enginetest.BenchmarkDense(b, name)
		for _, v := range []struct{ code, search, sigma string }{
			{"tpc", searchForward, likelihood.SigmaNull}, {"tpc", searchForward, likelihood.SigmaOwn}, {"ric2", searchForward, likelihood.SigmaNull}, {"tpc", searchMixed, likelihood.SigmaOwn}, {"tpc", searchStreamwise, likelihood.SigmaNull},
		} {
			b.Run(fmt.Sprintf("%s/%s/%s/%s", name, v.code, v.search, v.sigma), func(b *testing.B) {
				run(b, p, with(func(e *MDL) { e.Code, e.Search, e.Sigma = v.code, v.search, v.sigma }))
			})
		}
	}
}

// BenchmarkE is multiple inclusion: 104 × 6,715, 20 responses of 4 columns each.
func BenchmarkE(b *testing.B) {
	p := enginetest.BenchmarkDense(b, "E")
	for _, v := range []struct {
		code string
		bits float64
	}{{"mic-partial", 2}, {"mic-partial", 3}, {"mic-full", 2}, {"ric2", 2}} {
		b.Run(fmt.Sprintf("%s/%v bits", v.code, v.bits), func(b *testing.B) {
			run(b, p, with(func(e *MDL) { e.Code, e.CoefBits = v.code, v.bits }))
		})
	}
}

func run(b *testing.B, p enginetest.DenseProblem, e MDL) {
	m := timed(b, e, p.Train)
	hits := 0
	for _, c := range m.Coefs() {
		if slices.Contains(p.Support, [2]int32{int32(c.Output), int32(c.Feature)}) {
			hits++
		}
	}
	truth := len(p.Support)
	b.ReportMetric(float64(len(m.Coefs())), "coefs")
	b.ReportMetric(float64(hits)/float64(max(1, len(m.Coefs()))), "precision")
	b.ReportMetric(float64(hits)/float64(truth), "recall")
	b.ReportMetric(enginetest.RSquared(m, p.Test), "test-R²")
}

// timed fits the view, its columns laid out anew every time, and reports processor time: machines are shared.
func timed(b *testing.B, e MDL, train *data.View) (m engines.Model) {
	before := enginetest.CPU()
	for b.Loop() {
		var err error
		if m, err = e.Fit(context.Background(), engines.Run{Train: enginetest.Fresh(train), Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(1e3*(enginetest.CPU()-before)/float64(b.N), "cpu-ms/op")
	return m
}

// BenchmarkMillion is forward selection of 50 features among 10⁶ sparse columns on 10⁵ rows, 10⁷ entries.
func BenchmarkMillion(b *testing.B) {
	if os.Getenv("TENFOLD_BENCH") == "" {
		b.Skip("TENFOLD_BENCH is not set: benchmarks of this size are not wanted")
	}
	const rows, cols, perRow, truth = 100_000, 1_000_000, 100, 60
	for _, binary := range []bool{true, false} {
		b.Run(map[bool]string{true: "ones", false: "values"}[binary], func(b *testing.B) {
			rng := rand.New(rand.NewPCG(3, 4))
			ptr, idx, val := make([]int, 1, rows+1), make([]int32, 0, rows*perRow), []float64(nil)
			y := make([]float64, rows)
			for i := range y {
				row := map[int32]bool{}
				for len(row) < perRow {
					// columns of falling frequency, the first 60 in about a tenth of the rows
					row[int32(math.Pow(rng.Float64(), 2.5)*cols)] = true
				}
				start := len(idx)
				for j := range row {
					idx = append(idx, j)
				}
				slices.Sort(idx[start:])
				y[i] = rng.NormFloat64()
				for _, j := range idx[start:] {
					v := 1.0
					if !binary {
						v = 1 + rng.Float64()
						val = append(val, v)
					}
					if j%997 == 0 && j/997 < truth {
						y[i] += v * float64(3+j/997%5)
					}
				}
				ptr = append(ptr, len(idx))
			}
			set := &data.Dataset{Name: "million", X: sparse.New(cols, ptr, idx, val), Features: data.NumberedFeatures(0, cols), Targets: []data.Target{enginetest.Real("y", y...)}}
			view := enginetest.View(set, nil)
			e := with(func(e *MDL) { e.Code, e.MaxFeatures = "aic", 50 })
			b.ReportMetric(float64(len(timed(b, e, view).Coefs())), "features")
			b.ReportMetric(enginetest.Peak(), "MB-peak")
		})
	}
}
