// Package score measures the predictions of a model for rows that it was not fitted to: it applies the model, or takes predictions that were
// made elsewhere (imported.go), decodes sequences (decode.go), compares coefficients with true ones (truth.go) and ranks probes (probes.go);
// package metric then computes each number. It starts no fit.
package score

import (
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/io/results"
	"tenfold/runner/metric"
)

// FinalPoint is the path point of the scores of the final model.
const FinalPoint = -1

// Target is the truth and the predictions of one target.
type Target struct {
	name string // "" if there is only one target
	metric.Outcome
	rows []int // test rows where the target is defined
}

// Measure returns metrics of a model's predictions for rows that it was not fitted to, each the mean over targets; NaN if
// it is undefined for all. train is the rows that it was fitted to, which some metrics take, too.
func Measure(ms []metric.Metric, model engines.Model, train, rows *data.View, workers int) ([]float64, error) {
	if !slices.ContainsFunc(ms, func(m metric.Metric) bool { return m.Both }) {
		train = nil
	}
	outputs, err := Predict(model, train, rows, workers)
	if err != nil {
		return nil, err
	}
	values := make([]float64, len(ms))
	for i, m := range ms {
		values[i], _, _ = meanOverTargets(m, outputs, func(*Target, float64) {})
	}
	return values, nil
}

// meanOverTargets returns the mean of a metric over the targets for which it is defined, NaN if there are none, and the
// number of these and of all targets of the metric's type. It calls each with every defined value.
func meanOverTargets(m metric.Metric, outputs []Target, each func(o *Target, value float64)) (mean float64, defined, all int) {
	sum := 0.0
	for i := range outputs {
		o := &outputs[i]
		if !m.Takes(o.Type) || (m.Training || m.Both && o.Known == nil) && o.Train.Truth == nil {
			continue
		}
		all++
		if v := m.Score(&o.Outcome); !math.IsNaN(v) {
			sum, defined = sum+v, defined+1
			each(o, v)
		}
	}
	return sum / float64(defined), defined, all
}

// Predict applies the model to both sides (only test if train is nil) and splits its outputs by target. Sequences
// whose columns depend on previous labels are decoded, on both sides. Predictions made elsewhere are taken as they are.
func Predict(model engines.Model, train, test *data.View, workers int) ([]Target, error) {
	out := make([]Target, test.Targets())
	sides := []struct {
		view *data.View
		side func(o *Target) *metric.Side
	}{
		{train, func(o *Target) *metric.Side { return &o.Train }},
		{test, func(o *Target) *metric.Side { return &o.Test }},
	}
	fitted := engines.Fitted{}
	if r, ok := model.(engines.Reporter); ok {
		fitted = r.Fitted()
	}
	probabilities := fitted.Probabilities
	for _, side := range sides {
		if side.view == nil {
			continue
		}
		width := model.Outputs()
		scores, labels, err := Outputs(model, side.view, probabilities, workers)
		if err != nil {
			return nil, err
		}
		starts := side.view.Starts()
		weights := side.view.Weights()
		first := 0
		for t := range out {
			info := side.view.TargetInfo(t)
			o := &out[t]
			o.Type, o.Levels, o.Positive, o.Probabilities = info.Type, info.Levels, info.Positive, probabilities
			o.Baseline = fitted.Baseline
			if len(out) > 1 {
				o.name = info.Name
			}
			defined, y := side.view.Target(t)
			s := side.side(o)
			s.Truth, s.Events, s.Exposure = y, side.view.Events(t), side.view.Exposures()
			if defined != nil {
				s.Exposure = data.ValuesAt(s.Exposure, defined)
			}
			given, imported := model.(*ImportedModel)
			output := info.Type
			if imported && output == data.Count { // predictions made elsewhere are counts already
				output = data.Real
			}
			alone := defined == nil && len(out) == 1 && width == info.Outputs()
			if alone { // all scores are of this target: no copy needed
				s.Take(scores, width, output, fitted.Decision)
			} else {
				s.Grow(len(y), info.Outputs(), output)
			}
			if defined == nil {
				s.Starts = starts
			}
			for k := range y {
				i := k
				if defined != nil {
					i = int(defined[k])
				}
				row := scores[i*width+first : i*width+first+info.Outputs()]
				if !alone {
					s.Add(row, output, fitted.Decision)
				}
				if labels != nil {
					s.Prediction[k] = float64(labels[i*len(out)+t])
				}
				if weights != nil {
					s.Weight = append(s.Weight, weights[i])
				}
				if side.view == test {
					o.rows = append(o.rows, i)
				}
			}
			first += info.Outputs()
			if imported && given.Unscored[t] {
				s.Score, o.Probabilities = nil, false
			}
		}
	}
	if train != nil {
		CompareWithTruth(out, model, train)
		rankProbes(out, model, train)
	}
	return out, nil
}

// Memory estimates the bytes that scoring predictions takes, for rows with outputs scores each: scores, predictions,
// and an order of the rows.
func Memory(rows, outputs int) int64 { return int64(rows) * (8*int64(outputs) + 8 + 24) }

// Outputs returns the outputs for every row, row-major, and the labels if rows had to be decoded. It returns an error if outputs are not
// finite; of probabilities, which are logarithms, −∞ is a level that the model considers impossible.
func Outputs(model engines.Model, view *data.View, probabilities bool, workers int) (scores []float64, labels []int32, err error) {
	if scores, labels, err = modelScores(model, view, probabilities, workers); err == nil {
		err = checkScores(scores, model.Outputs(), view, probabilities)
	}
	return scores, labels, err
}

func modelScores(model engines.Model, view *data.View, probabilities bool, workers int) (scores []float64, labels []int32, err error) {
	if given, ok := model.(*ImportedModel); ok {
		return given.Scores, given.Labels, nil
	}
	steps, err := view.Inputs().Steps()
	if err != nil {
		return nil, nil, err
	}
	if steps != nil {
		d, err := decodeSequences(model, steps, view.Len(), probabilities, workers)
		return d.scores, d.labels, err
	}
	scores = make([]float64, view.Len()*model.Outputs())
	model.Predict(scores, view.Inputs())
	return scores, nil, nil
}

// Add adds every metric that applies, for each target and, if there are several, their mean. Undefined ones are
// left out; a fact counts their targets. point is a point of the path, or FinalPoint.
func Add(o *results.Outcome, outputs []Target, point int32) {
	for _, m := range metric.All() {
		if m.Score == nil {
			continue
		}
		mean, n, all := meanOverTargets(m, outputs, func(target *Target, v float64) {
			if len(outputs) > 1 && !m.Overall() {
				o.Scores = append(o.Scores, results.Score{Metric: m.Name, Output: target.name, Point: point, Value: v, Higher: bool(m.Better)})
			}
		})
		if n > 0 {
			o.Scores = append(o.Scores, results.Score{Metric: m.Name, Point: point, Value: mean, Higher: bool(m.Better)})
		}
		if 0 < n && n < all && point == FinalPoint {
			o.Facts = append(o.Facts, data.Fact{Name: results.WithoutMetric + m.Name, Value: fmt.Sprintf("%d of %d", all-n, all)})
		}
	}
}

// Notes returns what people should know of the scores: that a loss is infinite, or that all test rows are of one class.
func (o *Target) Notes() (notes []string) {
	for _, note := range []string{impossible(o), oneClass(o)} {
		if note != "" {
			notes = append(notes, note)
		}
	}
	return notes
}

// impossible returns a message if the target's level of some test rows has probability 0; "" otherwise. A model that rules out what
// happens has an infinite loss.
func impossible(o *Target) string {
	rows, levels := 0, len(o.Levels)
	for k, t := range o.Test.Truth {
		if o.Probabilities && o.Type == data.Class && math.IsInf(o.Test.Score[k*levels+int(t)], -1) {
			rows++
		}
	}
	if rows == 0 {
		return ""
	}
	return fmt.Sprintf("%s%d of %d test rows have a level to which the model gives probability 0: their log-loss is infinite", o.prefix(), rows, len(o.Test.Truth))
}

// oneClass returns a message if all test rows have one class of several; "" otherwise. Their balanced accuracy is that of this class alone.
func oneClass(o *Target) string {
	truth := o.Test.Truth
	if o.Type != data.Class || len(truth) < 2 || len(o.Levels) < 2 || slices.Min(truth) != slices.Max(truth) {
		return ""
	}
	return fmt.Sprintf("%sall %d test rows are %s: balanced_accuracy is the recall of this class", o.prefix(), len(truth), o.Levels[int(truth[0])])
}

// prefix returns the beginning of messages about one of several targets.
func (o *Target) prefix() string {
	if o.name == "" {
		return ""
	}
	return "target " + o.name + ": "
}

// checkScores returns an error if predictions are not finite: a model that diverged has failed, whatever its metrics would be. Log
// probabilities may be −∞, of a level that the model considers impossible.
func checkScores(scores []float64, width int, rows *data.View, probabilities bool) error {
	impossible := make([]bool, 0, width) // whether an output may be −∞
	for t := range rows.Targets() {
		info := rows.TargetInfo(t)
		impossible = append(impossible, slices.Repeat([]bool{probabilities && info.Type == data.Class || info.Type == data.Count}, info.Outputs())...)
	}
	for k, x := range scores {
		if o := k % width; math.IsNaN(x) || math.IsInf(x, 1) || math.IsInf(x, -1) && !(o < len(impossible) && impossible[o]) {
			return fmt.Errorf("the model predicts %v for row %d, output %d", x, k/width, o)
		}
	}
	return nil
}
