package naivebayes

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
)

// BenchmarkTexts fits 20,000 texts of 20 classes and about 100 of 50,000 words each, and predicts them.
func BenchmarkTexts(b *testing.B) {
	const texts, vocabulary, length, classes = 20_000, 50_000, 100, 20
	rng := rand.New(rand.NewPCG(24, 1))
	var build sparse.Builder
	y := make([]float64, texts)
	for i := range y {
		y[i] = float64(rng.IntN(classes))
		counts := map[int32]float64{}
		for range length {
			w := int32(math.Exp(rng.Float64()*math.Log(vocabulary))) - 1
			if rng.IntN(5) == 0 {
				w = (w*classes + 1000 + int32(y[i])) % vocabulary
			}
			counts[w]++
		}
		var row []int32
		for w := range counts {
			row = append(row, w)
		}
		slices.Sort(row)
		values := make([]float64, len(row))
		for k, w := range row {
			values[k] = counts[w]
		}
		if err := build.Add(row, values); err != nil {
			b.Fatal(err)
		}
	}
	v := enginetest.View(enginetest.Dataset(build.Matrix(vocabulary), enginetest.Class("y", classes, y...)), nil)
	e := Kind.Defaults().(NaiveBayes)
	var m engines.Model
	measure := func(name string, do func()) {
		b.Run(name, func(b *testing.B) {
			before := enginetest.CPU()
			for b.Loop() {
				do()
			}
			b.ReportMetric((enginetest.CPU()-before)/float64(b.N), "cpu-s/op")
		})
	}
	measure("fit", func() {
		var err error
		if m, err = e.Fit(b.Context(), engines.Run{Train: v, Workers: 1}); err != nil {
			b.Fatal(err)
		}
	})
	dst := make([]float64, texts*classes)
	measure("predict", func() { m.Predict(dst, v.Inputs()) })
	measure("coefficients", func() {
		m, _ := e.Fit(b.Context(), engines.Run{Train: v, Workers: 1})
		m.Coefs()
	})
}
