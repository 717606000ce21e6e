package execute

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/io/results"
	"tenfold/runner/folds"
	"tenfold/runner/score"
)

// growing hands out a model of each size asked for, whose bias is the size.
type growing struct{ spoilt int }

func (growing) Validate() error      { return nil }
func (growing) Needs() engines.Needs { return engines.Needs{} }
func (g growing) Fit(_ context.Context, run engines.Run) (engines.Model, error) {
	linear := func(n int) engines.Model {
		fitted := engines.Fitted{Best: n, Iterations: n, Evaluated: int64(10 * n), Notes: []string{"of all"}}
		bias := float64(n)
		if n == g.spoilt {
			bias = math.NaN()
		}
		if n == 1 {
			fitted.Notes = append(fitted.Notes, "of one")
		}
		return engines.NewLinear(run.Train.Columns(), []float64{bias}, make([]engines.Coef, 0, n), fitted)
	}
	run.Trace.At(engines.Step{Changed: engines.Coef{Feature: -1}})
	for n := 1; n <= 4; n++ {
		run.Trace.At(engines.Step{Iter: n, Changed: engines.Coef{Feature: -1}, Bias: float64(n)})
		for _, size := range run.At {
			if size == n {
				run.Keep(n, linear(n))
			}
		}
	}
	return linear(4), nil
}

func pointUnit(t *testing.T, g growing, at ...int) *Unit {
	t.Helper()
	d := &data.Dataset{
		X:        sparse.New(3, []int{0, 1, 3, 4, 5}, []int32{0, 1, 2, 1, 2}, nil),
		Features: data.NewFeatures([]string{"a", "b", "c"}),
		Targets:  []data.Target{{Name: "y", Type: data.Real, Values: []float64{1, 2, 3, 5}}},
	}
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	s := &Split{Set: d, Fold: folds.Fold{Train: []int32{0, 1}, Test: []int32{2, 3}}}
	s.addUnit()
	return &Unit{Split: s, Engine: g, At: at}
}

// Every metric that applies is measured on every model of the path; the final model's are what they are without a path.
func TestPointsAreScored(t *testing.T) {
	t.Parallel()
	var with, without results.Outcome
	if err := executeUnit(t.Context(), pointUnit(t, growing{}, 1, 3), nil, new(innerLogs), 1, &with); err != nil {
		t.Fatal(err)
	}
	if err := executeUnit(t.Context(), pointUnit(t, growing{}), nil, new(innerLogs), 1, &without); err != nil {
		t.Fatal(err)
	}
	value := func(o *results.Outcome, metric string, point int32) float64 {
		for _, s := range o.Scores {
			if s.Metric == metric && s.Point == point {
				return s.Value
			}
		}
		return math.NaN()
	}
	for _, s := range without.Scores {
		if s.Point != score.FinalPoint {
			t.Errorf("a score of point %d without a path", s.Point)
		}
		if s.Metric == "seconds_predict" {
			continue
		}
		for _, at := range []int32{1, 3, score.FinalPoint} {
			if math.IsNaN(value(&with, s.Metric, at)) {
				t.Errorf("no %s at %d", s.Metric, at)
			}
		}
		if got := value(&with, s.Metric, score.FinalPoint); !strings.HasPrefix(s.Metric, "seconds") && got != s.Value {
			t.Errorf("%s of the final model: %v, without a path %v", s.Metric, got, s.Value)
		}
	}
	for at, want := range map[int32]float64{1: 10, 3: 2, score.FinalPoint: 1} { // truths 3 and 5
		if got := value(&with, "test_mse", at); got != want {
			t.Errorf("test_mse at %d: %v, want %v", at, got, want)
		}
		if n := float64(at); at != score.FinalPoint && (value(&with, "iterations", at) != n || value(&with, "evaluations", at) != 10*n) {
			t.Errorf("iterations and evaluations at %d: %v, %v", at, value(&with, "iterations", at), value(&with, "evaluations", at))
		}
	}
	if got := fmt.Sprint(with.Notes); got != "[of all at 1 features: of one]" {
		t.Errorf("notes %s", got)
	}
}

// Sizes beyond the end of a path have the scores of its last model, and say where it ended.
func TestPointsBeyondTheEnd(t *testing.T) {
	t.Parallel()
	var o results.Outcome
	if err := executeUnit(t.Context(), pointUnit(t, growing{}, 3, 5, 9), nil, new(innerLogs), 1, &o); err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, s := range o.Scores {
		got[fmt.Sprint(s.Metric, " ", s.Point)] = s.Value
	}
	for name, want := range map[string]float64{"test_mse 3": 2, "test_mse 5": 1, "test_mse 9": 1, "path_end 3": 3, "path_end 5": 0, "path_end 9": 0} { // models without coefficients
		if v, has := got[name]; !has || v != want {
			t.Errorf("%s: %v, want %v", name, v, want)
		}
	}
	if got := fmt.Sprint(o.Notes); got != "[of all the path ends at 0 features: its last model stands for [5 9]]" {
		t.Errorf("notes %s", got)
	}
}

func TestPointsThatFail(t *testing.T) {
	t.Parallel()
	var o results.Outcome
	err := executeUnit(t.Context(), pointUnit(t, growing{spoilt: 3}, 1, 3), nil, new(innerLogs), 1, &o)
	if err == nil || !strings.HasPrefix(err.Error(), "at 3 features: the model predicts NaN") {
		t.Errorf("%v", err)
	}
}

// A model's seconds are those of the selection and of its own estimation, not of those before it; nor does the path's
// clock count any.
func TestPointClock(t *testing.T) {
	t.Parallel()
	now := time.Now()
	path := &recorder{begun: now.Add(-100 * time.Second)}
	p := pathModels{path: path, elapsed: 60 * time.Second, lastEvent: now.Add(-40 * time.Second)} // a step after 60 s
	p.keepModel(1, nil)
	p.keepModel(2, nil)
	first, second := p.models[0].seconds, p.models[1].seconds
	if first < 100 || first > 120 || second < 60 || second > 80 {
		t.Errorf("%v s and %v s, want about 100 and 60", first, second)
	}
	if since := time.Since(path.begun); since < 60*time.Second || since > 80*time.Second {
		t.Errorf("the path's clock shows %v, want about 60 s", since)
	}
}

// Coefficients without an order of entry have a score where the engine gave them one.
func TestScoresOfCoefficients(t *testing.T) {
	train, _, _, err := pointUnit(t, growing{}).Split.prepare()
	if err != nil {
		t.Fatal(err)
	}
	var o results.Outcome
	addSelected(&o, engines.NewLinear(3, []float64{0}, []engines.Coef{
		{Feature: 0, Value: 1, Rank: -1}, {Feature: 1, Value: 1, Rank: -1, Score: -0.5}, {Feature: 2, Value: 1, Rank: 0},
	}, engines.Fitted{}), train)
	if s := o.Selected; !math.IsNaN(s[0].Score) || s[1].Score != -0.5 || s[2].Score != 0 {
		t.Errorf("scores of %+v", s)
	}
}

// The order of entry is that of columns that are not kept.
func TestRanksBesideKept(t *testing.T) {
	train, _, _, err := pointUnit(t, growing{}).Split.prepare()
	if err != nil {
		t.Fatal(err)
	}
	var o results.Outcome
	addSelected(&o, engines.NewLinear(3, []float64{0}, []engines.Coef{
		{Feature: 0, Value: 1, Rank: 2}, {Feature: 1, Value: 1, Rank: 0}, {Feature: 2, Value: 1, Rank: 1},
	}, engines.Fitted{}), train.WithFactors([]float64{1, 0, 1}))
	var got []string
	for _, s := range o.Selected {
		got = append(got, fmt.Sprint(s.Feature, " ", s.Rank))
	}
	if text := strings.Join(got, ", "); text != "b -1, c 0, a 1" {
		t.Error(text)
	}
}
