package execute_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/io/results"
	"tenfold/runner/execute"
	"tenfold/runner/folds"
	"tenfold/runner/score"
)

// TestImported: predictions made elsewhere are asked for without responses, for each response where it is defined; levels alone have no
// metric that scores would have, whatever the scores of another response are; an error is a row that failed.
func TestImported(t *testing.T) {
	t.Parallel()
	d := &data.Dataset{
		X:        sparse.New(1, []int{0, 1, 2, 3, 4, 5}, []int32{0, 0, 0, 0, 0}, nil),
		Features: data.NewFeatures([]string{"a"}),
		Targets: []data.Target{
			{Name: "one", Type: data.Class, Levels: []string{"n", "y"}, Positive: 1, Values: []float64{0, 1, 0, 1}, Rows: []int32{0, 1, 2, 3}},
			{Name: "two", Type: data.Class, Levels: []string{"n", "y"}, Positive: 1, Values: []float64{0, 1, 0, 1, 1}},
		},
	}
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	u := &execute.Unit{
		Label: results.Label{Unit: "u", Engine: results.ImportEngine}, Engine: scripted{succeed}, Predictions: true,
		Split: &execute.Split{Set: d, Fold: folds.Fold{Train: []int32{0, 1}, Test: []int32{2, 3, 4}}},
	}
	var fail error
	var selected []results.Selected
	u.Imported = func(a score.Request) (*score.Imported, error) {
		var defined []bool
		for target, info := range a.Targets {
			if info.Values != nil {
				t.Error("the responses are given away")
			}
			for i := range 3 {
				defined = append(defined, a.Defined(target, i))
			}
		}
		if !slices.Equal(defined, []bool{true, true, false, true, true, true}) || a.ID(2) != "4" {
			t.Errorf("defined %v, row %s", defined, a.ID(2))
		}
		return &score.Imported{
			Scores: []float64{0.75, 0.25, 1, 0, 0.5, 0.5, 0, 1, 0, 0, 0, 1}, Labels: []int32{0, 0, 1, 1, 0, 0}, Unscored: []bool{false, true}, Probabilities: true, Selected: selected,
		}, fail
	}
	run := func() *results.Outcome {
		st := &store{got: map[string]*results.Outcome{}}
		if err := execute.Run(t.Context(), []*execute.Unit{u}, st, execute.Options{Jobs: 1}); err != nil {
			t.Fatal(err)
		}
		return st.got["u"]
	}
	o := run()
	if o.Status != results.OK {
		t.Fatal(o.Error)
	}
	values := map[string]float64{}
	for _, s := range o.Scores {
		values[s.Metric+" "+s.Output] = s.Value
		if strings.HasPrefix(s.Metric, "train_") || strings.HasPrefix(s.Metric, "seconds") || s.Metric == "selected" {
			t.Errorf("%s: of rows that nobody predicted, or work that nobody knows", s.Metric)
		}
	}
	if values["accuracy one"] != 1 || values["accuracy two"] != 2./3 || values["roc_auc one"] != 1 {
		t.Errorf("%v", values)
	}
	for _, name := range []string{"roc_auc two", "log_loss two"} {
		if v, ok := values[name]; ok {
			t.Errorf("%s: %v of levels alone", name, v)
		}
	}
	if _, ok := values["log_loss one"]; !ok {
		t.Errorf("no log-loss of probabilities: %v", values)
	}
	selected = []results.Selected{{Feature: "a", Output: "two=y", Rank: 2, Coefficient: 0.5}, {Feature: "z", Rank: 1}, {Feature: "a", Output: "one=n", Rank: -1, Coefficient: -1}}
	o = run()
	var order []string
	for _, s := range o.Selected {
		order = append(order, s.Feature+" "+s.Output)
	}
	if n, ok := o.Metric("nonzero"); strings.Join(order, ", ") != "z , a one=n, a two=y" || o.Features != 2 || !ok || n != 2 || len(o.Notes) != 1 {
		t.Errorf("%s: %q, %d features, nonzero %v, notes %q", o.Error, order, o.Features, n, o.Notes)
	}
	selected = []results.Selected{{Feature: "a", Output: "two"}}
	if o := run(); o.Status != results.Failed || !strings.Contains(o.Error, `selections: feature "a": there is no output "two"`) {
		t.Errorf("an output that is not there: %+v", o)
	}
	fail = errors.New("row 3 is not there")
	if o := run(); o.Status != results.Failed || o.Error != "row 3 is not there" || len(o.Scores) > 0 {
		t.Errorf("%+v", o)
	}
}
