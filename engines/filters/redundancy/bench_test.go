package redundancy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
)

// words is a problem of the size of 20 Newsgroups: 18,846 texts of 20 classes, each with 157 of 173,771 words by Zipf's law, one in five
// of them by a law of its class.
func words() *data.View {
	const texts, vocabulary, each, classes = 18_846, 173_771, 157, 20
	rng := rand.New(rand.NewPCG(20, 20))
	var b sparse.Builder
	y := make([]float64, texts)
	for i := range y {
		y[i] = float64(i % classes)
		seen := map[int32]bool{}
		var row []int32
		for len(row) < each {
			w := int(math.Exp(rng.Float64() * math.Log(vocabulary)))
			if rng.IntN(5) == 0 {
				w = (w*classes + 1000 + int(y[i])) % vocabulary
			}
			if j := int32(w % vocabulary); !seen[j] {
				seen[j], row = true, append(row, j)
			}
		}
		slices.Sort(row)
		if err := b.Add(row, nil); err != nil {
			panic(err)
		}
	}
	return enginetest.View(enginetest.Dataset(b.Matrix(vocabulary), enginetest.Class("y", classes, y...)), nil)
}

// BenchmarkWords selects 100 columns by each criterion, without a model on them.
func BenchmarkWords(b *testing.B) {
	v := words()
	for _, e := range []struct {
		name   string
		engine engines.Chooser
	}{
		{"mrmr", MRMRKind.Defaults().(MRMR)},
		{"mrmr of correlations", MRMR{ofCorrelation, asQuotient, false, usual, cutWhereMany, plain}},
		{"mim", MIMKind.Defaults().(Informed)},
		{"jmi", JMIKind.Defaults().(Informed)},
		{"jmim", JMIMKind.Defaults().(Informed)},
		{"cmim", CMIMKind.Defaults().(Informed)},
		{"jim", JIMKind.Defaults().(Informed)},
		{"variance", VarianceKind.Defaults().(Variance)},
	} {
		b.Run(e.name, func(b *testing.B) {
			before := enginetest.CPU()
			for b.Loop() {
				chosen, _, err := e.engine.Choose(b.Context(), engines.Run{Train: v, Workers: 1})
				if err != nil || len(chosen) != 100 {
					b.Fatalf("%d columns, %v", len(chosen), err)
				}
			}
			b.ReportMetric((enginetest.CPU()-before)/float64(b.N), "cpu-s/op")
		})
	}
}
