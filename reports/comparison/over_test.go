package comparison

import (
	"slices"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

// draws is a run of two algorithms on two generated data sets, each drawn with five seeds.
func draws() Input {
	r := &run{}
	for i := range 5 {
		seed := []results.Param{{Name: "data_seed", Value: int64(i + 1)}}
		for _, name := range []string{"partial", "full"} {
			r.add(name, "MIC", seed, "error", false, 4, 0.10+0.01*float64(i%3))
			r.add(name, "RIC", seed, "error", false, 9, 0.12+0.01*float64(i%2))
			for k := range 2 {
				r.rows[len(r.rows)-1-k].DatasetDigest = name + string(rune('1'+i))
			}
		}
	}
	in := r.input("error")
	in.Published = []Published{
		{Source: "Dhillon", Dataset: "partial", Algorithm: "MIC", Metric: "error", Value: 0.1},
		{Source: "Dhillon", Dataset: "full", Algorithm: "MIC", Where: map[string]string{"data_seed": "2"}, Metric: "error", Value: 0.2},
	}
	return in
}

// Tables that average over the points of a data set's grid: means, errors and tests are over data sets, and a published mean
// has its place.
func TestTablesOverDataSets(t *testing.T) {
	in := draws()
	var text string
	for _, c := range []Config{
		{Title: "averaged", Over: "data_seed", Columns: "dataset", Baseline: "RIC", Test: "paired-t", Ranks: None},
		{Title: "some", Over: "data_seed", Filter: map[string]string{"data_seed": "1, 2", "dataset": "partial"}},
		{Title: "each", Columns: "data_seed", Filter: map[string]string{"dataset": "full"}, Cells: "{error}"},
	} {
		grids, err := Build(c, in)
		if err != nil {
			t.Fatal(err)
		}
		text += "# " + c.Title + "\n\n" + markdown(t, grids) + "\n"
		if c.Title == "averaged" {
			if keys := grids[0].Rows[0].Slots[0].Keys; len(keys) != 5 {
				t.Errorf("a mean over 5 data sets names the cells %q", keys)
			}
		}
	}
	golden(t, "over.md", text)
	for _, c := range []struct {
		over []string
		want int
	}{{[]string{"data_seed"}, 0}, {nil, 1}} {
		if warnings, err := Unmatched(in.Published, cells.InRows{}, in.Cells, c.over); err != nil || len(warnings) != c.want {
			t.Errorf("over %q: %q, %v", c.over, warnings, err)
		}
	}
}

// A data set that was not fitted is told, not left out of the mean.
func TestOverDataSetsIncomplete(t *testing.T) {
	in := draws()
	in.Cells = slices.DeleteFunc(in.Cells, func(c *cells.Cell) bool {
		return c.Algorithm == "MIC" && c.DatasetLabel() == "full seed=3"
	})
	grids, err := Build(Config{Over: "data_seed", Columns: "dataset", Rows: "algorithm"}, in)
	if err != nil {
		t.Fatal(err)
	}
	if got := grids[0].Rows[0].Slots[2].Text; got != "1/5 data sets missing" {
		t.Errorf("%q", got)
	}
}

func TestOverIsOfData(t *testing.T) {
	for over, want := range map[string]string{"epsilon": `"epsilon" is no grid parameter of data sets`, "data_seed": "", "dataset": "data sets, data_NAME"} {
		err := Config{Over: over}.Validate()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", over, err, want)
		}
	}
	if _, err := Build(Config{Over: "data_sed"}, draws()); err == nil || !strings.Contains(err.Error(), `did you mean "data_seed"`) {
		t.Errorf("an unknown parameter: %v", err)
	}
	if err := (Config{Over: "data_seed", Test: paired.NameNadeauBengio}).ValidateFamilies(nil, []string{"partial"}); err == nil {
		t.Error("a test over folds was let over data sets")
	}
	if err := (Config{Over: "data_seed", Test: paired.NamePairedT}).ValidateFolds(map[string]int{"partial": 1}, true); err != nil {
		t.Error(err)
	}
}
