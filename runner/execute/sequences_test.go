package execute

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/io/formats/conll"
	"tenfold/io/results"
	"tenfold/io/source/sourcetest"
	"tenfold/runner/folds"
)

// fitted is an engine that returns a model.
type fitted struct{ model engines.Model }

func (fitted) Validate() error                                           { return nil }
func (fitted) Needs() engines.Needs                                      { return engines.Needs{} }
func (f fitted) Fit(context.Context, engines.Run) (engines.Model, error) { return f.model, nil }

// What comes out of a unit on sequences: chunk metrics, counts of chunks, predictions by sentence and token.
func TestExecuteSequences(t *testing.T) {
	f := conll.Kind.Defaults().(conll.Format)
	f.Columns, f.Target.Column = map[string]int{"w": 0, "c": 1}, "c"
	f.Features.Templates = []string{"w[0]", "c[-1]"}
	set, err := f.Load(t.Context(), sourcetest.Input(map[string]string{"train": "a B-X\nb I-X\nc O\nb O\n", "test": "a B-X\nb I-X\n\nc O\nb I-X\na B-X\n"}))
	if err != nil {
		t.Fatal(err)
	}
	// The columns are w[0]=a, b, c, then c[-1]= *, B-X, I-X, O; the levels B-X, I-X, O. After O, b is O.
	model := engines.NewLinear(set.Features.Len(), make([]float64, 3), []engines.Coef{
		{Feature: 0, Output: 0, Value: 1}, {Feature: 1, Output: 1, Value: 1}, {Feature: 2, Output: 2, Value: 1}, {Feature: 6, Output: 2, Value: 2},
	}, engines.Fitted{})
	u := &Unit{
		Engine: fitted{model}, Predictions: true,
		Split: &Split{Set: set, Recipe: f.Recipe(), Fold: folds.Fold{Train: []int32{0, 1, 2, 3}, Test: []int32{4, 5, 6, 7, 8}}},
	}
	o := new(results.Outcome)
	if err := executeUnit(t.Context(), u, nil, new(innerLogs), 1, o); err != nil {
		t.Fatal(err)
	}
	p := o.Predictions
	if got := fmt.Sprint(p.Row, p.Group, p.TruthLabel, p.PredictionLabel); got != "[2:1 2:2 3:1 3:2 3:3] [1 1 2 2 2] [B-X I-X O B-X B-X] [B-X I-X O O O]" {
		t.Error(got)
	}
	scores := map[string]float64{}
	for _, s := range o.Scores {
		scores[s.Metric] = s.Value
	}
	if scores["chunk_precision"] != 1 || !(math.Abs(scores["chunk_recall"]-1.0/3) <= 1e-15) || scores["chunk_f1"] != 0.5 || scores["accuracy"] != 0.6 || scores["train_accuracy"] != 1 {
		t.Errorf("%v", scores)
	}
	if got := fmt.Sprint(o.Facts); got != "[{chunks in the test rows: true, predicted, right 3, 1, 1} {of them begin with I: true, predicted 0, 0}]" {
		t.Error(got)
	}
}
