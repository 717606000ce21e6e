package source_test

import (
	"fmt"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

// columns is a data set whose columns have these names; column j holds j+1 in row 0, and nothing in row 1.
func columns(names ...string) *data.Dataset {
	row := make([]float64, len(names))
	for j := range row {
		row[j] = float64(j + 1)
	}
	d := enginetest.Dataset(enginetest.Matrix(row, make([]float64, len(names))), enginetest.Real("y", 1, 2))
	d.Features = data.NewFeatures(names)
	return d
}

// classed writes name:value:class of each column.
func classed(d *data.Dataset) string {
	var parts []string
	row := d.X.Row(0)
	for k, j := range row.Idx {
		parts = append(parts, fmt.Sprintf("%s:%v:%s", d.Features.Name(int(j)), row.At(k), d.Features.Classes()[d.Features.Class(int(j))]))
	}
	return strings.Join(parts, " ")
}

func TestClasses(t *testing.T) {
	const gmt = "big\tna\tA\tB\tC\tA\r\nsmall\tna\tC\tD\tZ\r\nnone\thttp\tQ\n\n"
	const table = "name,arm,band\nA,p,1\nB,q,\nC,p,NA\nC,q,2\nZ,p,1\n"
	for _, c := range []struct {
		name    string
		classes source.Classes
		columns string
		file    string
		known   []string
		want    string
	}{
		{"the text before a separator", source.Classes{Names: "_"}, "w_a t_b w_c_d plain", "", nil, "w_a:1:w t_b:2:t w_c_d:3:w plain:4:_none"},
		{"a group", source.Classes{Names: `^[a-z]+(\d)`, Unclassed: "drop"}, "x1 y2 z x2", "", nil, "x1:1:1 y2:2:2 x2:4:2"},
		{"a separator that is no expression", source.Classes{Names: "^"}, "ns^a b^c", "", nil, "ns^a:1:ns b^c:2:b"},
		{"large enough", source.Classes{Names: "_", Size: []int{2, 9}}, "w_a t_b w_c", "", nil, "w_a:1:w t_b:2:_none w_c:3:w"},
		{"gene sets, the first counts", source.Classes{GMT: "x", Overlap: "first"}, "D C B A E", gmt, nil, "D:1:small C:2:big B:3:big A:4:big E:5:_none"},
		{"a copy in each", source.Classes{GMT: "x", Overlap: "duplicate", Unclassed: "drop"}, "D C B A E", gmt, nil, "D:1:small C@big:2:big C@small:2:small B:3:big A:4:big"},
		{"sizes count the columns that are there", source.Classes{GMT: "x", Size: []int{3, 3}}, "D C B A E", gmt, nil, "D:1:_none C:2:big B:3:big A:4:big E:5:_none"},
		{"under other names", source.Classes{GMT: "x", Size: []int{3, 3}}, "p1 p2 p3", gmt, []string{"A", "A", "B"}, "p1:1:big p2:2:big p3:3:big"},
		{"the second column of a table", source.Classes{File: "x", Overlap: "first"}, "A B C", table, nil, "A:1:p B:2:q C:3:p"},
		{"a column of a table", source.Classes{File: "x", Column: "band"}, "A B C", table, nil, "A:1:1 B:2:_none C:3:2"},
		{"tabs", source.Classes{File: "x"}, "A B", "name\tclass\nB\ta \"quoted\" word\nA\tc\n", nil, `A:1:c B:2:a "quoted" word`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.classes.Validate(); err != nil {
				t.Fatal(err)
			}
			d, err := c.classes.Apply(sourcetest.Input(map[string]string{"gmt": c.file, "classes": c.file}), columns(strings.Fields(c.columns)...), c.known)
			if err != nil {
				t.Fatal(err)
			}
			if err := d.Check(); err != nil {
				t.Fatal(err)
			}
			if got := classed(d); got != c.want {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestClassFacts(t *testing.T) {
	d, err := source.Classes{GMT: "x", Overlap: "duplicate"}.Apply(sourcetest.Input(map[string]string{"gmt": "a\t\tA\tB\nb\t\tB\n"}), columns("A", "B", "C"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(d.Facts), "[{classes of columns 2} {columns in several classes 1} {columns in no class, in the class _none 1}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if d, err = (source.Classes{Names: "_"}).Apply(nil, columns("a_1", "b_2"), nil); err != nil || fmt.Sprint(d.Facts) != "[{classes of columns 2} {columns in several classes 0}]" {
		t.Errorf("each in a class: %v %v", err, d.Facts)
	}
}

// Columns have classes where some source of them is given.
func TestClassesAreDeclared(t *testing.T) {
	for _, c := range []source.Classes{{Names: "_"}, {GMT: "x"}, {File: "x"}, {KMeans: source.KMeans{K: 2}}, {}} {
		if got, want := c.Declare(source.Declares{}), c.Names+c.GMT+c.File != "" || c.KMeans.K > 0; got.Classes != want || len(got.Optional) != len(c.Named()) {
			t.Errorf("%+v: %+v", c, got)
		}
	}
	if !(source.Classes{}).Declare(source.Declares{Classes: true}).Classes {
		t.Error("the format's own classes are forgotten")
	}
}

func TestBadClasses(t *testing.T) {
	for _, c := range []struct {
		name    string
		classes source.Classes
		file    string
		want    string
	}{
		{"overlap without a choice", source.Classes{GMT: "x"}, "a\t\tA\tB\nb\t\tB\tA\n", "features.classes.overlap: overlapping classes: 2 columns are in several, such as A in a and b; say overlap: duplicate, or first"},
		{"no gene is a column", source.Classes{GMT: "x"}, "a\t\tX\tY\n", `gmt: none of its genes, such as "Y", is a column of the data, such as "A"`},
		{"sets that are not UTF-8", source.Classes{GMT: "x"}, "a\t\tA\n\xe9\t\tB\n", "gmt:2:1: found byte 0xe9, expected UTF-8 text"},
		{"a table that is not UTF-8", source.Classes{File: "x"}, "n,band\nA,\xe9\n", "classes:2:3: found byte 0xe9, expected UTF-8 text"},
		{"no set", source.Classes{GMT: "x"}, "\n", "gmt: no gene sets"},
		{"a set without genes", source.Classes{GMT: "x"}, "a\t\tA\nb\tc\n", "gmt:2: 2 cells, expected the name of a set, a description and genes"},
		{"a set twice", source.Classes{GMT: "x"}, "a\t\tA\na\t\tB\n", `gmt:2: there is a set "a" already`},
		{"no set of the size", source.Classes{GMT: "x", Size: []int{15, 500}}, "a\t\tA\nb\t\tA\tB\n", "of 2 classes none has 15 to 500 of the columns (the largest has 2)"},
		{"no name has the separator", source.Classes{Names: "::"}, "", `features.classes.names: "::" gives no column a class (columns: A, B)`},
		{"no column of the table", source.Classes{File: "x", Column: "bond"}, "n,band\nA,1\n", `features.classes.column: classes has no column "bond" after the first; did you mean "band"?`},
		{"no feature of the table", source.Classes{File: "x"}, "n,band\nX,1\n", `classes: none of its features, such as "X", has a class`},
		{"ragged table", source.Classes{File: "x"}, "n,band\nA,1,2\n", "classes:2: the row has 3 cells, expected 2 as in the first row"},
		{"empty table", source.Classes{File: "x"}, "", "classes: expected a first row"},
		{"two sources", source.Classes{GMT: "x", Names: "_"}, "", "features.classes: classes come from one of names, gmt, file and kmeans"},
		{"no source", source.Classes{Overlap: "first"}, "", "features.classes: it does not say where classes come from"},
		{"one cluster", source.Classes{KMeans: source.KMeans{K: 1}}, "", "features.classes.kmeans.k: 1, expected at least 2"},
		{"sizes of clusters", source.Classes{KMeans: source.KMeans{K: 2}, Size: []int{1, 2}}, "", "size, overlap and unclassed have no meaning for kmeans"},
		{"sizes", source.Classes{Names: "_", Size: []int{5, 2}}, "", "features.classes.size: [5 2], expected the least and the most"},
		{"a column of nothing", source.Classes{Names: "_", Column: "a"}, "", "features.classes.column: it names a column of file"},
		{"two groups", source.Classes{Names: "(a)(b)"}, "", `features.classes.names: "(a)(b)", expected a separator, or a regular expression with one group`},
		{"words", source.Classes{Names: "_", Overlap: "both", Unclassed: "keep"}, "", `features.classes.overlap: "both" is not one of`},
	} {
		err := c.classes.Validate()
		if err == nil {
			_, err = c.classes.Apply(sourcetest.Input(map[string]string{"gmt": c.file, "classes": c.file}), columns("A", "B"), nil)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

// Data without columns have no classes, wherever these come from.
func TestClassesOfNoColumns(t *testing.T) {
	in := sourcetest.Input(map[string]string{"gmt": "a\t\tA\n", "classes": "n,band\nA,1\n"})
	for _, c := range []source.Classes{{Names: "_"}, {GMT: "x"}, {File: "x"}} {
		if _, err := c.Apply(in, columns(), nil); err == nil || !strings.Contains(err.Error(), "features.classes: the data has no columns") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestResponse(t *testing.T) {
	for want, r := range map[string]source.Response{
		`target.binarize: "median", expected train-mean`:   {Binarize: "median"},
		`target.missing: "zero" is not one of`:             {Missing: "zero"},
		`target.constant: "keep" is not one of`:            {Constant: "keep"},
		"target.type: numbers that are cut become classes": {Binarize: "train-mean", Target: source.Target{Type: "real"}},
		"target.missing: the mean, filled in":              {Binarize: "train-mean", Missing: "mean"},
	} {
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	rare := enginetest.Class("rare", 2, 0)
	rare.Rows = []int32{1}
	d := enginetest.Dataset(enginetest.Matrix([]float64{1}, []float64{2}), enginetest.Real("y", 1, 3), rare)
	if _, err := (source.Response{Missing: "mean"}).Finish(d, source.Gaps{}); err == nil || !strings.Contains(err.Error(), "rare has levels, and they no mean") {
		t.Errorf("the mean of a class: %v", err)
	}
	if _, err := (source.Response{Binarize: "train-mean", Target: source.Target{Positive: "high"}}).Finish(d, source.Gaps{}); err == nil || !strings.Contains(err.Error(), `"high", but y is numbers, cut into the levels 0 and 1`) {
		t.Errorf("a level of numbers: %v", err)
	}
	whole, err := source.Response{Missing: "drop-rows", Binarize: "train-mean"}.Finish(d, source.Gaps{})
	if err != nil || whole.Rows() != 1 || whole.Accounts().Rows.String() != "1 of 2 (1 without a response)" || whole.Targets[0].Type != data.Class || whole.Targets[1].Rows != nil {
		t.Errorf("%v %+v", err, whole)
	}
	rare.Rows, rare.Values = []int32{}, []float64{}
	d.Targets[1] = rare
	if _, err := (source.Response{Missing: "drop-rows"}).Finish(d, source.Gaps{}); err == nil || !strings.Contains(err.Error(), "drop-rows leaves none") {
		t.Errorf("no complete row: %v", err)
	}
}

func FuzzClasses(f *testing.F) {
	f.Add("a\tb\tA\tB\nc\td\tA\n", "duplicate", true)
	f.Add("n,c\nA,x\nB,y\nA,z\n", "first", false)
	f.Fuzz(func(t *testing.T, content, overlap string, sets bool) {
		c := source.Classes{GMT: "x", Overlap: overlap}
		if !sets {
			c = source.Classes{File: "x", Overlap: overlap}
		}
		if c.Validate() != nil {
			return
		}
		d, err := c.Apply(sourcetest.Input(map[string]string{"gmt": content, "classes": content}), columns("A", "B", "C"), nil)
		if err != nil {
			return
		}
		if err := d.Check(); err != nil {
			t.Error(err)
		}
	})
}
