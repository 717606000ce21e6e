package runner

import (
	"context"
	"errors"
	"fmt"

	"github.com/sourcegraph/conc/panics"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/io/results"
	"tenfold/runner/metric"
)

// Whole is an engine fitted to all rows of a data set: the model itself, where Run keeps what it scored.
type Whole struct {
	Model   engines.Model
	Learned *data.Learned
	Outcome results.Outcome // what the fit had to say, and what it selected
}

// Outcomes tells what is stored for a unit.
type Outcomes func(unit string) (o *results.Outcome, ok bool, err error)

// FitWhole fits a unit to all rows of its split, which must be in the training part. Of a path, size is the model to take, 0 the
// last. What the unit builds on is stored.
func (u *Unit) FitWhole(ctx context.Context, stored Outcomes, workers, size int) (w *Whole, err error) {
	if p := panics.Try(func() { w, err = u.fitWhole(ctx, stored, workers, size) }); p != nil {
		return nil, fmt.Errorf("panic: %v\n%s", p.Value, p.Stack)
	}
	return w, err
}

// ErrWatches is the error of an engine that cannot be fitted to all rows.
var ErrWatches = errors.New("its parameters choose the model on the test rows of a fold, and a fit to all rows has none")

func (u *Unit) fitWhole(ctx context.Context, stored Outcomes, workers, size int) (*Whole, error) {
	engine, err := u.Engine, error(nil)
	if u.Build != nil {
		if engine, err = u.Build(before(u, stored)); err != nil {
			return nil, err
		}
	}
	if engine.Needs().Watch {
		return nil, ErrWatches
	}
	p, learned, err := u.Split.Recipe.Learn(u.Split.set())
	if err != nil {
		return nil, err
	}
	train, none := p.View(nil), p.View([]int32{})
	w := &Whole{Learned: learned}
	w.Outcome.RowsTrain, w.Outcome.Columns = int64(train.Len()), int64(train.Columns())
	for _, f := range p.Facts {
		w.Outcome.Prepared = append(w.Outcome.Prepared, results.Fact(f))
	}
	var along points
	if w.Model, err = fit(ctx, engine, u, workers, train, none, &along, &w.Outcome); err != nil {
		return nil, causeOf(ctx, err)
	}
	for _, m := range along.models {
		if m.size == size {
			w.Model = m.model
		}
	}
	describe(&w.Outcome, w.Model, train)
	return w, nil
}

// Predicted is what a model says of some rows about one target.
type Predicted struct {
	Target        data.Target // without its values
	Probabilities bool        // scores are probabilities
	Value         []float64   // a number, or the number of a level, a row
	Score         []float64   // rows × levels; nil where the target is real
}

// Apply a model to rows, as folds apply theirs to test rows.
func Apply(model engines.Model, rows *data.View, workers int) ([]Predicted, error) {
	probabilities := false
	if r, ok := model.(engines.Reporter); ok {
		probabilities = r.Fitted().Probabilities
	}
	width := model.Outputs()
	scores, labels, err := apply(model, rows, probabilities, workers)
	if err != nil {
		return nil, err
	}
	if err := finite(scores, width); err != nil {
		return nil, err
	}
	var out []Predicted
	first := 0
	for t := range rows.Targets() {
		p := Predicted{Target: rows.TargetInfo(t), Probabilities: probabilities}
		n := outputsOf(p.Target)
		if first+n > width {
			return nil, fmt.Errorf("the model has %d outputs, its targets have more", width)
		}
		var s metric.Side
		for i := range rows.Len() {
			s.Add(scores[i*width+first:i*width+first+n], p.Target.Type)
			if labels != nil {
				s.Prediction[i] = float64(labels[i])
			}
		}
		p.Value, p.Score = s.Prediction, s.Score
		out = append(out, p)
		first += n
	}
	return out, nil
}

// Score is every metric of the model's predictions that applies, for the rows that have values of the targets, and of how many
// values they are.
func Score(model engines.Model, rows *data.View, workers int) (scores []results.Score, values int, err error) {
	outputs, err := predict(model, nil, rows, workers)
	if err != nil {
		return nil, 0, err
	}
	for i := range outputs {
		values += len(outputs[i].Test.Truth)
	}
	var o results.Outcome
	score(&o, outputs, final)
	return o.Scores, values, nil
}
