package runner

import (
	"fmt"
	"math"
	"strconv"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/io/results"
	"tenfold/runner/metric"
)

// output is one target's truth and predictions.
type output struct {
	name string // "" where there is only one target
	metric.Outcome
	rows []int // test rows where the target is defined
}

// Measure is some metrics of a model's predictions for rows that it was not fitted to, each the mean over targets; NaN where
// it is undefined for all.
func Measure(ms []metric.Metric, model engines.Model, rows *data.View, workers int) ([]float64, error) {
	outputs, err := predict(model, nil, rows, workers)
	if err != nil {
		return nil, err
	}
	values := make([]float64, len(ms))
	for i, m := range ms {
		values[i], _, _ = overTargets(m, outputs, func(*output, float64) {})
	}
	return values, nil
}

// overTargets is the mean of a metric over the targets for which it is defined, NaN where it is for none: over how many of those that it
// is about. each gets the values one by one.
func overTargets(m metric.Metric, outputs []output, each func(o *output, value float64)) (mean float64, defined, of int) {
	sum := 0.0
	for i := range outputs {
		o := &outputs[i]
		if m.Target != data.Any && o.Type != m.Target {
			continue
		}
		of++
		if v := m.Score(&o.Outcome); !math.IsNaN(v) && !math.IsInf(v, 0) {
			sum, defined = sum+v, defined+1
			each(o, v)
		}
	}
	return sum / float64(defined), defined, of
}

// predict applies the model to both sides (without training rows, to the one) and splits its outputs by target. Rows of
// sequences whose columns depend on previous labels are decoded, on both sides.
func predict(model engines.Model, train, test *data.View, workers int) ([]output, error) {
	out := make([]output, test.Targets())
	sides := []struct {
		view *data.View
		of   func(o *output) *metric.Side
	}{
		{train, func(o *output) *metric.Side { return &o.Train }},
		{test, func(o *output) *metric.Side { return &o.Test }},
	}
	probabilities := false
	if r, ok := model.(engines.Reporter); ok {
		probabilities = r.Fitted().Probabilities
	}
	for _, side := range sides {
		if side.view == nil {
			continue
		}
		width := model.Outputs()
		scores, labels, err := apply(model, side.view, probabilities, workers)
		if err != nil {
			return nil, err
		}
		if err := finite(scores, width); err != nil {
			return nil, err
		}
		starts := side.view.Starts()
		weights := side.view.Weights()
		first := 0
		for t := range out {
			info := side.view.TargetInfo(t)
			o := &out[t]
			o.Type, o.Levels, o.Positive, o.Probabilities = info.Type, info.Levels, info.Positive, probabilities
			if len(out) > 1 {
				o.name = info.Name
			}
			at, y := side.view.Target(t)
			s := side.of(o)
			s.Truth = y
			alone := at == nil && len(out) == 1 && width == outputsOf(info)
			if alone { // the scores are this target's, and need no copy
				s.Take(scores, width, info.Type)
			} else {
				s.Grow(len(y), outputsOf(info), info.Type)
			}
			if at == nil {
				s.Starts = starts
			}
			for k := range y {
				i := k
				if at != nil {
					i = int(at[k])
				}
				row := scores[i*width+first : i*width+first+outputsOf(info)]
				if !alone {
					s.Add(row, info.Type)
				}
				if labels != nil {
					s.Prediction[k] = float64(labels[i])
				}
				if weights != nil {
					s.Weight = append(s.Weight, weights[i])
				}
				if side.view == test {
					o.rows = append(o.rows, i)
				}
			}
			first += outputsOf(info)
		}
	}
	if train != nil {
		meetTruth(out, model, train)
	}
	return out, nil
}

// Evaluation is about how much memory it takes to score the predictions for all rows, with so many outputs each: scores,
// predictions, and an order of the rows.
func Evaluation(rows, outputs int) int64 { return int64(rows) * (8*int64(outputs) + 8 + 24) }

// apply is the outputs for every row, row-major, and, where rows had to be decoded, their labels.
func apply(model engines.Model, view *data.View, probabilities bool, workers int) (scores []float64, labels []int32, err error) {
	steps, err := view.Inputs().Steps()
	if err != nil {
		return nil, nil, err
	}
	if steps != nil {
		d, err := decode(model, steps, view.Len(), probabilities, workers)
		return d.scores, d.labels, err
	}
	scores = make([]float64, view.Len()*model.Outputs())
	model.Predict(scores, view.Inputs())
	return scores, nil, nil
}

// score computes every metric that applies, for each target and, where there are several, their mean. Undefined ones
// are left out; a fact tells of how many targets they are. Scores are those of a point of the path, or of the final model.
func score(o *results.Outcome, outputs []output, point int32) {
	for _, m := range metric.All() {
		if m.Work {
			continue
		}
		mean, n, of := overTargets(m, outputs, func(of *output, v float64) {
			if len(outputs) > 1 && !m.Overall() {
				o.Scores = append(o.Scores, results.Score{Metric: m.Name, Output: of.name, Point: point, Value: v, Higher: bool(m.Better)})
			}
		})
		if n > 0 {
			o.Scores = append(o.Scores, results.Score{Metric: m.Name, Point: point, Value: mean, Higher: bool(m.Better)})
		}
		if 0 < n && n < of && point == final {
			o.Facts = append(o.Facts, results.Fact{Name: results.WithoutMetric + m.Name, Value: fmt.Sprintf("%d of %d", of-n, of)})
		}
	}
}

func keepPredictions(o *results.Outcome, test *data.View, outputs []output) {
	p := &o.Predictions
	groups, weights := test.Groups(), test.Weights()
	for _, out := range outputs {
		for k, row := range out.rows {
			p.Row = append(p.Row, test.ID(row))
			p.Group = append(p.Group, groupOf(groups, row))
			p.Output = append(p.Output, out.name)
			truth, prediction := out.Test.Truth[k], out.Test.Prediction[k]
			p.Truth = append(p.Truth, truth)
			p.Prediction = append(p.Prediction, prediction)
			if weights != nil {
				p.Weight = append(p.Weight, weights[row])
			}
			if out.Type != data.Class {
				p.Score = append(p.Score, math.NaN())
				p.TruthLabel, p.PredictionLabel = append(p.TruthLabel, ""), append(p.PredictionLabel, "")
				continue
			}
			levels := len(out.Levels)
			scores := out.Test.Score[k*levels : (k+1)*levels]
			if levels == 2 {
				p.Score = append(p.Score, scores[out.Positive])
			} else {
				p.Score = append(p.Score, scores[int(prediction)])
			}
			p.TruthLabel = append(p.TruthLabel, out.Levels[int(truth)])
			p.PredictionLabel = append(p.PredictionLabel, out.Levels[int(prediction)])
		}
	}
}

// groupOf is the number of the row's group, "" where there are none.
func groupOf(groups *data.Groups, row int) string {
	if groups == nil {
		return ""
	}
	return strconv.Itoa(int(groups.Of[row]))
}
