package comparison

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"tenfold/reports/cells"
)

// many is a run of algorithms × data sets, on ten folds each.
func many(algorithms, datasets int) *run {
	r := &run{}
	for d := range datasets {
		for a := range algorithms {
			values := make([]float64, 10)
			for f := range values {
				values[f] = 0.7 + 0.01*math.Sin(float64(a*31+d*17+f*7)) + 0.0001*float64(a)
			}
			r.add(fmt.Sprint("data", d), fmt.Sprint("algorithm", a), nil, "accuracy", true, 10, values...)
		}
	}
	return r
}

// 10,000 cells on ten folds each.
func BenchmarkBuild(b *testing.B) {
	rows := many(1000, 10).rows
	for _, c := range []struct {
		name   string
		config Config
	}{
		{"baseline", Config{Columns: "dataset", Baseline: "algorithm0"}},
		{"plain", Config{Columns: "dataset"}},
		{"metrics", Config{Columns: "metric", Baseline: "algorithm0"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				grids, err := Build(c.config, Input{Source: described, Cells: cells.Group(rows), Metrics: []string{"accuracy"}})
				if err != nil {
					b.Fatal(err)
				}
				var out bytes.Buffer
				for _, g := range grids {
					if err := g.Markdown(&out); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
