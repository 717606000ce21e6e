package arff

import (
	"fmt"
	"testing"

	"tenfold/io/source/sourcetest"
)

func arffOf(with func(*ARFF)) ARFF {
	a := Kind.Defaults().(ARFF)
	if with != nil {
		with(&a)
	}
	return a
}

// The counts are those measured independently of this package.
func TestMulan(t *testing.T) {
	for _, c := range []struct {
		name                                string
		rows, features, labels, least, most int
		cardinality                         string
		nonzeros                            int
		binary                              bool
		options                             func(*ARFF)
	}{
		{"yeast", 2417, 103, 14, 34, 1816, "4.237", 0, false, nil},
		{"emotions", 593, 72, 6, 148, 264, "1.868", 0, false, nil},
		{"bibtex", 7395, 1836, 159, 51, 1042, "2.402", 507746, true, nil},
		{"delicious", 16105, 500, 983, 21, 6495, "19.02", 294614, true, nil},
		{"enron", 1702, 1001, 53, 1, 913, "3.378", 143090, true, nil},
		{"genbase", 662, 1185, 27, 1, 171, "1.252", 0, true, func(a *ARFF) { a.Columns.ID = "protein" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := sourcetest.Load(arffOf(c.options), map[string]string{"all": sourcetest.File(t, "mulan/"+c.name+".arff.gz"), "labels": sourcetest.File(t, "mulan/"+c.name+".xml")})
			if err != nil {
				t.Fatal(err)
			}
			rows, cols := d.X.Dims()
			if rows != c.rows || cols != c.features || len(d.Targets) != c.labels || d.X.Binary() != c.binary || c.nonzeros != 0 && d.X.NNZ() != c.nonzeros {
				t.Errorf("%d × %d with %d entries, %d labels", rows, cols, d.X.NNZ(), len(d.Targets))
			}
			if got := sourcetest.Fact(d, "labels of a row"); got != c.cardinality {
				t.Errorf("cardinality %s, expected %s", got, c.cardinality)
			}
			if got, want := sourcetest.Fact(d, "rows with a label"), fmt.Sprintf("%d, %d", c.least, c.most); got != want {
				t.Errorf("rows with a label: %s, expected %s", got, want)
			}
			if rare := sourcetest.Fact(d, "labels of one row"); (c.least < 2) != (rare != "") {
				t.Errorf("rare labels: %q", rare)
			}
		})
	}
}

func TestScene(t *testing.T) {
	d, err := sourcetest.Load(arffOf(nil), map[string]string{
		"train": sourcetest.File(t, "mulan/scene-train.arff.gz"), "test": sourcetest.File(t, "mulan/scene-test.arff.gz"), "labels": sourcetest.File(t, "mulan/scene.xml"),
	})
	if err != nil {
		t.Fatal(err)
	}
	parts := [2]int{}
	for _, p := range d.Part {
		parts[p]++
	}
	if rows, cols := d.X.Dims(); rows != 2407 || cols != 294 || len(d.Targets) != 6 || parts != [2]int{1211, 1196} {
		t.Errorf("%d × %d, %d labels, parts %v", rows, cols, len(d.Targets), parts)
	}
}

func BenchmarkDelicious(b *testing.B) {
	files := map[string]string{"all": sourcetest.File(b, "mulan/delicious.arff.gz"), "labels": sourcetest.File(b, "mulan/delicious.xml")}
	b.SetBytes(int64(len(files["all"])))
	for b.Loop() {
		if _, err := sourcetest.Load(arffOf(nil), files); err != nil {
			b.Fatal(err)
		}
	}
}
