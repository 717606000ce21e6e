package formats

import (
	"slices"
	"testing"

	"tenfold/engines/registry"
)

func TestFormats(t *testing.T) {
	set, err := Formats()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"arff", "conll", "conllu", "conllu-joins", "conllu-pairs", "csv", "documents", "gct", "jsonl", "knp", "mat", "megam", "mtx", "nips", "noad", "npz", "parquet", "propbank", "senseval2", "svmlight", "synthetic", "tsv", "vw", "words", "xlsx"}
	if got := set.Names(); !slices.Equal(got, want) {
		t.Errorf("formats %v, expected %v", got, want)
	}
	for _, name := range set.Names() {
		defaults := set[name].Defaults()
		for _, p := range registry.Params(defaults, defaults) {
			if p.Doc == "" {
				t.Errorf("%s: the option %s lacks documentation", name, p.Name)
			}
		}
		if key := registry.Canonical(defaults, defaults); key != "{}" {
			t.Errorf("%s: defaults have the key %s", name, key)
		}
		if n := len(defaults.Declares().Roles); n == 0 {
			t.Errorf("%s declares no file roles, not even {{}}", name)
		}
	}
}
