package relief

import (
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
)

// madelon returns a problem of the size of madelon: numbers, of which a product of two and three others decide the class.
func madelon() *data.View { return enginetest.Interactions(2600, 500) }

// fewWords returns rows of a hundred of 20,000 words each, in two classes.
func fewWords() *data.View {
	const texts, vocabulary, words = 5000, 20_000, 100
	rng := rand.New(rand.NewPCG(52, 9))
	var b sparse.Builder
	y := make([]float64, texts)
	for i := range y {
		y[i] = float64(i % 2)
		seen := map[int32]bool{}
		var row []int32
		for len(row) < words {
			j := int32(vocabulary * rng.Float64() * rng.Float64() * rng.Float64())
			if j < 200 && int(j)%2 != i%2 && rng.IntN(3) > 0 || seen[j] {
				continue
			}
			seen[j], row = true, append(row, j)
		}
		if err := b.Add(row, nil); err != nil {
			panic(err)
		}
	}
	return enginetest.View(enginetest.Dataset(b.Matrix(vocabulary), enginetest.Class("y", 2, y...)), nil)
}

func BenchmarkRelief(b *testing.B) {
	surf := with(func(e *Relief) { e.Variant = kindMultiSURF })
	for _, c := range []struct {
		name   string
		engine Relief
		view   *data.View
	}{
		{"madelon", with(nil), madelon()},
		{"madelon, all centres", with(func(e *Relief) { e.Centres = 0 }), madelon()},
		{"madelon, MultiSURF", surf, madelon()},
		{"100 x 20000", with(nil), enginetest.Interactions(100, 20_000)},
		{"words", with(nil), fewWords()},
		{"words, MultiSURF", surf, fewWords()},
	} {
		b.Run(c.name, func(b *testing.B) {
			before := enginetest.CPU()
			for b.Loop() {
				if _, _, err := c.engine.Choose(b.Context(), engines.Run{Train: c.view, Workers: 1, Rand: rand.New(rand.NewPCG(1, 1))}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((enginetest.CPU()-before)/float64(b.N), "cpu-s/op")
		})
	}
}
