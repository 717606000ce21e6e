package execute

import (
	"context"
	"errors"
	"fmt"

	"github.com/sourcegraph/conc/panics"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/survival"
	"tenfold/engines/prepare"
	"tenfold/engines/prepare/probes"
	"tenfold/io/results"
	"tenfold/runner/metric"
	"tenfold/runner/score"
)

// FullFit is an engine fitted to all rows of a data set, with the model itself: Run keeps only scores.
type FullFit struct {
	Model   engines.Model
	Learned *prepare.Learned
	Outcome results.Outcome // what the fit reported, and what it selected
}

// Outcomes returns the outcome stored for a unit.
type Outcomes func(unit string) (o *results.Outcome, ok bool, err error)

// FitFully fits a unit to all rows of its split, which must be in the training part. size selects the model of a path, 0
// the last. What the unit builds on has to be stored.
func (u *Unit) FitFully(ctx context.Context, stored Outcomes, workers, size int) (w *FullFit, err error) {
	if p := panics.Try(func() { w, err = u.fitAllRows(ctx, stored, workers, size) }); p != nil && predictionError(p.Value) != nil {
		return nil, predictionError(p.Value)
	} else if p != nil {
		return nil, panicError(p)
	}
	return w, err
}

// ErrWatches is the error of an engine that cannot be fitted to all rows.
var ErrWatches = errors.New("its parameters choose the model on the test rows of a fold, and a fit to all rows has none")

// ErrProbes is the error of data whose columns are not all its own.
var ErrProbes = errors.New("the data set has probes, and a model for use has none; leave features: {probes: …} out, or set its kind to none")

func (u *Unit) fitAllRows(ctx context.Context, stored Outcomes, workers, size int) (*FullFit, error) {
	if u.Split.Recipe.Probes != (probes.Rule{}) {
		return nil, ErrProbes
	}
	engine, err := u.Engine, error(nil)
	if u.Build != nil {
		if engine, err = u.Build(outcomesBefore(u, stored)); err != nil {
			return nil, err
		}
	}
	if engine.Needs().Watch {
		return nil, ErrWatches
	}
	p, learned, err := u.Split.Recipe.Learn(u.Split.inputData())
	if err != nil {
		return nil, err
	}
	train, none := p.View(nil), p.View([]int32{})
	w := &FullFit{Learned: learned}
	w.Outcome.RowsTrain, w.Outcome.Columns = int64(train.Len()), int64(train.Columns())
	w.Outcome.Prepared = append(w.Outcome.Prepared, p.Facts...)
	var along pathModels
	var opened openedFiles
	if w.Model, err = fitEngine(ctx, engine, u, nil, workers, train, none, &along, &opened, &w.Outcome); err != nil {
		return nil, contextCause(ctx, err)
	}
	w.Outcome.Facts = append(w.Outcome.Facts, opened.facts()...)
	for _, m := range along.models {
		if m.size == size {
			w.Model = m.model
		}
	}
	addSelected(&w.Outcome, w.Model, train)
	return w, nil
}

// Predicted is a model's predictions of one target for some rows.
type Predicted struct {
	Target        data.Target        // without its values
	Probabilities bool               // scores are natural logarithms of probabilities, else decision values
	Value         []float64          // for each row: a number, the count to expect, or the index of a level
	Rate          []float64          // of counts with exposures: that to expect at an exposure of 1; else nil
	Score         []float64          // rows × levels; nil if the target is real
	Baseline      *survival.Baseline // of a survival target; nil if the engine estimates none
}

// Apply predicts rows with a model, as folds do for their test rows.
func Apply(model engines.Model, rows *data.View, workers int) ([]Predicted, error) {
	fitted := engines.Fitted{}
	if r, ok := model.(engines.Reporter); ok {
		fitted = r.Fitted()
	}
	probabilities := fitted.Probabilities
	width := model.Outputs()
	var scores []float64
	var labels []int32
	if err := predicting(func() (err error) {
		scores, labels, err = score.Outputs(model, rows, probabilities, workers)
		return err
	}); err != nil {
		return nil, err
	}
	var out []Predicted
	first := 0
	for t := range rows.Targets() {
		p := Predicted{Target: rows.TargetInfo(t), Probabilities: probabilities}
		if p.Target.Type == data.Survival {
			p.Baseline = fitted.Baseline
		}
		n := p.Target.Outputs()
		if first+n > width {
			return nil, fmt.Errorf("the model has %d outputs, its targets have more", width)
		}
		s := metric.Side{Exposure: rows.Exposures()}
		for i := range rows.Len() {
			s.Add(scores[i*width+first:i*width+first+n], p.Target.Type, fitted.Decision)
			if labels != nil {
				s.Prediction[i] = float64(labels[i])
			}
		}
		p.Value, p.Score = s.Prediction, s.Score
		if s.Exposure != nil && p.Target.Type == data.Count {
			for i, t := range s.Exposure {
				p.Rate = append(p.Rate, p.Value[i]/t)
			}
		}
		out = append(out, p)
		first += n
	}
	return out, nil
}

// predicting calls do and returns the error of a model that is a program and failed to predict.
func predicting(do func() error) (err error) {
	p := panics.Try(func() { err = do() })
	switch {
	case p == nil:
		return err
	case predictionError(p.Value) != nil:
		return predictionError(p.Value)
	}
	panic(p)
}

// Score returns every metric that applies to the model's predictions, for the rows that have values of the targets, and
// the number of these values. Metrics that are weighted for censoring take it as it is in these rows.
func Score(model engines.Model, rows *data.View, workers int) (scores []results.Score, values int, err error) {
	var outputs []score.Target
	if err := predicting(func() (err error) {
		outputs, err = score.Predict(model, nil, rows, workers)
		return err
	}); err != nil {
		return nil, 0, err
	}
	for i := range outputs {
		o := &outputs[i]
		if values += len(o.Test.Truth); o.Type == data.Survival { // how the model's own rows were censored is not kept with it
			known := survival.KnownOf(o.Test.Truth, o.Test.Events, o.Test.Weight, o.Baseline)
			o.Known = &known
		}
	}
	var o results.Outcome
	score.Add(&o, outputs, score.FinalPoint)
	return o.Scores, values, nil
}
