package comparison

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/paired"
	"tenfold/reports/table"
)

// A metric is a question by itself: the p-values of others change nothing of its marks.
func TestCorrectionWithinAMetric(t *testing.T) {
	r := dhillon()
	for i := range r.rows {
		row := &r.rows[i]
		for k := range 20 { // metrics in which nothing differs
			row.Scores = append(row.Scores, results.Score{Metric: fmt.Sprint("f:", k+1), Point: -1, Value: math.Sin(float64(7*i + k))})
		}
	}
	metrics := []string{"accuracy"}
	for k := range 20 {
		metrics = append(metrics, fmt.Sprint("f:", k+1))
	}
	of := func(c Config, metrics ...string) (accuracy []table.Number, legend string) {
		c.Baseline = "Lasso"
		grids, err := Build(c, r.input(metrics...))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range grids[0].Numbers {
			if n.Metric == "accuracy" {
				accuracy = append(accuracy, n)
			}
		}
		return accuracy, strings.Join(grids[0].Legend, " ")
	}
	for _, c := range []Config{{}, {Rows: "algorithm, metric", Columns: "engine"}} {
		alone, short := of(c, "accuracy")
		among, long := of(c, metrics...)
		for i, n := range among {
			if m := alone[i]; n.Mark != m.Mark || !(n.Adjusted == m.Adjusted || math.IsNaN(n.Adjusted) && math.IsNaN(m.Adjusted)) {
				t.Errorf("%s: %q, p %v among other metrics, %q, p %v alone", n.Row, n.Mark, n.Adjusted, m.Mark, m.Adjusted)
			}
		}
		if !strings.Contains(short, "Holm over 2 comparisons)") || !strings.Contains(long, "Holm over the 2 comparisons of each metric)") {
			t.Errorf("legends %q, %q", short, long)
		}
	}
}

// Where no result could have been significant nothing is italic, nothing is "the same", and the table says why.
func TestNoMarksWithoutAChance(t *testing.T) {
	few := func(algorithms, folds int) *run {
		r := &run{}
		for a := range algorithms {
			values := make([]float64, folds)
			for f := range values {
				values[f] = 0.9 - 0.1*float64(a) + 0.01*float64(f)
			}
			r.add("d", fmt.Sprint("a", a), nil, "accuracy", true, 3, values...)
		}
		return r
	}
	mixed := few(2, 12) // over and below
	for f := range 6 {
		mixed.rows[f].Scores[0].Value -= 0.15
	}
	const corrected = "with Holm's correction for 2 comparisons with the best no single one can be significant: p-values of this test (sign test over 6 folds) do not go below 0.031; nothing is italic there"
	for _, c := range []struct {
		name            string
		config          Config
		run             *run
		similar, counts bool
		want            string
	}{
		{"a test without a bound", Config{Baseline: "a0"}, few(3, 6), false, true, ""},
		{"corrected", Config{Test: paired.NameSign, Baseline: "a0"}, few(3, 6), false, false, corrected},
		{"not corrected", Config{Test: paired.NameSign, Correction: None, Baseline: "a0"}, few(3, 6), false, true, ""},
		{"too few folds", Config{Test: paired.NameSign, Correction: None}, few(3, 4), false, false,
			"no difference to the best can be significant, so that nothing is italic: p-values of this test over so few folds do not go below 0.12; take another test"},
		{"enough folds", Config{Test: paired.NameSign, Baseline: "a0", Alpha: 0.001}, few(2, 12), false, false, ""},
		{"nothing found", Config{Test: paired.NameSign, Baseline: "a1"}, mixed, true, false, ""},
	} {
		c.config.Metric = "accuracy"
		grids, err := Build(c.config, c.run.input("accuracy"))
		if err != nil {
			t.Fatal(err)
		}
		g := grids[0]
		similar := slices.ContainsFunc(g.Rows, func(r table.Row) bool { return r.Slots[0].Similar })
		if w := strings.Join(g.Warnings, "; "); similar != c.similar || len(g.Footer) > 0 != c.counts || c.want == "" && w != "" || !strings.Contains(w, c.want) {
			t.Errorf("%s: italic %v, counts %v, warnings %q", c.name, similar, g.Footer, w)
		}
	}
}

// A against B is B against A with the other sign, and what a table says of a pair it says once.
func TestBothWays(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	turned := map[string]string{"": "", "v": "*", "*": "v"}
	marked, similar := 0, 0
	for i := range 300 {
		r := &run{}
		for d := range 1 + rng.IntN(3) {
			base := rng.Float64()
			for a := range 2 + i%2*2 {
				values := make([]float64, 10)
				for f := range values {
					values[f] = base + 0.06*float64(a)*rng.Float64() + 0.01*math.Round(3*rng.NormFloat64())
				}
				r.add(fmt.Sprint("d", d), fmt.Sprint("a", a), nil, []string{"accuracy", "error"}[i/2%2], i/2%2 == 0, 3, values...)
			}
		}
		build := func(baseline string) map[[2]string]table.Slot {
			c := Config{Columns: "dataset", Baseline: baseline, Test: []string{"", paired.NamePairedT, paired.NameWilcoxon, paired.NameSign}[i/4%4]}
			grids, err := Build(c, r.input("accuracy", "error")) // one of them has values
			if err != nil {
				t.Fatal(err)
			}
			slots := map[[2]string]table.Slot{}
			for _, row := range grids[0].Rows {
				for j, s := range row.Slots {
					slots[[2]string{row.Label, grids[0].Columns[j]}] = s
				}
			}
			return slots
		}
		one, other := build("a0"), build("a1")
		for at, s := range one {
			base := one[[2]string{"a0", at[1]}]
			if at[0] != "a0" && s.Best && (s.Mark == "v") == base.Similar {
				t.Fatalf("%d, %v: %+v, baseline %+v", i, at, s, base)
			}
			if base.Best && at[0] != "a0" && !s.Best && (s.Mark == "*") == s.Similar {
				t.Fatalf("%d, %v: %+v, baseline is best", i, at, s)
			}
			if mirrored := other[[2]string{"a0", at[1]}]; i%2 == 0 && at[0] == "a1" && mirrored.Mark != turned[s.Mark] {
				t.Fatalf("%d, %v: %q one way, %q the other", i, at, s.Mark, mirrored.Mark)
			}
			if s.Mark != "" {
				marked++
			}
			if s.Similar {
				similar++
			}
		}
	}
	if marked < 100 || similar < 100 {
		t.Errorf("%d marks, %d italics: the cases are too plain", marked, similar)
	}
}
