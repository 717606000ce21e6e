package results

import (
	"fmt"
	"math"
	"testing"
)

// cells makes n outcomes of an ordinary size: 20 metrics, 30 features, a path of 50 points, 20 predictions.
func cells(n int) []Row {
	rows := make([]Row, n)
	for i := range rows {
		x := float64(i)
		r := &rows[i]
		r.Label = Label{
			Experiment: "exp", Dataset: "set", Algorithm: "a", Engine: "e", Cell: fmt.Sprintf("%032x", i/10), Unit: fmt.Sprintf("%032x", i),
			Params: `{"epsilon":0.1,"patience":30000}`, Fold: int32(i % 10), FoldDigest: fmt.Sprint("fold", i%10), Grid: []Param{{"epsilon", x / 7}},
		}
		r.Status = OK
		for k := range 20 {
			r.Scores = append(r.Scores, Score{Metric: fmt.Sprint("metric", k), Point: -1, Value: x * float64(k+1) / 7})
		}
		for k := range 30 {
			r.Outcome.Selected = append(r.Outcome.Selected, Selected{Rank: int32(k), Feature: fmt.Sprint("feature", (i*7+k*13)%5000), Coefficient: x / float64(k+3)})
		}
		for k := range 50 {
			r.Outcome.Path = append(r.Outcome.Path, Point{Step: int64(k), Nonzero: int32(k), TrainError: x / float64(k+1), TestError: x / float64(k+2), Parameter: "epsilon", ParameterValue: 0.1})
		}
		p := &r.Outcome.Predictions
		for k := range 20 {
			p.Row, p.Group, p.Output = append(p.Row, fmt.Sprint("row", i%10*20+k)), append(p.Group, ""), append(p.Output, "")
			p.Truth, p.Prediction, p.Score = append(p.Truth, float64(k)), append(p.Prediction, x/float64(k+1)), append(p.Score, math.NaN())
		}
	}
	return rows
}

func BenchmarkWrite10000(b *testing.B) {
	rows, dir := cells(10_000), b.TempDir()
	b.ReportAllocs()
	for b.Loop() {
		write(b, dir, rows)
	}
}

func BenchmarkDigest10000(b *testing.B) {
	rows := cells(10_000)
	for b.Loop() {
		digestOf(rows)
	}
}

func BenchmarkRead10000(b *testing.B) {
	dir := b.TempDir()
	write(b, dir, cells(10_000))
	b.Run("rows", func(b *testing.B) {
		for b.Loop() {
			t, err := Read(dir)
			if err != nil {
				b.Fatal(err)
			}
			t.Close()
		}
	})
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			t, err := Read(dir)
			if err != nil {
				b.Fatal(err)
			}
			wholes(b, t)
			t.Close()
		}
	})
}
