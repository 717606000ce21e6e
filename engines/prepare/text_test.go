package prepare_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/prepare"
)

func TestTFIDF(t *testing.T) {
	// Of three training rows, x0 occurs in all, x1 in one, x2 in none.
	rows := [][]float64{{1, 0, 0}, {2, 3, 0}, {1, 0, 0}, {1, 1, 5}, {0, 0, 0}}
	rare := math.Log(2) + 1 // ln((1+3)/(1+1)) + 1
	length := math.Hypot(2, 3*rare)
	for _, c := range []struct {
		recipe prepare.Recipe
		want   [][]float64
	}{
		{prepare.Recipe{TFIDF: "smooth"}, [][]float64{{1, 0, 0}, {2, 3 * rare, 0}, {1, 0, 0}, {1, rare, 0}, {0, 0, 0}}},
		{prepare.Recipe{TFIDF: "plain"}, [][]float64{{0, 0, 0}, {0, 3 * math.Log(3), 0}, {0, 0, 0}, {0, math.Log(3), 0}, {0, 0, 0}}},
		{prepare.Recipe{Normalize: "l2"}, [][]float64{{1, 0, 0}, {2 / math.Sqrt(13), 3 / math.Sqrt(13), 0}, {1, 0, 0}, {1 / math.Sqrt(27), 1 / math.Sqrt(27), 5 / math.Sqrt(27)}, {0, 0, 0}}},
		{prepare.Recipe{TFIDF: "smooth", Normalize: "l2", Cutoff: 1}, [][]float64{{1, 0}, {2 / length, 3 * rare / length}, {1, 0}, {1 / math.Hypot(1, rare), rare / math.Hypot(1, rare)}, {0, 0}}},
	} {
		set := enginetest.Dataset(enginetest.Matrix(rows...), enginetest.Real("y", make([]float64, len(rows))...))
		p, err := c.recipe.Fit(set, []int32{0, 1, 2})
		if err != nil {
			t.Fatal(err)
		}
		if c.recipe.Binary(true) {
			t.Errorf("%+v keeps ones", c.recipe)
		}
		_, got := enginetest.Table(p.View(nil))
		for i := range c.want {
			for j, w := range c.want[i] {
				if !(math.Abs(got[i][j]-w) <= 1e-12) {
					t.Errorf("%+v, row %d: got %v, want %v", c.recipe, i, got[i], c.want[i])
				}
			}
		}
	}
}

// Whatever the test rows say, the training rows weigh the same; and a word of one test row changes no other.
func TestTextWeightsComeFromTrainingRows(t *testing.T) {
	train := []int32{0, 2}
	weigh := func(recipe prepare.Recipe, test ...float64) [][]float64 {
		set := enginetest.Dataset(enginetest.Matrix([]float64{1, 2, 0, 0}, test, []float64{1, 0, 3, 0}, []float64{1, 1, 1, 1}), enginetest.Real("y", 0, 0, 0, 0))
		p, err := recipe.Fit(set, train)
		if err != nil {
			t.Fatal(err)
		}
		_, rows := enginetest.Table(p.View([]int32{0, 2, 3}))
		return rows
	}
	for _, recipe := range []prepare.Recipe{{TFIDF: "smooth"}, {TFIDF: "plain", Normalize: "l2"}, {TFIDF: "smooth", Normalize: "l2", Cutoff: 1}} {
		want := weigh(recipe, 0, 0, 0, 0)
		if got := weigh(recipe, 9, 9, 9, 9); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%+v: %v, and with other test rows %v", recipe, want, got)
		}
	}
	// That the test could fail: with every row for training, they do.
	train = []int32{0, 1, 2, 3}
	if slices.Equal(weigh(prepare.Recipe{TFIDF: "smooth"}, 0, 0, 0, 0)[0], weigh(prepare.Recipe{TFIDF: "smooth"}, 9, 9, 9, 9)[0]) {
		t.Error("training rows change nothing")
	}
}
