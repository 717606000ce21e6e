package experiment_test

import (
	"testing"

	"tenfold/runner/experiment"
)

// Lists of documents divide a corpus as files do: their folds are given where the file says nothing.
func TestListsAreParts(t *testing.T) {
	for files, want := range map[string]string{
		"{all: c.tar, train_ids: a, test_ids: b}": "given",
		"{all: c.tar, train_ids: a}":              "kfold",
		"{train: a.tar, test: b.tar}":             "given",
		"{all: c.tar}":                            "kfold",
	} {
		text := "tenfold: 1\nname: x\ndatasets:\n  - {name: c, format: knp, files: " + files + "}\nalgorithms:\n  - {name: m, engine: majority}\nmetrics: [accuracy]\n"
		doc, err := experiment.Parse("x.yaml", []byte(text), programs(t))
		if err != nil {
			t.Errorf("%s: %v", files, err)
			continue
		}
		if got := doc.Datasets[0].Folds.Kind; got != want {
			t.Errorf("%s: folds %s, want %s", files, got, want)
		}
	}
}
