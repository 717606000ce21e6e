package comparison

import (
	"slices"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/table"
)

// Where an algorithm runs on some data sets alone, tables say so once for it, means of others name what they lack, and ranks leave
// it out.
func TestTablesOfAlgorithmsOnSomeDataSets(t *testing.T) {
	r := &run{}
	for i, d := range []string{"one", "two", "three", "four"} {
		x := 0.01 * float64(i)
		r.add(d, "TPC", nil, "accuracy", true, 6, 0.95+x, 0.96+x, 0.94+x)
		r.add(d, "Lasso", nil, "accuracy", true, 14, 0.90+x, 0.89+x, 0.92+x)
		if i < 2 {
			r.add(d, "slow", nil, "accuracy", true, 9, 0.97+x, 0.95+x, 0.96+x)
		}
	}
	in := r.input("accuracy")
	kinds := map[string]string{"one": "small", "two": "large", "three": "large", "four": "huge"}
	for _, c := range in.Cells {
		c.Kind = kinds[c.Dataset]
	}
	skip := func(dataset, algorithm string, where ...string) {
		c := cells.Unfitted(results.Label{Dataset: dataset, Algorithm: algorithm})
		c.Kind = kinds[dataset]
		in.Skipped = append(in.Skipped, Skipped{c, where})
	}
	skip("three", "slow", "one", "tw*")
	skip("four", "slow", "one", "tw*")
	build := func(c Config) []*table.Grid {
		t.Helper()
		grids, err := Build(c, in)
		if err != nil {
			t.Fatal(err)
		}
		return grids
	}
	texts := func(g *table.Grid, row string) (out []string) {
		i := slices.IndexFunc(g.Rows, func(r table.Row) bool { return r.Label == row })
		for _, s := range g.Rows[i].Slots {
			out = append(out, s.Text)
		}
		return out
	}
	const note = "skipped: the experiment file asks for slow on other data sets only (datasets: one, tw*)."
	grids := build(Config{Rows: "algorithm", Columns: "dataset", Cells: "{accuracy}"})
	if got := texts(grids[0], "slow"); !slices.Equal(got[2:], []string{"skipped", "skipped"}) || got[0] == "skipped" {
		t.Errorf("slow: %q", got)
	}
	if n := strings.Count(strings.Join(grids[0].Legend, "\n"), "skipped:"); n != 1 || !slices.Contains(grids[0].Legend, note) {
		t.Errorf("legend %q", grids[0].Legend)
	}
	if ranks := grids[len(grids)-1]; !slices.Contains(ranks.Warnings, "left out of the ranks, because results are missing: slow") || len(ranks.Rows) != 2 {
		t.Errorf("ranks of %v, warnings %q", ranks.Rows, ranks.Warnings)
	}
	grids = build(Config{Rows: "algorithm", Columns: "dataset", Cells: "{accuracy}", Baseline: "slow", Ranks: Bayes})
	if g := grids[0]; !slices.Contains(g.Notes, "No ranks: bayes: baseline slow names no algorithm of those with all results (TPC, Lasso), or several.") ||
		!slices.Contains(g.Warnings, "baseline slow: no such algorithm among the results of three") {
		t.Errorf("notes %q, warnings %q", g.Notes, g.Warnings)
	}
	// A row of means has none for what lacks a data set.
	grids = build(Config{Rows: "dataset", Columns: "algorithm", Cells: "{accuracy}"})
	if f := grids[0].Footer; len(f) == 0 || f[len(f)-1].Label != "mean over 4 data sets" || f[len(f)-1].Slots[2].Text != "–" {
		t.Errorf("footer %v", f)
	}
	// Several data sets share a place.
	g := build(Config{Rows: "algorithm", Columns: "kind", Cells: "{accuracy}"})
	var warned []string
	for _, g := range g {
		warned = append(warned, g.Warnings...)
	}
	g = build(Config{Rows: "algorithm", Columns: "metric", By: "kind", Metric: "accuracy"})
	for _, g := range g {
		warned = append(warned, g.Warnings...)
	}
	if n := slices.IndexFunc(warned, func(w string) bool {
		return w == "means over fewer data sets than there are, as cells were skipped: slow / accuracy (without three)"
	}); n < 0 {
		t.Errorf("warnings %q", warned)
	}
	// Other reasons keep their line, beside that one.
	skip("four", "TPC")
	in.Cells = slices.DeleteFunc(in.Cells, func(c *cells.Cell) bool { return c.Dataset == "four" && c.Algorithm == "TPC" })
	grids = build(Config{Rows: "algorithm", Columns: "dataset", Cells: "{accuracy}"})
	if l := strings.Join(grids[0].Legend, "\n"); strings.Count(l, "skipped:") != 2 || !strings.Contains(l, "skipped: the engine cannot use the data set") {
		t.Errorf("legend %q", l)
	}
}

// Of points of a data set's grid that are averaged, those that an algorithm does not run at are missing from its mean.
func TestAveragesOfAlgorithmsAtSomePoints(t *testing.T) {
	in := draws()
	point := func(seed int64) []results.Param { return []results.Param{{Name: "data_seed", Value: seed}} }
	in.Cells = slices.DeleteFunc(in.Cells, func(c *cells.Cell) bool {
		v, _ := c.Dim("data_seed")
		return c.Dataset == "partial" && (c.Algorithm == "RIC" && v == "5" || c.Algorithm == "MIC")
	})
	in.Published = nil
	for seed := range int64(5) {
		in.Skipped = append(in.Skipped, Skipped{cells.Unfitted(results.Label{Dataset: "partial", Algorithm: "MIC", Grid: point(seed + 1)}), []string{"full"}})
	}
	in.Skipped = append(in.Skipped, Skipped{cells.Unfitted(results.Label{Dataset: "partial", Algorithm: "RIC", Grid: point(5)}), []string{"* seed=[1-4]", "full"}})
	grids, err := Build(Config{Over: "data_seed", Rows: "algorithm", Columns: "dataset", Cells: "{error}", Ranks: None}, in)
	if err != nil {
		t.Fatal(err)
	}
	if text := markdown(t, grids); !strings.Contains(text, "RIC / partial (without partial seed=5)") || strings.Count(text, "| skipped ") != 1 || strings.Contains(text, "seed=5 |") {
		t.Error("\n" + text)
	}
}

// A published value and a skipped algorithm without any result stand in one table.
func TestPublishedBesideSkipped(t *testing.T) {
	in := dhillon().input("accuracy")
	in.Published = []Published{{Source: "Here", Dataset: "gcm", Algorithm: "TPC", Metric: "accuracy", Value: 0.7}}
	in.Skipped = []Skipped{{cells.Unfitted(results.Label{Dataset: "gcm", Algorithm: "slow"}), []string{"leukemia"}}}
	grids, err := Build(Config{Rows: "algorithm", Columns: "dataset", Cells: "{accuracy}"}, in)
	if err != nil {
		t.Fatal(err)
	}
	g := grids[0]
	if last := g.Rows[len(g.Rows)-1]; last.Label != "slow" || last.Slots[1].Text != "skipped" || last.Slots[2].Text != "" || g.Rows[0].Slots[2].Text != "0.7000 (+0.0140)" {
		t.Errorf("rows %+v", g.Rows)
	}
}

// A skipped cell that has neither a row nor a column is named below the table.
func TestSkippedWithoutAPlace(t *testing.T) {
	in := paths().input("accuracy")
	in.Cells = slices.DeleteFunc(in.Cells, func(c *cells.Cell) bool { return c.Algorithm == "all" }) // all others have sizes
	in.Skipped = []Skipped{{cells.Unfitted(results.Label{Dataset: "ewt", Algorithm: "slow"}), []string{"gum"}}}
	const note = "Skipped, and without a place in this table: the experiment file asks for slow on other data sets only (datasets: gum)."
	for _, c := range []struct {
		config Config
		noted  bool
	}{
		{Config{Columns: "point", Cells: "{accuracy}"}, true},
		{Config{Rows: "point", Columns: "algorithm", Cells: "{accuracy}"}, true},
		{Config{Columns: "point", Cells: "{accuracy}", Filter: map[string]string{"algorithm": "S*"}}, false},
		{Config{Columns: "dataset", Cells: "{accuracy}"}, false},
	} {
		grids, err := Build(c.config, in)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(grids[0].Notes, note) != c.noted {
			t.Errorf("%+v: notes %q", c.config, grids[0].Notes)
		}
	}
}
