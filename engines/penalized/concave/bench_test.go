package concave

import (
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// BenchmarkLeukemia goes down ncvreg's hundred penalties, to a twentieth of the one that selects nothing, of classes a tenth.
func BenchmarkLeukemia(b *testing.B) {
	for _, c := range []struct {
		name    string
		e       Concave
		numbers bool
		least   float64
	}{
		{"gaussian/MCP", mcp(3), true, 0.05}, {"gaussian/SCAD", scad(3.7), true, 0.05},
		{"binomial/MCP", mcp(3), false, 0.1}, {"binomial/SCAD", scad(3.7), false, 0.1},
	} {
		b.Run(c.name, func(b *testing.B) {
			train := enginetest.Golub(b, c.numbers)
			var values []float64
			for k := range 100 {
				values = append(values, math.Pow(c.least, float64(k)/99))
			}
			var last engines.Model
			for b.Loop() {
				if err := c.e.FitPath(b.Context(), engines.Run{Train: train, Workers: 1}, ratios(values), func(_ int, m engines.Model) { last = m }); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(last.Coefs())), "columns")
			b.Log(last.(engines.Reporter).Fitted().Facts)
		})
	}
}
