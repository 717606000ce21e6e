package prepare_test

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

var nan = math.NaN()

func TestRecipe(t *testing.T) {
	train := []int32{0, 1, 2}
	for _, c := range []struct {
		name   string
		recipe prepare.Recipe
		factor []int32
		rows   [][]float64
		names  string
		want   [][]float64
	}{
		{"nothing to do", prepare.Recipe{}, nil,
			[][]float64{{1, 0}, {0, 0}, {1, 0}, {0, 3}}, "x0 x1", [][]float64{{1, 0}, {0, 0}, {1, 0}, {0, 3}}},
		{"the cutoff counts training rows only", prepare.Recipe{Cutoff: 2}, nil,
			[][]float64{{1, 1, 0}, {1, 0, 2}, {0, 0, 2}, {1, 1, 0}, {0, 1, 0}}, "x0 x2", [][]float64{{1, 0}, {1, 2}, {0, 2}, {1, 0}, {0, 0}}},
		{"a cutoff of 1 drops what training never saw", prepare.Recipe{Cutoff: 1}, nil,
			[][]float64{{1, 0}, {0, 0}, {0, 0}, {0, 1}}, "x0", [][]float64{{1}, {0}, {0}, {0}}},
		{"levels that training never saw are no columns", prepare.Recipe{}, []int32{0, 0, -1},
			[][]float64{{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 1, 1}}, "x0 x2", [][]float64{{1, 0}, {1, 0}, {1, 0}, {0, 1}}},
		{"mean of the training rows, zeros included", prepare.Recipe{Missing: "mean"}, nil,
			[][]float64{{6}, {nan}, {0}, {100}, {nan}}, "x0", [][]float64{{6}, {3}, {0}, {100}, {3}}},
		{"median of an even number", prepare.Recipe{Missing: "median"}, nil,
			[][]float64{{6}, {nan}, {2}, {100}, {nan}}, "x0", [][]float64{{6}, {4}, {2}, {100}, {4}}},
		{"median with negatives and zeros", prepare.Recipe{Missing: "median"}, nil,
			[][]float64{{-6}, {0}, {2}, {100}, {nan}}, "x0", [][]float64{{-6}, {0}, {2}, {100}, {0}}},
		{"zero", prepare.Recipe{Missing: "zero"}, nil,
			[][]float64{{6}, {nan}, {2}}, "x0", [][]float64{{6}, {0}, {2}}},
		{"missing in every training row", prepare.Recipe{Missing: "mean"}, nil,
			[][]float64{{nan, 1}, {nan, 2}, {nan, 3}, {5, 4}}, "x1", [][]float64{{1}, {2}, {3}, {4}}},
		{"likewise, and gaps stay", prepare.Recipe{Missing: prepare.Keep}, nil,
			[][]float64{{nan, 1}, {nan, 2}, {nan, 3}, {5, 4}}, "x1", [][]float64{{1}, {2}, {3}, {4}}},
		{"a column tells which rows have the median for want of a value, if training rows have", prepare.Recipe{Missing: prepare.Indicator}, nil,
			[][]float64{{nan, 1}, {2, 2}, {3, 3}, {5, nan}, {nan, 4}}, "x0 x1 x0:missing", [][]float64{{2.5, 1, 1}, {2, 2, 0}, {3, 3, 0}, {5, 2, 0}, {2.5, 4, 1}}},
		{"scaled by the training rows, after filling", prepare.Recipe{Missing: "mean", Scale: "sd"}, nil,
			[][]float64{{0, 7}, {nan, 7}, {6, 7}, {60, 14}}, "x0 x1", [][]float64{{0, 7}, {3 / math.Sqrt(6), 7}, {math.Sqrt(6), 7}, {10 * math.Sqrt(6), 14}}},
		{"above the median of the training rows, a 1 of a 0/1 column, nothing of a constant one", prepare.Recipe{Discretize: 2}, nil,
			[][]float64{{7, 1, 4}, {-1, 0, 4}, {0, 1, 4}, {8, 1, 9}, {0, 0, 0}}, "x0>median x1", [][]float64{{1, 1}, {0, 0}, {0, 1}, {1, 1}, {0, 0}}},
		{"zeros above a median below zero", prepare.Recipe{Discretize: 2}, nil,
			[][]float64{{-2, -5}, {0, -5}, {-3, 0}, {0, 1}, {-1, -1}}, "x0>median x1>median", [][]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {1, 1}}},
		{"equal frequency, at most one column a distinct value, after filling", prepare.Recipe{Missing: "zero", Discretize: 3}, nil,
			[][]float64{{1, 2}, {2, 2}, {3, 7}, {nan, 7}, {9, nan}}, "x0>q33.3 x0>q66.7 x1>q33.3", [][]float64{{0, 0, 0}, {1, 0, 0}, {1, 1, 1}, {0, 0, 1}, {1, 1, 0}}},
		{"most rows at the largest value", prepare.Recipe{Discretize: 2}, nil,
			[][]float64{{5}, {7}, {7}, {6}}, "x0>median", [][]float64{{0}, {1}, {1}, {1}}},
		{"binary columns are scaled too", prepare.Recipe{Scale: "sd"}, nil,
			[][]float64{{1, 1}, {0, 1}, {0, 1}, {1, 1}}, "x0 x1", [][]float64{{3 / math.Sqrt2, 1}, {0, 1}, {0, 1}, {3 / math.Sqrt2, 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := enginetest.Dataset(enginetest.Matrix(c.rows...), enginetest.Real("y", make([]float64, len(c.rows))...))
			set.Factor = c.factor
			p, err := c.recipe.Fit(set, train)
			if err != nil {
				t.Fatal(err)
			}
			names, got := enginetest.Table(p.View(nil))
			if strings.Join(names, " ") != c.names {
				t.Errorf("columns %v, want %s", names, c.names)
			}
			for i := range c.want {
				for j, w := range c.want[i] {
					if !(math.Abs(got[i][j]-w) <= 1e-12) {
						t.Fatalf("row %d: got %v, want %v", i, got[i], c.want[i])
					}
				}
			}
			if fmt.Sprint(enginetest.Columnwise(p.View(nil))) != fmt.Sprint(got) {
				t.Error("columns show something else than rows")
			}
		})
	}
}

func TestRecipeRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		recipe prepare.Recipe
		rows   [][]float64
		factor []int32
		want   string
	}{
		{"missing values", prepare.Recipe{}, [][]float64{{1}, {2}, {nan}}, nil, "row 2 (from 0), column x0"},
		{"missing values, in so many words", prepare.Recipe{Missing: "error"}, [][]float64{{1}, {nan}, {1}}, nil, "row 1 (from 0), column x0"},
		{"no value at all", prepare.Recipe{Missing: "zero"}, [][]float64{{nan}, {nan}, {1}}, nil, "no training row has a value of any column"},
		{"unseen levels", prepare.Recipe{Unseen: "error"}, [][]float64{{1, 0}, {1, 0}, {0, 1}}, []int32{0, 0}, `level "x1"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := enginetest.Dataset(enginetest.Matrix(c.rows...), enginetest.Real("y", make([]float64, len(c.rows))...))
			set.Factor = c.factor
			if _, err := c.recipe.Fit(set, []int32{0, 1}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error about %s", err, c.want)
			}
		})
	}
}

// Whatever the test rows hold, what is prepared for training is the same.
func TestNothingLeaksFromTestRows(t *testing.T) {
	train := []int32{0, 2, 3, 5}
	prepared := func(test float64, recipe prepare.Recipe) (*data.View, []data.Fact) {
		rows := [][]float64{{1, 0, nan, 2}, {test, test, test, nan}, {1, 5, 3, 0}, {0, 5, nan, 2}, {test, 0, nan, test}, {0, 0, 4, 7}}
		set := enginetest.Dataset(enginetest.Matrix(rows...), data.Target{
			Name: "mi", Type: data.Real,
			Pairs: &pairs.Pairs{Left: []int32{0, int32(test), 0, 1, int32(test), 1}, Right: []int32{0, 0, 1, 1, int32(test), 1}, Kappa: 1},
		})
		set.Factor = []int32{0, 0, -1, -1}
		if err := set.Check(); err != nil {
			t.Fatal(err)
		}
		p, err := recipe.Fit(set, train)
		if err != nil {
			t.Fatal(err)
		}
		return p.View(train), p.Facts
	}
	for _, recipe := range []prepare.Recipe{
		{Missing: "mean"},
		{Missing: "median", Scale: "sd"},
		{Missing: "zero", Cutoff: 2},
		{Missing: "mean", Cutoff: 1, Scale: "sd", Unseen: "ignore"},
	} {
		want, wantFacts := prepared(1, recipe)
		got, gotFacts := prepared(9, recipe)
		wantNames, wantRows := enginetest.Table(want)
		gotNames, gotRows := enginetest.Table(got)
		_, wantY := want.Target(0)
		_, gotY := got.Target(0)
		if !slices.Equal(gotNames, wantNames) || fmt.Sprint(gotRows) != fmt.Sprint(wantRows) ||
			!slices.Equal(gotY, wantY) || !slices.Equal(gotFacts, wantFacts) {
			t.Errorf("%+v: training rows changed with the test rows:\n%v %v %v %v\n%v %v %v %v",
				recipe, wantNames, wantRows, wantY, wantFacts, gotNames, gotRows, gotY, gotFacts)
		}
	}
}

func TestRecipeLeavesTheDatasetAlone(t *testing.T) {
	x := enginetest.Matrix([]float64{1, nan}, []float64{2, 4}, []float64{0, 6})
	set := enginetest.Dataset(x, enginetest.Real("y", 1, 2, 3))
	if _, err := (prepare.Recipe{Missing: "mean", Scale: "sd", Cutoff: 2}).Fit(set, nil); err != nil {
		t.Fatal(err)
	}
	_, _, val := x.Rows()
	if fmt.Sprint(val) != "[1 NaN 2 4 6]" || set.Targets[0].Values[0] != 1 {
		t.Errorf("the data set's own values are now %v", val)
	}
}
