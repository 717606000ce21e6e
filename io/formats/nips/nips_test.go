package nips

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/prepare"
	"tenfold/engines/prepare/labels"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

var defaults = Kind.Defaults().(NIPS)

func rowsOf(d *data.Dataset) string {
	rows, columns := d.X.Dims()
	out := make([]string, rows)
	for i := range out {
		dense := make([]float64, columns)
		d.X.Row(i).AddTo(dense, 1)
		out[i] = strings.Trim(fmt.Sprint(dense), "[]")
	}
	return strings.Join(out, "; ")
}

// paramFile is a file as the challenge's are.
func paramFile(kind string, columns int) string {
	return fmt.Sprintf("Data type: %s\nNumber of features: %d\nNumber of examples and check-sums:\n\tPos_ex\tNeg_ex\tTot_ex\tCheck_sum\nTrain\t 1\t 1\t 2\t 10.00\nValid\t 1\t 0\t 1\t 3.00\n", kind, columns)
}

func TestReads(t *testing.T) {
	as := func(layout string) NIPS { n := defaults; n.Layout = layout; return n }
	for _, c := range []struct {
		name, content, param, rows string
		n                          NIPS
	}{
		{"dense", "71 0 95 538 \n\n0 41 82 165 \n", "", "71 0 95 538; 0 41 82 165", defaults},
		{"columns", "3 7 \n1 3 6 7 \n", "", "0 0 1 0 0 0 1; 1 0 1 0 0 1 1", defaults},
		{"columns and values", "2:5 3:1 \n1:12 \n", "", "0 5 1; 12 0 0", defaults},
		{"columns, as the parameters say", "1 3\n2 4\n", paramFile("sparse-binary", 5), "1 0 1 0 0; 0 1 0 1 0", defaults},
		{"numbers, as the parameters say", "1 3\n2 4\n", paramFile("non-sparse", 2), "1 3; 2 4", defaults},
		{"one column", "5\n3\n", paramFile("non-sparse", 1), "5; 3", defaults},
		{"a row without columns", "1:2\n\n", paramFile("sparse-integer", 2), "2 0; 0 0", defaults},
		{"columns, as the layout says", "1 3\n2 4\n", "", "1 0 1 0; 0 1 0 1", as(index)},
		{"numbers, as the layout says", "1 3\n2 4\n", "", "1 3; 2 4", as(dense)},
	} {
		files := map[string]string{"all": c.content, "all_y": "1\n-1\n"}
		if c.param != "" {
			files["param"] = c.param
		}
		d := sourcetest.MustLoad(t, c.n, files)
		if got := rowsOf(d); got != c.rows || fmt.Sprint(d.Targets[0].Values) != "[1 -1]" || d.Features.Name(0) != "1" {
			t.Errorf("%s: %s", c.name, got)
		}
	}
	n := defaults
	n.Target.Name = "class"
	d := sourcetest.MustLoad(t, n, map[string]string{"train": "1 2\n3 3\n", "train_y": " 1 \n-1\n", "test": "5 6\n", "test_y": "1\n", "param": paramFile("non-sparse", 2)})
	if rowsOf(d) != "1 2; 3 3; 5 6" || fmt.Sprint(d.Part) != "[0 0 1]" || sourcetest.Levels(d.Targets[0]) != "-1 1, 1 2" {
		t.Errorf("two parts: %s, %v, %s", rowsOf(d), d.Part, sourcetest.Levels(d.Targets[0]))
	}
}

func TestRefuses(t *testing.T) {
	valuedLayout := defaults
	valuedLayout.Layout = valued
	for _, c := range []struct {
		content, param, want string
		n                    NIPS
	}{
		{"1 3\n2 4\n", "", "all: every line has 2 rising whole numbers, which can be values or columns; say layout: dense, or layout: index", defaults},
		{"", "", "all: no rows", defaults},
		{"5 3\n1 2\n5 x\n", "", `all:3: column 2: found "x", expected a finite number`, defaults},
		{"5 3 2\n1 2 9\n", paramFile("non-sparse", 2), "all:1: 3 numbers, expected 2, one for each column", defaults},
		{"1 6\n1\n", paramFile("sparse-binary", 5), `all:1: column "6", expected a number from 1 to 5`, defaults},
		{"1 1\n2\n", paramFile("sparse-binary", 5), "all:1: column index 0 is repeated", defaults},
		{"1:1 0:3\n2:1\n", "", `all:1: column "0", expected a number from 1 to`, defaults},
		{"1:1 3\n", "", `all:1: found "3", expected column:value`, valuedLayout},
		{"1:inf\n", "", `all:1: column 1: found "inf", expected a finite number`, valuedLayout},
		{"1:1\n1:2\n", "Data type: dense\n", `param:1: found "dense", expected non-sparse, sparse-binary or sparse-integer`, defaults},
		{"1:1\n1:2\n", paramFile("sparse-binary", 5), "param:1: data that are sparse-binary, whose layout is index, expected index:value as layout says", valuedLayout},
		{"1:1\n1:2\n", "Number of features: many\n", `param:1: found "many", expected a number of features`, defaults},
		{"5 3\n1 1\n4 4\n", "", "all_y: 2 labels, expected one for each of 3 rows", defaults},
	} {
		files := map[string]string{"all": c.content, "all_y": "1\n-1\n"}
		if c.param != "" {
			files["param"] = c.param
		}
		if _, err := sourcetest.Load(c.n, files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v\nwant %s", c.content, err, c.want)
		}
	}
	if _, err := sourcetest.Load(defaults, map[string]string{"train": "5 3\n", "train_y": "1\n", "test": "4 4\n", "test_y": "1\n", "param": paramFile("non-sparse", 2)}); err == nil || !strings.Contains(err.Error(), "train: 1 rows, expected 2 as param says") {
		t.Errorf("rows: %v", err)
	}
}

// A long file is read to its end, unless it is cancelled.
func TestManyRows(t *testing.T) {
	in := sourcetest.Input(map[string]string{"all": strings.Repeat("5 3\n", 1000), "all_y": strings.Repeat("1\n", 1000)})
	if d, err := defaults.Load(t.Context(), in); err != nil || d.Rows() != 1000 {
		t.Errorf("%v %+v", err, d)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := defaults.Load(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// New rows with all their values have every column that the model uses; of lists of columns, one that none has is there all the same.
func TestLoadNew(t *testing.T) {
	model := source.Application{Learned: &prepare.Learned{Columns: []string{"1", "3"}, Targets: []labels.Target{{Name: "label"}}}}
	for _, c := range []struct {
		layout, content string
		refused         bool
	}{{auto, "5 3 0\n4 4 1\n", false}, {auto, "5 3\n4 4\n", true}, {dense, "1 2\n", true}, {auto, "1:5 2:3\n", false}, {index, "1 2\n", false}} {
		n := defaults
		n.Layout = c.layout
		if _, err := n.LoadNew(t.Context(), sourcetest.Input(map[string]string{"all": c.content}), model); (err != nil) != c.refused {
			t.Errorf("%s %q: %v", c.layout, c.content, err)
		}
	}
}

func FuzzNIPS(f *testing.F) {
	for _, seed := range []string{"71 0 9\n0 41 8\n", "3 7\n1 3 6\n", "2:5 3:1\n1:12\n"} {
		f.Add(seed, "")
		f.Add(seed, paramFile("non-sparse", 3))
	}
	class := defaults
	class.Target.Name = "class"
	f.Fuzz(func(t *testing.T, content, param string) {
		files := map[string]string{"all": content, "all_y": "1\n-1\n"}
		sourcetest.Fuzz(t, defaults, files)
		files["param"] = param
		sourcetest.Fuzz(t, class, files)
	})
}
