package scores

import (
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// BenchmarkWide ranks 20,000 columns of 100 rows of numbers by each score, and as many sparse ones of as many rows as 20 Newsgroups.
func BenchmarkWide(b *testing.B) {
	v := enginetest.Interactions(100, 20_000)
	number := make([]float64, v.Len())
	for i := range number {
		number[i] = v.Row(i).At(0) + v.Row(i).At(1)
	}
	numbers := enginetest.View(enginetest.Dataset(v.Matrix(), enginetest.Real("y", number...)), nil)
	run := func(name string, score string, v *data.View) {
		b.Run(name, func(b *testing.B) {
			before := enginetest.CPU()
			for b.Loop() {
				if _, _, err := scoring(score, nil).Choose(b.Context(), engines.Run{Train: v, Workers: 1}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((enginetest.CPU()-before)/float64(b.N), "cpu-s/op")
		})
	}
	for _, score := range ofClasses {
		run(score, score, v)
	}
	for _, score := range ofNumbers {
		run(score+" of numbers", score, numbers)
	}
	run("symmetric-uncertainty of sparse columns", symmetricUncertainty, enginetest.SparseClasses(20))
}
