package figure

import (
	"fmt"
	"io"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
)

func BenchmarkDraw(b *testing.B) {
	for _, c := range []struct {
		name   string
		config Config
		in     Input
	}{
		{"path", Config{Kind: Path, Where: map[string]string{"epsilon": "0.00316"}}, sweepInput()},
		{"sweep", Config{Kind: Sweep, X: "sample", Lines: "carry"}, lookupInput()},
		{"frontier", Config{Kind: Frontier}, frontierInput(5)},
		{"critical-difference", Config{Kind: CriticalDifference}, many(12, 10)},
		{"stability", Config{Kind: Stability}, many(10, 8)},
		{"overlap", Config{Kind: Overlap, Dataset: "data-set-0"}, many(12, 1)},
	} {
		charts, err := Build(c.config, c.in)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name+"/svg", func(b *testing.B) {
			for b.Loop() {
				if err := charts[0].SVG(io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/png", func(b *testing.B) {
			for b.Loop() {
				if err := charts[0].PNG(io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkManyRows is a frontier of 100,000 rows: 10,000 points of a grid on ten folds.
func BenchmarkManyRows(b *testing.B) {
	var rows []results.Row
	for i := range 10000 {
		for fold := range int32(10) {
			rows = append(rows, row("d", "a", fmt.Sprint(i), fold, []results.Param{{Name: "k", Value: int64(i)}},
				"test_mse", 1+float64(i*7919%1000)/1000+float64(fold)/100, "selected", float64(i)))
		}
	}
	in := Input{Source: described, Cells: cells.Group(rows), Metrics: []string{"test_mse"}}
	for b.Loop() {
		charts, err := Build(Config{Kind: Frontier}, in)
		if err != nil {
			b.Fatal(err)
		}
		if err := charts[0].SVG(io.Discard); err != nil {
			b.Fatal(err)
		}
		if err := charts[0].PNG(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
