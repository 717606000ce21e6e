package experiment_test

import (
	"slices"
	"strings"
	"testing"

	"tenfold/engines/prepare"
	"tenfold/runner/experiment"
)

// The contract's example of expression data, and what is wrong with its relatives.
func TestFilesThatOptionsName(t *testing.T) {
	parse := func(entry, engine string) (*experiment.File, error) {
		text := "tenfold: 1\nname: x\ndatasets:\n  - {name: d, " + entry + "}\nalgorithms:\n  - {name: m, engine: " + engine + "}\n"
		return experiment.Parse("x.yaml", []byte(text), programs(t))
	}
	const leukemia = "format: gct, files: {all: leukemia.gct, labels: leukemia.cls}, target: {positive: AML, binarize: train-mean}"
	doc, err := parse(leukemia+", features: {classes: {gmt: c1.gmt, size: [15, 500], overlap: duplicate, unclassed: own}}", "majority")
	if err != nil {
		t.Fatal(err)
	}
	set := doc.Datasets[0]
	if set.Files["gmt"].Path != "c1.gmt" || set.Files["all"].Path != "leukemia.gct" || len(set.Files) != 3 {
		t.Errorf("files %v", set.Files)
	}
	if want := `{"features.classes.overlap":"duplicate","features.classes.size":[15,500],"features.classes.unclassed":"own","target.binarize":"train-mean","target.positive":"AML"}`; set.Options != want {
		t.Errorf("options %s\nwant %s, without the path of a file whose content counts", set.Options, want)
	}
	doc, err = parse("format: csv, files: {all: a}, target: {column: y, constant: drop, missing: mean}, prepare: {missing: drop-rows}, features: {classes: {kmeans: {k: 20, seed: 3}}}", "mean")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := doc.Datasets[0].Source.Recipe(), (prepare.Recipe{Clusters: 20, ClusterSeed: 3, Impute: "mean", Constant: "drop"}); got != want {
		t.Errorf("recipe %+v, want %+v", got, want)
	}
	if got, want := doc.Datasets[0].Options, `{"prepare.missing.all":"drop-rows","target.column":"y","target.missing":"mean"}`; got != want {
		t.Errorf("options %s, want %s: rows are dropped when the data is loaded, all else is the recipe's", got, want)
	}
	for _, join := range []string{"{file: c, by: s, features: [age], unmatched: error}", "[{file: {path: c}, by: s, header: true, features: [age]}]"} {
		doc, err = parse("format: csv, files: {all: a}, target: {column: y}, join: "+join, "mean")
		if err != nil {
			t.Fatal(err)
		}
		if got, want := doc.Datasets[0].Options, `{"join":[{"by":"s","features":["age"]}],"target.column":"y"}`; got != want || doc.Datasets[0].Files["join"].Path != "c" {
			t.Errorf("options %s, want %s: the content of the table counts, not its path; files %v", got, want, doc.Datasets[0].Files)
		}
	}
	doc, err = parse("format: synthetic, target: {binarize: train-mean}, grid: {generator: [partial, full], seed: {linear: [1, 5, 5]}}", "oracle")
	if err != nil || len(doc.Datasets) != 10 || doc.Datasets[0].Folds.Kind != "given" {
		t.Errorf("scenarios: %v", err)
	}
	for entry, want := range map[string]string{
		leukemia + ", features: {classes: {gmt: c1.gmt}}, grid: {features.classes.gmt: [a, b]}":                    "stands both in the grid and outside it",
		"format: gct, files: {all: a, labels: b, gmt: c}, features: {classes: {gmt: c1.gmt}}":                      "the options name the file gmt themselves; leave it out",
		"format: gct, files: {all: a, labels: b, gmt: c}":                                                          `unknown role "gmt"`,
		"format: gct, files: {labels: a}":                                                                          "format gct reads {all}",
		"format: gct, files: {all: a, labels: b}, features: {classes: {gmt: c, size: [1]}}":                        "features.classes.size: [1], expected the least and the most",
		"format: csv, files: {all: a}, target: {column: y}, features: {classes: {names: _, unclassed: own}, x: 1}": `unknown key "x" of features`,
	} {
		if _, err := parse(entry, "majority"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\ngot %v\nwant %s", entry, err, want)
		}
	}
	grid, err := parse(leukemia+", grid: {features.classes.gmt: [a, b]}", "majority")
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, d := range grid.Datasets {
		paths = append(paths, d.Files["gmt"].Path)
	}
	if !slices.Equal(paths, []string{"a", "b"}) {
		t.Errorf("files of the points: %v", paths)
	}
}
