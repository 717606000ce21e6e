package comparison

import (
	"strings"
	"testing"

	"tenfold/io/results"
)

// The best of three values that is the first or the last is marked; one between others, or one of two, is not.
func TestBestAtTheEndOfAGrid(t *testing.T) {
	for _, c := range []struct {
		name   string
		scores []float64
		want   string
	}{
		{"last", []float64{0.7, 0.8, 0.9}, "The best is at an end of the grid, and values beyond may be better: ridge lambda=100."},
		{"first", []float64{0.9, 0.8, 0.7}, "better: ridge lambda=1."},
		{"between", []float64{0.7, 0.9, 0.8}, ""},
		{"two", []float64{0.7, 0.9}, ""},
	} {
		r := &run{}
		for i, v := range c.scores {
			r.add("d", "ridge", []results.Param{{Name: "lambda", Value: []float64{1, 10, 100}[i]}}, "accuracy", true, 6, v, v, v+0.01)
		}
		r.add("d", "other", nil, "accuracy", true, 6, 0.5, 0.5, 0.5)
		grids, err := Build(Config{Columns: "dataset"}, r.input("accuracy"))
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(grids[0].Notes, "\n")
		if c.want == "" && strings.Contains(got, "end of the grid") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
