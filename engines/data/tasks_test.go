package data_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/data/pairs"
	"tenfold/engines/enginetest"
	"tenfold/engines/prepare"
)

// many is a data set with everything that a subset has to cut; column x1 occurs in rows 0 and 3 only.
func many() *data.Dataset {
	d := enginetest.Dataset(enginetest.Matrix([]float64{1, 5, 0}, []float64{0, 0, 2}, []float64{3, 0, 0}, []float64{0, 4, 1}, []float64{7, 0, 0}))
	d.Targets = []data.Target{{Name: "y", Type: data.Class, Levels: []string{"a", "b", "c"}, Values: []float64{0, 2, 1, 0, 2}}}
	d.Groups = &data.Groups{Name: "g", Of: []int32{2, 0, 1, 1, 2}, Key: []uint64{10, 11, 12}}
	d.Time, d.Weight, d.Part = []float64{5, 4, 3, 2, 1}, []float64{1, 2, 3, 4, 5}, []int8{0, 0, 1, 1, 1}
	d.Factor = []int32{0, 1, 0}
	d.Tasks = &data.Tasks{Names: []string{"t"}, Of: make([]int32, 5)}
	d.Digest = "whole"
	return d
}

func TestSubset(t *testing.T) {
	whole := many()
	d := data.Subset{Digest: "part", Rows: []int32{1, 2, 4}, Levels: []string{"b", "c"}, To: []int32{-1, 0, 1}}.Of(whole)
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	var rows [][]float64
	for i := range d.Rows() {
		row := make([]float64, d.Features.Len())
		d.X.Row(i).AddTo(row, 1)
		rows = append(rows, row)
	}
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"rows", rows, [][]float64{{0, 2}, {3, 0}, {7, 0}}},
		{"names", d.Features.Name(0) + d.Features.Name(1), "x0x2"},
		{"factors", d.Factor, []int32{0, 0}},
		{"target", d.Targets[0], data.Target{Name: "y", Type: data.Class, Levels: []string{"b", "c"}, Values: []float64{1, 0, 1}, Positive: 1}},
		{"groups", *d.Groups, data.Groups{Name: "g", Of: []int32{0, 1, 2}, Key: []uint64{10, 11, 12}}},
		{"ids", d.IDs, []string{"1", "2", "4"}},
		{"times", d.Time, []float64{4, 3, 1}},
		{"weights", d.Weight, []float64{2, 3, 5}},
		{"parts", d.Part, []int8{0, 1, 1}},
		{"digest", d.Digest, "part"},
		{"tasks", d.Tasks == nil, true},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
	if !reflect.DeepEqual(whole, many()) {
		t.Error("the whole data set changed")
	}
}

// A recipe counts on the training rows of the task, and no row that is not of the task has a part in it.
func TestSubsetIsPreparedByItself(t *testing.T) {
	d := data.Subset{Rows: []int32{0, 2, 3}}.Of(many())
	p, err := prepare.Recipe{Cutoff: 2}.Fit(d, []int32{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	if p.Columns() != 1 || p.View(nil).Features().Name(0) != "x0" {
		t.Errorf("%d columns", p.Columns())
	}
	if v := p.View([]int32{2}); v.ID(0) != "3" {
		t.Errorf("id %s", v.ID(0))
	}
}

func TestSubsetKeepsLevelsThatOccur(t *testing.T) {
	whole := many()
	whole.IDs, whole.Groups = []string{"p", "q", "r", "s", "t"}, nil
	d := data.Subset{Rows: []int32{0, 1, 3}}.Of(whole)
	if y := d.Targets[0]; fmt.Sprint(y.Levels, y.Values, y.Positive) != "[a c] [0 1 0] 1" || d.RowID(2) != "s" {
		t.Errorf("%+v, id %s", y, d.RowID(2))
	}
	whole.Targets = []data.Target{
		{Name: "two", Type: data.Class, Levels: []string{"no", "yes"}, Values: []float64{0, 1, 1, 0, 1}, Positive: 0},
		{Name: "some", Type: data.Real, Values: []float64{1.5, 2.5}, Rows: []int32{1, 3}},
		{Name: "mi", Type: data.Real, Pairs: &pairs.Pairs{Left: []int32{0, 1, 2, 3, 4}, Right: []int32{4, 3, 2, 1, 0}, Kappa: 2}},
	}
	d = data.Subset{Rows: []int32{0, 3, 4}}.Of(whole)
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	if y := d.Targets[0]; y.Positive != 0 || len(y.Levels) != 2 {
		t.Errorf("the positive level is another one: %+v", y)
	}
	if y := d.Targets[1]; fmt.Sprint(y.Rows, y.Values) != "[1] [2.5]" {
		t.Errorf("%+v", y)
	}
	if p := d.Targets[2].Pairs; fmt.Sprint(p.Left, p.Right, p.Kappa) != "[0 3 4] [4 1 0] 2" {
		t.Errorf("%+v", p)
	}
}

// One level against the rest takes no copy of the matrix.
func TestSubsetOfAllRows(t *testing.T) {
	whole := many()
	d := data.Subset{Levels: []string{"rest", "b"}, To: []int32{0, 1, 0}}.Of(whole)
	if d.X != whole.X || d.Features != whole.Features || fmt.Sprint(d.Targets[0].Values) != "[0 0 1 0 0]" {
		t.Errorf("%+v", d.Targets[0])
	}
}

func TestTasksAreChecked(t *testing.T) {
	for want, tasks := range map[string]*data.Tasks{
		"4 task numbers for 5 rows": {Names: []string{"t"}, Of: make([]int32, 4)},
		"row 1: task 1":             {Names: []string{"t"}, Of: []int32{0, 1, 0, 0, 0}},
	} {
		d := many()
		d.Tasks = tasks
		if err := d.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func BenchmarkSubset(b *testing.B) {
	rows := make([][]float64, 2000)
	for i := range rows {
		rows[i] = make([]float64, 1000)
		for k := range 50 {
			rows[i][(i*37+k*k*11)%1000] = 1
		}
	}
	d := enginetest.Dataset(enginetest.Matrix(rows...), enginetest.Real("y", make([]float64, len(rows))...))
	s := data.Subset{}
	for i := 0; i < len(rows); i += 3 {
		s.Rows = append(s.Rows, int32(i))
	}
	for b.Loop() {
		s.Of(d)
	}
}
