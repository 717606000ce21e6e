package data_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// cut is a target of numbers to be cut at the mean of training rows.
func cut(name string, numbers ...float64) data.Target {
	levels, _ := data.Cut(numbers, 0)
	return data.Target{Name: name, Type: data.Class, Levels: []string{"0", "1"}, Positive: 1, Values: levels, Numbers: numbers}
}

// responses is a data set with some targets on rows of one column.
func responses(targets ...data.Target) *data.Dataset {
	rows := make([][]float64, len(targets[0].Values))
	for i := range rows {
		rows[i] = []float64{float64(i)}
	}
	return enginetest.Dataset(enginetest.Matrix(rows...), targets...)
}

func TestResponses(t *testing.T) {
	train := []int32{0, 1, 2}
	some := cut("some", 1, 9, 5)
	some.Rows = []int32{0, 2, 3}
	for _, c := range []struct {
		name    string
		recipe  data.Recipe
		targets []data.Target
		weight  []float64
		want    string // names and values of all rows
		fact    string
	}{
		{"cut at the mean of the training rows alone", data.Recipe{}, []data.Target{cut("y", 1, 2, 3, 100, 1.9)}, nil, "y [0 1 1 1 0]", "cut at the mean of the training rows: 1"},
		{"a weighted mean", data.Recipe{}, []data.Target{cut("y", 1, 2, 3, 2, 100)}, []float64{1, 1, 2, 1, 1}, "y [0 0 1 0 1]", ""},
		{"where it is defined", data.Recipe{}, []data.Target{enginetest.Real("z", 1, 2, 3, 4, 5), some}, nil, "z [1 2 3 4 5] some [0 1 1]", ""},
		{"filled in with the mean of the training rows", data.Recipe{Impute: "mean"}, []data.Target{enginetest.Real("y", 1, nan, 3, 100, nan)}, nil,
			"y [1 2 3 100 2]", "filled in with the mean of the training rows: 2"},
		{"constant ones are left out", data.Recipe{Constant: "drop"},
			[]data.Target{enginetest.Real("same", 1, 1, 1, 2, 3), cut("y", 1, 2, 3, 100, 1), enginetest.Class("rare", 2, 0, 0, 0, 1, 0)}, nil, "y [0 1 1 1 0]", "constant in the training rows: 2\nresponse left out in some fold: same: constant there\nresponse left out in some fold: rare: constant there"},
		{"engines judge the others", data.Recipe{}, []data.Target{enginetest.Class("rare", 2, 0, 0, 0, 1, 0)}, nil, "rare [0 0 0 1 0]", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := responses(c.targets...)
			d.Weight = c.weight
			if err := d.Check(); err != nil {
				t.Fatal(err)
			}
			p, err := c.recipe.Fit(d, train)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for k := range p.View(nil).Targets() {
				_, y := p.View(nil).Target(k)
				got = append(got, p.View(nil).TargetInfo(k).Name, fmt.Sprint(y))
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("got %s, want %s", s, c.want)
			}
			if f := facts(p.Facts); !strings.Contains(f, c.fact) {
				t.Errorf("facts %q, want %q", f, c.fact)
			}
		})
	}
}

func facts(list []data.Fact) string {
	var b strings.Builder
	for _, f := range list {
		fmt.Fprintf(&b, "%s: %s\n", f.Name, f.Value)
	}
	return b.String()
}

func TestBadResponses(t *testing.T) {
	for _, c := range []struct {
		name    string
		recipe  data.Recipe
		targets []data.Target
		want    string
	}{
		{"a gap", data.Recipe{}, []data.Target{enginetest.Real("y", 1, 2, 3, nan), enginetest.Real("z", nan, 2, 3, nan)},
			"row 3 (from 0), target y: the value is missing, as are 2 others; say what to do with target: {missing: drop-rows | mean}"},
		{"nothing to take the mean of", data.Recipe{Impute: "mean"}, []data.Target{enginetest.Real("y", nan, nan, nan, 1)}, "target y: no training row has a value"},
		{"a cut that divides nothing", data.Recipe{}, []data.Target{cut("y", 5, 5, 5, 7)}, "target y is constant in the training rows, so no cut divides it"},
		{"nothing left", data.Recipe{Constant: "drop"}, []data.Target{cut("y", 5, 5, 5, 7), enginetest.Real("z", 1, 1, 1, 2)}, "every response is constant in the training rows: y, z"},
	} {
		d := responses(c.targets...)
		err := c.recipe.Check(d)
		if err == nil {
			_, err = c.recipe.Fit(d, []int32{0, 1, 2})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

// The mean of a response that is the same everywhere must not fall above it by rounding without anyone noticing.
func TestCutOfEqualNumbers(t *testing.T) {
	y := []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1}
	if _, err := (data.Recipe{}).Fit(responses(cut("y", y...)), nil); err == nil {
		t.Error("cut")
	}
}

func TestSelectRows(t *testing.T) {
	d := full()
	d.Targets[0].Values[3] = nan
	whole := d.Complete(true, true)
	if !slices.Equal(whole, []int32{1, 2, 4}) { // row 0 has no task, row 3 no y
		t.Fatalf("complete rows %v", whole)
	}
	s := d.Select(whole)
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	if s.Targets[1].Rows != nil || !slices.Equal(s.Targets[1].Values, []float64{1, 0, 1}) || !slices.Equal(s.Targets[0].Values, []float64{11, 12, 14}) {
		t.Errorf("targets %+v", s.Targets)
	}
	if _, cols := s.X.Dims(); cols != 2 || fmt.Sprint(s.IDs, s.Weight, s.Time, s.Part, s.Groups.Of) != "[b c e] [2 3 5] [4 3 1] [0 0 1] [0 1 2]" {
		t.Errorf("%v %v %v %v %v", s.IDs, s.Weight, s.Time, s.Part, s.Groups.Of)
	}
	d.X = enginetest.Matrix([]float64{1, 0}, []float64{0, nan}, []float64{3, 0}, []float64{0, 4}, []float64{5, 0})
	if rows := d.Complete(true, false); !slices.Equal(rows, []int32{0, 2, 3, 4}) {
		t.Errorf("rows with all features %v", rows)
	}
}

func TestSpread(t *testing.T) {
	d := full()
	d.Truth = []data.True{{Feature: 1, Target: 0, Value: 2}}
	s := d.Spread([]int32{0, 0, 1}, data.NewFeatures([]string{"a", "b", "c"}))
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	_, rows := table(enginetest.View(s, nil))
	if fmt.Sprint(rows) != "[[1 1 0] [0 0 2] [3 3 0] [0 0 4] [5 5 0]]" || s.Truth[0].Feature != 2 {
		t.Errorf("rows %v, truth %v", rows, s.Truth)
	}
}

func TestTruthOfAFold(t *testing.T) {
	d := enginetest.Dataset(enginetest.Matrix([]float64{0, 1, 1}, []float64{0, 1, 2}, []float64{1, 0, 0}), enginetest.Real("y", 1, 1, 2), enginetest.Real("z", 1, 2, 3))
	d.Truth = []data.True{{0, 0, 1}, {0, 1, 2}, {2, 1, 3}}
	p, err := data.Recipe{Cutoff: 1, Constant: "drop"}.Fit(d, []int32{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(p.View(nil).Truth()); got != "[{-1 0 2} {1 0 3}]" { // column 0 and target y were left out
		t.Errorf("got %s", got)
	}
	if enginetest.View(full(), nil).Truth() != nil {
		t.Error("a truth out of nothing")
	}
	if s := (data.Subset{Rows: []int32{0, 1}}).Of(d); fmt.Sprint(s.Truth) != "[{1 1 3}]" {
		t.Errorf("of a subset: %v", s.Truth)
	}
}

func TestClusters(t *testing.T) {
	// Columns 0, 2 and 5 are multiples of one, 1 and 4 of another; 3 is constant in the training rows.
	rows := [][]float64{{1, 0, 2, 7, 0, 1}, {0, 1, 0, 7, 3, 0}, {1, 0, 2, 7, 0, 1}, {0, 0, 0, 7, 0, 0}, {9, 9, 9, 9, 9, 0}}
	d := enginetest.Dataset(enginetest.Matrix(rows...), enginetest.Real("y", 1, 2, 3, 4, 5))
	for seed := range int64(5) {
		p, err := data.Recipe{Clusters: 4, ClusterSeed: seed}.Fit(d, []int32{0, 1, 2, 3})
		if err != nil {
			t.Fatal(err)
		}
		f := p.View(nil).Features()
		var class []int
		for j := range f.Len() {
			class = append(class, f.Class(j))
		}
		if !slices.Equal(class, []int{0, 1, 0, 2, 1, 0}) || strings.Join(f.Classes(), ", ") != "cluster 1, cluster 2, _none" {
			t.Errorf("seed %d: classes %v %v", seed, class, f.Classes())
		}
	}
	p, err := data.Recipe{Clusters: 2, Cutoff: 3}.Fit(d, []int32{0, 1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	if f := p.View(nil).Features(); f.Name(0) != "x3" || f.Class(0) != 0 || !f.HasClasses() {
		t.Errorf("after a cutoff: %s %d", f.Name(0), f.Class(0))
	}
}

// Every column lies nearest to the centroid of its own cluster, computed densely.
func TestClustersAreSettled(t *testing.T) {
	const rows, cols, k = 40, 200, 7
	x := enginetest.Random(3, rows, cols, 0.4, false)
	d := enginetest.Dataset(x, enginetest.Real("y", make([]float64, rows)...))
	p, err := data.Recipe{Clusters: k, ClusterSeed: 9}.Fit(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := p.View(nil).Features()
	unit := make([][]float64, cols)
	centroid, size := make([][]float64, len(f.Classes())), make([]float64, len(f.Classes()))
	for c := range centroid {
		centroid[c] = make([]float64, rows)
	}
	for j := range unit {
		unit[j] = make([]float64, rows)
		x.Col(j).AddTo(unit[j], 1)
		mean, length := 0.0, 0.0
		for _, v := range unit[j] {
			mean += v / rows
		}
		for i := range unit[j] {
			unit[j][i] -= mean
			length += unit[j][i] * unit[j][i]
		}
		for i := range unit[j] {
			unit[j][i] /= math.Sqrt(length)
			centroid[f.Class(j)][i] += unit[j][i]
		}
		size[f.Class(j)]++
	}
	if len(f.Classes()) != k {
		t.Errorf("%d classes", len(f.Classes()))
	}
	distance := func(j, c int) (d float64) {
		for i := range rows {
			d += math.Pow(unit[j][i]-centroid[c][i]/size[c], 2)
		}
		return d
	}
	for j := range cols {
		for c := range centroid {
			if distance(j, c) < distance(j, f.Class(j))-1e-9 {
				t.Errorf("column %d is nearer to cluster %d than to its own, %d", j, c, f.Class(j))
			}
		}
	}
}

func BenchmarkClusters(b *testing.B) {
	x := enginetest.Random(3, 104, 6715, 1, false)
	d := enginetest.Dataset(x, enginetest.Real("y", make([]float64, 104)...))
	for b.Loop() {
		if _, err := (data.Recipe{Clusters: 40}).Fit(d, nil); err != nil {
			b.Fatal(err)
		}
	}
}
