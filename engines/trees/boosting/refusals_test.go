package boosting

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/prepare"
)

func TestRefusals(t *testing.T) {
	x, numbers, levels := planted(1, 60, 3, false)
	for _, c := range []struct {
		change func(e *Boosted)
		want   string
	}{
		{func(e *Boosted) { e.Trees = 0 }, "trees: 0, expected 1 to 100000"},
		{func(e *Boosted) { e.Shrinkage = 0 }, "shrinkage: 0, expected a number above 0, at most 1"},
		{func(e *Boosted) { e.Shrinkage = math.NaN() }, "shrinkage: NaN, expected"},
		{func(e *Boosted) { e.MaxDepth = -1 }, "max_depth: -1, expected at least 1, or 0"},
		{func(e *Boosted) { e.MaxLeaves = 1 }, "max_leaves: 1, expected at least 2, or 0"},
		{func(e *Boosted) { e.C1 = -1 }, "c1: -1, expected 0 or more"},
		{func(e *Boosted) { e.C2 = math.Inf(1) }, "c2: +Inf, expected 0 or more"},
		{func(e *Boosted) { e.Gamma = -0.5 }, "gamma: -0.5, expected 0 or more"},
		{func(e *Boosted) { e.MinWeight = -1 }, "min_weight: -1, expected 0 or more"},
		{func(e *Boosted) { e.RowShare = 1.5 }, "row_share: 1.5, expected a share above 0, at most 1"},
		{func(e *Boosted) { e.ColumnShare = 0 }, "column_share: 0, expected a share above 0, at most 1"},
		{func(e *Boosted) { e.Bins = 257 }, "bins: 257, expected 2 to 256"},
		{func(e *Boosted) { e.Patience = -2 }, "patience: -2, expected at least 1, or 0"},
		{func(e *Boosted) { e.Validation = 1 }, "validation: 1, expected a share above 0 and below 1"},
		{func(e *Boosted) { e.Importance = "cover" }, `importance: "cover" is not one of gain, count`},
		{func(e *Boosted) { e.Features = -1 }, "features: -1, expected at least 1, or 0"},
		{func(e *Boosted) { e.Features = 4 }, "features 4, and the data has 3 columns"},
	} {
		e := with(c.change)
		err := e.Validate()
		if err == nil {
			_, err = e.Fit(t.Context(), runOn(view(x, levels)))
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	on := func(x [][]float64, y data.Target) error {
		p, err := prepare.Recipe{}.Fit(enginetest.Dataset(enginetest.Matrix(x...), y), nil)
		if err != nil {
			return err
		}
		_, err = with(nil).Fit(t.Context(), runOn(p.View(nil)))
		return err
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{on(x, enginetest.Class("c", 2, make([]float64, 60)...)), "target c is constant (\"l0\" in all 60 training rows)"},
		{on(x, enginetest.Real("y", make([]float64, 60)...)), "target y is constant (0 in all 60 training rows)"},
		{with(func(e *Boosted) { e.Patience = 1 }).fitError(t, view(x[:1], enginetest.Real("y", 1))), "target y is constant"},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), c.want) {
			t.Errorf("got %v, want %s", c.err, c.want)
		}
	}
	m, err := with(func(e *Boosted) { e.MinWeight = 31 }).Fit(t.Context(), runOn(view(x, numbers)))
	if err != nil {
		t.Fatal(err)
	}
	want := "min_weight 31, and the second derivatives of the loss sum to 60 over 60 training rows: no split leaves so much on both sides, as one of at most 30 could"
	if f := m.(engines.Reporter).Fitted(); f.Stop != stopNoSplit || !slices.Contains(f.Notes, want) || len(engines.ColumnsOf(m, 3)) > 0 {
		t.Errorf("stop %s, notes %q", f.Stop, f.Notes)
	}
	// Classes lie in groups of their own, and one of these is held out whole.
	apart := enginetest.Dataset(enginetest.Matrix(x[:20]...), enginetest.Class("c", 2, append(make([]float64, 10), slices.Repeat([]float64{1}, 10)...)...))
	apart.Groups = &data.Groups{Name: "g", Of: append(make([]int32, 10), slices.Repeat([]int32{1}, 10)...), Key: []uint64{1, 2}}
	run := runOn(enginetest.View(apart, nil))
	run.Inner.By = true
	if _, err := with(func(e *Boosted) { e.Patience = 1 }).Fit(t.Context(), run); err == nil || !strings.HasPrefix(err.Error(), "patience: of 10 rows that are left to fit") {
		t.Errorf("a class held out: %v", err)
	}
}

func (e Boosted) fitError(t *testing.T, v *data.View) error {
	_, err := e.Fit(t.Context(), runOn(v))
	return err
}

func TestKept(t *testing.T) {
	models := engines.Models{SavedAs: Restore}
	for _, n := range []engines.Needs{{Target: data.Real}, {Target: data.Class}, {Target: data.Class, Levels: 2}} {
		m, on, err := enginetest.Fitted(with(nil), n)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := enginetest.Kept(m, models, on); err != nil {
			t.Error(err)
		}
	}
	const state = `{"levels":2,"base":[0.25],"trees":[{"column":[0,-1,1,-1,-1],"threshold":[0.5,2],"missing":"lR","value":[1,-0.5,3]}],"importance":{"feature":[1],"value":[0],"rank":[0],"score":[3]},"fitted":{"best":-1}}`
	enginetest.Damaged(t, models, SavedAs, state, data.NewFeatures([]string{"a", "b"}), []enginetest.Damage{
		{`"levels":2`, `"levels":1`, "1 trees and 1 scores for 1 levels"},
		{`"levels":2`, `"levels":3`, "1 trees and 1 scores for 3 levels"},
		{`[0.25]`, `["-Infinity"]`, "a score begins at -Inf"},
		{`"levels":2,"base":[0.25],"trees":[{"column":[0,-1,1,-1,-1],"threshold":[0.5,2],"missing":"lR","value":[1,-0.5,3]}]`, `"levels":3,"base":["-Infinity","-Infinity","-Infinity"],"trees":[]`, "no level has a score"},
		{`[0,-1,1`, `[0,-1,2`, "tree 0: node 2 splits on column 2, and there are 2"},
		{`[1,-0.5,3]`, `[1,-0.5,"Infinity"]`, "tree 0: a leaf has the value +Inf"},
		{`"lR"`, `"lx"`, "tree 0: node 2: rows without a value go to 'x', expected one of lrLR"},
		{`[1,-0.5,3]`, `[1,-0.5]`, "tree 0: 5 nodes, 2 thresholds and 2 values"},
		{`"feature":[1]`, `"feature":[2]`, "importance: coefficient 0 is of column 2, and there are 2"},
		{`,"fitted":{"best":-1}`, ``, `"fitted" is missing`},
	})
}
