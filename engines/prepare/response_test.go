package prepare_test

import (
	"fmt"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/prepare"
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
		recipe  prepare.Recipe
		targets []data.Target
		weight  []float64
		want    string // names and values of all rows
		fact    string
	}{
		{"cut at the mean of the training rows alone", prepare.Recipe{}, []data.Target{cut("y", 1, 2, 3, 100, 1.9)}, nil, "y [0 1 1 1 0]", "cut at the mean of the training rows: 1"},
		{"a weighted mean", prepare.Recipe{}, []data.Target{cut("y", 1, 2, 3, 2, 100)}, []float64{1, 1, 2, 1, 1}, "y [0 0 1 0 1]", ""},
		{"where it is defined", prepare.Recipe{}, []data.Target{enginetest.Real("z", 1, 2, 3, 4, 5), some}, nil, "z [1 2 3 4 5] some [0 1 1]", ""},
		{"filled in with the mean of the training rows", prepare.Recipe{Impute: "mean"}, []data.Target{enginetest.Real("y", 1, nan, 3, 100, nan)}, nil,
			"y [1 2 3 100 2]", "filled in with the mean of the training rows: 2"},
		{"constant ones are left out", prepare.Recipe{Constant: "drop"},
			[]data.Target{enginetest.Real("same", 1, 1, 1, 2, 3), cut("y", 1, 2, 3, 100, 1), enginetest.Class("rare", 2, 0, 0, 0, 1, 0)}, nil, "y [0 1 1 1 0]", "constant in the training rows: 2\nresponse left out in some fold: same: constant there\nresponse left out in some fold: rare: constant there"},
		{"engines judge the others", prepare.Recipe{}, []data.Target{enginetest.Class("rare", 2, 0, 0, 0, 1, 0)}, nil, "rare [0 0 0 1 0]", ""},
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
		recipe  prepare.Recipe
		targets []data.Target
		want    string
	}{
		{"a gap", prepare.Recipe{}, []data.Target{enginetest.Real("y", 1, 2, 3, nan), enginetest.Real("z", nan, 2, 3, nan)},
			"row 3 (from 0), target y: the value is missing, as are 2 others; say what to do with target: {missing: drop-rows | mean}"},
		{"nothing to take the mean of", prepare.Recipe{Impute: "mean"}, []data.Target{enginetest.Real("y", nan, nan, nan, 1)}, "target y: no training row has a value"},
		{"a cut that divides nothing", prepare.Recipe{}, []data.Target{cut("y", 5, 5, 5, 7)}, "target y is constant in the training rows, so no cut divides it"},
		{"nothing left", prepare.Recipe{Constant: "drop"}, []data.Target{cut("y", 5, 5, 5, 7), enginetest.Real("z", 1, 1, 1, 2)}, "every response is constant in the training rows: y, z"},
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
	if _, err := (prepare.Recipe{}).Fit(responses(cut("y", y...)), nil); err == nil {
		t.Error("cut")
	}
}
