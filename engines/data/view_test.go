package data_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/data/pairs"
	"tenfold/engines/enginetest"
	"tenfold/engines/prepare"
)

// full is a data set with every optional field.
func full() *data.Dataset {
	tasks := enginetest.Class("task", 2, 1, 0, 1)
	tasks.Rows = []int32{1, 2, 4}
	d := enginetest.Dataset(
		enginetest.Matrix([]float64{1, 0}, []float64{0, 2}, []float64{3, 0}, []float64{0, 4}, []float64{5, 0}),
		enginetest.Real("y", 10, 11, 12, 13, 14), tasks)
	d.IDs = strings.Fields("a b c d e")
	d.Weight = []float64{1, 2, 3, 4, 5}
	d.Groups = &data.Groups{Name: "g", Of: []int32{0, 0, 1, 1, 2}, Key: []uint64{7, 8, 9}}
	d.Time = []float64{5, 4, 3, 2, 1}
	d.Part = []int8{0, 0, 0, 1, 1}
	d.Factor = []int32{-1, -1}
	return d
}

func TestViews(t *testing.T) {
	d := full()
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	p, err := prepare.Recipe{}.Fit(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name                   string
		view                   *data.View
		rows, y, weight, group string
		at, task               string
	}{
		{"all", p.View(nil), "[[1 0] [0 2] [3 0] [0 4] [5 0]]", "[10 11 12 13 14]", "[1 2 3 4 5]", "[0 0 1 1 2]", "[1 2 4]", "[1 0 1]"},
		{"consecutive", p.View([]int32{1, 2, 3}), "[[0 2] [3 0] [0 4]]", "[11 12 13]", "[2 3 4]", "[0 1 1]", "[0 1]", "[1 0]"},
		{"any order", p.View([]int32{4, 0, 2}), "[[5 0] [1 0] [3 0]]", "[14 10 12]", "[5 1 3]", "[2 0 1]", "[0 2]", "[1 0]"},
		{"of a view", p.View([]int32{4, 0, 2}).Sub([]int32{2, 0}), "[[3 0] [5 0]]", "[12 14]", "[3 5]", "[1 2]", "[0 1]", "[0 1]"},
		{"none", p.View([]int32{}), "[]", "[]", "[]", "[]", "[]", "[]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, rows := enginetest.Table(c.view)
			all, y := c.view.Target(0)
			at, task := c.view.Target(1)
			for _, g := range []struct {
				what      string
				got, want any
			}{
				{"rows", rows, c.rows}, {"by column", enginetest.Columnwise(c.view), c.rows}, {"target", y, c.y}, {"weights", c.view.Weights(), c.weight},
				{"groups", c.view.Groups().Of, c.group}, {"task rows", at, c.at}, {"task", task, c.task},
			} {
				if fmt.Sprint(g.got) != g.want {
					t.Errorf("%s: got %v, want %v", g.what, g.got, g.want)
				}
			}
			if all != nil || at == nil {
				t.Errorf("rows where defined: %v for every row, %v for some", all, at)
			}
			if k := c.view.Groups().Key; len(k) != 3 {
				t.Errorf("group keys %v", k)
			}
		})
	}
	sub := p.View([]int32{4, 0, 2}).Sub([]int32{2, 0})
	if sub.Origin(0) != 2 || sub.Origin(1) != 4 {
		t.Errorf("rows of the data set behind the view: %d, %d, want 2, 4", sub.Origin(0), sub.Origin(1))
	}
	if info := sub.TargetInfo(1); info.Values != nil || info.Rows != nil || info.Name != "task" || len(info.Levels) != 2 {
		t.Errorf("target without values: %+v", info)
	}
	in := sub.Inputs()
	if r, _ := in.Matrix().Dims(); in.Len() != 2 || r != 2 || in.Row(0).At(0) != 3 {
		t.Error("inputs differ from the view's rows")
	}
}

// The rows on which a target is defined, with the weights that they have.
func TestDefined(t *testing.T) {
	p, err := prepare.Recipe{}.Fit(full(), nil)
	if err != nil {
		t.Fatal(err)
	}
	v := p.View([]int32{4, 0, 2})
	if all, y := v.Defined(0); all != v || fmt.Sprint(y) != "[14 10 12]" {
		t.Errorf("of a target everywhere: %v", y)
	}
	some, y := v.Defined(1)
	if fmt.Sprint(some.Len(), y, some.Weights(), some.Origin(0), some.Origin(1)) != "2 [1 0] [5 3] 4 2" {
		t.Errorf("of a task: %d rows, %v, weights %v", some.Len(), y, some.Weights())
	}
	if w := some.Weights(); w.Of(1) != 3 || data.Weights(nil).Of(7) != 1 {
		t.Errorf("weights %v, without any %v", w.Of(1), data.Weights(nil).Of(7))
	}
}

func TestViewsWithoutOptionalFields(t *testing.T) {
	v := enginetest.View(enginetest.Dataset(enginetest.Matrix([]float64{1}), enginetest.Real("y", 1)), nil)
	if v.Weights() != nil || v.Groups() != nil {
		t.Error("weights or groups out of nothing")
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*data.Dataset)
		want  string
	}{
		{"no rows", func(d *data.Dataset) { d.X = enginetest.Matrix() }, "no rows"},
		{"no target", func(d *data.Dataset) { d.Targets = nil }, "no target"},
		{"names", func(d *data.Dataset) { d.Features = data.NewFeatures([]string{"a"}) }, "1 feature names for 2 columns"},
		{"length", func(d *data.Dataset) { d.Targets[0].Values = d.Targets[0].Values[:4] }, "target y: 4 values for 5 rows"},
		{"length of a task", func(d *data.Dataset) { d.Targets[1].Rows = d.Targets[1].Rows[:2] }, "target task: 3 values for 2 rows"},
		{"infinite", func(d *data.Dataset) { d.Targets[0].Values[3] = math.Inf(1) }, "target y, row d: value +Inf"},
		{"NaN of a class", func(d *data.Dataset) { d.Targets[1].Values[2] = math.NaN() }, "target task, row e: value NaN"},
		{"numbers to cut", func(d *data.Dataset) { d.Targets[1].Numbers = []float64{1} }, "1 numbers to cut into 2 levels for 3 values"},
		{"truth", func(d *data.Dataset) { d.Truth = []data.True{{Feature: 2}} }, "true coefficient 0: column 2"},
		{"level", func(d *data.Dataset) { d.Targets[1].Values[2] = 2 }, "target task, row e: label 2 outside 0..1"},
		{"half a level", func(d *data.Dataset) { d.Targets[1].Values[2] = 0.5 }, "label 0.5"},
		{"row of a task", func(d *data.Dataset) { d.Targets[1].Rows[2] = 5 }, "row 5, expected rising numbers below 5"},
		{"order of a task", func(d *data.Dataset) { d.Targets[1].Rows[2] = 1 }, "row 1, expected rising numbers"},
		{"pairs", func(d *data.Dataset) { d.Targets[0].Pairs = &pairs.Pairs{Left: []int32{1}} }, "1 left and 0 right sides"},
		{"ids", func(d *data.Dataset) { d.IDs = d.IDs[:1] }, "1 ids for 5 rows"},
		{"ids before weights", func(d *data.Dataset) { d.IDs, d.Weight = d.IDs[:1], d.Weight[:1] }, "1 ids for 5 rows"},
		{"times", func(d *data.Dataset) { d.Time = d.Time[:2] }, "2 times"},
		{"parts", func(d *data.Dataset) { d.Part = d.Part[:2] }, "2 parts"},
		{"factors", func(d *data.Dataset) { d.Factor = d.Factor[:1] }, "1 factors for 2 columns"},
		{"weight", func(d *data.Dataset) { d.Weight[1] = -1 }, "row b: weight -1"},
		{"groups", func(d *data.Dataset) { d.Groups.Of = d.Groups.Of[:2] }, "2 group numbers"},
		{"group number", func(d *data.Dataset) { d.Groups.Of[4] = 3 }, "group 3, expected 0..2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := full()
			c.spoil(d)
			if err := d.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestFeatures(t *testing.T) {
	f := data.NewFeatures([]string{"a", "", "long name", "b"}).WithClasses([]int32{1, 0, -1, 1}, []string{"x", "y"})
	kept := f.Keep([]int32{0, 2, 3}).Keep([]int32{1, 2})
	for _, c := range []struct {
		f       *data.Features
		names   []string
		classes []int
		size    int // of class 1
	}{
		{f, []string{"a", "", "long name", "b"}, []int{1, 0, -1, 1}, 2},
		{kept, []string{"long name", "b"}, []int{-1, 1}, 1},
	} {
		var names []string
		var classes []int
		for j := range c.f.Len() {
			names, classes = append(names, c.f.Name(j)), append(classes, c.f.Class(j))
			if k, ok := c.f.Lookup(c.names[j]); !ok || k != j {
				t.Errorf("%q is at %d, %v, want %d", c.names[j], k, ok, j)
			}
		}
		if !slices.Equal(names, c.names) || !slices.Equal(classes, c.classes) || enginetest.ClassSize(c.f, 1) != c.size {
			t.Errorf("got %q, %v, %d; want %q, %v, %d", names, classes, enginetest.ClassSize(c.f, 1), c.names, c.classes, c.size)
		}
		if _, ok := c.f.Lookup("c"); ok {
			t.Error("found a name that is not there")
		}
	}
	blob, at, class, classes := f.Packed()
	again := data.PackedFeatures([]byte(blob), at).WithClasses(class, classes)
	if again.Name(2) != "long name" || again.Class(3) != 1 || !again.HasClasses() {
		t.Error("packing loses something")
	}
	if kept.WithClasses(nil, nil).HasClasses() || data.NewFeatures(nil).Len() != 0 {
		t.Error("classes or names out of nothing")
	}
}
