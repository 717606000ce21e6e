package sets

import (
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// BenchmarkSets selects sets of sparse columns of 0 and 1, and of numbers.
func BenchmarkSets(b *testing.B) {
	numbers := enginetest.Interactions(500, 5000)
	for _, c := range []struct {
		name   string
		engine engines.Chooser
		view   *data.View
	}{
		{"cfs", CFSKind.Defaults().(CFS), enginetest.SparseClasses(20)},
		{"fcbf", FCBFKind.Defaults().(FCBF), enginetest.SparseClasses(20)},
		{"cfs of numbers", CFSKind.Defaults().(CFS), numbers},
		{"fcbf of numbers", FCBFKind.Defaults().(FCBF), numbers},
	} {
		b.Run(c.name, func(b *testing.B) {
			before := enginetest.CPU()
			for b.Loop() {
				if _, _, err := c.engine.Choose(b.Context(), engines.Run{Train: c.view, Workers: 1}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((enginetest.CPU()-before)/float64(b.N), "cpu-s/op")
		})
	}
}
