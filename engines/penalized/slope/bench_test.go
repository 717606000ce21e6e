package slope

import (
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// BenchmarkLeukemia goes down a hundred scales to a hundredth of the one that selects nothing, as far as a path goes in tune.
func BenchmarkLeukemia(b *testing.B) {
	for name, numbers := range map[string]bool{"numbers": true, "classes": false} {
		b.Run(name, func(b *testing.B) {
			train := enginetest.Golub(b, numbers)
			e := usual()
			points := engines.PathPoints{Parameter: "scale_ratio", MayEnd: true}
			for k := range 100 {
				points.Values = append(points.Values, math.Pow(0.01, float64(k)/99))
			}
			steps, last := 0, 0
			for b.Loop() {
				steps = 0
				err := e.FitPath(b.Context(), engines.Run{Train: train, Workers: 1}, points, func(i int, m engines.Model) {
					steps += m.(engines.Reporter).Fitted().Iterations
					last = i
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(steps), "steps")
			b.ReportMetric(float64(last+1), "scales")
		})
	}
}
