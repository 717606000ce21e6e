package plan

import (
	"testing"

	"tenfold/engines/prepare"
)

var example = Ingredients{
	Schema: 1, Dataset: "d1", Recipe: prepare.Recipe{Cutoff: 5}, Fold: "f1", Engine: "stagewise", Revision: 1,
	Params: `{"epsilon":0.1}`, Seed: 42,
}

// TestGolden: keys and seeds are promises to everyone who has results; a change here makes all of them run again, and
// must raise keySchema.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ what, got, want string }{
		{"unit", example.Key(), "adf4dd09ea342e5bb32cee87903fc2b2"},
		{"cell", cellKey(example, []string{"f1", "f2"}, 7), "7034e5611f429af4ba7320f05c5f4d8a"},
	} {
		if c.got != c.want {
			t.Errorf("key of a %s: %s, want %s", c.what, c.got, c.want)
		}
	}
	if got, want := fitSeed(7, "d1", 1, 2, "stagewise"), int64(3189055840807911744); got != want {
		t.Errorf("seed of a fit: %d, want %d", got, want)
	}
}

func TestDifference(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*Ingredients){
		"":                                    func(*Ingredients) {},
		"the data set changed":                func(in *Ingredients) { in.Dataset = "d2" },
		"the preparation of the data changed": func(in *Ingredients) { in.Recipe.Cutoff = 4 },
		"the rows of the fold changed":        func(in *Ingredients) { in.Fold = "f2" },
		"engine stagewise was revised (2, was 1)":                     func(in *Ingredients) { in.Revision = 2 },
		"params: epsilon is 0.2, was 0.1, patience is 5, was default": func(in *Ingredients) { in.Params = `{"epsilon":0.2,"patience":5}` },
		"the seed changed":                    func(in *Ingredients) { in.Seed = 43 },
		"a result that it builds on changed":  func(in *Ingredients) { in.After = []string{"k"} },
		"the metrics were revised (1, was 0)": func(in *Ingredients) { in.Metrics = 1 },
		"path.at is [10,100], was not there":  func(in *Ingredients) { in.Path = "[10,100]" },
	} {
		is := example
		change(&is)
		if got := difference(example, is); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if same := is.Key() == example.Key(); same != (want == "") {
			t.Errorf("%q: same key: %v", want, same)
		}
	}
}
