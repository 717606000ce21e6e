package permutation

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/survival"
)

// grown is a tree that is given, as an engine and as its model. A row goes to the left where its value is at most the cut.
type grown struct {
	Column      int
	Cut, Value  float64
	Left, Right *grown
}

func (t *grown) Validate() error      { return nil }
func (t *grown) Needs() engines.Needs { return engines.Needs{Target: data.Survival, Survival: true} }
func (t *grown) Outputs() int         { return 1 }
func (t *grown) Coefs() []engines.Coef {
	return nil
}

func (t *grown) Fit(context.Context, engines.Run) (engines.Model, error) { return t, nil }

// Uses returns the columns of splits, rising.
func (t *grown) Uses() (columns []int32) {
	if t.Left == nil {
		return nil
	}
	columns = append(slices.Concat(t.Left.Uses(), t.Right.Uses()), int32(t.Column))
	slices.Sort(columns)
	return slices.Compact(columns)
}

func (t *grown) Predict(dst []float64, in data.Inputs) {
	x := in.Matrix()
	for i := range dst {
		leaf := t
		for leaf.Left != nil {
			if row := x.Row(i); row.ValueOf(int32(leaf.Column)) <= leaf.Cut {
				leaf = leaf.Left
			} else {
				leaf = leaf.Right
			}
		}
		dst[i] = leaf.Value
	}
}

func TestOracleSurvival(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"survival_permutation": checkSurvival})
}

// checkSurvival measures trees on their out-of-bag rows, each a fold of its own: a tree without a pair that can be compared is left out.
func checkSurvival(t *testing.T, c oracle.Case) {
	var in struct {
		X            [][]float64
		Time         []float64
		Event        []int8
		Trees        []*grown
		OutOfBag     [][]int32 `json:"out_of_bag"`
		Permutations [][][]int32
	}
	var want struct {
		Concordance []*float64
		Importance  []float64
	}
	c.Decode(t, c.Input, &in)
	c.Decode(t, c.Expected, &want)
	target := enginetest.Survival("time", in.Time...)
	target.Events = in.Event
	all := enginetest.View(enginetest.Dataset(enginetest.Matrix(in.X...), target), nil)
	v := engines.Comparison{
		Metrics: []engines.InnerMetric{{Name: "concordance", Higher: true}},
		Measure: func(m engines.Model, _, held *data.View) ([]float64, error) {
			risk := make([]float64, held.Len())
			m.Predict(risk, held.Inputs())
			_, times := held.Target(0)
			return []float64{survival.Concordance(times, held.Events(0), risk, nil, nil)}, nil
		},
	}
	units := make([][]int32, len(want.Importance))
	for j := range units {
		units[j] = []int32{int32(j)}
	}
	folds := make([]permutedFold, len(in.Trees))
	for b, tree := range in.Trees {
		folds[b] = permutedFold{v: v, engine: tree, HeldOut: engines.HeldOut{Train: all, Held: all.Sub(in.OutOfBag[b])}, units: units,
			orders: func(u int) [][]int32 { return [][]int32{in.Permutations[b][u]} }}
		run := engines.Run{Train: all}
		if err := folds[b].measureBase(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		if got := folds[b].base[0]; want.Concordance[b] == nil {
			if got == got {
				t.Errorf("tree %d: concordance %v without a pair", b, got)
			}
		} else {
			oracle.Near(t, "concordance", got, *want.Concordance[b], 1e-12)
		}
		for u := range units {
			if err := folds[b].measureUnit(t.Context(), run, u); err != nil {
				t.Fatal(err)
			}
		}
	}
	var got Importances
	err := got.average(folds, len(units))
	if slices.ContainsFunc(want.Concordance, func(c *float64) bool { return c != nil }) {
		if err != nil {
			t.Fatal(err)
		}
		for u, w := range want.Importance {
			oracle.Near(t, "importance", got.Mean[u], w, 1e-12)
		}
	} else if err == nil {
		t.Error("no tree has a pair, and importance has a value")
	}
}

// Where the first metric is infinite, the second stands in, and a note says so; without a second one there is an error.
func TestInfiniteMetric(t *testing.T) {
	t.Parallel()
	fold := permutedFold{base: []float64{math.Inf(1), 0.75}, drops: [][]float64{{math.NaN(), 0.25}, {math.NaN(), 0}}}
	fold.v.Metrics = []engines.InnerMetric{{Name: "log_loss"}, {Name: "accuracy", Higher: true}}
	var got Importances
	if err := got.average([]permutedFold{fold}, 2); err != nil || got.Metric != "accuracy" || got.Base != 0.75 || got.Mean[0] != 0.25 || len(got.Notes) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	fold.v.Metrics = fold.v.Metrics[:1]
	if err := new(Importances).average([]permutedFold{fold}, 2); err == nil || !strings.Contains(err.Error(), "log_loss is undefined or infinite") {
		t.Error(err)
	}
}
